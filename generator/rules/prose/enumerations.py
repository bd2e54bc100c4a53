"""Closed lists of values in prose.

Invariant: only lists that are introduced as the choice (`one of`, `must be a, b or c`), that are all a parenthesis
holds, or that end a label; examples, and lists that may go on (`etc.`, `such as`), give (). Not covered: the enum of a
schema.
"""

from __future__ import annotations

import json
import re

from autoforge.generator.vocabulary import word_set

__all__ = ["enum_in_prose"]

_OPEN_END = re.compile(
    r"\b(?:e\. ?g|etc|for example|for instance|such as|like|includ\w*|example|examples|among others|and so on|custom|"
    r"and more|por ejemplo|p\. ?ej|como|"
    r"zum beispiel|z\. ?b|usw|par exemple|por exemplo|ad esempio|ecc)\b|\.\.\.|…",
    re.IGNORECASE,
)
_LEAD = (
    r"(?:(?:must |should |can |may )?(?:be )?(?:exactly )?(?:one|any|either) of(?: the following)?(?: values)?:?|"
    r"\b(?:possible|valid|allowed|accepted|supported|permitted|available) "
    r"(?:values?|options?|types?|statuses|states|choices|modes|formats|levels|categories)(?: are| is|"
    r" include exactly)?:?|\b(?:values?|options?|choices|enum):|\beither\b|"
    r"\b(?:must|has to|needs to) be(?: either)?:?|\bcan be(?: either)?:?|\b(?:uno|una|"
    r"alguno) de(?: los siguientes)?(?: valores)?:?|\bvalores (?:posibles|válidos|permitidos|possíveis|aceitos):?|"
    r"\b(?:eines|einer|eine) (?:von|der folgenden|aus):?|\bmögliche werte:?|\berlaubte werte:?|\bgültige werte:?|"
    r"\bentweder\b|\bl['\u2019]une? (?:de|des):?|\bvaleurs (?:possibles|autorisées|acceptées|valides) ?:?|"
    r"\bparmi ?:?|\bsoit\b|\bum(?:a)? (?:de|dos|das):?|\b(?:uno|una) (?:di|tra|fra):?|\bvalori (?:possibili|ammessi|"
    r"validi):?|\bpuede ser:?|\bdebe ser:?|\bpode ser:?|\bpuò essere:?|\bdoit être:?)"
)
_INTRODUCED = re.compile(rf"(?P<lead>{_LEAD})\s*(?P<list>[^.;\n(]+(?:\([^)]*\)[^.;\n(]*)*)", re.IGNORECASE)
_WEAK = re.compile(
    r"\b(?:must|has to|needs to|can|debe|puede|pode|può|doit)\b|^(?:either|entweder|soit|parmi|"
    r"values?:|options?:)",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^(?P<label>[^:.,;()]{2,40}):\s*(?P<list>[^.:;()]+)\.?$")
_NO_LABEL = re.compile(
    r"\b(?:example|format|fields?|columns?|order|comma|returns?|note|keys?|properties|attributes|"
    r"search|syntax|names?$|names? of)\b",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(
    r"\s*(?:,\s*(?:or|and|o|u|y|e|oder|und|ou|et)\s+|,|;|\||\s(?:or|o|u|oder|ou|and|y|und|et|"
    r"e)\s)\s*",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"^[^\W_][\w+-]*(?:[ /][\w+-]+)?$")
_SLASHED = re.compile(r"\s*[\w-]{2,}(?:\s*[|/]\s*[\w-]{2,})+\s*")
_NO_CHOICE = re.compile(r"\d/\d|AM/PM|(?i:and/or|yyyy|https?)")
_QUOTES = re.compile(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|`([^`]+)`|“([^”]+)”")
_STOP = word_set(
    "the a an any all it this that your valid unique not null none be is are to of in on by at with for from between "
    "as if when other others more less "
    "greater positive negative empty string number integer boolean list array object date path url string true false "
    "absolute relative at_least "
    "el la los las un una no der die das ein eine le les un une o os as um uma il lo gli provided specified set used"
)  # fmt: skip


def enum_in_prose(text: str) -> tuple[str, ...]:
    """The values, as written and in order; () unless it is plainly a closed list of short tokens."""
    text = re.sub(r"\s+", " ", text).strip()
    if marked := re.search(r"\[?enum\]?\s*:?\s*(\[[^\]]+\])", text, re.IGNORECASE):
        return _from_json(marked.group(1))
    if _OPEN_END.search(re.sub(r"[\"'`][^\"'`]*[\"'`]", "", text)):
        return ()
    for reader in (_introduced, _parenthesis, _whole, _labelled):
        if found := reader(text):
            return found
    return ()


def _from_json(text: str) -> tuple[str, ...]:
    try:
        values = json.loads(text.replace("'", '"'))
    except json.JSONDecodeError:
        return _tokens(text.strip("[]"), 2)
    return tuple(str(v) for v in values)


def _introduced(text: str) -> tuple[str, ...]:
    for match in _INTRODUCED.finditer(text):
        needed = 3 if _WEAK.search(match["lead"]) and not re.search(r"[\"'`]", match["list"]) else 2
        if found := _tokens(match["list"], 2 if "either" in match["lead"].lower() else needed):
            return found
    return ()


def _parenthesis(text: str) -> tuple[str, ...]:
    for match in re.finditer(r"[(\[]([^()\[\]]+)[)\]]", text):
        inside = match.group(1)
        if _SLASHED.fullmatch(inside) and not _NO_CHOICE.search(inside):
            return _tokens(inside.replace("/", "|"), 2)
        found = _tokens(inside, 2 if len(re.findall(r"[\"'`]", inside)) >= 4 else 3)
        if found and " and " not in inside:
            return found
    return ()


def _whole(text: str) -> tuple[str, ...]:
    bare = text.strip(" .")
    if "|" in bare and re.fullmatch(r"[\w\"'` -]+(?:\s*\|\s*[\w\"'` -]+)+", bare):
        return _tokens(bare, 2)
    return _tokens(bare, 3, single=True) if " and " not in bare else ()


def _labelled(text: str) -> tuple[str, ...]:
    match = _LABELLED.match(text)
    if match is None or (_NO_LABEL.search(match["label"]) and "_" not in match["list"]):
        return ()
    return _tokens(match["list"], 2 if "|" in match["list"] else 3)


def _tokens(text: str, needed: int, *, single: bool = False) -> tuple[str, ...]:
    quoted = [next(g for g in groups if g) for groups in _QUOTES.findall(text)]
    if len(quoted) >= 2:
        rest = re.sub(r"\([^)]*\)", "", _QUOTES.sub("", text))
        explained = re.sub(r"\s(?:for|to|means|if|when|=|para|für|pour)\s[^,]*", "", rest)
        plain = len(explained.split()) <= 2 * len(quoted) and all(len(q.split()) <= 4 for q in quoted)
        return tuple(dict.fromkeys(quoted)) if plain else ()
    parts = [p.strip(" \"'`.") for p in _SEPARATORS.split(re.sub(r"\([^)]*\)", "", text).strip())]
    parts = [p for p in parts if p and p.lower() not in ("null", "none")]
    letters = all(len(p) == 1 for p in parts)
    if len(parts) < needed or not all(_is_token(p) and (letters or not set(p.lower().split()) & _STOP) for p in parts):
        return ()
    return () if single and any(" " in p for p in parts) else tuple(dict.fromkeys(parts))


def _is_token(text: str) -> bool:
    return len(text) <= 24 and _TOKEN.match(text) is not None
