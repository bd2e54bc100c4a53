"""Text → sentences, and sentence → segments that hold one thought each.

Invariant: code blocks, headings, web addresses and examples never come through. Not covered: grammar.
"""

from __future__ import annotations

import re

__all__ = ["LONGEST", "arguments_section", "quote", "segments", "sentences", "unquote"]

LONGEST = 1000
"""Characters of a sentence; what is longer is a dump of data, not a rule."""

_ABBREVIATIONS = (
    "e.g", "i.e", "etc", "vs", "approx", "no", "nr", "max", "min", "dr", "mr", "mrs", "ms", "inc", "st", "incl",
        "excl", "ca", "cf", "esp", "resp",
    "p. ej", "ej", "art", "núm", "z. b", "z.b", "bzw", "d. h", "d.h", "usw", "ggf", "par ex", "ex", "n°", "p. ex",
        "es", "ecc", "a.m", "p.m", "u.s",
)  # fmt: skip
_SPACE = "\u02bc"  # a letter to regular expressions: quoted text stays one word
_DOT = "\ue000"
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"\[([^\]]*)\]\([^)]*\)|<?\b(?:https?|ftp)://[^\s)>]+>?")
_TAG = re.compile(r"<br\s*/?>|</?(?:p|li|ul|ol|div)\b[^>]*>", re.IGNORECASE)
_INLINE_TAG = re.compile(r"</?(?:b|i|em|strong|code|a|span)\b[^>]*>", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+•▪\u2013—]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s|^\s*(?:=+|-{3,}|\*{3,})\s*$|^\s*\|")
_SECTION = re.compile(
    r"^\s*(args|arguments|parameters|params|argumentos|parámetros|returns?|raises|examples?|yields|"
    r"note|notes|usage)\s*:\s*$",
    re.I,
)
_ENTRY = re.compile(r"^\s*[-*]?\s*`?([A-Za-z_]\w*)`?\s*(?:\([^)]*\))?\s*:\s+(\S.*)$")
_EXAMPLE = re.compile(
    r"\(?\b(?:e\. ?g\.|for example|for instance|example:|examples?:|por ejemplo|p\. ?ej\.|ej\.:|zum beispiel|z\. ?b\.|"
    r"par exemple|p\. ?ex\.|"
    r"por exemplo|ad esempio|per esempio)[^.;)]*\)?",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"`([^`\n]{1,60})`|(?<!\w)'([^'\n]{1,40})'(?!\w)|\"([^\"\n]{1,40})\"|“([^”\n]{1,40})”|"
    r"«\s?([^»\n]{1,40}?)\s?»|„([^“”\n]{1,40})[“”]"
)
_LABEL = re.compile(
    r"^\s*(?:tool description|description|note|important|nota|wichtig|hinweis|remarque|warning|"
    r"caution|attention)\s*:\s*",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, on one line each; bullets and table-like lines are sentences of their own."""
    text = _CODE.sub("\n\n", text)
    text = _ADDRESS.sub(lambda m: m.group(1) or "", _INLINE_TAG.sub("", _TAG.sub("\n", text)))
    found: list[str] = []
    for block in _blocks(text):
        found.extend(_split(block))
    return found


def _blocks(text: str) -> list[str]:
    """Paragraphs and bullets, wrapped lines joined."""
    blocks: list[str] = []
    fresh = True
    for line in text.split("\n"):
        if not line.strip() or _HEADING.match(line) or _SECTION.match(line):
            fresh = True
            continue
        starts = fresh or bool(_BULLET.match(line)) or _begins_anew(blocks[-1], line)
        line = re.sub(r"\s+", " ", re.sub(r"\*\*|__(?=\w)|(?<=\w)__", "", _BULLET.sub("", line))).strip()
        if starts:
            blocks.append(line)
        else:
            blocks[-1] += " " + line
        fresh = False
    return blocks


def _begins_anew(before: str, line: str) -> bool:
    """Whether an unmarked line is no continuation: the one before was short or complete, and this one has a capital."""
    if before.endswith((".", "!", "?", "\u3002")):
        return True
    if _ENTRY.match(line) and ":" in line[:30]:
        return True
    return len(before) < 60 and line.strip()[:1].isupper() and not before.endswith((",", ":", "("))


def _split(block: str) -> list[str]:
    guarded = block
    for short in _ABBREVIATIONS:
        ending = re.compile(rf"(?<!\w){re.escape(short)}\.", re.IGNORECASE)
        guarded = ending.sub(lambda m: m.group().replace(".", _DOT), guarded)
    guarded = re.sub(r"(?<=\b[A-Z])\.(?=\s[A-Z])|(?<=[\w\"'])\.(?=[\w])", _DOT, guarded)
    parts = re.split(r"(?<=[.!?…])[\"')\]]?\s+(?=\S)|(?<=[\u3002\uff01\uff1f])\s*", guarded)
    return [p.replace(_DOT, ".").strip() for p in parts if p.strip(" .")]


def segments(sentence: str) -> list[str]:
    """The thoughts of a sentence: parts between colons, semicolons, dashes and parentheses, without examples."""
    sentence = _EXAMPLE.sub("", _LABEL.sub("", sentence))
    asides = [a for a in re.findall(r"\(([^()]*)\)", sentence) if len(a.split()) > 2]
    plain = re.sub(r"\s*\([^()]*\)", "", sentence)
    parts = [p for p in re.split(r",? but (?!not\b)|\s*[;:]\s+|\s+[\u2013—]\s+|\s+-\s+", plain) if p.strip()]
    return [re.sub(r"\s+", " ", p).strip(" .。!*_") for p in [*parts, *asides] if p.strip(" .。!*_")]


def arguments_section(text: str) -> dict[str, str]:
    """`name: text` lines under a heading such as `Args:`, which are descriptions of parameters."""
    entries: dict[str, str] = {}
    inside = False
    for line in text.split("\n"):
        heading = _SECTION.match(line)
        if heading:
            inside = heading.group(1).lower().startswith(("arg", "param", "pará"))
        elif inside and (entry := _ENTRY.match(line)):
            entries[entry.group(1)] = entry.group(2).strip()
    return entries


def quote(text: str) -> str:
    """Quoted words as one token ⟦…⟧ each, so that no rule looks into them."""
    return _QUOTED.sub(_token, text)


def _token(match: re.Match[str]) -> str:
    inner: str = next(group for group in match.groups() if group is not None)
    return f"⟦{inner.strip().replace(' ', _SPACE)}⟧"


def unquote(text: str) -> str:
    """The inverse of `quote`, without the quotation marks."""
    return text.replace("⟦", "").replace("⟧", "").replace(_SPACE, " ")
