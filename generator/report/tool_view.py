"""What the page says of one tool, gathered from the manifest, the world and the files.

Invariant: values are plain texts, unescaped; nothing is said that the manifest, the world or the files do not say. Not
covered: markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup

from autoforge.generator.ir import Find, Operation, Parameter, Refuse, World, walk_steps
from autoforge.generator.report.markdown import plain
from autoforge.generator.report.schema_words import limit_words, type_words, value_words
from autoforge.generator.report.source import function_sources, highlighted
from autoforge.generator.report.tool_picture import touched
from autoforge.generator.report.wording import anchors, first_sentence
from autoforge.mcp_envs.manifest import Effects, Manifest, ToolRecord, ToolVerdict

__all__ = ["EffectView", "ParameterView", "RefusalView", "ToolView", "tool_views", "verdict_word"]


class ParameterView(NamedTuple):
    name: str
    argument: str
    """Its name in the function, where that differs."""
    type: str
    required: bool
    role: str
    limits: tuple[str, ...]
    description: str
    dead: bool


class EffectView(NamedTuple):
    effect: str
    table: str
    columns: tuple[str, ...] = ()


class RefusalView(NamedTuple):
    message: str
    reason: str
    evidence: str

    @property
    def verbatim(self) -> bool:
        """Said in the very words of the documentation."""
        return bool(self.evidence) and self.evidence.strip(" .").casefold() == self.message.strip(" .").casefold()


@dataclass(frozen=True)
class ToolView:
    record: ToolRecord
    anchor: str
    summary: str
    """First sentence."""
    description: str
    parameters: tuple[ParameterView, ...]
    answer: str
    """The output schema in words; empty where there is none."""
    effects: tuple[EffectView, ...]
    refusals: tuple[RefusalView, ...]
    status: str
    """`passed`, `failed` or `unproved`."""
    source: Markup
    lines: int
    search: str
    """What the filter looks in, lower case."""

    @property
    def touched(self) -> tuple[str, ...]:
        return touched(self.record.effects)


def verdict_word(verdict: ToolVerdict | None) -> str:
    return "unproved" if verdict is None else "passed" if verdict.passed else "failed"


def tool_views(world: World, manifest: Manifest, files: Mapping[str, str]) -> tuple[ToolView, ...]:
    """The tools in the order of the manifest. A tool that the world does not know has no parameters to show."""
    operations = {operation.tool: operation for operation in world.operations}
    documents = _documents(files.get("docs.json", ""))
    sources = function_sources(files.get("tools.py", ""))
    names = anchors("tool-", (record.name for record in manifest.tools))
    views = []
    for record in manifest.tools:
        document, source = documents.get(record.name, {}), sources.get(record.function, "")
        views.append(_view(record, names[record.name], operations.get(record.name), document, source))
    return tuple(views)


def _documents(text: str) -> dict[str, dict[str, Any]]:
    """The tools of `docs.json` by name; none where it holds something else."""
    try:
        tools = json.loads(text)
    except ValueError:
        return {}
    known = tools if isinstance(tools, list) else []
    return {tool["name"]: tool for tool in known if isinstance(tool, dict) and isinstance(tool.get("name"), str)}


def _view(
    record: ToolRecord, anchor: str, operation: Operation | None, document: Mapping[str, Any], source: str
) -> ToolView:
    description = str(document.get("description") or (operation.summary if operation else ""))
    parameters = tuple(_parameters(record, operation))
    status = verdict_word(record.verdict)
    output = operation.output_schema if operation else None
    return ToolView(
        record=record,
        anchor=anchor,
        summary=first_sentence(plain(description)),
        description=description.strip(),
        parameters=parameters,
        answer=_answer(output),
        effects=tuple(_effects(record.effects)),
        refusals=tuple(_refusals(record, operation)),
        status=status,
        source=highlighted(source),
        lines=source.count("\n") + 1 if source else 0,
        search=_search(record, description, parameters, status),
    )


def _parameters(record: ToolRecord, operation: Operation | None) -> Iterator[ParameterView]:
    dead = record.verdict.dead_parameters if record.verdict else ()
    for parameter in operation.parameters if operation else ():
        yield ParameterView(
            name=parameter.name,
            argument=record.arguments.get(parameter.name, ""),
            type=type_words(parameter.json_schema),
            required=parameter.required,
            role=parameter.role.replace("_", " "),
            limits=tuple(_limits(parameter)),
            description=str(parameter.json_schema.get("description") or ""),
            dead=parameter.name in dead,
        )


def _limits(parameter: Parameter) -> Iterator[str]:
    yield from limit_words(parameter.json_schema)
    default = parameter.json_schema.get("default", parameter.default)
    if default is not None:
        yield f"default {value_words(default)}"


def _answer(schema: Mapping[str, Any] | None) -> str:
    if schema is None:
        return ""
    properties = schema.get("properties")
    inside = f" with {', '.join(properties)}" if isinstance(properties, Mapping) and properties else ""
    return type_words(schema) + inside


def _effects(effects: Effects) -> Iterator[EffectView]:
    yield from (EffectView("creates", table) for table in effects.creates)
    yield from (EffectView("updates", table, tuple(columns)) for table, columns in effects.updates.items())
    yield from (EffectView("deletes", table) for table in effects.deletes)
    yield from (EffectView("reads", table) for table in effects.reads)


def _refusals(record: ToolRecord, operation: Operation | None) -> Iterator[RefusalView]:
    """Those of the steps, with their evidence; then those that only the manifest knows."""
    told: dict[str, RefusalView] = {}
    for step in walk_steps(operation.steps if operation else ()):
        if isinstance(step, Refuse):
            told.setdefault(step.message, RefusalView(step.message, step.reason, step.evidence))
        elif isinstance(step, Find) and step.missing is not None:
            told.setdefault(step.missing, RefusalView(step.missing, "missing", ""))
    for message in record.refusals:
        told.setdefault(message, RefusalView(message, "", ""))
    yield from told.values()


def _search(record: ToolRecord, description: str, parameters: tuple[ParameterView, ...], status: str) -> str:
    dead = ("is:dead",) if record.verdict is not None and record.verdict.dead_parameters else ()
    weak = ("is:weak",) if record.weak else ()
    words = (record.name, record.function, f"kind:{record.kind}", f"side:{record.side}", f"is:{status}", *weak, *dead)
    return " ".join((*words, *touched(record.effects), *(p.name for p in parameters), description)).lower()
