"""What somebody or something has: dependents that block, rows that are required, limits, duplicates.

Invariant: only rows that a plain noun (with states before or behind it) can name; "the" and "this" after "already" mean
the same row. Not covered: comparisons of amounts (`comparisons`).
"""

from __future__ import annotations

import re
from typing import Any

from autoforge.generator.rules.prose.clue import Kind
from autoforge.generator.rules.prose.phrases import conjuncts, is_plural, is_user, noun, restrictions
from autoforge.generator.rules.prose.states import states_in

__all__ = ["at_most", "duplicates", "has"]

_Row = tuple[Kind, str, str, tuple[Any, ...]]
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "un": 1, "una": 1, "uno": 1,
    "dos": 2, "tres": 3, "cinco": 5,
            "ein": 1, "eine": 1, "zwei": 2, "drei": 3, "fünf": 5, "une": 1, "deux": 2, "trois": 3, "cinq": 5, "um": 1,
                "uma": 1, "due": 2, "tre": 3}  # fmt: skip
_COUNT = r"(?P<count>\d{1,9}|" + "|".join(_NUMBERS) + r")"
_LIMITS = (
    re.compile(
        rf"^(?P<holder>[^«]+?) (?:«(?:can|must|cannot)» )?(?:«only» «have»|«have» «only»|«have» «atmost»|"
        rf"«atmost» «have»|«not» «have» «more»|«have» «more») {_COUNT} (?P<what>.+)$",
        re.I,
    ),
    re.compile(
        rf"^«atmost» {_COUNT} (?P<what>[^«]+?)(?: «be»[^«]*)? (?:per|for each|for every|pro|je|por|par|"
        rf"a persona) (?P<holder>[^«]+?)(?: «be»[^«]*)?$",
        re.I,
    ),
)
_TIMES = re.compile(
    r"^(?P<subject>[^«]*?) ?«can» (?:«only» )?«be» (?P<action>[^«]*?) ?«atmost» (?P<count>\d{1,9}) "
    r"times$",
    re.I,
)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def at_most(text: str) -> list[_Row]:
    """`A customer «can» «have» «atmost» 5 pending orders`, `an order «can» be renewed «atmost» 2 times`."""
    from autoforge.generator.rules.prose.verbs import verbs_of

    if times := _TIMES.match(text):
        name, verbs = noun(times["subject"]), verbs_of(times["action"])
        return [("limit", name or "", verbs[0], (int(times["count"]), "times"))] if verbs and name is not None else []
    for pattern in _LIMITS:
        match = pattern.match(text)
        if match is None:
            continue
        if ("«cannot»" in text and "«more»" not in text) or ("«can»" in text and "«more»" in text):
            return []
        what, holder = _counted(match["what"]), noun(match["holder"])
        if what is not None and holder:
            return [("limit", what[0], holder, (_number(match["count"]), *what[1]))]
    return []


def _counted(text: str) -> tuple[str, tuple[str, ...]] | None:
    """`pending orders` → (order, (pending,)); `reservations «instatus» a «or» b` likewise."""
    text = re.sub(
        r"\s+(?:at (?:a|the same) time|at once|per \w+|al mismo tiempo|gleichzeitig|à la fois|"
        r"ao mesmo tempo)$",
        "",
        text.strip(),
    )
    found = restrictions(f"the {text}") if not text.lower().startswith("the ") else restrictions(text)
    if len(found) == 1 and "«be»" in found[0]:
        what, state = found[0].split(" «be» ", 1)
        what = re.sub(r",$", "", what)
        name, states = noun(what), states_in(state)
        return (name, states) if name and states else None
    name = noun(text)
    return (name, ()) if name else None


def has(subject: str, rest: str, wanted: bool, already: bool) -> list[_Row]:
    """`it «have» open orders`, `the line «already» «have» this plan`."""
    holder = noun(subject)
    if holder is None:
        return []
    if not wanted and (limit := _held(rest, holder)):
        return limit
    minimum: tuple[Any, ...] = ()
    if counted := re.match(rf"^«atleast» {_COUNT} (.+)$", rest, re.I):
        minimum, rest = (_number(counted["count"]),), counted[2]
    same, rest = _same(rest, already)
    if "«same»" in rest:
        return []
    rows: list[_Row] = []
    for part in _things(rest):
        what = _counted(part)
        if what is None:
            continue
        name, states = what
        if is_user(name.split()[-1]) or name.split()[-1] in ("me", "them", "him", "us", "one", "uno"):
            continue  # `have blocked you`, `already has one`
        values = (*states, *same, *minimum)
        if wanted and (states or minimum):
            rows.append(("requires", name, holder, values))
        elif not wanted and not minimum and (values or is_plural(part) or re.match(r"^(?:an?|any)\s", part)):
            rows.append(("forbids", name, holder, values))
    return rows


def _held(rest: str, holder: str) -> list[_Row]:
    """`«fail» «if» it «already» «have» 2 active loans`, `… 2 «or» more …`, `… «more» 2 …`: a limit of so many."""
    match = re.match(rf"^(?P<more>«more» )?{_COUNT}(?: «or» «?more»?)? (?P<what>[^«].*)$", rest, re.I)
    if match is None or (count := _number(match["count"])) < 2:
        return []
    what = _counted(match["what"])
    return [("limit", what[0], holder, (count + bool(match["more"]), *what[1]))] if what is not None else []


def _same(rest: str, already: bool) -> tuple[tuple[str, ...], str]:
    """The "same …" values, and the text without them."""
    if shared := re.match(
        r"^(.+?) (?:of|for|with|in|on|de|del|do|da|der|des|du|di|between|"
        r"entre) «same» (?:two )?(.+)$",
        rest,
        re.I,
    ):
        names = [noun(p) for p in conjuncts(shared.group(2))]
        if all(names):
            return tuple(f"same {n}" for n in names), shared.group(1)
    if already and (
        definite := re.match(
            r"^(?:the|this|that|el|este|la|esta|dieses?|diesen|den|die|das|ce|cette|le|o|"
            r"esse|questo|il) (\S+(?: \S+)?)$",
            rest,
            re.I,
        )
    ):
        return ("same",), definite.group(1)
    return (), rest


def _things(rest: str) -> list[str]:
    """Things had, split at connectors unless these join states (`open «or» overdue bills`)."""
    if _counted(rest) is not None or "«instatus»" in rest:
        return [rest]
    return [re.sub(r"^with ", "", p) for p in conjuncts(rest)]


def duplicates(text: str, wanted: bool) -> list[_Row]:
    """`a guest with «same» email «already» «exist»`, `no two users with «same» name`."""
    if wanted and not re.match(r"^no\b.* two |^no two |^kein|^aucun|^nessun|^nenhum|^ningun", text, re.I):
        return []
    match = re.match(
        r"^(?:no )?(?:two )?(?:«already» «exist» )?(?P<what>[^«]+?)(?: «can» «have»| «have»|"
        r" «already» «have»)?(?: (?:with|for|of|on|between|entre|con|de))? «same» "
        r"(?P<fields>[^«]+(?:«and» [^«]+)?)(?: «(?:already|exist)»)*$",
        text,
        re.IGNORECASE,
    ) or re.match(
        r"^(?P<what>[^«]+?) with (?:this|that|the given|the specified|"
        r"such an?) (?P<fields>[\w -]+) «already» «exist»$",
        text,
    )
    if match is None or "«not»" in text or not ("«already»" in text or "«exist»" in text or wanted):
        return []
    what = _counted(re.sub(r"^(?:another|otro|otra|an?|un|una)\s", "", match["what"].strip()))
    fields = [noun(f) for f in conjuncts(match["fields"])]
    if what is None or not fields or not all(fields):
        return []
    name, states = what
    if states:
        return [("forbids", name, "", (*states, *(f"same {f}" for f in fields)))]
    return [("unique", name, str(fields[0]), tuple(fields[1:]))]
