"""The page as a file: what it draws, that it needs nothing else, that what it shows stays text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.trainer.metrics.record import StepRecord
from autoforge.trainer.metrics.report import write_report
from autoforge.trainer.metrics.report.charts import Chart, Line, Point, sections_of
from autoforge.trainer.metrics.report.picture import HEIGHT, WIDTH, picture_of, shown
from autoforge.trainer.metrics.report.summary import summary_of
from tests.generator.report.test_page import Page
from tests.trainer.metrics.runs import HOSTILE, cold, measured, step

RUN = [*map(cold, range(1, 6)), measured(0), *map(step, range(1, 41)), measured(40)]


def page_of(tmp_path: Path, *records: StepRecord, title: str = "") -> str:
    write_report(records, tmp_path / "report.html", title=title)
    return (tmp_path / "report.html").read_text(encoding="utf-8")


def data(page: str) -> list[Any]:
    found = re.search(r'<script type="application/json" id="charts">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return [json.loads(line) for line in found[1].strip().split("\n") if line]


def test_every_element_is_closed_and_every_identifier_is_used_once(tmp_path: Path) -> None:
    page = Page(page_of(tmp_path, *RUN))
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert page.unbalanced == [] and len(identifiers) == len(set(identifiers))


def test_the_page_loads_nothing_and_its_policy_names_its_only_script(tmp_path: Path) -> None:
    text = page_of(tmp_path, *RUN)
    page = Page(text)
    assert page.named("link") == [] and page.named("img") == [] and "@import" not in text and "url(" not in text
    assert all(not {"src", "href"} & set(attributes) for _, attributes in page.elements)
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text and "default-src 'none'" in text


def test_hostile_names_stay_text_wherever_they_stand(tmp_path: Path) -> None:
    odd = step(
        2, environments=(HOSTILE,), note=HOSTILE, unscored={HOSTILE: {HOSTILE: 1}}, masked={HOSTILE: {HOSTILE: 1}}
    )
    text = page_of(tmp_path, step(1, environments=(HOSTILE,)), odd, measured(2, HOSTILE), title=HOSTILE)
    page = Page(text)
    assert len(page.named("script")) == 2 and page.named("img") == [] and page.unbalanced == []
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "\u202e" not in text


def test_each_environment_has_a_curve_and_is_marked_for_the_filter(tmp_path: Path) -> None:
    text = page_of(tmp_path, *RUN)
    page = Page(text)
    assert [a.get("data-chip") for a in page.named("button") if "data-chip" in a] == ["0", "1"]
    rewards = next(chart for chart in data(text) if chart["id"] == "erpo-reward-reward-chart")
    assert [(line["label"], line["environment"]) for line in rewards["lines"]] == [
        ("all", None),
        ("bank", 0),
        ("hotel", 1),
    ]
    assert rewards["lines"][1]["steps"] == list(range(1, 41)) and rewards["lines"][1]["values"][0] == 0.21
    curves = [a for a in page.named("g") if a.get("data-environment") == "1"]
    assert len(curves) == sum(any(line["environment"] == 1 for line in chart["lines"]) for chart in data(text))


def test_a_metric_that_no_record_has_has_no_chart(tmp_path: Path) -> None:
    titles = [chart.title for section in sections_of(RUN) for chart in section.charts]
    assert "Entropy" in titles and "KL" not in titles and "Loss of the cold start" in titles
    assert [section.title for section in sections_of([cold(1)])] == ["Cold start"]


def test_a_page_of_no_records_says_so(tmp_path: Path) -> None:
    assert "There is no record yet." in page_of(tmp_path)


def test_the_summary_has_ends_of_the_run_reasons_and_where_time_goes() -> None:
    found = summary_of([*RUN, step(41, note="no group has rewards that differ", environments=("bank",), values={})])
    tiles = {tile.words: (tile.value, tile.more) for tile in found.tiles}
    assert tiles["ERPO steps"] == ("41", "5 of the cold start before")
    assert tiles["reward"] == ("0.585", "0.230 in the first steps")
    bank = found.environments[0]
    assert (bank.name, bank.measured, bank.interval, bank.reasons) == (
        "bank",
        0.5,
        (0.4, 0.6),
        (("stop_too_early", 82),),
    )
    assert [(part.name, round(part.share, 3)) for part in found.step] == [("rollouts", 0.6), ("learner", 0.4)]
    assert [part.name for part in found.episode] == ["sampler", "user"]
    assert found.notes == ((41, "no group has rewards that differ"),)


def test_an_interval_is_a_band_and_a_long_curve_has_a_smooth_one_over_it() -> None:
    charts = {chart.title: chart for section in sections_of(RUN) for chart in section.charts}
    measurement = picture_of(charts["Reward on tasks not trained on"])
    assert all(curve.band.endswith("Z") and len(curve.dots) == 2 and not curve.smooth for curve in measurement.curves)
    assert all(curve.smooth and not curve.dots for curve in picture_of(charts["Reward in training"]).curves)


VALUES = st.floats(-1e12, 1e12) | st.none()


@examples(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=60), st.integers(1, 50), st.sampled_from(["share", "nats"]))
def test_every_point_lies_inside_the_frame(values: list[float | None], stride: int, unit: str) -> None:
    points = tuple(Point(place * stride, value) for place, value in enumerate(values))
    line = Line("x", None, points)
    if not line.there:
        return
    picture = picture_of(Chart("c", "C", unit, "", (line,)))
    drawn = " ".join(curve.path + curve.smooth for curve in picture.curves)
    numbers = [tuple(map(float, pair.split(" "))) for pair in re.split("[ML]", drawn) if pair.strip()]
    for x, y in [*numbers, *picture.curves[0].dots]:
        assert picture.left - 0.1 <= x <= picture.right + 0.1 and picture.top - 0.1 <= y <= picture.bottom + 0.1
    assert all(0 <= tick.place <= WIDTH for tick in picture.across) and all(
        0 <= tick.place <= HEIGHT for tick in picture.up
    )


def test_a_line_goes_over_the_steps_that_draw_other_environments() -> None:
    points = tuple(Point(place, None if place % 2 else 0.5) for place in range(20))
    [curve] = picture_of(Chart("c", "C", "share", "", (Line("x", 0, points),))).curves
    assert curve.path.count("M") == 1 and curve.path.count("L") == 9


def test_ten_thousand_steps_are_drawn_in_a_few_hundred_stretches() -> None:
    points = tuple(Point(place, place / 1e4) for place in range(10_000))
    [curve] = picture_of(Chart("c", "C", "share", "", (Line("x", None, points),))).curves
    assert curve.path.count("L") < 400


@pytest.mark.parametrize(
    ("value", "words"), [(0.25, "0.25"), (12_000, "12k"), (3.4e6, "3.4M"), (1e-6, "1e-06"), (-2e10, "-20G")]
)
def test_numbers_of_an_axis_are_short(value: float, words: str) -> None:
    assert shown(value) == words


def test_a_page_that_cannot_be_written_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(AutoForgeError, match=r"report\.html"):
        page_of(tmp_path)
