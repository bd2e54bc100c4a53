"""What narrows the rows that a read shows, as words around the noun: of whom, where, with what.

Invariant: every argument of the read that the user must give, or that another step gives, is said, and so is what the
read itself is about (free rooms). Not covered: reading options (`control`), unless the user wants them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.tasks.wording.documentation import documentation_language, tool_words
from autoforge.generator.tasks.wording.function_words import determiners, prepositions
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.leaves import Leaf, leaves_of
from autoforge.generator.tasks.wording.names import english_name, last_name, moment_name
from autoforge.generator.tasks.wording.origins import Row
from autoforge.generator.vocabulary import word_set
from autoforge.mcp_envs.task import Literally, Output, ToolStep, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["PLACES", "Narrowing", "Span", "boolean_value", "flag", "joined", "narrowing", "reference", "spans"]

PLACES = word_set(
    "list tasklist folder directory room board project channel table base server category calendar group workspace "
    "guild store hall album playlist repository database location warehouse library forum file team department city "
    "budget cart watchlist carpeta lista sala biblioteca ordner liste"
)
_LEAST, _MOST = word_set("min minimum least above over"), word_set("max maximum most below under")
_FROM = word_set("from start since after begin desde inicio von ab")
_TO = word_set("to end until before till up hasta fin bis antes")
_BARE = word_set("date fecha datum time datetime day at de on")
_SEARCH = word_set("query text search keyword keywords term q contains texto busqueda suche suchbegriff searchterm")
_BETWEEN = (("check in", "check out"), ("arrival", "departure"), ("from", "to"), ("start", "end"), ("since", "until"),
            ("after", "before"), ("desde", "hasta"), ("inicio", "fin"), ("von", "bis"), ("pickup",
            "return"))  # fmt: skip
_OWNERS = word_set(
    "user users my customer your accessible matching details information info data history result results"
)


class Narrowing(NamedTuple):
    """Words before and after a noun."""

    adjective: str = ""
    words: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Long words that go last, or the words after them would seem to belong to them."""

    def plus(self, *words: str) -> Narrowing:
        return self._replace(words=(*self.words, *(w for w in words if w)))

    def text(self, teller: Teller) -> str:
        return joined(teller, (*self.words, *self.places))


class Span(NamedTuple):
    """Two dates that belong together."""

    first: Leaf
    second: Leaf


def spans(leaves: Iterable[Leaf]) -> tuple[Span, ...]:
    """Pairs of dates that the user gives: check-in and check-out, from and to."""
    dates = [leaf for leaf in leaves if leaf.type == "date" and isinstance(leaf.source, UserValue)]
    found: list[Span] = []
    for begin, end in _BETWEEN:
        first = [leaf for leaf in dates if _has(leaf, begin)]
        second = [leaf for leaf in dates if _has(leaf, end)]
        if len(first) == len(second) == 1 and first != second and not any(first[0] in span for span in found):
            found.append(Span(first[0], second[0]))
    return tuple(found)


def _has(leaf: Leaf, words: str) -> bool:
    return f" {words} " in f" {' '.join(split_words(leaf.key))} "


def narrowing(teller: Teller, step: ToolStep, row: Row, *, many: bool) -> Narrowing:
    """The words around the noun; `many` says whether they stand beside a plural."""
    tool = teller.tool(step)
    leaves = [leaf for leaf in leaves_of(step, tool) if not _unsaid(leaf)]
    references = [leaf for leaf in leaves if teller.refers(leaf)]
    pairs = spans(leaf for leaf in leaves if leaf not in references)
    paired = {leaf.path for span in pairs for leaf in span}
    others = [leaf for leaf in leaves if leaf not in references and leaf.path not in paired]
    places = [_reference(teller, leaf) for leaf in references]
    words = [_filter(teller, leaf, many) for leaf in others]
    words += [_span(teller, span) for span in pairs]
    short = [p for p in places if len(p.split()) <= _SHORT]
    adjective, tail = _about(teller, step, row)
    return Narrowing(adjective, (*tail, *short, *words), tuple(p for p in places if p not in short))


_SHORT = 4
"""Words of a place that others can follow."""


def joined(teller: Teller, words: Iterable[str]) -> str:
    """`with a 1`, `with b 2` → `with a 1 and b 2`."""
    left = list(words)
    for first in teller.grammar.templates["lead words"]:
        same = [w for w in left if w.startswith(first + " ")]
        if len(same) > 1:
            whole = f"{first} {teller.grammar.series([w.removeprefix(first + ' ') for w in same])}"
            place = left.index(same[0])
            left = [w for w in left if w not in same]
            left.insert(place, whole)
    return " ".join(left)


def _unsaid(leaf: Leaf) -> bool:
    return leaf.role == "control" and isinstance(leaf.source, Literally)


def _about(teller: Teller, step: ToolStep, row: Row) -> tuple[str, tuple[str, ...]]:
    """What the read is about beside the noun: *free* rooms, products *in the low stock report*."""
    language = documentation_language(teller.catalogue)
    if not row.many or row.shown is None or language != teller.grammar.code:
        return "", ()
    words = tool_words(teller.tool(step), teller.catalogue)
    named: list[str] = []
    for word in words.rest:
        if word.lower() in prepositions(language):
            if named:
                break
            continue
        if word.lower() not in determiners(language):
            named.append(word.lower())
    noun = row.noun.lower().split()
    if not words.known or len(named) > 4 or not named:
        return "", ()
    if singular(named[-1]) == noun[-1]:
        extra = [w for w in named[:-1] if w not in noun and w not in _OWNERS]
        own = {w for leaf in teller.tool(step).slots for w in split_words(leaf.name)}
        return " ".join(w for w in extra if w not in own) if language == "en" else "", ()
    if {singular(w) for w in named} & set(noun) or set(named) & _OWNERS or language != "en":
        return "", ()
    if "report" in named or "list" in named or "cart" in named:
        return "", (teller.say("in list", the=teller.grammar.definite(teller.grammar.noun(" ".join(named)))),)
    return "", ()


def _reference(teller: Teller, leaf: Leaf) -> str:
    thing = reference(teller, leaf)
    first = split_words(leaf.key)[0]
    if first in ("from", "to") and leaf.role != "control":
        return teller.grammar.say(f"{first} place", thing=thing)
    last = {n.split(" ")[-1] for n in leaf.nouns}
    return teller.grammar.say("in" if last & PLACES else "of", thing=thing)


def reference(teller: Teller, leaf: Leaf) -> Phrase:
    """The row that an argument names."""
    if isinstance(leaf.source, UserValue):
        known = teller.draft.known[leaf.source.user]
        if isinstance(known, str | int | float) and not isinstance(known, bool):
            return teller.row(teller.origins.named(leaf))
    return teller.source(leaf.source, leaf)


def _span(teller: Teller, span: Span) -> str:
    first, second = (teller.source(leaf.source, leaf) for leaf in span)
    return teller.styled("scope between", first=first, second=second)


def boolean_value(teller: Teller, leaf: Leaf) -> bool | None:
    """Of a leaf that is a truth value."""
    source = leaf.source
    if isinstance(source, UserValue):
        value = teller.draft.known[source.user]
    else:
        value = source.literal if isinstance(source, Literally) else None
    return value if isinstance(value, bool) else None


def _filter(teller: Teller, leaf: Leaf, many: bool) -> str:
    truth = boolean_value(teller, leaf)
    if truth is not None:
        text, said = flag(teller, leaf.key, truth, many=many)
        if isinstance(leaf.source, UserValue):
            teller.memory.say_known(leaf.source.user, leaf.words, said)
        return text
    same = _as_in(teller, leaf)
    if same is not None:
        return same
    value = teller.source(leaf.source, leaf)
    words = split_words(leaf.key)
    limits = _LEAST | _MOST | _FROM | _TO
    rest = [w for w in words if w not in limits and not (w in _BARE and leaf.type == "date" and len(words) > 2)]
    if set(words) & _SEARCH and len(words) < 3:
        return teller.say("scope containing", value=value)
    limit = next((w for w in words if w in limits), "")
    dated = leaf.type == "date"
    measured = dated or leaf.type in ("number", "integer")
    if not limit or not (rest or dated) or not (measured or limit in _LEAST | _MOST):
        return teller.where(leaf.words, "equal", value)
    if not [w for w in rest if w not in _BARE]:
        return teller.say("scope from" if limit in _FROM else "scope to", value=value)
    compare = "greater_equal" if limit in _FROM | _LEAST else "less_equal"
    name = moment_name("_".join(rest)) if dated else english_name("_".join(rest))
    return teller.where(name, compare, value, "date" if dated else "")


def _as_in(teller: Teller, leaf: Leaf) -> str | None:
    """`with the same room type as that room`."""
    if not isinstance(leaf.source, Output):
        return None
    origin = teller.origins.of(leaf.source)
    if origin.row is None or origin.row.many or english_name(last_name(origin.field)) != leaf.words:
        return None
    name = teller.grammar.name(leaf.words)
    the = teller.grammar.definite(teller.grammar.noun(name), which="same")
    return teller.say("where same", the=the, name=name, thing=teller.row(origin.row))


def flag(teller: Teller, name: str, truth: bool, *, many: bool) -> tuple[str, tuple[str, ...]]:
    """`that are active`, `without breakfast`, and the words that must be there."""
    words = teller.grammar.name(english_name(name))
    one = "" if many else " one"
    if teller.flag_name(name) is not None:
        adjective = teller.flag_name(name) or words
        return teller.say(f"scope {'true' if truth else 'false'}{one}", name=adjective), (adjective,)
    if teller.is_thing(name):
        return teller.grammar.say("scope has" if truth else "scope has not", name=words), (words,)
    said = teller.values.said(truth)
    return teller.say("scope set", name=words, value=said), (words,)
