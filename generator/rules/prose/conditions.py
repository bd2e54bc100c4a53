"""One condition in the pivot language → clues, by its verb.

Invariant: `wanted` and `«not»` only flip a sign; whatever is not one of the known predicates over plain noun phrases
gives nothing. Not covered: what a text demands outright (`demands`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from autoforge.generator.rules.prose.clue import Clue, Kind
from autoforge.generator.rules.prose.comparisons import amounts, compare, in_words, is_balance, resulting
from autoforge.generator.rules.prose.demands import Demand
from autoforge.generator.rules.prose.holdings import at_most, duplicates, has
from autoforge.generator.rules.prose.numbers import number_in, range_in_prose
from autoforge.generator.rules.prose.phrases import conjuncts, is_plural, is_user, noun, phrase
from autoforge.generator.rules.prose.sentences import unquote
from autoforge.generator.rules.prose.states import states_in
from autoforge.generator.vocabulary import word_set

__all__ = ["clues_in"]

_VERB = re.compile(
    r"^(?P<subject>[^«]*?(?:«(?:or|and)» [^«]*?)*)\s*(?P<flags>(?:«(?:not|already)» ?)*)(?P<verb>«(?:be|have|exist|"
    r"belong|more|less|atleast|atmost|differ|cover|session|insufficient)»)"
    r"\s*(?P<rest>.*)$"
)
_RULED_BY_ENUM = word_set(
    "value parameter type kind mode format priority level direction sort argument field query input key role category "
    "language currency method "
    "email date password pin address number url format time unit name code color size tipo modo formato prioridad "
    "valor typ art wert"
)
_STATUS = word_set("status state estado statut zustand stato")
_FLAGS = {"on": True, "off": False, "true": True, "false": False, "enabled": True, "disabled": False}
_LOGIN = re.compile(
    r"\b(?:log[- ]?in|logged|authentication|authenticated|«session»|sign[- ]?in|iniciar sesión|"
    r"anmeldung|connexion|autenticación|authentification)\b|«session»"
)
_REQUIRES = re.compile(
    r"^(?:requires?|needs?|demande|requiere|nécessite|erfordert|requer|richiede) (.+)$", re.IGNORECASE
)
_WITH_KEY = re.compile(
    r"\s+with (?:«same» |that |this |the (?:given|specified|provided) |such an? )?[\w ]{1,20}$", re.IGNORECASE
)
_ANOTHER = re.compile(
    r"^(?:another|otro|otra|un autre|une autre|einem anderen|outro|outra|un altro) (.+)$", re.IGNORECASE
)
_UNIQUE = re.compile(r"^«unique»(?: (?:among|across|within|per|in|for|entre|por|pro|unter|parmi|par|tra) (.+))?$")

_Row = tuple[Kind, str, str, tuple[Any, ...]]


def clues_in(demand: Demand, message: str) -> list[Clue]:
    """What a demand says, with `message` and the verbs of the demand."""
    return [Clue(kind, subject, field, values, message, demand.verbs) for kind, subject, field, values in _rows(demand)]


def _rows(demand: Demand) -> list[_Row]:
    text = demand.condition.strip(" ,.")
    for reader in (_limits, _pairs, _requirements, duplicates):
        if found := reader(text, demand.wanted):
            return found
    match = _VERB.match(text)
    if match is None:
        return _verbless(text, demand.wanted)
    wanted = demand.wanted is not ("«not»" in match["flags"])
    already = "«already»" in match["flags"] or match["rest"].startswith("«already»")
    if re.match(r"«not»\s", match["rest"]):
        wanted = not wanted
    rest = re.sub(r"^(?:«(?:not|already)»\s*)+", "", match["rest"])
    if rest.endswith(" «already»"):
        rest, already = rest.removesuffix(" «already»"), True
    return list(_PREDICATES[match["verb"].strip("«»")](match["subject"].strip(), rest, wanted, already, demand.weak))


def _limits(text: str, wanted: bool) -> list[_Row]:
    return at_most(text) if wanted else []


def _pairs(text: str, wanted: bool) -> list[_Row]:
    """`the two accounts «be» «same»` and the like."""
    if re.search(r"«same»\s*$", text) and not wanted:
        sides = conjuncts(re.split(r"\s*«be»", text)[0])
        if len(sides) == 1 and (one := noun(sides[0])):
            return [("not_self", one, "", ())]
        if len(sides) == 2 and (left := noun(sides[0])) and (right := noun(sides[1])):
            return [("not_self", "", left, (right,))]
    if wanted and (
        moved := re.match(
            r"^[^«]*«cannot» \w+ .*?(?:«same» ([\w-]+)|(?:to )?(?:yourself|themselves|itself|"
            r"himself|herself|sich selbst|soi-même))$",
            text,
        )
    ):
        return [("not_self", noun(moved.group(1) or "") or "", "", ())]
    return []


def _requirements(text: str, wanted: bool) -> list[_Row]:
    """`requires login`, `requires an active subscription`."""
    asked = _REQUIRES.match(text)
    if asked is None:
        return []
    if _LOGIN.search(asked.group(1)) and len(asked.group(1).split()) <= 5:
        return [("session", "", "", ())]
    if re.search(r"«enough»", asked.group(1)):
        return _verbless(asked.group(1), wanted)
    if inner := re.match(r"^(.+?) to («be» .+)$", asked.group(1)):
        return _rows(Demand(f"{inner.group(1)} {inner.group(2)}", wanted))
    return [row for row in has("", asked.group(1), wanted, False) if row[3]]


def _verbless(text: str, wanted: bool) -> list[_Row]:
    if re.search(r"«insufficient»|«enough»", text):
        return amounts("", text, wanted is ("«enough»" in text))
    states = states_in(text)
    return [("status_in" if wanted else "status_not_in", "", "status", states)] if states else []


def _exist(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    for part in conjuncts(subject or rest):
        bare = _WITH_KEY.sub("", part)
        name = noun(re.sub(r"\b(?:such|matching)\s", "", bare))
        if name is None or (not wanted and bare != part):
            continue  # unique in something that was not understood
        if wanted:
            yield "exists", name, "", ()
        elif name:
            yield "unique", name, "", ()


def _belong(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    name = noun(subject)
    if name is None:
        return
    if not wanted:
        other = _ANOTHER.match(rest)
        if other and (holder := noun(other.group(1))):
            yield "unique", holder, name, ()
        return
    if is_user(rest) or re.match(r"^(?:the )?«session» user$", rest):
        yield "owner", name, "user", ()
    elif holder := noun(rest):
        yield "owner", name, holder, ()


def _be(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    for reader in (_session, _unique, _moments, _sameness, _flag, _magnitude, _ownership, _named_column, _status):
        if found := reader(subject, rest, wanted, weak):
            yield from found
            return


def _session(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    if not re.match(r"^«session»", rest) or not (
        is_user(subject) or noun(subject) in ("", "client", "agent", "customer", "person")
    ):
        return []
    return [("session" if wanted else "no_session", "", "", ())]


def _logged(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    if not rest or rest.startswith("to "):
        yield from _session(subject, "«session»", wanted, weak)


def _unique(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    match = _UNIQUE.match(rest)
    if match is None or not wanted:
        return []
    about = phrase(subject)
    scope = noun(match.group(1) or "")
    if about is None or scope is None:
        return []
    if re.search(r"«unique» (?:per|within|in|for|por|pro|par) ", rest):
        return [("unique", about.owner, about.head, (scope,))]
    return [("unique", about.owner or scope, about.head, ())]


def _moments(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    if match := re.match(r"^«(past|future)»$", rest):
        about = phrase(subject)
        kind: Kind = "future" if (match.group(1) == "future") is wanted else "past"
        return [(kind, about.owner, about.head, () if wanted else ("today",))] if about is not None else []
    if match := re.match(r"^«(after|before)(=?)» (.+)$", rest):
        relation = {"after": ">", "before": "<"}[match.group(1)] + match.group(2)
        return compare(subject, relation, match.group(3), wanted)
    return []


def _sameness(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    if match := re.match(r"^«same» as (.+)$", rest):
        other = noun(match.group(1))
        about = noun(subject)
        return [("not_self", "", about, (other,))] if about is not None and other and not wanted else []
    if rest == "«differ»":
        return _differ_rows(subject, "", wanted)
    return []


def _differ_rows(subject: str, rest: str, wanted: bool) -> list[_Row]:
    if not wanted:
        return []
    name = noun(subject)
    if rest and name is not None and (other := noun(rest)):
        return [("not_self", "", name, (other,))]
    return _pairs(f"{subject} «be» «same»", False) if subject and not rest else []


def _differ(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    yield from _differ_rows(subject, rest, wanted)


def _flag(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    value: Any = _FLAGS.get(unquote(rest).lower()) if rest.lower() not in ("enabled", "disabled") else None
    exact = re.fullmatch(r"(?:zero|null|-?\d+(?:[.,]\d+)?)", rest, re.IGNORECASE)
    if value is None and exact:
        value = 0 if rest.lower() in ("zero", "null") else number_in(rest)
    about = phrase(subject)
    if value is None or about is None or not about.head:
        return []
    return [("requires" if wanted else "forbids", about.owner, about.head, (value,))]


def _magnitude(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    if resulting(subject, rest) and not wanted:
        return resulting(subject, rest)
    if rest in ("in stock", "out of stock", "sold out"):
        about = phrase(subject)
        return [("stock", about.head, "stock", ())] if about is not None and wanted is (rest == "in stock") else []
    if match := re.match(r"^«(more|less|atleast|atmost)» (.+)$", rest):
        return compare(subject, _RELATIONS[match.group(1)], match.group(2), wanted)
    if match := re.match(r"^(?:at )?([\d.,]+)(?: percent| %|%)? (?:«or» )?(?:«?more»?|«more»|higher|above)$", rest):
        return compare(subject, ">=", match.group(1), wanted)
    if re.match(
        r"^(?:a )?(?:positive|negative|non-negative|«not» negative|greater|between|positiv[oa]?|"
        r"negativ[oa]?)\b",
        rest,
    ) or re.search(r"\d", rest):
        low, high = range_in_prose(in_words(rest))
        about = phrase(subject)
        if about is not None and (low, high) != (None, None) and wanted:
            return [("range", about.owner, about.head, (low, high))]
        if about is not None and about.head and not wanted and rest == "negative":
            return [("range", about.owner, about.head, (0.0, None))]
    if re.match(r"^«(?:insufficient|enough)»", rest):
        return amounts(subject, rest, wanted is not ("«insufficient»" in rest))
    return []


def _ownership(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    match = re.match(
        r"^(?:the )?(?:owner|author|creator|sender|propietario|autor|eigentümer|propriétaire) (?:of|del|"
        r"de la|der|des|du) (.+)$",
        rest,
    )
    thing = noun(match.group(1)) if match else None
    return [("owner", thing, "user", ())] if thing is not None and wanted and is_user(subject) else []


def _named_column(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    """`The zone must be in mode auto`: the column is named beside its value."""
    match = re.fullmatch(r"(?:in|im|en|em|au) (?:the |el |la |le )?(?P<column>[^\W\d]+) (?P<state>⟦[^⟧]+⟧)", rest)
    about, states = noun(subject), states_in(match["state"]) if match is not None else ()
    if match is None or about is None or not states or match["column"].lower() in _STATUS:
        return []
    return [("status_in" if wanted else "status_not_in", about, match["column"].lower(), states)]


def _status(subject: str, rest: str, wanted: bool, weak: bool) -> list[_Row]:
    # A single row is in one state at a time: of two that are joined by "and" the second is no status.
    both = "«and»" in rest and wanted and not is_plural(subject)
    states = states_in(re.sub(r"\s*,?\s*«and» .*$", "", rest) if both else rest)
    if not states or (weak and "⟦" not in rest and "«instatus»" not in rest):
        return []
    rows: list[_Row] = []
    for part in conjuncts(subject) or [""]:
        about = phrase(part)
        if about is None:
            continue
        name = about.owner if about.head in _STATUS else re.sub(r" (?:status|state)$", "", about.head)
        name = "" if name == "one" else name  # `only closed ones`
        ruled = name.split()[-1:] and name.split()[-1] in _RULED_BY_ENUM and not is_plural(part)  # `issued units`
        if ruled or is_user(part):
            continue
        rows.append(("status_in" if wanted else "status_not_in", name, "status", states))
    return rows


def _compared(relation: str) -> Callable[[str, str, bool, bool, bool], Iterator[_Row]]:
    def read(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
        yield from compare(subject, relation, rest, wanted)

    return read


def _have(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    if "«enough»" in rest or "«insufficient»" in rest:
        yield from amounts(subject, rest, wanted is ("«enough»" in rest))
    else:
        yield from has(subject, rest, wanted, already)


def _insufficient(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    yield from amounts(subject, f"«insufficient» {rest}", not wanted)


def _cover(subject: str, rest: str, wanted: bool, already: bool, weak: bool) -> Iterator[_Row]:
    if wanted and is_balance(subject.lower()):
        about = phrase(subject)
        yield "balance", about.owner if about else "", "balance", (noun(in_words(rest)) or "",)


_RELATIONS = {"more": ">", "less": "<", "atleast": ">=", "atmost": "<="}
_PREDICATES: dict[str, Callable[[str, str, bool, bool, bool], Iterator[_Row]]] = {
    "exist": _exist, "belong": _belong, "be": _be, "have": _have, "differ": _differ, "cover": _cover,
    "session": _logged, "insufficient": _insufficient,
    **{name: _compared(relation) for name, relation in _RELATIONS.items()},
}  # fmt: skip
