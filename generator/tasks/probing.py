"""Makes a catalogue of an environment: calls its tools on the seed, and sees what their arguments and outputs carry.

Invariant: a slot is a reference only if a value that is not there was refused and one that is there was not; a row set
belongs to a table only if its items were seen to be rows of it. Not covered: which outputs feed which slots (`graph`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from autoforge.generator.conformance.arguments import Proposer
from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.generator.conformance.values import kinds
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, Role, Sample, Slot, ToolModel
from autoforge.generator.tasks.row_sets import RowFinder, fields_of, loaded
from autoforge.generator.tasks.slots import Place, places, replaced, value_at
from autoforge.generator.tasks.stage import Stage, Start
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.state import Change, State, changes

__all__ = ["probe"]

_MOST_CALLS = 60
_MOST_CALLS_WITHOUT = 300
"""Calls before a tool is given up that never succeeded."""
_MOST_SAMPLES = 8
_INCLUDING = (("include",), ("with",), ("show",), ("expand",), ("exclude",))
_CONTROL = frozenset(
    "limit offset page size per_page page_size page_token cursor sort sort_by order order_by sort_order direction "
    "fields include expand format max_results count start skip top select count_only verbose etag pretty_print alt "
    "prefix if_match output_type updated_min if_modified_since_request".split()
)


def probe(stage: Stage, *, seed: int = 0) -> Catalogue:
    """The catalogue of the environment that a stage holds."""
    subject = Subject.read(stage.folder.path)
    start = stage.start()
    proposer = Proposer(subject, start.state, seed)
    prober = _Prober(stage, subject, start, proposer)
    tools = {tool.name: prober.model(tool) for tool in subject.tools}
    return Catalogue(stage.manifest, tools, stage.folder.text("policy.md"))


class _Prober:
    def __init__(self, stage: Stage, subject: Subject, start: Start, proposer: Proposer) -> None:
        self._stage = stage
        self._subject = subject
        self._start = start
        self._proposer = proposer
        self._documents = {d["name"]: d for d in stage.folder.documents()}
        self._columns = {
            ColumnName(table.name, column.name): {r.get(column.name) for r in start.state[table.name].records()}
            for table in stage.manifest.tables
            if table.name in start.state
            for column in table.columns
        }

    def model(self, tool: Tool) -> ToolModel:
        samples, states = self._samples(tool)
        finder = RowFinder(self._stage.manifest)
        rows = finder.row_sets([s.value for s in samples], [s.arguments for s in samples], states)
        taken = [changes(self._start.state, state, self._stage.manifest) for state in states]
        slots = tuple(self._slot(tool, place, samples, taken) for place in places(tool))
        return ToolModel(
            name=tool.name,
            record=tool.record,
            document=self._documents[tool.name],
            slots=slots,
            rows=rows,
            fields=fields_of([s.value for s in samples], rows),
            samples=tuple(samples),
        )

    def _samples(self, tool: Tool) -> tuple[list[Sample], list[State]]:
        """Calls that succeed, as different as they come, and the states they leave."""
        samples: list[Sample] = []
        states: list[State] = []
        seen: set[str] = set()
        for tried, arguments in enumerate(islice(self._proposer.proposals(tool), _MOST_CALLS_WITHOUT)):
            if samples and tried >= _MOST_CALLS:
                break
            run = self._stage.run(self._start, [Call(tool.name, arguments)])
            if not run.ok:
                continue
            shape = json.dumps([sorted(arguments), run.results[0].value], sort_keys=True)[:4000]
            if shape in seen:
                continue
            seen.add(shape)
            samples.append(Sample(arguments, run.results[0].value))
            states.append(run.state)
            if len(samples) == _MOST_SAMPLES:
                break
        return samples, states

    def _slot(self, tool: Tool, place: Place, samples: Sequence[Sample], taken: Sequence[Sequence[Change]]) -> Slot:
        names = [part for part in place.path if isinstance(part, str)]
        name = f"{names[-2]}_{names[-1]}" if len(names) > 1 and words(names[-1]) in (("id",), ("name",)) else names[-1]
        told = [
            (sample, change, value)
            for sample, change in zip(samples, taken, strict=True)
            if (value := value_at(sample.arguments, place.path)) is not None
        ]
        role, column = self._meaning(tool, place, name, told)
        return Slot(place.path, place.schema, place.required, role, column)

    def _meaning(
        self, tool: Tool, place: Place, name: str, told: Sequence[tuple[Sample, Sequence[Change], Any]]
    ) -> tuple[Role, ColumnName | None]:
        likely = [ColumnName(m.table, m.column) for m in self._subject.columns(tool, name) if m.score >= 35]
        if tool.reads_only and (_plain(name) in _CONTROL or self._shapes(place, name, likely)):
            return "control", None
        if place.schema.get("enum") or "boolean" in kinds(place.schema):
            column = self._written(told, likely)
            return ("filter" if tool.reads_only else "value"), column or next(iter(likely), None)
        held = [c for c in likely if any(self._holds(c, value) for _, _, value in told)]
        found = self._identifying(held)
        fate, stored = self._fate_of_stranger(tool, place, told, likely) if found or not tool.reads_only else ("", None)
        if found is not None and fate == "refused":
            return "reference", found
        if tool.reads_only:
            return "filter", next(iter([*held, *likely]), None)
        written = self._written(told, likely) or stored
        names_target = len(place.path) == 1 and not tool.record.effects.creates
        if written is None and found is not None and names_target and any(change for _, change, _ in told):
            return "reference", found
        return "value", written or next(iter(likely), None)

    def _shapes(self, place: Place, name: str, likely: Sequence[ColumnName]) -> bool:
        """Whether an optional parameter only says how rows are shown: a choice of words that no column holds, or
        whether to include something.
        """
        if place.required:
            return False
        if "boolean" in kinds(place.schema):
            return words(name)[:1] in _INCLUDING or not likely
        enum = place.schema.get("enum") or ()
        return bool(enum) and not any(value in self._words(column) for column in likely for value in enum)

    def _words(self, column: ColumnName) -> set[Any]:
        """The values of a column, of lists what they hold."""
        found: set[Any] = set()
        for value in self._columns.get(column, ()):
            inner = loaded(value) if isinstance(value, str) and value[:1] == "[" else None
            found |= {v for v in inner if isinstance(v, str | int)} if isinstance(inner, list) else {value}
        return found

    def _holds(self, column: ColumnName, value: Any) -> bool:
        return not isinstance(value, list | dict) and value in self._columns.get(column, ())

    def _identifying(self, held: Sequence[ColumnName]) -> ColumnName | None:
        """The first column that tells rows apart, or points to rows."""
        for name in held:
            table = next(t for t in self._stage.manifest.tables if t.name == name.table)
            column = next(c for c in table.columns if c.name == name.column)
            if column.references is not None and column.references in self._start.state:
                parent = next(t for t in self._stage.manifest.tables if t.name == column.references)
                return ColumnName(parent.name, parent.key[0]) if len(parent.key) == 1 else name
            values = [r.get(name.column) for r in self._start.state[name.table].records()]
            numeric = any(isinstance(v, float) for v in values)
            if numeric:
                continue
            if name.column in table.key or column.kind in (ColumnKind.KEY, ColumnKind.SURROGATE):
                return name
            whole = any(isinstance(v, int) for v in values)
            if not whole and len(values) > 2 and len(set(map(repr, values))) == len(values):
                return name
        return None

    def _fate_of_stranger(
        self,
        tool: Tool,
        place: Place,
        told: Sequence[tuple[Sample, Sequence[Change], Any]],
        likely: Sequence[ColumnName],
    ) -> tuple[str, ColumnName | None]:
        """What becomes of a value that no row has where one that a row has was taken: how the call ends, and the column
        in which the value then stands.
        """
        for sample, _, value in told[:2]:
            for stranger in _strangers(value):
                arguments = replaced(sample.arguments, place.path, stranger)
                if tool.accepts(arguments):
                    run = self._stage.run(self._start, [Call(tool.name, arguments)])
                    taken = changes(self._start.state, run.state, self._stage.manifest)
                    return run.results[0].kind, self._written([(sample, taken, stranger)], likely)
        return "", None

    def _written(
        self, told: Sequence[tuple[Sample, Sequence[Change], Any]], likely: Sequence[ColumnName]
    ) -> ColumnName | None:
        """The column in which what was given came to stand."""
        found: list[ColumnName] = []
        for _, taken, value in told:
            for change in taken:
                after = change.after or {}
                found += [ColumnName(change.table, c) for c, stored in after.items() if _same(stored, value)]
        for column in likely:
            if column in found:
                return column
        distinctive = [c for _, _, value in told if isinstance(value, str) and len(value) > 3 for c in found]
        return next(iter(distinctive), None)


def _strangers(value: Any) -> Iterator[Any]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield 987_654
        yield value + 987
    elif isinstance(value, str):
        yield "".join("9" if c.isdigit() else "q" if c.islower() else "Q" if c.isupper() else c for c in value)
        yield "nowhere-to-be-found"


def _same(stored: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return stored in (0, 1) and bool(stored) == value
    if isinstance(value, list | dict):
        return isinstance(stored, str) and loaded(stored) == value
    return bool(stored == value) and stored is not None


def _plain(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).strip("_").replace("-", "_")
