"""Laws of witnessing that hold for every world with any conditions."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.generator.ir import Attribute, Entity, Operation, Refuse, World
from autoforge.generator.seed import seed_rows

from .operations import call, cell, constant, count, find, least, operation
from .worlds import loaded, worlds

EXAMPLES = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


def _condition(draw: st.DrawFn, entity: Entity, row: str) -> Refuse:
    attribute: Attribute = draw(st.sampled_from(entity.attributes))
    value: Any = draw(st.sampled_from([*attribute.enum, 0, 3, True, "abc"]))
    function = draw(st.sampled_from(["equal", "not_equal", "less", "greater_equal", "in"]))
    other = constant([value]) if function == "in" else constant(value)
    return Refuse(when=call(function, cell(row, attribute.name), other), message="no")


@st.composite
def _operations(draw: st.DrawFn, made: World) -> tuple[Operation, ...]:
    found = []
    for n, entity in enumerate(draw(st.lists(st.sampled_from(made.entities), max_size=4))):
        steps: list[Any] = [find(entity.name, entity.key[0], row="row")]
        steps += [_condition(draw, entity, "row") for _ in range(draw(st.integers(0, 2)))]
        for attribute in [a for a in entity.attributes if a.references is not None][:1]:
            parent = made.entity(str(attribute.references))
            steps.append(find(parent.name, parent.key[0], cell("row", attribute.name), row="parent", optional=True))
            steps.append(_condition(draw, parent, "parent"))
        children = [
            (e, a) for e in made.entities for a in e.attributes if a.references == entity.name and e is not entity
        ]
        for child, link in children[:1]:
            steps += [
                count(child.name, link.name, cell("row", entity.key[0])),
                least(f"held_{child.name}", draw(st.integers(1, 2))),
            ]
        found.append(operation(f"tool_{n}", *steps))
    return tuple(found)


@st.composite
def _working(draw: st.DrawFn) -> World:
    made = draw(worlds())
    return made.model_copy(update={"operations": draw(_operations(made))})


@EXAMPLES
@given(made=_working(), seed=st.integers(0, 5), rows=st.integers(1, 14))
def test_witnessed_rows_satisfy_the_schema_and_the_enums_stay_covered(made: World, seed: int, rows: int) -> None:
    found = seed_rows(made, seed=seed, rows=rows)
    plain = seed_rows(made.model_copy(update={"operations": ()}), seed=seed, rows=rows)
    connection = loaded(made, found)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    for entity in made.entities:
        assert len(found[entity.name]) == len(plain[entity.name])
        for attribute in entity.attributes:
            if (
                len(found[entity.name]) >= len(attribute.enum)
                and not entity.singleton
                and attribute.enum
                and attribute.default is None
            ):
                assert {r[attribute.name] for r in found[entity.name]} >= {
                    r[attribute.name] for r in plain[entity.name]
                } & set(attribute.enum)


@EXAMPLES
@given(made=_working(), seed=st.integers(0, 3))
def test_witnessing_gives_the_same_rows_each_time(made: World, seed: int) -> None:
    read_again = World.model_validate_json(made.model_dump_json())
    assert seed_rows(made, seed=seed) == seed_rows(read_again, seed=seed)
