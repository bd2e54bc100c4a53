"""CSV files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from autoforge.generator.data import DataSample, restore
from autoforge.generator.ir import ColumnType
from autoforge.mcp_envs.errors import BadInput

Sampler = Callable[..., DataSample]
Fill = Callable[[DataSample], sqlite3.Connection]

SALES = (
    '﻿Sale ID;Day;Unit Price;Qty;Paid;Zip;Note\n1001;2024-01-05;12.50;3;true;00123;"said ""hi"";\nnext"\n'
    "1002;2024-01-06;7.125;1;false;10115;\n1003;2024-01-07;9;2;true;;ok\n"
)


def test_types_are_inferred_and_texts_that_only_look_like_numbers_stay_texts(sample_of: Sampler) -> None:
    sample = sample_of(SALES, name="sales.csv")
    types = {a.name: a.type for a in sample.entity("sale").attributes}
    assert types == {
        "sale_id": ColumnType.INTEGER, "day": ColumnType.DATE, "unit_price": ColumnType.REAL, "qty": ColumnType.INTEGER,
        "paid": ColumnType.BOOLEAN, "zip": ColumnType.TEXT, "note": ColumnType.TEXT,
    }  # fmt: skip
    assert sample.entity("sale").key == ("sale_id",)
    assert sample.rows["sale"][2] == {
        "sale_id": 1003, "day": "2024-01-07", "unit_price": 9.0, "qty": 2, "paid": True, "zip": None, "note": "ok",
    }  # fmt: skip


def test_every_cell_comes_back_as_written(sample_of: Sampler, fill: Fill) -> None:
    sample = sample_of(SALES, name="sales.csv")
    rows = restore(sample, fill(sample))["sales.csv"]
    assert isinstance(rows, list)
    assert rows[0] == {
        "Sale ID": "1001", "Day": "2024-01-05", "Unit Price": "12.50", "Qty": "3", "Paid": "true", "Zip": "00123",
        "Note": 'said "hi";\nnext',
    }  # fmt: skip
    assert [r["Unit Price"] for r in rows if isinstance(r, dict)] == ["12.50", "7.125", "9"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(sample_of: Sampler, delimiter: str) -> None:
    lines = [delimiter.join(row) for row in (("code", "city"), ("A1", "Rome"), ("B2", "Oslo"))]
    assert sample_of("\n".join(lines), name="towns.csv").rows["town"] == [
        {"code": "A1", "city": "Rome"},
        {"code": "B2", "city": "Oslo"},
    ]


def test_a_delimiter_inside_the_cells_does_not_mislead(sample_of: Sampler) -> None:
    text = "code;city, country\nA1;Rome, Italy\nB2;Oslo, Norway\nC3;Ghent, Belgium\n"
    assert sample_of(text, name="towns.csv").rows["town"][0] == {"code": "A1", "city_country": "Rome, Italy"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", r"line 3: 1 cells, but the header names 2"),
        ("a,a\n1,2\n", r"line 1: the column 'a' occurs twice"),
        ("1,2\n3,4\n", r"line 1: the first line must name the columns"),
        ("a,b\n", r"a header and no row"),
        ('a,b\n"1,2\n', r"line 2: this is not CSV"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line(sample_of: Sampler, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        sample_of(text, name="sales.csv")
