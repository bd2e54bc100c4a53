"""What the two pictures draw: no box over another, no curve behind a box, every effect once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autoforge.generator.report.schema_picture import SchemaPicture, schema_picture
from autoforge.generator.report.tool_picture import tool_picture
from autoforge.mcp_envs.manifest import Column, ColumnKind, Effects, Table, ToolRecord

REFERENCES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=24, unique=True)


def _tables(number: int, references: list[tuple[int, int]], columns: int = 4) -> list[Table]:
    made = []
    for table in range(number):
        links = [
            Column(name=f"to_{parent}", type="TEXT", kind=ColumnKind.VALUE, references=f"t{parent}")
            for child, parent in references
            if child == table
        ]
        plain = [Column(name=f"c{n}", type="TEXT", kind=ColumnKind.VALUE) for n in range(columns + table % 3)]
        made.append(Table(name=f"t{table}", entity=f"t{table}", key=("c0",), columns=(*plain, *links)))
    return made


def _points(path: str) -> list[tuple[float, float]]:
    """Points along the path, forty to a curve."""
    points: list[tuple[float, float]] = []
    for letter, numbers in re.findall(r"([MLC])([^MLC]+)", path):
        values = [float(n) for n in numbers.split()]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if letter == "C":
            (a, (b, c, d)) = points[-1], pairs
            points += [_bezier(a, b, c, d, step / 40) for step in range(1, 41)]
        elif letter == "L":
            (x, y), (to_x, to_y) = points[-1], pairs[0]
            points += [(x + (to_x - x) * step / 40, y + (to_y - y) * step / 40) for step in range(1, 41)]
        else:
            points += pairs
    return points


def _bezier(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float], t: float
) -> tuple[float, float]:
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
    return (
        sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
        sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
    )


def _overlapping(picture: SchemaPicture) -> list[tuple[str, str]]:
    boxes = picture.boxes
    return [
        (a.table, b.table)
        for place, a in enumerate(boxes)
        for b in boxes[place + 1 :]
        if a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
    ]


LANE_AT_THE_BOTTOM = [(0, 2), (0, 3), (0, 9), (1, 0), (3, 6), (4, 10), (5, 0), (6, 0), (7, 8), (9, 11)]


@given(REFERENCES)
@example(LANE_AT_THE_BOTTOM)
@settings(max_examples=60, deadline=None)
def test_boxes_never_overlap_and_no_reference_runs_behind_a_box(references: list[tuple[int, int]]) -> None:
    picture = schema_picture(_tables(12, references))
    assert _overlapping(picture) == []
    for reference in picture.references:
        for x, y in _points(reference.path):
            assert 0 <= x <= picture.width and 0 <= y <= picture.height
            for box in picture.boxes:
                inside = box.x + 1 < x < box.x + box.width - 1 and box.y + 1 < y < box.y + box.height - 1
                assert not inside, (reference, box.table)


@given(REFERENCES)
@settings(max_examples=30, deadline=None)
def test_a_reference_goes_from_the_edge_of_its_table_to_that_of_the_one_it_refers_to(
    references: list[tuple[int, int]],
) -> None:
    picture = schema_picture(_tables(12, references))
    boxes = {box.table: box for box in picture.boxes}
    assert sorted((r.child, r.parent) for r in picture.references) == sorted((f"t{a}", f"t{b}") for a, b in references)
    for reference in picture.references:
        points = _points(reference.path)
        for (x, y), name in ((points[0], reference.child), (points[-1], reference.parent)):
            box = boxes[name]
            assert min(abs(x - box.x), abs(x - box.x - box.width)) <= 0.5
            assert box.y <= y <= box.y + box.height


def test_twenty_five_tables_stay_within_a_few_screens(large: Callable[[int, int], Any]) -> None:
    picture = schema_picture(large(1, 25).manifest.tables)
    assert len(picture.boxes) == 25
    assert picture.width < 2600 and picture.height < 3000


def test_a_wide_table_shows_its_keys_and_references_and_says_how_many_columns_are_left_out() -> None:
    table = _tables(2, [(1, 0)], columns=30)[1]
    box = schema_picture([*_tables(1, []), table])[2][1]
    shown = {row.column: row.badge for row in box.rows}
    assert shown["c0"] == "PK" and shown["to_0"] == "FK"
    assert box.hidden == len(table.columns) - len(box.rows) > 0


def test_a_reference_to_a_table_that_is_not_there_is_not_drawn() -> None:
    assert schema_picture(_tables(2, [(0, 7)])).references == ()


def test_no_tables_make_an_empty_picture() -> None:
    assert schema_picture([]).boxes == ()
    assert tool_picture([], []).marks == ()


def _tool(name: str, **effects: Any) -> ToolRecord:
    return ToolRecord(name=name, function=name, kind="get", effects=Effects(**effects))


@pytest.fixture
def tools() -> list[ToolRecord]:
    return [
        _tool("look", reads=("t0", "t1")),
        _tool("make", reads=("t0", "t1"), creates=("t0",)),
        _tool("swap", updates={"t1": ("c1",)}, deletes=("t1",)),
        _tool("think"),
    ]


def test_every_write_is_drawn_and_reads_only_where_nothing_is_written(tools: list[ToolRecord]) -> None:
    picture = tool_picture(_tables(2, []), tools)
    assert {(f.tool, f.table, f.effect, f.aside) for f in picture.flows} == {
        ("look", "t0", "reads", False),
        ("look", "t1", "reads", False),
        ("make", "t0", "creates", False),
        ("make", "t1", "reads", True),
        ("swap", "t1", "updates", False),
        ("swap", "t1", "deletes", False),
    }


def test_writers_stand_left_of_the_tables_and_readers_right(tools: list[ToolRecord]) -> None:
    picture = tool_picture(_tables(2, []), tools)
    places = {(mark.place, mark.name): mark.x for mark in picture.marks}
    assert places["writer", "make"] < places["table", "t0"] < places["reader", "look"]
    assert picture.untouching == ("think",)


def test_writes_run_to_the_table_and_reads_to_the_tool(tools: list[ToolRecord]) -> None:
    picture = tool_picture(_tables(2, []), tools)
    marks = {mark.name: mark for mark in picture.marks}
    for flow in picture.flows:
        end = marks[flow.tool if flow.effect == "reads" else flow.table]
        x, y = _points(flow.path)[-1]
        assert min(abs(x - end.x), abs(x - end.x - end.width)) <= 0.5
        assert end.y <= y <= end.y + end.height


def test_marks_of_the_effects_picture_never_overlap(large: Callable[[int, int], Any]) -> None:
    manifest = large(60, 25).manifest
    marks = tool_picture(manifest.tables, manifest.tools).marks
    assert len(marks) == 85
    for place, a in enumerate(marks):
        for b in marks[place + 1 :]:
            assert a.place != b.place or a.y + a.height <= b.y + 0.01 or b.y + b.height <= a.y + 0.01
