"""A tool step as an imperative clause: the documentation's words, the things in their places, then the values.

Invariant: every argument that the user must give, or that another step gives, is in the clause. Not covered: when the
step is done (`sentences`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autoforge.generator.tasks.catalogue import ToolModel
from autoforge.generator.tasks.wording import scopes
from autoforge.generator.tasks.wording.details import attached, label, thing_of, value_of, values
from autoforge.generator.tasks.wording.documentation import ToolWords, clauses_of, documentation_language
from autoforge.generator.tasks.wording.function_words import DATIVE, determiners, prepositions
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.leaves import Leaf, leaves_of
from autoforge.generator.tasks.wording.places import GENERIC, Hole, Small, filled, object_head, place
from autoforge.generator.vocabulary import word_set
from autoforge.mcp_envs.task import Literally, Output, ToolStep, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["clause"]

_LONGEST = 9
"""Words of a sentence of the documentation that is taken where the name says less."""
_MONEY = word_set("money funds dinero fondos geld")


def clause(teller: Teller, step: ToolStep) -> str:
    """The step as an imperative, without its end."""
    text = _clause(teller, step)
    teller.make(step)
    return text


def _clause(teller: Teller, step: ToolStep) -> str:
    teller.memory.worded.add(step.id)
    tool = teller.tool(step)
    leaves = _distinct([leaf for leaf in leaves_of(step, tool) if not _fixed(leaf)])
    references = [leaf for leaf in leaves if teller.refers(leaf) and leaf.of == 1]
    words = _best(teller, tool, references)
    moved = _moved(teller, step, words, references)
    references = [leaf for leaf in references if leaf not in moved]
    contents = [leaf for leaf in leaves if leaf not in references]
    small = Small.of(teller)
    switch = _switch(teller, words, contents)
    if switch is not None:
        words, contents = switch
    created = frozenset(teller.origins.entity(t) for t in tool.record.effects.creates)
    parts, left = filled(teller, small, words, references, contents, created)
    field = _named_field(parts) or (_behind(parts, left) if words.verb in GENERIC else None)
    if field is not None:
        return _set_one(teller, words, parts, field, left, step)
    amount = _amount(parts, left)
    if amount is not None:
        left.remove(amount)
        _with_amount(teller, small, parts, amount)
    text = _text(teller, words, parts)
    others = [leaf for leaf in left if leaf in references]
    text = " ".join([text, *(attached(teller, leaf, tool.description) for leaf in others)])
    rest = [leaf for leaf in left if leaf not in references]
    if words.verb in GENERIC and rest:
        return _changes(teller, parts, text, rest)
    return f"{text}{values(teller, rest, text)}"


def _moved(teller: Teller, step: ToolStep, words: ToolWords, references: Sequence[Leaf]) -> list[Leaf]:
    """References that are the new value of a field: `set the plan of the line to the plan …`."""
    if words.verb not in GENERIC:
        return []
    updates = teller.tool(step).record.effects.updates
    changed = set()
    for table, columns in updates.items():
        found = teller.catalogue.tables.get(table)
        changed |= {
            c.references for c in (found.columns if found is not None else ()) if c.name in columns and c.references
        }
    tables = [(leaf, teller.catalogue.domain(leaf.column).table) for leaf in references if leaf.column is not None]
    own = [leaf for leaf, table in tables if table in updates]
    return [leaf for leaf, table in tables if leaf not in own and table in changed] if own else []


def _distinct(leaves: Sequence[Leaf]) -> list[Leaf]:
    """Without an `id` that only repeats another argument."""
    first = {repr(leaf.source): leaf for leaf in reversed(leaves) if leaf.key != "id"}
    return [leaf for leaf in leaves if leaf.key != "id" or repr(leaf.source) not in first]


def _fixed(leaf: Leaf) -> bool:
    return isinstance(leaf.source, Literally) and (bool(leaf.source.why) or leaf.role == "control")


def _best(teller: Teller, tool: ToolModel, references: Sequence[Leaf]) -> ToolWords:
    """The clause that has a place for most references; the first of several."""
    small = Small.of(teller)
    options = clauses_of(tool, teller.catalogue)
    created = frozenset(teller.origins.entity(t) for t in tool.record.effects.creates)

    def places(words: ToolWords) -> int:
        return sum(place(small, words.rest, leaf, created, True) is not None for leaf in references)

    fit = [words for words in options if words is options[0] or len(words.rest) < _LONGEST]
    return _translated(teller, max(fit, key=places))


def _translated(teller: Teller, words: ToolWords) -> ToolWords:
    """The clause in the language of the instruction, as far as its verb is known there."""
    own = documentation_language(teller.catalogue)
    if own == teller.grammar.code or not words.known:
        return words
    verb = teller.grammar.verbs.get(words.verb)
    if verb is None:
        return words._replace(known=False, rest=(words.verb, *words.rest) if words.verb else words.rest, verb="")
    noun = []
    for word in words.rest:
        if word.lower() in prepositions(own):
            break
        if word.lower() not in determiners(own):
            noun.append(word)
    return ToolWords(verb, tuple(noun), True)


def _switch(teller: Teller, words: ToolWords, values: list[Leaf]) -> tuple[ToolWords, list[Leaf]] | None:
    """`turn roaming on or off`, `set roaming` with `enabled`: turn roaming on."""
    flags = [leaf for leaf in values if leaf.type == "boolean"]
    if len(flags) != 1 or teller.grammar.code != "en" or documentation_language(teller.catalogue) != "en":
        return None
    truth = scopes.boolean_value(teller, flags[0])
    text = " ".join(words.rest)
    either = re.search(r"\bon (?:or|/) off\b", text)
    if truth is None or not (either or (words.verb == "set" and flags[0].key in ("enabled", "active", "on"))):
        return None
    way = "on" if truth else "off"
    if isinstance(flags[0].source, UserValue):
        teller.memory.say_known(flags[0].source.user, flags[0].words, (way, "enable" if truth else "disable"))
    text = re.sub(r"\bon (?:or|/) off\b", way, text) if either else f"{text} {way}"
    return ToolWords("turn", tuple(text.split()), False), [leaf for leaf in values if leaf is not flags[0]]


def _text(teller: Teller, words: ToolWords, parts: Sequence[str | Hole]) -> str:
    said = [_said(teller, part, parts[i - 1] if i else "") for i, part in enumerate(parts)]
    text = " ".join(w for w in (words.verb, *said) if w)
    if not words.known:
        return teller.say("quoted", clause=f'"{text}"')
    return re.sub(
        r"^mark ((?:(?! as ).)+) (done|undone|delivered|complete|completed|read|paid)$", r"mark \1 as \2", text
    )


def _said(teller: Teller, part: str | Hole, before: str | Hole) -> str:
    if isinstance(part, str):
        return part
    case = "dat" if isinstance(before, str) and before.lower() in DATIVE else "acc"
    if not part.refers:
        return _named_value(teller, part.leaf)
    thing = thing_of(teller, part.leaf)
    if part.rest:
        the = teller.grammar.definite(teller.grammar.noun(part.rest), many=False)
        field = Phrase(f"the {part.rest}") if teller.grammar.code == "en" else the
        return teller.say("field value of", field=f"{field:{case}}", thing=thing)
    return f"{thing:{case}}"


def _named_value(teller: Teller, leaf: Leaf) -> str:
    name = teller.grammar.name(leaf.words)
    the = teller.grammar.definite(teller.grammar.noun(name))
    value = teller.source(leaf.source, leaf)
    return f"{value:acc}" if isinstance(leaf.source, Output) else f"{the:acc} {value}"


def _amount(parts: Sequence[str | Hole], left: Sequence[Leaf]) -> Leaf | None:
    """Money that stands best beside the object: a payment of 50; transfer 50."""
    named = [leaf for leaf in left if leaf.key.lower() in ("amount", "betrag", "importe", "monto")]
    if len(named) != 1 or not parts or not isinstance(parts[0], str):
        return None
    return named[0] if isinstance(named[0].source, UserValue) or parts[0].lower() in _MONEY else None


def _with_amount(teller: Teller, small: Small, parts: list[str | Hole], amount: Leaf) -> None:
    value = str(teller.source(amount.source, amount))
    head = object_head(small, parts)
    if str(parts[0]).lower() in _MONEY:
        parts[0] = value
    elif isinstance(parts[head], str):
        parts[head] = f"{parts[head]} {teller.say('amount', value=value)}"
    else:
        parts.insert(head + 1, teller.say("amount", value=value))


def _named_field(parts: Sequence[str | Hole]) -> Leaf | None:
    """Of `set the daily limit`, the value that is meant, where it has a place."""
    holes = [p for p in parts if isinstance(p, Hole)]
    values = [h.leaf for h in holes if not h.refers]
    return values[0] if len(values) == 1 and isinstance(parts[0], Hole) and parts[0].leaf is values[0] else None


def _behind(parts: list[str | Hole], left: list[Leaf]) -> Leaf | None:
    """Of `update the status of a task`, where the value has no place of its own."""
    if len(parts) != 1 or not isinstance(hole := parts[0], Hole) or not hole.rest:
        return None
    field = next((leaf for leaf in left if leaf.words == hole.rest.lower()), None)
    if field is not None:
        left.remove(field)
        parts[:] = ["", hole._replace(rest="")]
    return field


def _set_one(
    teller: Teller, words: ToolWords, parts: list[str | Hole], field: Leaf, left: list[Leaf], step: ToolStep
) -> str:
    """`set the daily limit of the account to 500`; for other verbs (`add the tag "x" to …`) the words as they are."""
    tool = teller.tool(step)
    moved = _moved(teller, step, words, [leaf for leaf in leaves_of(step, tool) if teller.refers(leaf)])
    references = [leaf for leaf in left if teller.refers(leaf) and leaf not in moved]
    rest = [leaf for leaf in left if leaf not in references]
    if words.verb not in GENERIC:
        text = _text(teller, words, parts)
        text = " ".join([text, *(attached(teller, leaf, tool.description) for leaf in references)])
        return f"{text}{values(teller, rest, text)}"
    inside = [p.leaf for p in parts[1:] if isinstance(p, Hole)]
    named = teller.grammar.definite(teller.grammar.noun(label(teller, field)))
    what = f"{named:acc}"
    for leaf in (*references, *inside):
        what = teller.say("field value of", field=what, thing=thing_of(teller, leaf))
    text = teller.say("set to", what=what, value=value_of(teller, field))
    return f"{text}{values(teller, rest, text)}"


def _changes(teller: Teller, parts: Sequence[str | Hole], text: str, rest: Sequence[Leaf]) -> str:
    """`update the guest …: set the phone to … and the country to …`."""
    ones = []
    for leaf in rest:
        truth = scopes.boolean_value(teller, leaf)
        name = label(teller, leaf)
        what = name if truth is not None else f"{teller.grammar.definite(teller.grammar.noun(name)):acc}"
        value = teller.values.said(truth) if truth is not None else str(value_of(teller, leaf))
        said = teller.say("set one", what=what, value=value)
        if truth is not None and isinstance(leaf.source, UserValue):
            teller.memory.say_known(leaf.source.user, leaf.words, (said,))
        ones.append(said)
    return teller.say("update with", clause=text, what=teller.grammar.series(ones))
