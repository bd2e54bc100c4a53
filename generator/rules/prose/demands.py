"""Segments in the pivot language → demands: conditions that must hold, or must not.

Invariant: only frames that say so make a demand (fails if, only if, must, cannot … while, only X can be …); a
disjunction that is required, or a conjunction that is refused, makes none, since neither part holds by itself. Not
covered: what a condition means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from autoforge.generator.rules.prose.phrases import is_user, noun, restrictions
from autoforge.generator.rules.prose.states import states_in
from autoforge.generator.rules.prose.verbs import verbs_of

__all__ = ["VERB_TOKEN", "Demand", "demands"]

VERB_TOKEN = re.compile(r"«(?:be|have|exist|belong|more|less|atleast|atmost|differ|cover|must|not|already|session)»")
_SERIES = r"|,\s+(?=«(?:be|not|have|already|belong|exist)»)"
_AND = re.compile(r"\s*,?\s*«and»\s+")
_OR = re.compile(r"\s*,?\s*«or»\s+")


class Demand(NamedTuple):
    """A condition, in the pivot language."""

    condition: str
    wanted: bool
    """Whether it must hold; else it must not."""
    verbs: tuple[str, ...] = ()
    """The verbs that the sentence ties to it."""
    weak: bool = False
    """Said with "should", or without any modal."""


def demands(text: str) -> list[Demand]:
    """The demands of one segment; [] if no frame fits."""
    for pattern, read in _FRAMES:
        match = pattern.match(text)
        if match is not None and (found := list(read(match))):
            return found
    return []


def _conditions(text: str, wanted: bool, subject: str, verbs: tuple[str, ...], weak: bool = False) -> Iterator[Demand]:
    text = re.sub(r"\s*,?\s*(?:«or»|«and»)?\s*,?\s*(?:with (?:an? )?(?:HTTP )?\d+ )?«if»\s+", " ¦ ", text).strip(" ,¦")
    text = re.sub(r"^(?:only|either|any of the following|that|que|also)\s+", "", text)
    joint, split = (_OR, _AND) if wanted else (_AND, _OR)
    split = re.compile(split.pattern + _SERIES)
    carried = subject
    for alternative in text.split(" ¦ "):
        pieces = _clauses(alternative, split)
        if len(_clauses(alternative, joint)) > 1:
            continue  # either of two conditions, or both together: neither alone decides
        for piece in pieces:
            whole, carried = _completed(piece, carried)
            yield Demand(whole, wanted, verbs, weak)


def _clauses(text: str, connector: re.Pattern[str]) -> list[str]:
    """Parts with a verb of their own; a part without one belongs to its neighbour."""
    parts: list[str] = []
    gaps = [(m.start(), m.end()) for m in connector.finditer(text)]
    start = 0
    for left, right in [*gaps, (len(text), len(text))]:
        piece = text[start:left]
        if left == len(text) or (VERB_TOKEN.search(piece) and _own_verb(text[right:])):
            parts.append(piece)
            start = right
    return parts


def _own_verb(rest: str) -> bool:
    """Whether what follows a connector is a clause: its verb comes before any further connector."""
    if not rest:
        return True
    first = VERB_TOKEN.search(rest)
    return first is not None and "«and»" not in rest[: first.start()] and "«that»" not in rest[: first.start()]


def _completed(piece: str, carried: str) -> tuple[str, str]:
    """The condition with its subject: a missing one, or a pronoun, is the one of the clause before."""
    verb = VERB_TOKEN.search(piece)
    if verb is None and carried and states_in(piece):
        return f"{carried} «be» {piece}", carried  # `once shipped`
    subject = piece[: verb.start()].strip() if verb else piece
    if verb is not None and carried and noun(subject) == "":
        return f"{carried} {piece[verb.start() :]}", carried
    if (
        verb is not None
        and carried
        and (
            own := re.match(
                r"^(?:its|their|su|sus|ihr|ihre|son|sa|seu|sua|"
                r"suo)\s+(\S+(?: \S+)?)$",
                subject,
                re.I,
            )
        )
    ):
        return f"{own.group(1)} of {carried} {piece[verb.start() :]}", carried
    return piece.strip(), subject or carried


def _fail(match: re.Match[str]) -> Iterator[Demand]:
    if reason := match.groupdict().get("reason"):
        yield Demand(reason.strip(), False)
    yield from _conditions(match["conditions"], False, "", ())


def _unless(match: re.Match[str]) -> Iterator[Demand]:
    yield from _only_if(match)


def _only_if(match: re.Match[str]) -> Iterator[Demand]:
    groups = match.groupdict()
    yield from _conditions(match["conditions"], True, _acted_on(groups), verbs_of(groups.get("action")))


def _cannot_if(match: re.Match[str]) -> Iterator[Demand]:
    groups = match.groupdict()
    if restrictions(groups.get("subject") or ""):
        return  # two conditions at once
    yield from _conditions(match["conditions"], False, _acted_on(groups), verbs_of(groups.get("action")))


def _once(match: re.Match[str]) -> Iterator[Demand]:
    """`Once an order is confirmed, it can no longer be changed`: only where both clauses are about one thing."""
    verb = VERB_TOKEN.search(match["conditions"])
    about = noun(match["conditions"][: verb.start()]) if verb else None
    if about is not None and noun(match["subject"]) in ("", about):
        yield from _conditions(match["conditions"], False, "", verbs_of(match["action"]))


def _restricted(wanted: bool) -> Callable[[re.Match[str]], Iterator[Demand]]:
    def read(match: re.Match[str]) -> Iterator[Demand]:
        verbs = verbs_of(match.groupdict().get("action"))
        if verbs and verbs[0] in ("create", "include", "return", "display", "show", "list"):
            return
        for condition in restrictions(match["restricted"]) or _bare_states(match["restricted"]):
            yield Demand(condition, wanted, verbs)

    return read


def _bare_states(text: str) -> list[str]:
    """`Nur offene`, `solo los recibidos`: rows in a state, without a noun."""
    text = re.sub(r"^(?:the|los|las|die|les|os|as|i|gli|le) ", "", text.strip(), flags=re.IGNORECASE)
    return [f"«be» {text}"] if states_in(text) else []


def _must(match: re.Match[str]) -> Iterator[Demand]:
    """`S must P and must not Q`: the parts without a modal of their own only where they are states or attributes."""
    text = re.sub(r"^«if» you want to [^,«]*, ", "", match.string)
    text = re.sub(r",? (?:«before» (?:[^«]* «can» .*|(?:being )?\w+(?:ing|ed))|in order to .*)$", "", text)
    if "«if»" in text or "«unless»" in text:
        return  # it holds in some cases only
    text = re.sub(r"^.*?(\w+),? «that» (?=«(?:must|should)»[^,]*$)", r"\1 ", text)  # `until a date, which must be …`
    text = re.sub(r"«(?:must|should)» ?", "", text)
    yield from _conditions(text, True, "", (), weak="«must»" not in match.string)


def _cannot_be(match: re.Match[str]) -> Iterator[Demand]:
    """`The date cannot be in the past`: what is refused is a property, not an action."""
    yield Demand(f"{match['subject']} «not» {match['rest']}".strip(), True, (), True)


def _only_own(match: re.Match[str]) -> Iterator[Demand]:
    verbs = verbs_of(match["action"])
    for condition in restrictions(match["restricted"]):
        yield Demand(condition, True, verbs)


def _limit(match: re.Match[str]) -> Iterator[Demand]:
    yield Demand(match.string, True, verbs_of(match.groupdict().get("action")))


def _statement(match: re.Match[str]) -> Iterator[Demand]:
    yield Demand(match.string, True, (), True)


def _unique(match: re.Match[str]) -> Iterator[Demand]:
    yield Demand(match.string if "«be»" in match.string else f"«be» {match.string}", True, (), True)


def _refused(match: re.Match[str]) -> Iterator[Demand]:
    yield Demand(match.string, False, (), True)


def _owners(match: re.Match[str]) -> Iterator[Demand]:
    """`Only the author of a post can edit it`, `only the owner can delete a project`."""
    action = re.sub(r"^«be» ", "", match["action"])
    thing = match.groupdict().get("thing") or _object(action)
    yield Demand(f"{thing} «belong» user".strip(), True, verbs_of(action))


def _object(action: str) -> str:
    """`cancel a booking` → a booking."""
    words = re.sub(r"«(?:or|and)» \S+ ", "", action).split(maxsplit=1)
    return words[1] if len(words) > 1 and noun(words[1]) else ""


def _acted_on(groups: dict[str, str | None]) -> str:
    """What a sentence is about: its subject, or the object where the subject is the user."""
    subject = groups.get("subject") or ""
    if is_user(subject) and groups.get("action"):
        return _object(groups["action"] or "")
    return subject if noun(subject) else ""


_S = r"(?P<subject>[^«]*?)"
_ACTION = r"(?P<action>[^«]*?(?:«or» [^«]+?|«and» [^«]+?)?)"
_R = r"(?P<restricted>.+?)"
_C = r"(?P<conditions>.+)"
_IT = (
    r"(?:(?:(?:(?:the|this|la|esta|el|este|die|diese|das|dieses|le|l'|cet|cette) ?)?(?:tool|call|function|endpoint|"
    r"operation|action|method|command|herramienta|función|operación|werkzeug|funktion|outil|fonction)|it|this|esto|"
    r"dies|cela) )?(?:«be» )?(?:(?:works?|applies|available|valid|possible|allowed|funciona|disponible|válido|gilt|"
    r"verfügbar|möglich|valable|fonctionne) )?"
)
"""Nothing, the tool itself, or that it works."""
_TABLE: tuple[tuple[str, Callable[[re.Match[str]], Iterator[Demand]]], ...] = (
    (rf"^[^«]{{0,60}}«fail» ?(?:with (?P<reason>(?:an? )?(?:«insufficient»)[^«]+?|[^«]*?))?,? ?«if» {_C}$", _fail),
    (rf"^«if» {_C}, [^«]*«fail».*$", _fail),
    (r"^[^«]*«fail» with (?P<conditions>(?:an? )?«insufficient»[^«]+)$", _fail),
    (r"^(?P<conditions>[^«]*«insufficient»[^«]+) «fail»$", _fail),
    (rf"^«fail»,? «unless» {_C}$", _unless),
    (rf"^«unless» {_C}, .*(?:«cannot»|«fail»).*$", _unless),
    (rf"^«not» (?:for|on|para|für|pour) {_R}$", _restricted(False)),
    (rf"^{_IT}(?:use (?:this|it) )?(?:for|on|para|für|pour) (?P<restricted>[^«]+?) «only»$", _restricted(True)),
    (rf"^(?:(?:it|this) )?(?:works?|applies) «only» (?:for|on|to|with) {_R}$", _restricted(True)),
    (rf"^(?:[^«]*«be» )?«only» (?:works?|possible|allowed|available|permitted|supported|valid)? ?(?:for|on|to|from|"
     rf"with|para|für|pour) {_R}$", _restricted(True)),
    (r"^(?:possible|allowed|permitted|available|valid|möglich|erlaubt|posible|permitido|autorisé|possível|"
     rf"possibile) «only» (?:for|on|to|from|with|para|für|pour|per) {_R}$", _restricted(True)),
    (r"^(?:possible|allowed|permitted|available|valid|möglich|erlaubt|posible|permitido|autorisé|possível|"
     rf"possibile),? «only» «if» {_C}$", _only_if),
    (r"^«only» (?:the |its |their )?(?:owner|author|creator|organi[sz]er|sender|uploader|propietario|autor|eigentümer|"
     r"besitzer|propriétaire|auteur|proprietario|proprietário)"
     r"(?: (?:of|del?|der|des|du|do|da) (?P<thing>[^«]+?))? «can» (?P<action>.+)$", _owners),
    (rf"^[^«]*«fail» (?:for|on|to|from|with|para|für|pour) {_R}$", _restricted(False)),
    (r"^(?P<restricted>.*(?:future|past|«future»|«past»).*?)(?: «be»)? ?«fail»$", _refused),
    (r"^(?P<restricted>[^«]+?) «fail»$", _restricted(False)),
    (rf"^{_S} ?«cannot» (?:«be» )?{_ACTION},? «unless» {_C}$", _unless),
    (rf"^{_S} ?(?:«cannot»|«must» «not») (?:«be» )?{_ACTION},? «if» {_C}$", _cannot_if),
    (rf"^«if» {_C}, (?P<subject>[^«]*?) «cannot» (?:«be» )?{_ACTION}$", _once),
    (rf"^«only» (?:[^«]{{0,20}} )?«if» {_C}$", _only_if),
    (rf"^{_S} ?«can» «only» (?:«be» )?{_ACTION} «if» {_C}$", _only_if),
    (rf"^{_S} ?«can» (?:«be» )?{_ACTION},? «only» «if» {_C}$", _only_if),
    (rf"^{_S} ?«only» «can» (?:«be» )?{_ACTION} «if» {_C}$", _only_if),
    (rf"^«can» «only» «be» {_ACTION} «if» {_C}$", _only_if),
    (rf"^{_S} ?«can» (?:«only» )?«be» (?P<action>[^«]*?) ?«atmost» (?P<count>\d+) times$", _limit),
    (rf"^{_S} ?(?:«can»|«must»)? ?(?:«only» «have»|«have» «only»|«have» «atmost»|«atmost» «have») .+$", _limit),
    (r"^«atmost» \d+ [^«]+? (?:per|for each|pro|por|par|je) [^«]+?(?: «be» [^«]+)?$", _limit),
    (r"^.*«cannot» «have» «more» \d+ .+$", _limit),
    (r"^«only» (?P<restricted>.+?) «can» (?:«be» )?(?P<action>[^«]+)$", _restricted(True)),
    (r"^«only» «can» (?:«be» )?(?P<action>\S+) (?P<restricted>.+)$", _restricted(True)),
    (rf"^[^«]*«can» (?P<action>[^«]+(?:«and» [^«]+|«or» [^«]+)?) «only» (?:to |from |for )?{_R}$", _only_own),
    (rf"^[^«]*«can» «only» (?P<action>[^«\s]+(?: «(?:and|or)» \S+)?) (?:to |from |for )?{_R}$", _only_own),
    (rf"^{_S} ?«can» «be» {_ACTION} «only» (?:to|from|for) {_R}$", _only_own),
    (r"^«cannot» (?:«be» )?(?P<action>(?:dar de baja|[^\s«]+)) (?:a |al |to )?(?P<restricted>.+)$", _restricted(False)),
    (rf"^(?:you|usted|users?) «cannot» (?P<action>[^\s«]+) {_R}$", _restricted(False)),
    (rf"^{_S} ?«cannot» (?P<rest>(?:«already» )?(?:«be» (?:«|\S*\d|negative|zero)|«more»|«less»|«differ»).*)$",
     _cannot_be),
    (r"^(?P<restricted>.+?) (?:«cannot»|«must» «not») (?:«be» )?(?P<action>[^«]+)$", _restricted(False)),
    (r"^[^«]*«cannot» (?:transfer|send|pay|move|book|follow|message|invite|merge)\w* .*«same».*$", _statement),
    (r"^[^«]*«cannot» \w+ (?:.* )?(?:yourself|themselves|itself|himself|herself|sich selbst|soi-même)$", _statement),
    (r"^.*«(?:must|should)».*$", _must),
    (r"^(?:requires?|needs?|demande|requiere|nécessite|erfordert|requer|richiede) .*$", _statement),
    (r"^.*«already» «exist».*$", _refused),
    (r"^(?:[^«]*«be» )?«unique».*$", _unique),
    (r"^[^«]*«insufficient»[^«]*$", _refused),
    (r"^(?:no|kein|keine|aucun|aucune|nessun|nenhum|ningún)? ?two [^«]+ (?:«can» )?«have» «same» .+$|"
     r"^(?:no) two [^«]+ with «same» .+$", _statement),
)  # fmt: skip
_FRAMES = tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _TABLE)
