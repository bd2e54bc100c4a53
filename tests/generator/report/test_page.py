"""The page as a whole: what it says, that it needs nothing else, that nothing it shows can act."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from autoforge.generator.report import report_html
from autoforge.mcp_envs.manifest import Column, ColumnKind, Table

VOID = frozenset({"meta", "input", "link", "br", "img", "hr"})
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>'\" ' onload=\"alert(3)\u202e\x00\ud800"


class Page(HTMLParser):
    """Elements with their attributes, text, and tags that do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.unbalanced: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.unbalanced += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("script", "style"):
            self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_every_element_is_closed_and_every_identifier_is_used_once(shop: Any) -> None:
    page = Page(shop.page())
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert page.unbalanced == []
    assert len(identifiers) == len(set(identifiers))


def test_links_and_labels_lead_to_elements_of_the_page(shop: Any) -> None:
    page = Page(shop.page())
    identifiers = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    targets = [str(a["href"])[1:] for a in page.named("a")]
    labels = [str(a[name]) for _, a in page.elements for name in ("aria-labelledby", "for") if name in a]
    assert [t for t in targets if not t.startswith("q=") and t not in identifiers] == []
    assert [label for label in labels if label not in identifiers] == []


def test_the_page_loads_nothing(shop: Any) -> None:
    text = shop.page()
    page = Page(text)
    assert page.named("link") == [] and page.named("img") == []
    assert all("src" not in attributes for _, attributes in page.elements)
    assert all(str(attributes["href"]).startswith("#") for attributes in page.named("a"))
    assert "@import" not in text and not re.search(r"url\((?!#)", text)


def test_the_policy_header_names_the_digest_of_the_only_script(shop: Any) -> None:
    text = shop.page()
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = next(a["content"] for a in Page(text).named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert len(scripts) == 1
    assert f"script-src 'sha256-{digest}'" in str(policy) and "default-src 'none'" in str(policy)


def test_the_same_input_gives_the_same_bytes_in_any_process(shop: Any, tmp_path: Path) -> None:
    (tmp_path / "parts").write_bytes(pickle.dumps((shop.world, shop.manifest, shop.files)))
    program = (
        "import pickle, sys; from autoforge.generator.report import report_html;"
        "sys.stdout.buffer.write(report_html(*pickle.load(open(sys.argv[1], 'rb'))).encode())"
    )
    pages = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", program, str(tmp_path / "parts")]
        pages.append(subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60).stdout)
    assert pages[0] == pages[1] == shop.page().encode()


def test_hostile_names_and_prose_stay_text(shop: Any) -> None:
    text = _hostile(shop)
    page = Page(text)
    text.encode("utf-8")
    assert len(page.named("script")) == 1 and page.named("img") == []
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert page.unbalanced == []
    assert "alert(1)" in page.text
    assert "\u202e" not in text and "\x00" not in text


def _hostile(shop: Any) -> str:
    """The page with a hostile text wherever a text comes from outside."""
    manifest = shop.manifest
    tools = []
    for tool in manifest.tools:
        changed = {
            "evidence": (HOSTILE,),
            "guesses": (HOSTILE,),
            "refusals": (HOSTILE,),
            "kind": HOSTILE,
            "entity": HOSTILE,
        }
        verdict = tool.verdict and tool.verdict.model_copy(
            update={"failures": (HOSTILE,), "dead_parameters": (HOSTILE,)}
        )
        name = tool.name + HOSTILE
        tools.append(tool.model_copy(update={**changed, "name": name, "verdict": verdict}))
    columns = (
        Column(
            name=HOSTILE, type=HOSTILE, kind=ColumnKind.VALUE, description=HOSTILE, enum=(HOSTILE,), references=HOSTILE
        ),
    )
    tables = (*manifest.tables, Table(name=HOSTILE, entity=HOSTILE, title=HOSTILE, key=(HOSTILE,), columns=columns))
    provenance = manifest.provenance.model_copy(
        update={"notes": (HOSTILE,), "renamed": {HOSTILE: HOSTILE}, "model": HOSTILE}
    )
    operations = tuple(
        o.model_copy(
            update={"tool": o.tool + HOSTILE, "summary": HOSTILE, "output_schema": {"properties": {HOSTILE: {}}}}
        )
        for o in shop.world.operations
    )
    world = shop.world.model_copy(update={"operations": operations, "policy": (HOSTILE,)})
    told = {"title": HOSTILE, "description": HOSTILE + "\n\n" + HOSTILE, "admission": {HOSTILE: {HOSTILE: HOSTILE}}}
    update = {**told, "tools": tuple(tools), "tables": tables, "provenance": provenance}
    files = {**shop.files, "seed.sql": shop.files["seed.sql"].replace("Customer 1", "</td><script>alert(4)</script>")}
    return report_html(world, manifest.model_copy(update=update), files)


def test_a_tool_is_shown_with_parameters_effects_refusals_evidence_and_verdict(shop: Any) -> None:
    text = Page(shop.page()).text
    for words in (
        "one of late, wrong", "Id of the order", "A shipped order cannot be cancelled.", "verb cancel",
        "Shipped orders stay as they are", "No order {order_id} was found.", "A refusal only the manifest knows.",
        "12 calls: 4 succeeded, 8 refused", "the state is called cancelled", "reads: the note is lost",
        "def cancel_order(db, *, order_id, reason=None):",
    ):  # fmt: skip
        assert words in text, words


def test_the_overview_counts_and_names_what_does_not_hold(shop: Any) -> None:
    text = " ".join(Page(shop.page()).text.split())
    assert "Proof failed" in text
    assert "1 weak tool 25 % of all" in text
    assert "1 dead parameter 50 % of all" in text
    assert "2 tools passed" in text and "1 tool failed" in text
    assert "Environment two sessions see each other" in text
    assert "cancel_order.reason" in text


def test_without_conformance_nothing_is_called_passing(shop: Any) -> None:
    tools = tuple(t.model_copy(update={"verdict": None}) for t in shop.manifest.tools)
    manifest = shop.manifest.model_copy(update={"conformance": None, "tools": tools})
    text = Page(report_html(shop.world, manifest, shop.files)).text
    assert "Not proved" in text and "Not called yet." in text
    assert "passed" not in text.lower()


def test_tasks_appear_only_once_there_is_an_admission(shop: Any) -> None:
    admitted = shop.manifest.model_copy(update={"admission": {"admitted": 7, "rejected": {"not_minimal": 3}}})
    with_tasks = Page(report_html(shop.world, admitted, shop.files))
    assert not any(a.get("id") == "tasks" for a in Page(shop.page()).named("section"))
    assert any(a.get("id") == "tasks" for a in with_tasks.named("section"))
    assert "not minimal: 3" in with_tasks.text


def test_provenance_is_told_in_full(shop: Any) -> None:
    text = Page(shop.page()).text
    for words in ("d" * 64, "autoforge-rl 0.1.0", "OpenAPI 3.1", "A note on reading.", "list orders!", "seed.sql"):
        assert words in text, words


def test_a_page_needs_no_file_but_says_what_is_missing(shop: Any) -> None:
    page = Page(report_html(shop.world, shop.manifest, {}))
    assert page.unbalanced == []
    assert "The seed could not be read: schema.sql or seed.sql is not there" in page.text


def test_an_environment_without_tables_and_tools_has_a_page(shop: Any) -> None:
    manifest = shop.manifest.model_copy(update={"tables": (), "tools": (), "conformance": None})
    page = Page(report_html(shop.world.model_copy(update={"operations": ()}), manifest, {}))
    assert page.unbalanced == [] and "0 tools" in page.text


def test_sixty_tools_over_twenty_five_tables_stay_below_a_megabyte(large: Callable[[int, int], Any]) -> None:
    assert 200_000 < len(large(60, 25).page().encode()) < 1_000_000
