"""The page as a file: what it says, that it needs nothing else, that what it shows stays text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.failures import Failure
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.view import write_page
from autoforge.gym.view.script_data import data_line, exact
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from tests.generator.report.test_page import Page
from tests.gym.view.episodes import HOSTILE, full, hostile, short


def page_of(tmp_path: Path, *episodes: Trajectory, title: str = "") -> str:
    path = tmp_path / "page.html"
    write_page(iter(episodes), path, title=title)
    return path.read_text(encoding="utf-8")


def data(page: str, name: str) -> list[Any]:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return [json.loads(line) for line in found[1].strip().split("\n") if line]


def test_every_element_is_closed_and_every_identifier_is_used_once(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path, full(), short()))
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert page.unbalanced == []
    assert len(identifiers) == len(set(identifiers))


def test_the_page_loads_nothing(tmp_path: Path) -> None:
    text = page_of(tmp_path, full())
    page = Page(text)
    assert page.named("link") == [] and page.named("img") == []
    assert all(not {"src", "href"} & set(attributes) for _, attributes in page.elements)
    assert "@import" not in text and "url(" not in text


def test_the_policy_header_names_the_digest_of_the_only_script(tmp_path: Path) -> None:
    text = page_of(tmp_path, full())
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = next(a["content"] for a in Page(text).named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert len(scripts) == 1
    assert f"script-src 'sha256-{digest}'" in str(policy) and "default-src 'none'" in str(policy)


def test_hostile_texts_stay_text_wherever_they_stand(tmp_path: Path) -> None:
    text = page_of(tmp_path, hostile(), title=HOSTILE)
    page = Page(text)
    assert [a.get("type") for a in page.named("script")] == ["application/json"] * 3 + [None]
    assert page.named("img") == [] and page.unbalanced == []
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "{{ 7 * 7 }}" in page.text and not {"\u202e", "\x00"} & set(text)
    assert data(text, "episodes")[0]["turns"][0]["text"].startswith("</script><script>")


def test_the_summary_counts_scored_unscored_and_masked_episodes(tmp_path: Path) -> None:
    lost = Failure(blame="infrastructure", where="server", message="gone")
    failed = [short(n, end="failed", reward=None, failure=lost) for n in (5, 6)]
    page = Page(
        page_of(tmp_path, short(1), short(2, reward=0.0), short(3, masked=True), *failed, short(7, reward=None))
    )
    words = " ".join(page.text.split())
    assert "6 episodes, mean reward 0.667 over 3 scored" in words
    assert "3 not scored: infrastructure 2, no state 1" in words
    assert "1 masked; mean reward 0.500 over the 2 others" in words


def test_without_a_script_the_page_lists_the_episodes_and_the_groups(tmp_path: Path) -> None:
    text = page_of(tmp_path, short(1), short(2, environment="bank", agent="b"))
    unscripted = re.search("<noscript>(.*?)</noscript>", text, re.DOTALL)
    assert unscripted is not None
    assert "e/1" in unscripted[1] and "customer number 2" in unscripted[1]
    groups = re.search('<details id="groups".*?</details>', text, re.DOTALL)
    assert groups is not None and "bank" in groups[0] and groups[0].count("<tr>") == 3


def test_a_page_of_no_episodes_says_so(tmp_path: Path) -> None:
    text = page_of(tmp_path)
    assert "0</b> episodes" in text and data(text, "entries") == []


def test_numbers_that_a_browser_would_round_are_text(tmp_path: Path) -> None:
    turn = data(page_of(tmp_path, full()), "episodes")[0]["turns"][1]
    assert turn["calls"][0]["arguments"] == [["order", ["12345678901234567890"]], ["exact", ["1.0"]]]


def test_a_change_shows_the_columns_that_changed_and_a_new_row_all_of_them(tmp_path: Path) -> None:
    turn = data(page_of(tmp_path, full()), "episodes")[0]["turns"][4]
    changed, created = turn["diff"]
    assert changed["cells"] == [["status", "open", "cancelled"], ["note", ["null"], "late"]]
    assert (created["fate"], created["cells"]) == ("new", [["id", ["null"], "REF-1"], ["amount", ["null"], ["12.5"]]])


def test_token_ids_and_sealed_reasoning_stay_out_but_are_counted(tmp_path: Path) -> None:
    text = page_of(tmp_path, full())
    turn = data(text, "episodes")[0]["turns"][1]
    assert "7654321" not in text and "sealed-bytes" not in text
    assert turn["sampled"] == {"count": 3, "mean": -1.0, "versions": [4, 5]} and turn["tokens"] == [1200, 34]
    assert turn["thinking"] == [["The customer wants a refund.", "anthropic"], ["", "anthropic"]]


def test_tools_and_instructions_that_episodes_share_are_kept_once(tmp_path: Path) -> None:
    one = full()
    text = page_of(tmp_path, *(one.model_copy(update={"id": str(n)}) for n in range(50)))
    assert len(data(text, "shared")) == 2 and text.count("Never cancel shipped orders") == 1


def test_a_reward_that_is_no_number_is_shown_as_none(tmp_path: Path) -> None:
    assert data(page_of(tmp_path, short(reward=float("nan"))), "entries")[0]["reward"] is None


def test_a_failure_while_writing_leaves_the_old_page_and_nothing_else(tmp_path: Path) -> None:
    before = page_of(tmp_path, short(1))

    def breaking() -> Any:
        yield short(2)
        raise BadInput("line 2 is no trajectory")

    with pytest.raises(BadInput, match="line 2"):
        write_page(breaking(), tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == before
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_a_file_that_cannot_be_written_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(AutoForgeError, match=r"page\.html"):
        write_page([short()], tmp_path / "page.html")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_data_comes_back_as_it_was_and_cannot_end_its_element_or_line(value: Any) -> None:
    line = data_line(value)
    assert json.loads(line) == value
    assert not {"<", ">", "&", "\n", "\u2028", "\u2029"} & set(line)


@given(_JSON)
def test_an_exact_value_is_a_text_or_its_json(value: Any) -> None:
    shown = exact(value)
    assert isinstance(shown, str) == isinstance(value, str)
    data_line(shown).encode("utf-8")
