"""Asks a model, once for an environment, which figures people work out from the rows that its tools show.

Invariant: only what holds on all rows that were seen comes back (`derived_fields.wrong_with`); what does not is noted.
Not covered: what becomes of the fields (`derived_questions`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from autoforge.generator.tasks.catalogue import Catalogue, RowSet, ToolModel
from autoforge.generator.tasks.model.adviser import Adviser, Question
from autoforge.generator.tasks.model.derived_fields import DerivedField, wrong_with
from autoforge.generator.tasks.model.words import FIELDS
from autoforge.mcp_envs.paths import NoSuchPart, extract

__all__ = ["FieldsAnswer", "derived_fields"]

_MOST = 6
_MOST_KINDS = 12
_EXAMPLES = 3
_LONGEST_EXAMPLE = 700
_LEAST_ITEMS = 2
_LANGUAGES = {"en": "English", "es": "Spanish", "de": "German"}


class _Proposal(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    words: str
    rows: int
    expression: str


class FieldsAnswer(BaseModel):
    """What the model proposes."""

    model_config = ConfigDict(extra="ignore")

    fields: list[_Proposal] = Field(max_length=40)


class _Kind(NamedTuple):
    """Rows of one table as one output shows them, and all such rows that were seen."""

    tool: ToolModel
    rows: RowSet
    items: tuple[Any, ...]


def derived_fields(catalogue: Catalogue, adviser: Adviser, *, language: str = "en") -> tuple[DerivedField, ...]:
    """At most six, none where the model has none that holds. Raises Unanswered."""
    kinds = _kinds(catalogue)
    if not kinds:
        return ()
    task = FIELDS.format(most=_MOST, language=_LANGUAGES.get(language, "English"))
    shown = "\n\n".join(f"### {number}. {_shown(kind, catalogue)}" for number, kind in enumerate(kinds, 1))
    answer = adviser.ask("fields", [Question(task, (("Rows", shown),))], FieldsAnswer)[0]
    found: dict[tuple[str, str], DerivedField] = {}
    for proposal in answer.fields if answer is not None else []:
        if not 1 <= proposal.rows <= len(kinds):
            adviser.note(f"fields: not used: {proposal.name[:40]}: there are no rows {proposal.rows}")
            continue
        kind = kinds[proposal.rows - 1]
        words, expression = " ".join(proposal.words.split()), proposal.expression.strip()
        one = DerivedField(proposal.name, words, kind.rows.table, expression)
        wrong = wrong_with(one, kind.items)
        if wrong:
            adviser.note(f"fields: not used: {one.name[:40]}: {wrong}")
        else:
            found.setdefault((one.table, one.name), one)
    kept = tuple(found.values())[:_MOST]
    adviser.tell(f"fields: {', '.join(f.words for f in kept) or 'none'} can be worked out")
    return kept


def _kinds(catalogue: Catalogue) -> list[_Kind]:
    """For each table the output that shows most of its rows' fields, where there are figures to work with."""
    best: dict[str, _Kind] = {}
    for tool in catalogue.tools.values():
        for rows in tool.rows:
            kind = _Kind(tool, rows, tuple(_items(tool, rows)))
            if len(kind.items) < _LEAST_ITEMS or not _figures(rows, catalogue):
                continue
            other = best.get(rows.table)
            if other is None or (len(rows.types), len(kind.items)) > (len(other.rows.types), len(other.items)):
                best[rows.table] = kind
    return list(best.values())[:_MOST_KINDS]


def _figures(rows: RowSet, catalogue: Catalogue) -> bool:
    """Whether a number that is no key, or a list, is among the fields."""
    table = catalogue.tables.get(rows.table)
    keys = {rows.fields[c.name] for c in (table.columns if table else ()) if c.name in rows.fields
            and (c.name in table.key or c.references is not None)} if table else set()  # fmt: skip
    return any(type in ("number", "list") and path not in keys for path, type in rows.types.items())


def _items(tool: ToolModel, rows: RowSet) -> Iterator[Any]:
    """Distinct rows in the sample outputs."""
    seen: set[str] = set()
    for sample in tool.samples:
        try:
            value = extract(sample.value, rows.path)
        except NoSuchPart:
            continue
        for item in value if rows.many else [value]:
            text = json.dumps(item, sort_keys=True)
            if isinstance(item, dict) and text not in seen:
                seen.add(text)
                yield item


def _shown(kind: _Kind, catalogue: Catalogue) -> str:
    table = catalogue.tables.get(kind.rows.table)
    examples = [json.dumps(item, ensure_ascii=False)[:_LONGEST_EXAMPLE] for item in kind.items[:_EXAMPLES]]
    return f"{table.entity if table else kind.rows.table}, as {kind.tool.name} shows it\n" + "\n".join(examples)
