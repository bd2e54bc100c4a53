"""Arguments that the schema allows and nobody thought of.

Hypothesis draws them from strategies made of the schema, the state and a list of nasty values, the same ones for the
same seed. Invariant: at most `EXAMPLES` draws for each tool; what the server's check would refuse is given to that
check only. Not covered: calls in a certain order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from autoforge.generator.conformance.drawing import drawn
from autoforge.generator.conformance.findings import Findings, shown
from autoforge.generator.conformance.laboratory import Laboratory, Place
from autoforge.generator.conformance.probe import Evidence
from autoforge.generator.conformance.subject import JsonSchema, Parameter, Tool
from autoforge.generator.conformance.values import kinds
from autoforge.mcp_envs.arguments.values import BadArguments

__all__ = ["EXAMPLES", "fuzz_tool"]

EXAMPLES = 25
"""Examples for each tool."""
_MOST_EDGES = 40
_SHRINKS = 40
"""Most calls made to find the simplest arguments that crash a tool."""

TEXTS = (
    *("", " ", "a", "0", "-1", "1e309", "null", "None", "true", "NaN", "'", '"', "\\", "%", "_", "a%b_c", "';--"),
    *("' OR '1'='1", '"); DROP TABLE x; --', "{}", "[]", '{"a": 1}', "{0}", "{name}", "%s%d", "$1", "../../etc/passwd"),
    *("<b>&amp;</b>", "line\nbreak", "tab\there", "\r\n", "\u200b", "\ufeffbom", "\u202ereversed", "e\u0301"),
    *(
        "Zoë Ångström",
        "İstanbul ß \u017f",
        "日本語テキスト",
        "مرحبا",
        "🙂👩‍👩‍👧",
        "\U0001f9ea" * 3,
        "x" * 300,
        "word " * 60,
    ),
    *("2024-02-29", "2023-02-29", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59", "2024-13-01", "24:00", "12:60"),
    *("now", "today", "a@b", "@", "#", "/", "*", "?", "٣", "½", "\uff11\uff12", "१", "0x1F", "1_000", "+5", "--5", "."),
    *(",", "1,5", "1.5.2", "∞", "²"),
)
INTEGERS = (
    0,
    1,
    -1,
    2,
    3,
    7,
    10,
    99,
    100,
    255,
    1000,
    -1000,
    2**31 - 1,
    2**31,
    -(2**31),
    2**53,
    2**63 - 1,
    -(2**63),
    10**6,
    10**12,
)
NUMBERS = (
    0,
    1,
    -1,
    0.5,
    -0.5,
    0.1,
    1e-9,
    -1e-9,
    1e9,
    1.7976931348623157e308,
    5e-324,
    -0.0,
    3.0,
    2**53 + 1,
    123456789.123456789,
)
EDGES: Mapping[str, tuple[Any, ...]] = {
    "string": ("", " ", "'\"%_\\;--", "日本語 🙂 ß", "x" * 300),
    "integer": (0, -1, 2**63 - 1),
    "number": (0, -1, 1.7976931348623157e308, 5e-324),
    "array": ([],),
    "object": ({},),
    "boolean": (False, True),
}
"""By JSON type, what breaks most."""
KEYS = ("", "a", "id", "name", "type", "value", "key", "$where", "__class__", "0")


def fuzz_tool(laboratory: Laboratory, evidence: Evidence, findings: Findings, tool: Tool, seed: int) -> None:
    """Draw, check and call."""
    witness = next(iter(evidence.witnesses[tool.name]), None)
    place = laboratory.seed if witness is None else witness.place
    base = next(evidence.proposer(place).proposals(tool), {}) if witness is None else witness.arguments
    calls: list[dict[str, Any]] = []
    for arguments in [
        *itertools.islice(_edges(tool, base), _MOST_EDGES),
        *drawn(_arguments(evidence, place, tool), EXAMPLES, seed),
    ]:
        try:
            calls.append(tool.checked(arguments))
        except BadArguments:
            continue
    results = laboratory.sequence(place, tool, calls)
    for arguments, result in zip(calls, results, strict=False):
        if result.kind == "failed":
            _simplify(laboratory, findings, tool, place, arguments)
            break


def _edges(tool: Tool, base: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A good call with one argument at the edge of its type: the first edge of every parameter, then the second, and
    so on.
    """
    edges = [(p.name, [value for kind in kinds(p.schema) for value in EDGES.get(kind, ())]) for p in tool.parameters]
    for place in range(max((len(values) for _, values in edges), default=0)):
        for name, values in edges:
            if place < len(values):
                yield {**base, name: values[place]}


def _simplify(
    laboratory: Laboratory, findings: Findings, tool: Tool, place: Place, arguments: Mapping[str, Any]
) -> None:
    """Make crashing arguments plainer, one parameter at a time, and note what is left."""
    left = dict(arguments)
    tries = 0
    for name in list(left):
        for plainer in _plainer(left, name):
            tries += 1
            if tries > _SHRINKS or not tool.accepts(plainer):
                continue
            if laboratory.crashes(place, tool, plainer) is not None:
                left = plainer
                break
    message = laboratory.crashes(place, tool, left)
    if message is not None:
        findings.lead(tool.name, "crash", f"{message[:200]} on {shown(left)}, made plain")


def _plainer(arguments: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    rest = {other: value for other, value in arguments.items() if other != name}
    yield rest
    plainest: tuple[Any, ...] = ("", "a", 0, 1, [], {}, False)
    for value in plainest:
        if type(value) is type(arguments[name]) and value != arguments[name]:
            yield {**rest, name: value}


def _arguments(evidence: Evidence, place: Place, tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    proposer = evidence.proposer(place)
    for parameter in tool.parameters:
        known = proposer.values(tool, parameter)[:12]
        wild = _wild(tool, parameter, parameter.schema)
        mixed = st.one_of(st.sampled_from(known), wild) if known else wild
        (required if parameter.required else optional)[parameter.name] = mixed
    return st.fixed_dictionaries(required, optional=optional)


def _wild(tool: Tool, parameter: Parameter, schema: JsonSchema, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values of the schema's type, otherwise as unlikely as possible."""
    listed = [schema["const"]] if "const" in schema else list(schema.get("enum") or ())
    if listed:
        return st.sampled_from(listed)
    branches = [tool.resolved(b) for key in ("anyOf", "oneOf") for b in schema.get(key) or ()]
    if branches and depth < 3:
        return st.one_of(*(_wild(tool, parameter, branch, depth + 1) for branch in branches))
    wanted = [_of_kind(tool, parameter, schema, kind, depth) for kind in kinds(schema)] or [
        st.sampled_from([*TEXTS, *INTEGERS, None, True])
    ]
    return st.one_of(*wanted)


def _of_kind(tool: Tool, parameter: Parameter, schema: JsonSchema, kind: str, depth: int) -> st.SearchStrategy[Any]:
    if kind == "string":
        return st.sampled_from(TEXTS) | st.lists(st.sampled_from(TEXTS), max_size=3).map("".join)
    if kind == "integer":
        return _within(schema, INTEGERS)
    if kind == "number":
        return _within(schema, (*NUMBERS, *INTEGERS))
    if kind == "boolean":
        return st.booleans()
    if kind == "array" and depth < 4:
        return st.lists(_wild(tool, parameter, tool.resolved(schema.get("items") or {}), depth + 1), max_size=4)
    if kind == "object" and depth < 4:
        return _object(tool, parameter, schema, depth)
    return st.none() if kind == "null" else st.just([] if kind == "array" else {})


def _object(tool: Tool, parameter: Parameter, schema: JsonSchema, depth: int) -> st.SearchStrategy[Any]:
    needed = set(schema.get("required") or ())
    inner = {
        name: _wild(tool, parameter, tool.resolved(s), depth + 1)
        for name, s in (schema.get("properties") or {}).items()
    }
    if not inner:
        return st.dictionaries(
            st.sampled_from(KEYS), st.sampled_from([*TEXTS[:12], *INTEGERS[:6], None, True, [], {}]), max_size=3
        )
    return st.fixed_dictionaries(
        {name: s for name, s in inner.items() if name in needed},
        optional={name: s for name, s in inner.items() if name not in needed},
    )


def _within(schema: JsonSchema, values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    ends = [schema[key] for key in ("minimum", "maximum") if isinstance(schema.get(key), int | float)]
    low, high = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    inside = [value for value in (*ends, *values) if low <= value <= high]
    return st.sampled_from(inside or list(values))
