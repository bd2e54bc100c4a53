"""The values of a step that have no place in the documentation's words: `with reason no show`, `from … to …`.

Invariant: every value that is given is said, or referred to as the same as before. Not covered: the clause that they
follow (`clauses`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.wording import scopes
from autoforge.generator.tasks.wording.documentation import first_sentence
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.leaves import Leaf
from autoforge.generator.tasks.wording.names import moment_name
from autoforge.mcp_envs.task import Output, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["attached", "label", "thing_of", "value_of", "values"]


def attached(teller: Teller, leaf: Leaf, description: str) -> str:
    words = split_words(leaf.key)
    thing = thing_of(teller, leaf)
    if words[0] in ("from", "source", "origin", "origen", "desde", "von"):
        return teller.grammar.say("from place", thing=thing)
    if words[0] in ("to", "target", "destination", "destino", "nach", "recipient", "receiver"):
        return teller.grammar.say("to place", thing=thing)
    nouns = "|".join(re.escape(n) for n in leaf.nouns)
    found = re.search(
        rf"\b(in|on|to|from|for|of|into) (?:an?|the|this|your)(?: \w+)? (?:{nouns})s?\b",
        first_sentence(description),
        re.I,
    )
    templates = {"in": "in", "into": "in", "on": "on", "to": "to place", "from": "from place", "of": "of"}
    if found is not None:
        return teller.grammar.say(templates.get(found[1].lower(), "for"), thing=thing)
    if {n.split()[-1] for n in leaf.nouns} & scopes.PLACES:
        return teller.grammar.say("in", thing=thing)
    if words[0] in ("parent", "previous", "next", "after", "before", "reply", "padre"):
        return teller.grammar.say("as", name=teller.grammar.name(words[0]), thing=thing)
    return teller.grammar.say("for", thing=thing)


def values(teller: Teller, leaves: Sequence[Leaf], before: str = "") -> str:
    """`from A to B with x 1 and y 2`."""
    after = any(f" {w} " in before for w in teller.grammar.templates["narrowing words"])
    groups = {leaf.group for leaf in leaves if leaf.of > 1}
    if groups:
        return _grouped(teller, leaves)
    pairs = scopes.spans(
        leaf for leaf in leaves if isinstance(leaf.source, UserValue) and leaf.source.user not in teller.memory.told
    )
    paired = {leaf.path for span in pairs for leaf in span}
    text = "".join(
        " "
        + teller.grammar.say(
            "scope between",
            first=teller.source(p.first.source, p.first),
            second=teller.source(p.second.source, p.second),
        )
        for p in pairs
    )
    rest = _in_some_order(teller, [leaf for leaf in leaves if leaf.path not in paired])
    same = [leaf for leaf in rest if _is_same(teller, leaf)]
    towards = [leaf for leaf in rest if leaf.key.lower() in ("to", "from") and leaf.type != "date"]
    text += "".join(
        f" {teller.grammar.say(leaf.key.lower() + ' place', thing=teller.source(leaf.source, leaf))}"
        for leaf in towards
    )
    rest = [leaf for leaf in rest if leaf not in towards]
    named = [_flag(teller, leaf) for leaf in rest if leaf not in same]
    fields = [w for w in named if not w.startswith("-")]
    apart = [w.removeprefix("-") for w in named if w.startswith("-")]
    if same:
        fields.append(_same_fields(teller, same))
    if fields:
        text += f"{',' if after else ''} " + teller.say("with", fields=teller.grammar.series(fields))
    return text + "".join(f", {w}" for w in apart)


def _flag(teller: Teller, leaf: Leaf) -> str:
    """One value as a field; with `-` before what is a phrase of its own."""
    truth = scopes.boolean_value(teller, leaf)
    if truth is None:
        return _field(teller, leaf)
    adjective = teller.flag_name(leaf.key)
    include = re.search(r"\b(?:include|add|with|incluye|con|mit|inklusive)\w*\b", leaf.description, re.I)
    name = teller.grammar.name(leaf.words)
    if adjective is not None:
        text = teller.say("turned on" if truth else "turned off", name=adjective)
        said, text = text, "-" + text
    elif include or teller.is_thing(leaf.key):
        said = teller.say("with it" if truth else "without it", name=name)
        text = "-" + said
    else:
        said = text = teller.say("field is", name=name, value=teller.values.said(truth))
    if isinstance(leaf.source, UserValue):
        teller.memory.say_known(leaf.source.user, leaf.words, (said, f"{leaf.words} {teller.values.said(truth)}"))
    return text


def _in_some_order(teller: Teller, leaves: list[Leaf]) -> list[Leaf]:
    """Shuffled, unless they are the parts of a name or an address."""
    if any(leaf.words.startswith(("first name", "last name", "street", "nombre", "vorname")) for leaf in leaves):
        return leaves
    teller.chance.shuffle(leaves)
    return leaves


def _is_same(teller: Teller, leaf: Leaf) -> bool:
    """Whether the value was said for the same field before."""
    return (
        isinstance(leaf.source, UserValue)
        and scopes.boolean_value(teller, leaf) is None
        and teller.memory.told.get(leaf.source.user) == leaf.words
    )


def _same_fields(teller: Teller, leaves: Sequence[Leaf]) -> str:
    names = [teller.grammar.name(leaf.words) for leaf in leaves]
    the = teller.grammar.definite(teller.grammar.noun(names[0]), which="same")
    return teller.say("same fields", names=teller.grammar.series(names), the=the)


def _field(teller: Teller, leaf: Leaf) -> str:
    name = label(teller, leaf)
    the = teller.grammar.definite(teller.grammar.noun(name))
    value = teller.source(leaf.source, leaf)
    if isinstance(leaf.source, Output):
        return (
            teller.say("same value", value=value)
            if str(value).startswith(f"{the} ")
            else (teller.say("field derived", name=name, value=value, the=the))
        )
    return teller.say("field value", name=name, value=value, the=the)


def _grouped(teller: Teller, leaves: Sequence[Leaf]) -> str:
    """Several objects: `: first with …; second with …`."""
    alone = [leaf for leaf in leaves if leaf.of == 1]
    text = values(teller, alone) if alone else ""
    count = max(leaf.of for leaf in leaves)
    items = []
    for place in range(count):
        fields = [_item_field(teller, leaf) for leaf in leaves if leaf.of > 1 and leaf.group == place]
        items.append(
            teller.say("item", ordinal=teller.grammar.ordinal(place + 1), fields=teller.grammar.series(fields))
        )
    return f"{text}: {'; '.join(items)}"


def _item_field(teller: Teller, leaf: Leaf) -> str:
    if teller.refers(leaf):
        return teller.say("field value", name=teller.grammar.name(leaf.words), value=thing_of(teller, leaf), the="")
    return _flag(teller, leaf).removeprefix("-")


def label(teller: Teller, leaf: Leaf) -> str:
    if teller.refers(leaf):
        return teller.grammar.name((leaf.nouns or (leaf.words,))[0])
    return teller.grammar.name(moment_name(leaf.key) if leaf.type == "date" else leaf.words)


def value_of(teller: Teller, leaf: Leaf) -> Phrase:
    truth = scopes.boolean_value(teller, leaf)
    if truth is not None:
        said = teller.values.said(truth)
        if isinstance(leaf.source, UserValue):
            teller.memory.say_known(leaf.source.user, leaf.words, (said,))
        return Phrase(said)
    return thing_of(teller, leaf) if teller.refers(leaf) else teller.source(leaf.source, leaf)


def thing_of(teller: Teller, leaf: Leaf) -> Phrase:
    thing = scopes.reference(teller, leaf)
    assert isinstance(thing, Phrase)
    return thing
