"""Speaks of sources: rows, values of the user, fields, derived values; the hub of what makes phrases.

Invariant: whatever of the user's values a phrase needs is in it, or was said before and is referred to. Not covered:
scopes (`scopes`), operators (`derivations`), clauses (`clauses`); they call back here.
"""

from __future__ import annotations

import random
from typing import Any

from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.catalogue import Catalogue, ToolModel
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.wording import choices, clauses, conditions, derivations, scopes
from autoforge.generator.tasks.wording.fields import flag_words, is_noun, of_its_own
from autoforge.generator.tasks.wording.grammar import Grammar, Phrase
from autoforge.generator.tasks.wording.leaves import Leaf
from autoforge.generator.tasks.wording.memory import Memory
from autoforge.generator.tasks.wording.names import english_name, last_name, moment_name, noun_words
from autoforge.generator.tasks.wording.origins import Origin, Origins, Row
from autoforge.generator.tasks.wording.values import Values, spellings
from autoforge.mcp_envs.task import ListOf, Literally, ObjectOf, Output, Reasoning, Source, ToolStep, UserValue

__all__ = ["CANNOT", "Teller"]

CANNOT = "cannot be worded"
_OPEN = ("by", "of", "for", "to", "from", "in", "with")
"""Last words of names that are no nouns: received by."""
_LONG, _LONGISH = 18, 11
"""Words of a phrase that is taken out of its sentence, always or often."""


class Teller:
    """Of one draft, in one language."""

    def __init__(self, draft: Draft, catalogue: Catalogue, grammar: Grammar, chance: random.Random) -> None:
        self.draft = draft
        self.catalogue = catalogue
        self.grammar = grammar
        self.chance = chance
        self.values = Values(grammar, chance)
        self.memory = Memory()
        self.origins = Origins(draft.blueprint, catalogue)
        self.style = chance.randrange(2)
        """One way of speaking for the whole instruction: with a status of …, whose status is …"""
        self.ahead: list[Phrase] | None = None
        """Long phrases that are to be said in sentences of their own; None while they stay where they are."""
        self._depth = 0

    def say(self, template: str, **parts: object) -> str:
        return self.grammar.say(template, self.chance, **parts)

    def styled(self, template: str, **parts: object) -> str:
        """In the style of the instruction."""
        options = self.grammar.templates[template]
        return self.grammar.fill(options[self.style % len(options)], parts)

    def where(self, name: str, compare: str, value: object, type: str = "") -> str:
        """A comparison of a field, after a noun: `with a price of at most 50`."""
        name = self.grammar.name(name)
        template = (
            f"where {compare} {type}" if f"where {compare} {type}" in self.grammar.templates else f"where {compare}"
        )
        the = self.grammar.definite(self.grammar.noun(name))
        return self.styled(
            template, name=name, value=value, is_=self.grammar.agree(name, self.grammar.say("is")), the=the
        )

    def refers(self, leaf: Leaf) -> bool:
        """Whether an argument names a row."""
        column = self.catalogue.column(leaf.column) if leaf.column is not None else None
        if column is None or leaf.column is None:
            return leaf.role == "reference"
        if column.references is not None or column.name in self.catalogue.tables[leaf.column.table].key:
            return True
        return leaf.role == "reference" and column.type == "text" and not column.enum and leaf.type != "date"

    def node(self, id: str) -> ToolStep | Reasoning:
        return self.draft.blueprint.node(id)

    def tool(self, step: ToolStep) -> ToolModel:
        return self.catalogue.tools[step.tool]

    def rejected(self, why: str) -> Rejection:
        return Rejection(CANNOT, why)

    # Sources.

    def source(self, source: Source, leaf: Leaf | None = None) -> Phrase:
        """A value or a thing, whatever it is."""
        match source:
            case UserValue():
                return Phrase(self.known(source.user, leaf))
            case Literally():
                return Phrase(self.values.said(source.literal, leaf.slot.schema if leaf and leaf.slot else None))
            case Output():
                return self.output(source, leaf)
            case ListOf():
                return Phrase(self.grammar.series([str(self.source(item, leaf)) for item in source.items]))
            case ObjectOf():
                parts = [self.say("field value", name=english_name(n), value=self.source(s)) for n, s in
                         source.fields.items()]  # fmt: skip
                return Phrase(self.grammar.series(parts))

    def known(self, name: str, leaf: Leaf | None = None) -> str:
        """A value that the user knows."""
        value = self.draft.known[name]
        text = self.values.said(value, leaf.slot.schema if leaf is not None and leaf.slot is not None else None)
        self.memory.say_known(name, leaf.words if leaf is not None else name, self._spelled(value, text))
        return text

    def _spelled(self, value: Any, text: str) -> tuple[str, ...]:
        return (text, *spellings(value, self.grammar))

    def output(self, output: Output, leaf: Leaf | None = None) -> Phrase:
        """A part of an output: a row, a field of it, or a derived value."""
        echo = self.origins.echo(output)
        if echo is not None and self.refers(echo):
            return scopes.reference(self, echo)
        origin = self.origins.of(output)
        if origin.row is None:
            return self._plain(output, origin)
        refers = leaf is not None and self.refers(leaf)
        column = leaf.column if leaf is not None and refers and not self._points(leaf) else None
        if self.origins.is_key(origin, column) and (refers or leaf is None or not origin.field):
            return self.row(origin.row)
        if leaf is not None and refers and self._stands(origin, leaf):
            return self.row(origin.row)
        return self.field(origin)

    def _points(self, leaf: Leaf) -> bool:
        """Whether the argument goes by a column that itself refers to another table."""
        column = self.catalogue.column(leaf.column) if leaf.column is not None else None
        return column is not None and column.references is not None

    def _stands(self, origin: Origin, leaf: Leaf) -> bool:
        """Whether a field of a row without a table that is known stands for the row: `$.ids[*]`."""
        return (
            origin.row is not None
            and origin.row.shown is None
            and noun_words(last_name(origin.field)) in ("", *leaf.nouns)
        )

    def _plain(self, output: Output, origin: Origin) -> Phrase:
        node = self.node(output.node)
        if isinstance(node, Reasoning):
            return self.derived(node)
        words = self.grammar.name(english_name(last_name(output.path)) or _result_noun(self.tool(node)))
        self.memory.worded.add(node.id)
        the = self.grammar.definite(self.grammar.noun(words))
        if not node.arguments:
            return the
        return Phrase(self.say("result", field=the, clause=clauses.clause(self, node)))

    # Rows and fields.

    def row(self, row: Row) -> Phrase:
        """A row; in short where it was mentioned before."""
        short = self._again(row)
        if short is not None:
            return short
        self._depth += 1
        try:
            phrase = self._whole(row)
        finally:
            self._depth -= 1
        self.memory.mention(row.key, row.noun)
        if self._is_long(phrase, row):
            assert self.ahead is not None
            self.ahead.append(phrase)
            return self.grammar.definite(self.grammar.noun(row.noun), many=row.many, which="that")
        return phrase

    def _again(self, row: Row) -> Phrase | None:
        """A row that was mentioned, in short."""
        noun = self.grammar.noun(row.noun)
        if row.made:
            return self._made(row)
        if self.memory.alone(row.key, row.noun):
            which = "same" if row.leaf is None and not self._depth and self.chance.random() < 0.2 else "that"
            return self.grammar.definite(noun, many=row.many, which=which)
        pick = self.memory.pick(row.key, row.noun)
        return self.grammar.definite(noun, many=row.many, which="that").plus(pick) if pick is not None else None

    def _whole(self, row: Row) -> Phrase:
        if row.leaf is not None:
            return self.identified(row.leaf, row.noun)
        node = self.node(row.node)
        if isinstance(node, Reasoning):
            return choices.rows(self, node, row)
        self.memory.worded.add(node.id)
        asked = None if row.many else self.origins.asked_for(node, row)
        if asked is not None:
            return scopes.reference(self, asked)
        narrowed = scopes.narrowing(self, node, row, many=row.many)
        noun = self.grammar.noun(row.noun)
        return self.grammar.definite(noun, narrowed.adjective, many=row.many).plus(narrowed.text(self))

    def _is_long(self, phrase: Phrase, row: Row) -> bool:
        """Whether a phrase is better said in a sentence of its own before."""
        if self.ahead is None or row.leaf is not None or not self.memory.alone(row.key, row.noun):
            return False
        words = len(str(phrase).split())
        return words > (_LONGISH if self._depth else _LONG) or (words > _LONGISH and self.chance.random() < 0.6)

    def identified(self, leaf: Leaf, noun: str) -> Phrase:
        """A row by the value that the user knows of it."""
        assert isinstance(leaf.source, UserValue)
        the = self.grammar.definite(self.grammar.noun(noun))
        value = self.known(leaf.source.user, leaf)
        column = leaf.column
        table = self.catalogue.tables.get(column.table) if column is not None else None
        keyed = (
            table is None
            or column is None
            or column.column in table.key
            or column.table != self.catalogue.domain(column).table
        )
        if keyed or column is None:
            return self.grammar.named(self.grammar.noun(noun), value)
        name = self.grammar.name(english_name(column.column))
        pattern = self.chance.choice(self.grammar.templates["identified by"])
        return Phrase(*(pattern.format(the=f, name=name, value=value) for f in (the.nom, f"{the:acc}", f"{the:dat}")))

    def _made(self, row: Row) -> Phrase:
        noun = self.grammar.noun(row.noun)
        alike = [key for key, said in self.memory.made.items() if said == row.noun]
        if len(alike) > 1 and row.key in alike:
            ordinal = self.grammar.ordinal(alike.index(row.key) + 1)
            return self.grammar.definite(noun, ordinal).plus(self.say("you made"))
        return self.grammar.definite(noun, which="new")

    def make(self, step: ToolStep) -> None:
        """Note what a step makes, once it was said."""
        creates = self.tool(step).record.effects.creates
        for shown in self.tool(step).rows:
            if shown.table in creates:
                self.memory.made[step.id, "made"] = self.origins.entity(shown.table)

    def field(self, origin: Origin) -> Phrase:
        """A field of a row or of rows."""
        row = origin.row
        assert row is not None
        text = self._field_name(origin)
        noun = self.grammar.noun(self.grammar.name(text))
        the = self.grammar.definite(noun, many=row.many)
        thing = self.row(row)
        return Phrase(
            *(self.say("field value of", field=f, thing=thing) if f else "" for f in (the.nom, the.acc, the.dat))
        )

    def _field_name(self, origin: Origin) -> str:
        """What a field is called: `guestId` is the guest, `from_account_id` the source account of a transfer."""
        assert origin.row is not None
        parent = self.origins.parent(origin)
        if parent is None:
            last = last_name(origin.field)
            name = moment_name(last) if origin.type == "date" else of_its_own(english_name(last), origin.row.noun)
            return (
                f'"{name}" entry'
                if name.split()[-1:] and name.split()[-1] in _OPEN and self.grammar.code == "en"
                else name
            )
        own, entity = noun_words(last_name(origin.field)), self.origins.entity(parent)
        if not own or own == entity or own.split()[-1] == entity.split()[-1]:
            first = split_words(last_name(origin.field))[0]
            side = self.grammar.sides.get(first) if own != first else None
            return f"{side} {entity}" if side is not None else entity
        return own

    def is_thing(self, name: str) -> bool:
        """Whether a flag's name is a noun that a row has or has not: breakfast, a sea view."""
        return is_noun(name)

    def flag_name(self, name: str) -> str | None:
        words = flag_words(name)
        return self.grammar.name(words) if words is not None else None

    def derived(self, node: Reasoning) -> Phrase:
        return derivations.value(self, node)

    def count_question(self, node: Reasoning) -> str:
        return derivations.count_question(self, node)

    def clause(self, step: ToolStep) -> str:
        return clauses.clause(self, step)

    def condition(self, node: Reasoning, holds: bool = True) -> str:
        return conditions.condition(self, node, holds)


def _result_noun(tool: ToolModel) -> str:
    return english_name(tool.record.entity or "result")
