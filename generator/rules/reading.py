"""One documented tool as the rules read it: its verb, the noun it is about, and the words around them.

Invariant: a `Reading` holds only what the tool's own text says; what other tools add is decided in `entities` and
`roles`. Not covered: parameters (`roles`), sentences (`prose`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from autoforge.generator.documents import Documentation, ToolDocument
from autoforge.generator.rules.legible import legible_tool
from autoforge.generator.rules.prose.settings import Setting
from autoforge.generator.rules.quoted_price import quoting_description
from autoforge.generator.rules.shapes import properties_of
from autoforge.generator.rules.verbs import Verb, VerbClass, verb_in_prose, verb_of
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Reading", "read_tools"]

_FILLER = word_set(
    "a an the of for in on to from with and or all any my me by via using new details detail info information "
    "data record_ list lists current full single specific existing given multiple many bulk batch up out off "
    "id ids name_ tool api v1 v2 v3 request input output el la los las un una de del en por para con al y "
    "todos todas der die das des dem den ein eine von fuer im le les du une pour dans et o os as um uma do da "
    "no na il lo gli di per con now today available user_s its their json details result results object objects"
)
_PROSE_FILLER = _FILLER | word_set(
    "will be able can user users should that which this is are it its endpoint method function api you your if when"
)
_ADJECTIVES = word_set(
    "active inactive available open closed pending completed cancelled overdue unread read archived deleted "
    "enabled disabled recent latest upcoming past popular top best cheapest similar related public private "
    "favorite starred unpaid paid sent received draft failed"
)
_COLLECTION = re.compile(r"(?:list|cart|basket|favorites|favourites|bookmarks|inventory|carrito|warenkorb|panier)$")
_HTTP = {
    "GET": VerbClass.GET,
    "POST": VerbClass.CREATE,
    "PUT": VerbClass.UPDATE,
    "PATCH": VerbClass.UPDATE,
    "DELETE": VerbClass.DELETE,
}
_PREPOSITIONS = word_set("by for in on of from to with at per por para de en nach von fuer par pour dans di da")


@dataclass(slots=True)
class Reading:
    """What one tool's text says."""

    tool: ToolDocument
    verb: Verb
    nouns: tuple[str, ...]
    """The noun phrase, singular, its head last: `text channel`, `order`."""
    plural: bool
    """Whether the name or prose speaks of many."""
    many: bool = False
    """Whether the noun itself is a plural or a collection."""
    qualifiers: tuple[str, ...] = ()
    """Words behind a preposition: `by status`, `for user`."""
    adjectives: tuple[str, ...] = ()
    container: tuple[str, ...] = ()
    """Nouns of enclosing path segments, outermost first."""
    settings: tuple[Setting, ...] = ()
    """Columns that the prose says the tool sets (`outright`)."""
    said: tuple[Setting, ...] = ()
    """All settings of the prose, also those that the verb has to bring about by itself."""
    states: frozenset[str] = frozenset()
    """Words that the documentation lists as values of the row: `held`, `gold`."""
    standings: frozenset[str] = frozenset()
    """Those among them that say in which state the row is: `held`."""
    priced_as: str | None = None
    """Description of the tool whose total this tool takes for its own (`the total that quote_stay gives`)."""
    evidence: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        return self.nouns[-1] if self.nouns else ""

    @property
    def text(self) -> str:
        return self.tool.description


def read_tools(documentation: Documentation) -> list[Reading]:
    """A reading for each tool, in the order of the documentation."""
    identified = _identified(documentation)
    prefix = _common_words([split_words(t.original_name) for t in documentation.tools]) - identified
    first = {split_words(t.original_name)[:1] for t in documentation.tools}
    if (
        len(documentation.tools) >= 3
        and len(first) == 1
        and all(len(split_words(t.original_name)) >= 3 for t in documentation.tools)
    ):
        prefix |= set(next(iter(first)))  # the service's own name (`tasks.tasks.list`)
    shared = _shared_opening([t.description for t in documentation.tools])
    own = [legible_tool(t, t.description.removeprefix(shared).strip() or t.description) for t in documentation.tools]
    readings = [_read(tool, prefix, identified) for tool in own]
    for reading in readings:
        reading.priced_as = quoting_description(reading.tool, own)
    return readings


def _shared_opening(descriptions: list[str]) -> str:
    """Sentences with which every description begins (`This tool belongs to … Tool description:`): they say nothing of
    one tool.
    """
    if len(descriptions) < 3:
        return ""
    opening = _common_prefix(min(descriptions), max(descriptions))
    end = max(opening.rfind(". "), opening.rfind(": "), opening.rfind("\n"))
    return opening[: end + 1] if end >= 20 else ""


def _common_prefix(first: str, last: str) -> str:
    """What the first and the last of sorted texts share, all texts between them share too."""
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:length]


def _identified(documentation: Documentation) -> frozenset[str]:
    """Words in front of `id` in parameters or outputs: they name things, however often they occur."""
    names = [n for t in documentation.tools for s in (t.input_schema, t.output_schema) for n in properties_of(s)]
    last = frozenset(w for n in names for w in split_words(n)[:-1] if split_words(n)[-1] in ("id", "ids", "uuid"))
    return last | frozenset(w for n in names for w in split_words(n)[1:] if split_words(n)[0] == "id")


def _common_words(names: list[tuple[str, ...]]) -> frozenset[str]:
    """Words that most names share and that are no verb: the service's own name (`discord_…`)."""
    words = Counter(w for n in names if len(n) > 1 for w in set(n))
    needed = max(3, len(names) * 0.75)
    return frozenset(w for w, count in words.items() if count >= needed and verb_of(w) is None and singular(w) == w)


def _read(tool: ToolDocument, prefix: frozenset[str], identified: frozenset[str]) -> Reading:
    if tool.http is not None and _name_is_path(tool):
        return _read_route(tool)
    whole = split_words(tool.original_name)
    words = [w for i, w in enumerate(whole) if w not in prefix or (i > 0 and w == whole[0])] or list(whole)
    joined = _join_particles(words)
    verb, at = _verb_in(joined, tool)
    rest = [w for i, w in enumerate(joined) if i != at]
    before = [w for w in joined[:at]] if at is not None and at > 0 else []
    nouns, qualifiers = _noun_phrase(rest[len(before) :] or before, identified)
    if verb.kind is VerbClass.SEND and rest[len(before) :][:1] == ["to"]:
        nouns, qualifiers = ["message" if verb.word in ("send", "respond") else verb.word], nouns
    if rest[len(before) :] and before and not nouns:
        nouns, qualifiers = _noun_phrase(before)
    if not nouns:
        nouns, _ = _noun_phrase(_prose_nouns(tool.description, verb.word))
    if verb.word == "mark" and len(nouns) > 1:
        verb, nouns = Verb("mark", VerbClass.STATE, nouns[-1]), nouns[:-1]
    adjectives = tuple(w for w in nouns if w in _ADJECTIVES)
    bare = [w for w in nouns if w not in _ADJECTIVES] or nouns
    many = bool(bare) and (singular(bare[-1]) != bare[-1] or bool(_COLLECTION.search(bare[-1])))
    if len(bare) > 1 and bare[-1] in ("history", "log", "logs", "historial", "verlauf", "historique"):
        bare, many = bare[:-1], True
    reading = Reading(
        tool,
        verb,
        tuple([*bare[:-1], singular(bare[-1])]) if bare else (),
        many or _speaks_of_many(tool),
        many,
        tuple(qualifiers),
        adjectives,
    )
    reading.evidence.append(f"verb “{verb.word}”" + (f", noun “{' '.join(reading.nouns)}”" if reading.nouns else ""))
    if tool.http is not None:
        reading.container = _segments(tool)[:-1]
    return reading


def _name_is_path(tool: ToolDocument) -> bool:
    return bool(re.search(r"[/{:]", tool.original_name)) or bool(
        re.match(r"(?:GET|POST|PUT|PATCH|DELETE)\s+\S*/", tool.original_name, re.IGNORECASE)
    )


def _segments(tool: ToolDocument) -> tuple[str, ...]:
    """Nouns of the path, singular: `/budgets/{budget_id}/payee_locations` → (budget, payee location)."""
    assert tool.http is not None
    parts = [
        p
        for p in tool.http.path.split("/")
        if p and not p.startswith(("{", ":", "@")) and p.lower() not in ("api", "rest", "v1", "v2", "v3", "v4")
    ]
    return tuple(" ".join([*split_words(p)[:-1], singular(split_words(p)[-1])]) for p in parts if split_words(p))


def _read_route(tool: ToolDocument) -> Reading:
    """A route without a name of its own: the method is the verb unless the last segment is one; the last noun segment
    is the noun.
    """
    assert tool.http is not None
    segments = [s for s in _segments(tool)]
    verb = None
    if segments:
        words = segments[-1].split()
        verb = verb_of(words[0]) if len(segments) > 1 or len(words) > 1 else None
        if verb is not None and verb.kind in (VerbClass.GET, VerbClass.COUNT) and len(words) == 1:
            verb = None
        if verb is not None and (len(words) > 1 or tool.http.method != "GET"):
            rest = words[1:]
            segments = segments[:-1] + ([" ".join(rest)] if rest else [])
        else:
            verb = None
    described = verb_in_prose(tool.description)
    if verb is None:
        verb = Verb(tool.http.method.lower(), _HTTP.get(tool.http.method.upper(), VerbClass.RUN))
        if described is not None and described.kind in (
            VerbClass.LOGIN,
            VerbClass.LOGOUT,
            VerbClass.SEND,
            VerbClass.SEARCH,
        ):
            verb = described
    last = tool.http.path.rstrip("/").rsplit("/", 1)[-1]
    nouns = tuple(segments[-1].split()) if segments else _noun_phrase(_prose_nouns(tool.description, ""))[0]
    by_key = last.startswith(("{", ":"))
    named = split_words(
        next((p for p in reversed(tool.http.path.split("/")) if p and not p.startswith(("{", ":"))), "")
    )
    spoken = (bool(named) and singular(named[-1]) != named[-1]) or _speaks_of_many(tool)
    plural = not by_key and spoken and verb.kind in (VerbClass.GET, VerbClass.SEARCH, VerbClass.LIST)
    reading = Reading(tool, verb, tuple(nouns), plural, plural, container=tuple(segments[:-1]))
    reading.evidence.append(f"{tool.http.method} {tool.http.path}")
    return reading


def _join_particles(words: list[str]) -> list[str]:
    """`log in`, `check out`, `sign up` are one verb each."""
    joined: list[str] = []
    for word in words:
        pair = f"{joined[-1]}{word}" if joined else ""
        if word == "baja" and joined[-2:] in (["dar", "de"], ["dan", "de"]):
            joined[-2:] = ["darbaja"]
        elif pair in (
            "login",
            "logout",
            "signin",
            "signup",
            "signout",
            "logoff",
            "checkin",
            "checkout",
            "topup",
            "logon",
        ):
            joined[-1] = pair
        elif joined and ascii_word(f"{joined[-1]}_{word}") in ("iniciar_sesion", "cerrar_sesion"):
            joined[-1] = ascii_word(f"{joined[-1]}_{word}")
        else:
            joined.append(word)
    return joined


def _verb_in(words: list[str], tool: ToolDocument) -> tuple[Verb, int | None]:
    """The verb of a name: its first word, else its last, else any (`tasks.tasks.list`), else the description's, else a
    reading.
    """
    order = [0, len(words) - 1, *range(1, len(words) - 1)] if words else []
    for i in order:
        verb = verb_of(words[i])
        if verb is None or (0 < i < len(words) - 1 and verb.word in _NOUN_TOO):
            continue
        if i == len(words) - 1 and i > 0 and verb.word in _NOUN_TOO - _VERB_LAST:
            continue
        if i == 0 and verb.word in _NOUN_TOO - _VERB_FIRST and len(words) > 1 and any(_strong(w) for w in words[1:]):
            continue
        if i == 0 and len(words) == 1 and verb.word in _NOUN_TOO:
            described = verb_in_prose(tool.description)
            if described is not None and described.word != verb.word:
                return described, None
        return verb, i
    described = verb_in_prose(tool.description)
    opening = split_words(tool.description[:40])
    if words and opening and len(words) > 1 and opening[0] in (words[0], words[0] + "s", words[0] + "es"):
        kind = VerbClass.UPDATE if tool.input_schema.get("properties") else VerbClass.RUN
        return Verb(words[0], kind), 0  # an imperative that no lexicon has: `Defragment the disk`
    needed = len(tool.input_schema.get("required", []))
    if (
        tool.http is None
        and needed >= 3
        and tool.output_schema is None
        and (described is None or described.kind in _TAKES_LITTLE)
    ):
        return Verb("record", VerbClass.CREATE), None  # nobody asks for that much to read: `sequentialthinking`
    if described is not None:
        return described, None
    if tool.http is not None:
        return Verb(tool.http.method.lower(), _HTTP.get(tool.http.method.upper(), VerbClass.RUN)), None
    return Verb("get", VerbClass.GET), None


_TAKES_LITTLE = frozenset({VerbClass.GET, VerbClass.LIST, VerbClass.COMPUTE, VerbClass.CHECK, VerbClass.RUN})
_NOUN_TOO = word_set(
    "message email comment record index order request report file book tag text call log draft post issue "
    "schedule plan search filter query count status match view share charge fund set test check track process "
    "import export track display note star pin transfer deposit quote return change use play result update run "
    "place make start end hold release block lock mark pack pick claim refund payment estimate review read "
    "access sum average mean all copy like follow ping broadcast input monitor measure help print reset switch "
    "list open"
)


_VERB_LAST = word_set("search query filter list update import export count reset")
_VERB_FIRST = word_set(
    "set update list make run place start check search filter count view use print open read return mark like "
    "follow claim pick pack hold end monitor measure quote display play change reset switch import export copy"
)


def _strong(word: str) -> bool:
    verb = verb_of(word)
    return verb is not None and verb.word not in _NOUN_TOO


def _noun_phrase(
    words: list[str] | tuple[str, ...], identified: frozenset[str] = frozenset()
) -> tuple[list[str], list[str]]:
    """Nouns up to the first preposition, and the words behind it. `object` says little, unless there is an `object_id`:
    `identified` are such words.
    """
    nouns: list[str] = []
    behind: list[str] = []
    seen_preposition = False
    for word in words:
        plain = ascii_word(word)
        if plain in _PREPOSITIONS and nouns:
            seen_preposition = True
        elif (plain in _FILLER and singular(plain) not in identified) or plain.isdigit():
            continue
        elif seen_preposition:
            behind.append(singular(plain))
        else:
            nouns.append(plain)
    return nouns, behind


def _prose_nouns(text: str, verb: str) -> list[str]:
    """Up to three content words after the verb of the first sentence."""
    sentence = re.split(r"(?<=[.!?。])\s|\n", text.strip(), maxsplit=1)[0].lower()
    words = re.findall(r"[^\W\d_]+", sentence)
    start = next((i + 1 for i, w in enumerate(words) if w.startswith(verb[:4]) and verb), 0)
    content: list[str] = []
    for word in words[start:]:
        if ascii_word(word) in _PROSE_FILLER and not content:
            continue
        if ascii_word(word) in _PREPOSITIONS | _PROSE_FILLER or (verb_of(word) is not None and word not in _NOUN_TOO):
            break
        content.append(word)
    return content[-3:]


def _speaks_of_many(tool: ToolDocument) -> bool:
    head = tool.description[:80].lower()
    return bool(re.search(r"\b(?:list|lists|all|every|multiple|many|several)\b", head)) and not re.search(
        r"\ball (?:details|information|fields)", head
    )
