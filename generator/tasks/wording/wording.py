"""The instruction of a draft, from templates: a user's voice, with only what the user must give.

Invariant: the same draft, catalogue, language and seed give the same text, and `check.faults` finds nothing in it. Not
covered: wording by a model (`model`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.wording.check import faults
from autoforge.generator.tasks.wording.documentation import documentation_language
from autoforge.generator.tasks.wording.languages import grammar_of
from autoforge.generator.tasks.wording.leaves import Leaf, leaves_of
from autoforge.generator.tasks.wording.names import english_name
from autoforge.generator.tasks.wording.personas import persona
from autoforge.generator.tasks.wording.sentences import capital, goals, sentences
from autoforge.generator.tasks.wording.teller import CANNOT, Teller
from autoforge.mcp_envs.task import Answer, Output, Reasoning, UserValue

__all__ = ["Wording", "word"]


@dataclass(frozen=True)
class Wording:
    """What the user says, and who the user is."""

    instruction: str
    persona: str
    cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Id of a reasoning node or name of a known value -> texts of which one is in the instruction."""
    language: str = "en"


def word(draft: Draft, catalogue: Catalogue, *, language: str = "auto", chance: random.Random) -> Wording:
    """The wording of a draft in `en`, `es` or `de`, or `auto` for the documentation's language.

    Raises Rejection("cannot be worded") where something has no words, or the words would not hold every value.
    """
    own = documentation_language(catalogue)
    grammar = grammar_of(own if language == "auto" else language)
    if own != grammar.code:
        grammar = replace(grammar, foreign=True)
    teller = Teller(draft, catalogue, grammar, chance)
    text = grammar.finish(_text(teller))
    cues = dict(teller.memory.cues)
    found = faults(text, draft, (), cues, grammar.code)
    if found:
        raise Rejection(CANNOT, "; ".join(found))
    return Wording(text, persona(draft, grammar, chance), cues, grammar.code)


def _text(teller: Teller) -> str:
    blueprint = teller.draft.blueprint
    wishes = list(teller.draft.wishes) or [tuple(node.id for node in blueprint.nodes)]
    told = {id for wish in wishes for id in wish}
    stray = tuple(step.id for step in blueprint.steps if step.id not in told)
    wishes += [stray] if stray else []
    parts = _logins(teller)
    planned = [(wish, goals(teller, wish)) for wish in wishes]
    asked = [wish for wish, steps in planned if steps or _answers(teller, wish)]
    opening = teller.say("opening many" if len(asked) > 1 else "opening")
    said: set[str] = set()
    for wish, steps in planned:
        first = not parts or (len(parts) == 1 and not said)
        teller.memory.next_wish()
        fresh = [s for s in steps if s.id not in said]
        said |= {s.id for s in fresh}
        if fresh:
            parts += sentences(teller, fresh, first=first, last=wish == asked[-1] and len(asked) > 1)
        parts += _told(teller, [a for a in _answers(teller, wish) if a.name not in said], bool(parts))
        said |= {a.name for a in _answers(teller, wish)}
    parts += _told(teller, [a for a in teller.draft.answers if a.name not in said], bool(parts))
    parts += _left_over(teller)
    return _joined(opening, parts)


def _joined(opening: str, parts: Sequence[str]) -> str:
    if opening.endswith(",") and parts:
        first = parts[0]
        parts = [first if re.match(r"I\b|[A-Z]{2}", first) else first[:1].lower() + first[1:], *parts[1:]]
    return " ".join(part for part in (opening, *parts) if part)


def _logins(teller: Teller) -> list[str]:
    """Sessions come first: without them nothing works."""
    found = []
    for step in teller.draft.blueprint.steps:
        tool = teller.tool(step)
        leaves = leaves_of(step, tool)
        if tool.record.kind != "session" or tool.reads_only or not leaves or step.when is not None or step.attempt:
            continue
        teller.memory.worded.add(step.id)
        found.append(teller.say("logged in", fields=teller.grammar.series([_login_field(teller, f) for f in leaves])))
    return found


def _login_field(teller: Teller, leaf: Leaf) -> str:
    """`e-mail a@b.example`; of what is found out, `the user ID of that customer`."""
    value = teller.source(leaf.source, leaf)
    the = teller.grammar.definite(teller.grammar.noun(teller.grammar.name(leaf.words)))
    if isinstance(leaf.source, Output) and teller.refers(leaf):
        return teller.say("field value of", field=f"{the:dat}", thing=value)
    return teller.say("field value", name=teller.grammar.name(leaf.words), value=value, the=the)


def _answers(teller: Teller, wish: Sequence[str]) -> list[Answer]:
    """The answers that end in a wish."""
    return [a for a in teller.draft.answers if isinstance(a.source, Output) and a.source.node in wish]


def _told(teller: Teller, answers: Sequence[Answer], also: bool) -> list[str]:
    if not answers:
        return []
    what = [_asked(teller, answer) for answer in answers]
    return [
        capital(
            teller.say("tell also" if also else "tell first", what=teller.grammar.series(list(dict.fromkeys(what))))
        )
    ]


def _asked(teller: Teller, answer: Answer) -> str:
    """What is to be told; its source is what is meant, its name only the last resort."""
    assert isinstance(answer.source, Output)
    node = teller.node(answer.source.node)
    if isinstance(node, Reasoning) and node.reason == "compare":
        return teller.say("whether", condition=teller.condition(node))
    origin = teller.origins.of(answer.source)
    if origin.row is not None and teller.origins.is_key(origin, None) and origin.field:
        name = teller.grammar.name(english_name(answer.name))
        the = teller.grammar.definite(teller.grammar.noun(name), many=origin.row.many)
        return teller.say("field value of", field=the, thing=teller.row(origin.row))
    if isinstance(node, Reasoning) and node.reason == "count" and origin.row is None and teller.chance.random() < 0.5:
        return teller.count_question(node)
    return f"{teller.output(answer.source):acc}"


def _left_over(teller: Teller) -> list[str]:
    """Values that only a reading step needs which no phrase speaks of."""
    missing = [name for name in _used(teller) if name not in teller.memory.ever]
    if not missing:
        return []
    fields = [
        teller.say("field value", name=teller.grammar.name(english_name(name)), value=teller.known(name),
                   the=teller.grammar.definite(teller.grammar.noun(english_name(name))))
        for name in missing
        if not isinstance(teller.draft.known[name], bool)
    ]  # fmt: skip
    return [capital(teller.say("for information", fields=teller.grammar.series(fields)))] if fields else []


def _used(teller: Teller) -> list[str]:
    steps = teller.draft.blueprint.steps
    leaves = [leaf for step in steps for leaf in leaves_of(step, teller.tool(step))]
    names = [leaf.source.user for leaf in leaves if isinstance(leaf.source, UserValue)]
    return list(dict.fromkeys(n for n in names if n in teller.draft.known))
