"""Places for values in a tool's arguments, and arguments made by filling them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.conformance.subject import Tool
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.slots import compose, places, value_at
from autoforge.mcp_envs.manifest import ToolRecord
from autoforge.mcp_envs.task import Literally

NAMES = st.text(min_size=1, max_size=6)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(NAMES, inner, min_size=1, max_size=3),
    max_leaves=12,
)


def leaves(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(tree, list):
        for place, inner in enumerate(tree):
            yield from leaves(inner, (*path, place))
    else:
        yield path, tree


def tool(properties: dict[str, Any], required: tuple[str, ...] = (), more: dict[str, Any] | None = None) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required), **(more or {})}
    return Tool({"inputSchema": schema}, ToolRecord(name="do", function="do", kind="update"), ())


def found(made: Tool) -> dict[tuple[str | int, ...], bool]:
    return {place.path: place.required for place in places(made)}


@given(st.dictionaries(NAMES, TREES, max_size=4))
def test_what_is_composed_is_what_was_filled_in(arguments: dict[str, Any]) -> None:
    filled = {path: Literally(literal=value) for path, value in leaves(arguments)}
    composed = {name: resolve(source, {}, {}) for name, source in compose(filled).items()}
    assert composed == arguments
    assert all(
        value_at(composed, path) is value or value_at(composed, path) == value for path, value in leaves(arguments)
    )


@given(st.dictionaries(NAMES, TREES, max_size=3), st.lists(NAMES | st.integers(0, 9), min_size=1, max_size=4))
def test_a_place_that_a_call_leaves_out_holds_nothing(arguments: dict[str, Any], path: list[str | int]) -> None:
    present = {known[: i + 1] for known, _ in leaves(arguments) for i in range(len(known))}
    assert tuple(path) in present or value_at(arguments, tuple(path)) is None


def test_objects_and_lists_are_entered() -> None:
    guest = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name"],
    }
    made = tool(
        {"guests": {"type": "array", "items": guest}, "room": guest, "note": {"type": "string"}}, ("guests", "note")
    )
    assert found(made) == {
        ("guests", 0, "name"): True,
        ("guests", 0, "age"): False,
        ("room", "name"): False,
        ("room", "age"): False,
        ("note",): True,
    }


def test_what_says_nothing_of_its_parts_is_one_place() -> None:
    made = tool(
        {"any": {"type": "object"}, "list": {"type": "array"}, "either": {"type": ["array", "string"], "items": {}}}
    )
    assert list(found(made)) == [("any",), ("list",), ("either",)]


def test_references_are_followed_and_a_schema_that_holds_itself_ends() -> None:
    tree = {"type": "object", "properties": {"label": {"type": "string"}, "child": {"$ref": "#/$defs/Tree"}}}
    made = tool({"tree": {"$ref": "#/$defs/Tree"}}, more={"$defs": {"Tree": tree}})
    paths = list(found(made))
    assert ("tree", "label") in paths and ("tree", "child", "label") in paths
    assert len(paths) < 10 and max(map(len, paths)) < 8


LEAF_SCHEMAS = st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "boolean"}])


def objects(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
    return names.flatmap(
        lambda chosen: st.tuples(st.fixed_dictionaries({n: inner for n in chosen}), st.sets(st.sampled_from(chosen)))
    ).map(lambda made: {"type": "object", "properties": made[0], "required": sorted(made[1])})


SCHEMAS = st.recursive(
    LEAF_SCHEMAS,
    lambda inner: objects(inner) | inner.map(lambda i: {"type": "array", "items": i, "minItems": 1}),
    max_leaves=6,
)


@given(objects(SCHEMAS))
def test_filling_the_required_places_gives_every_required_property(schema: dict[str, Any]) -> None:
    made = tool(schema["properties"], tuple(schema["required"]))
    values: dict[str, Any] = {"string": "x", "integer": 1, "boolean": True}
    filled = {p.path: Literally(literal=values[p.schema["type"]]) for p in places(made) if p.required}
    arguments = {name: resolve(source, {}, {}) for name, source in compose(filled).items()}
    assert made.input_validator.is_valid(arguments), arguments
