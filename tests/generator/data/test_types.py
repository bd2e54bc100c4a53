"""Types of columns, and values that need care to come back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autoforge.generator.data import DataSample
from autoforge.generator.data.drafts import Column
from autoforge.generator.data.types import read_back, store
from autoforge.generator.ir import Attribute, ColumnType

Sampler = Callable[..., DataSample]


def attribute(sample: DataSample, name: str) -> Attribute:
    return next(a for e in sample.entities for a in e.attributes if a.name == name)


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([1, 2, None], ColumnType.INTEGER),
        ([1, 2.5], ColumnType.REAL),
        ([True, False], ColumnType.BOOLEAN),
        ([True, 1], ColumnType.JSON),
        ([1, "a"], ColumnType.JSON),
        ([[1], [2]], ColumnType.JSON),
        (["2024-01-31", "2024-02-29"], ColumnType.DATE),
        (["2024-01-31", "2024-02-30"], ColumnType.TEXT),
        (["2024-01-31T10:00:00"], ColumnType.DATETIME),
        (["2024-01-31 10:00:00", "2024-01-31 11:00:00"], ColumnType.DATETIME),
        (["2024-01-31 10:00:00", "2024-01-31T11:00:00"], ColumnType.TEXT),
        (["2024-01-31T10:00Z"], ColumnType.DATETIME),
        (["2024-01-31T10:00:00.123"], ColumnType.TEXT),
        (["2024-01-31 10:00:00\n"], ColumnType.TEXT),
        (["09:30", "23:59"], ColumnType.TIME),
        (["24:00"], ColumnType.TEXT),
        (["٠٩:٣٠"], ColumnType.TEXT),
        ([2**63], ColumnType.TEXT),
        ([2**53 + 1, 0.5], ColumnType.JSON),
        ([2**70, "x"], ColumnType.TEXT),
        (["a\0b"], ColumnType.JSON),
        ([None], ColumnType.TEXT),
    ],
)
def test_the_type_of_a_column_is_the_narrowest_that_gives_every_value_back(
    values: list[object], type: ColumnType
) -> None:
    column = Column(("x",), list(values))  # type: ignore[arg-type]
    store(column)
    assert column.type is type
    back = [None if c is None else read_back(c, column.codec, column.forms.get(i)) for i, c in enumerate(column.cells)]
    assert [repr(v) for v in back] == [repr(v) for v in values]


def test_moments_are_stored_as_the_environment_writes_them(sample_of: Sampler) -> None:
    sample = sample_of([{"id": 1, "at": "2024-10-27 14:10:53"}])
    assert sample.rows["data"][0]["at"] == "2024-10-27T14:10:53"


def test_repeated_words_are_an_enum_and_names_are_not(sample_of: Sampler) -> None:
    rows = [{"id": i, "size": "SML"[i % 3], "owner": f"name {i}"} for i in range(12)]
    sample = sample_of(rows)
    assert attribute(sample, "size").enum == ("S", "M", "L")
    assert attribute(sample, "owner").enum == ()


def test_a_status_is_an_enum_even_when_the_sample_is_small(sample_of: Sampler) -> None:
    sample = sample_of([{"id": 1, "status": "open"}, {"id": 2, "status": "done"}])
    assert attribute(sample, "status").enum == ("open", "done")
    assert sample.entities[0].status == "status"


def test_ranges_are_evidence_and_only_what_counts_things_has_a_bound(sample_of: Sampler) -> None:
    sample = sample_of([{"id": 1, "price": 3.5, "temperature": 20.5, "price_change": 0.5}, {"id": 2, "price": 9.5}])
    assert (attribute(sample, "price").minimum, attribute(sample, "price").maximum) == (0.0, None)
    assert attribute(sample, "temperature").minimum is None
    assert attribute(sample, "price_change").minimum is None
    assert "from 3.5 to 9.5 in the data" in attribute(sample, "price").evidence


def test_a_column_is_not_required_because_the_sample_happens_to_fill_it(sample_of: Sampler) -> None:
    sample = sample_of([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}])
    assert attribute(sample, "name").nullable
    assert not attribute(sample, "id").nullable
