"""The page in a real Chromium: drawn, filtered, read with the pointer, in light and dark, under its own policy.

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

import pytest

from autoforge.trainer.metrics.record import StepRecord
from autoforge.trainer.metrics.report import write_report
from tests.generator.report.test_browser import DEADLINE, FLAGS, chromium
from tests.trainer.metrics.runs import HOSTILE, measured, step
from tests.trainer.metrics.test_report import RUN

__all__ = ["chromium"]

Browse = Callable[..., dict[str, str]]

SCRIPT = """
const count = selector => document.querySelectorAll(selector).length;
const drawn = element => getComputedStyle(element).display !== "none";
const shown = place => [...document.querySelectorAll(`g[data-environment="${place}"]`)].filter(drawn).length;
"""


@pytest.fixture
def browse(chromium: str, tmp_path: Path) -> Browse:
    """Open a page in a fresh profile: the data of its root after its scripts, and a `script` of the test, ran."""

    def run(
        *records: StepRecord, at: str = "", script: str = "", flags: tuple[str, ...] = ("--dump-dom",)
    ) -> dict[str, str]:
        path, profile = tmp_path / "report.html", tmp_path / "profile"
        write_report(records, path, title="A run")
        if script:
            text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", path.read_text(encoding="utf-8"))
            path.write_text(text.replace("</body>", f"<script>{{{SCRIPT}{script}}}</script></body>"), encoding="utf-8")
        shutil.rmtree(profile, ignore_errors=True)
        command = [chromium, *FLAGS, f"--user-data-dir={profile}", *flags, path.as_uri() + at]
        done = subprocess.run(command, capture_output=True, check=True, timeout=DEADLINE, cwd=tmp_path)
        root = re.search(r"<html[^>]*>", done.stdout.decode("utf-8"))
        return {name: unescape(text) for name, text in re.findall(r'data-([a-z]+)="([^"]*)"', root[0])} if root else {}

    return run


def test_the_page_runs_under_its_own_policy_without_errors(browse: Browse) -> None:
    seen = browse(*RUN)
    assert seen["ready"] == "yes" and "errors" not in seen and int(seen["charts"]) > 8


def test_a_page_without_records_runs_too(browse: Browse) -> None:
    assert browse()["ready"] == "yes"


def test_a_chip_hides_its_environment_everywhere_and_the_address_says_so(browse: Browse) -> None:
    script = """const before = shown(1), chip = document.querySelector('[data-chip="1"]');
      chip.click();
      root.dataset.found = [before > 2, shown(1), shown(0) > 2, location.hash, count("tbody tr:not([hidden])"),
        chip.getAttribute("aria-pressed"), document.querySelector("#reset").hidden].join(" ");
      document.querySelector("#reset").click();
      root.dataset.again = [shown(1) === before, location.hash === ""].join(" ");"""
    seen = browse(*RUN, script=script)
    assert seen["found"] == "true 0 true #without=hotel 1 false false" and seen["again"] == "true true"


def test_an_address_hides_environments_and_a_broken_one_does_no_harm(browse: Browse) -> None:
    assert browse(*RUN, at="#without=hotel,nobody")["hidden"] == "1"
    seen = browse(*RUN, at="#without=%E0%A4,bank")
    assert seen["hidden"] == "1" and "errors" not in seen


def test_the_pointer_shows_the_values_of_the_nearest_step(browse: Browse) -> None:
    script = """const svg = document.querySelector("#erpo-reward-reward-chart"), frame = svg.getBoundingClientRect();
      const left = Number(svg.dataset.left), right = Number(svg.dataset.right);
      const x = frame.left + (left + (right - left) * 9.2 / 39) / svg.viewBox.baseVal.width * frame.width;
      document.querySelector('[data-chip="1"]').click();
      svg.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: frame.top + 40 }));
      const rows = [...document.querySelectorAll("#tip div")];
      root.dataset.found = rows.map(row => row.innerText.replace(/\\s+/g, " ")).join(", ");
      svg.dispatchEvent(new PointerEvent("pointerleave"));
      root.dataset.gone = document.querySelector("#tip").hidden;"""
    seen = browse(*RUN, script=script)
    assert seen["found"] == "step 10, all 0.3, bank 0.3" and seen["gone"] == "true"


def test_hostile_names_do_nothing_but_stand_there(browse: Browse) -> None:
    script = 'root.dataset.found = document.querySelector(".chip").textContent.slice(0, 9);'
    seen = browse(step(1, environments=(HOSTILE,)), measured(1, HOSTILE), script=script)
    assert seen["found"] == "</script>" and "errors" not in seen


def test_a_narrow_window_never_scrolls_sideways(browse: Browse) -> None:
    script = "root.dataset.found = document.documentElement.scrollWidth > innerWidth;"
    assert browse(*RUN, script=script, flags=("--dump-dom", "--window-size=520,900"))["found"] == "false"


def test_a_screenshot_differs_in_light_and_dark(browse: Browse, tmp_path: Path) -> None:
    shots = []
    for name, scheme in (("light", "1"), ("dark", "0")):
        picture = tmp_path / f"{name}.png"
        browse(*RUN, flags=(f"--screenshot={picture}", f"--blink-settings=preferredColorScheme={scheme}"))
        shots.append(picture.read_bytes())
    assert all(struct.unpack(">II", shot[16:24]) == (1280, 900) and len(shot) > 30_000 for shot in shots)
    assert shots[0] != shots[1]
