"""The page in a real Chromium: drawn, filtered, read with the keyboard, under its own policy, with hostile episodes.

Skipped with a printed reason where there is no Chromium; a failure there when AUTOFORGE_BROWSER_TESTS=1.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import NamedTuple

import pytest

from autoforge.gym.failures import Failure
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.gym.view import write_page
from tests.generator.report.test_browser import DEADLINE, FLAGS, chromium
from tests.gym.view.episodes import HOSTILE, full, hostile, short

__all__ = ["chromium"]


class Seen(NamedTuple):
    """What became of a page."""

    document: str
    """After its scripts ran."""
    console: list[str]
    network: str
    """Chromium's log of its network."""

    def data(self, name: str) -> str | None:
        root = re.search(r"<html[^>]*>", self.document)
        found = re.search(rf'data-{name}="([^"]*)"', root.group() if root else "")
        return unescape(found.group(1)) if found else None


Browse = Callable[..., Seen]


@pytest.fixture
def browse(chromium: str, tmp_path: Path) -> Browse:
    """Open episodes in a fresh profile. A `script` of the test runs after the page's own, whose policy lets it then."""

    def run(*episodes: Trajectory, at: str = "", script: str = "", flags: tuple[str, ...] = ("--dump-dom",)) -> Seen:
        path, log, profile = tmp_path / "page.html", tmp_path / "net.json", tmp_path / "profile"
        write_page(episodes, path, title="A run")
        if script:
            text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", path.read_text(encoding="utf-8"))
            path.write_text(text.replace("</body>", f"<script>{{{script}}}</script></body>"), encoding="utf-8")
        shutil.rmtree(profile, ignore_errors=True)
        own = (f"--user-data-dir={profile}", f"--log-net-log={log}", "--enable-logging=stderr")
        done = subprocess.run(
            [chromium, *FLAGS, *own, *flags, path.as_uri() + at],
            capture_output=True, check=True, timeout=DEADLINE, cwd=tmp_path,
        )  # fmt: skip
        said = [line for line in done.stderr.decode("utf-8", "replace").split("\n") if ":CONSOLE" in line]
        return Seen(done.stdout.decode("utf-8"), said, log.read_text(encoding="utf-8", errors="replace"))

    return run


PRESS = """
const press = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const set = (id, value) => {
  const field = document.querySelector(id);
  field.value = value;
  field.dispatchEvent(new Event("input"));
};
const count = selector => document.querySelectorAll(selector).length;
const text = selector => document.querySelector(selector).textContent;
"""


def test_the_page_runs_under_its_own_policy_without_a_word_on_the_console(browse: Browse) -> None:
    seen = browse(full(), short())
    assert (seen.data("ready"), seen.data("errors"), seen.data("shown"), seen.console) == ("yes", None, "2", [])
    assert seen.data("episode") == "shop/full/anthropic:m/llm/2"


def test_an_error_of_a_script_would_be_seen(browse: Browse) -> None:
    seen = browse(short(), script="console.error('aloud'); setTimeout(() => { throw new Error('on purpose') });")
    assert any("aloud" in line for line in seen.console)


def test_hostile_episodes_neither_run_nor_load_anything(browse: Browse) -> None:
    seen = browse(hostile(), short())
    assert (seen.data("ready"), seen.data("stolen"), seen.data("errors"), seen.console) == ("yes", None, None, [])
    assert "canary.invalid" not in seen.network and "<img" not in seen.document
    assert HOSTILE[:9] in unescape(seen.document.split('id="episode"', 1)[1])
    script = """for (const details of document.querySelectorAll("details")) details.open = true;
      root.dataset.resources = performance.getEntriesByType("resource").length;"""
    assert browse(hostile(), script=script).data("resources") == "0"


def test_an_episode_shows_all_that_its_trajectory_holds(browse: Browse) -> None:
    script = f"""{PRESS} root.dataset.found = [
      count(".bubble.user"), count(".bubble.agent"), count(".call"), count(".call.own"), count(".call.refused"),
      count("details.thinking"), count(".thinking.sealed"), count(".changes tbody"), count(".marks .yes"),
      count(".marks .no"), count(".note"), count(".bars a"), count("details.tool"), text("mark")].join(" ");
      root.dataset.said = [...document.querySelectorAll("#episode > header, .changes, .call, .meta, .ending")]
        .map(element => element.innerText).join("\\n");"""
    seen = browse(full(), script=script)
    assert seen.data("found") == "2 2 4 1 2 1 1 2 1 2 2 2 1 three weeks late"
    said = str(seen.data("said"))
    for words in (
        "reward 0", "masked", "$0.0123", "2.5 s", "1.3 s", "1,200 → 34 tokens", "mean logprob -1.000",
        "nobody said ORD-1", "note None / 'late'", "12345678901234567890", "arguments that are no JSON object",
        "the user's own tool", "75 % of gold", "stop too early (#99)", "The conversation was ended by the user.",
    ):  # fmt: skip
        assert words in said, words


def test_long_results_are_folded_and_printed_with_their_numbers_as_written(browse: Browse) -> None:
    script = f"""{PRESS} const before = count("details.result[open]"); press("r");
      root.dataset.found = before + " " + count("details.result[open]");
      root.dataset.whole = text("details.result pre");"""
    seen = browse(full(), script=script)
    assert seen.data("found") == "0 1"
    assert '"total": 1.0,\n  "lines": [\n    {\n      "sku": "S"' in str(seen.data("whole"))


def test_filters_narrow_the_list_and_the_address_says_so(browse: Browse) -> None:
    lost = Failure(blame="infrastructure", where="server", message="gone")
    early = Judgement(kind="stop_too_early", turn=0, quote="x")
    episodes = (
        full(), short(1), short(2, reward=0.0, environment="bank"), short(3, end="failed", reward=None, failure=lost),
        short(4, judgements=(), agent="b"), short(5, judgements=(early,), user="llm", masked=True),
    )  # fmt: skip
    script = f"""{PRESS} const found = [];
      const say = (id, value) => {{ set(id, value); found.push(root.dataset.shown); set(id, ""); }};
      say("#environment", "bank"); say("#agent", "b"); say("#user", "llm"); say("#reward", "-"); say("#reward", "0");
      say("#end", "failed"); say("#blame", "infrastructure"); say("#masked", "yes"); say("#kind", "!stop_too_early");
      say("#kind", "-"); say("#kind", "?");
      set("#reward", "1"); set("#user", "scripted"); found.push(root.dataset.shown, location.hash, text("#tally"));
      document.querySelector("#reset").click(); found.push(root.dataset.shown);
      root.dataset.found = found.join(" | ");"""
    expected = "1 1 2 1 2 1 1 2 2 1 3".replace(" ", " | ")
    tail = "2 | #user=scripted&reward=1&episode=e%2F1 | 2 of 6 episodes, mean reward 1.000 | 6"
    assert browse(*episodes, script=script).data("found") == f"{expected} | {tail}"


def test_free_text_is_looked_for_in_all_that_was_said_and_done(browse: Browse) -> None:
    script = f"""{PRESS} const query = document.querySelector("#query"), found = [];
      for (const words of ["GOODBYE number", "refund", '"sku":"s"', "sealed", "nothing at all"]) {{
        query.value = words; apply(); found.push(root.dataset.shown); }}
      root.dataset.found = found.join(" ");"""
    assert browse(full(), short(1), short(2), script=script).data("found") == "2 1 1 0 0"


def test_the_order_is_changed_and_the_first_match_is_opened(browse: Browse) -> None:
    episodes = (short(1, reward=0.0), short(2, cost=0.5), short(3, seconds=9.0))
    script = f"""{PRESS} const found = [];
      for (const order of ["best", "dearest", "slowest", "worst", ""]) {{
        set("#order", order); found.push(text("#rows .entry .task")); }}
      root.dataset.found = found.join(" ");"""
    assert browse(*episodes, script=script).data("found") == "task-2 task-2 task-3 task-1 task-1"


def test_the_keyboard_moves_through_the_episodes(browse: Browse) -> None:
    script = f"""{PRESS} const found = []; const now = () => found.push(root.dataset.episode);
      press("j"); now(); press("j"); press("j"); now(); press("k"); now(); press("/");
      found.push(document.activeElement.id);
      press("j", document.activeElement); now();
      const list = document.querySelector("#list"); list.focus(); press("Home", list); now(); press("End", list); now();
      found.push(list.getAttribute("aria-activedescendant"));
      root.dataset.found = found.join(" ");"""
    seen = browse(short(0), short(1), short(2), script=script)
    assert seen.data("found") == "e/1 e/2 e/1 query e/1 e/0 e/2 entry-2"


def test_thinking_opens_and_stays_open_in_the_next_episode(browse: Browse) -> None:
    script = f"""{PRESS} press("t"); const first = count("details.thinking[open]"); press("j");
      root.dataset.found = first + " " + count("details.thinking[open]");"""
    assert browse(full(), full().model_copy(update={"id": "2"}), script=script).data("found") == "1 1"


def test_an_address_opens_its_episode_and_a_broken_one_does_no_harm(browse: Browse) -> None:
    episodes = [short(n, environment="bank" if n % 2 else "shop") for n in range(40)]
    seen = browse(*episodes, at="#environment=bank&episode=e%2F33")
    assert (seen.data("episode"), seen.data("shown"), seen.data("errors")) == ("e/33", "20", None)
    hidden = browse(*episodes, at="#environment=bank&episode=e%2F32")
    assert (hidden.data("episode"), hidden.data("shown")) == ("e/32", "40")
    assert browse(*episodes, at="#environment=%E0%A4&end=nonsense&episode=none").data("episode") == "e/0"


def test_two_thousand_episodes_open_with_few_rows_and_scroll_to_the_last(browse: Browse) -> None:
    script = f"""{PRESS} const first = count(".entry"), list = document.querySelector("#list");
      list.focus(); press("End", list); list.dispatchEvent(new Event("scroll"));
      root.dataset.found = [first < 60, count(".entry") < 60, root.dataset.episode,
        text(".entry[aria-selected=true] .task")].join(" ");"""
    seen = browse(*(full().model_copy(update={"id": str(n), "task": f"t{n}"}) for n in range(2000)), script=script)
    assert (seen.data("found"), seen.data("shown"), seen.data("errors")) == (
        "true true 1999 t1999 trial 2",
        "2000",
        None,
    )


def test_a_narrow_window_shows_the_list_and_then_the_episode_and_never_scrolls_sideways(browse: Browse) -> None:
    script = f"""{PRESS} const wide = () => document.documentElement.scrollWidth > innerWidth;
      const shown = id => document.querySelector(id).offsetParent !== null;
      const found = [shown("#list"), shown("#episode"), wide()];
      document.querySelector(".entry").click(); found.push(shown("#list"), shown("#episode"), wide());
      document.querySelector(".back").click(); found.push(shown("#list"));
      root.dataset.found = found.join(" ");"""
    seen = browse(full(), script=script, flags=("--dump-dom", "--window-size=520,900"))
    assert seen.data("found") == "true false false false true false true"


def test_a_file_without_episodes_says_so(browse: Browse) -> None:
    seen = browse()
    assert "The file has no episodes." in seen.document and seen.data("errors") is None


def test_a_screenshot_shows_more_than_one_colour_in_light_and_dark(browse: Browse, tmp_path: Path) -> None:
    shots = []
    for name, scheme in (("light", "1"), ("dark", "0")):
        picture = tmp_path / f"{name}.png"
        browse(full(), flags=(f"--screenshot={picture}", f"--blink-settings=preferredColorScheme={scheme}"))
        shots.append(picture.read_bytes())
    assert all(struct.unpack(">II", shot[16:24]) == (1280, 900) and len(shot) > 30_000 for shot in shots)
    assert shots[0] != shots[1]
