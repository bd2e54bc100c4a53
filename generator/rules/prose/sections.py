"""What of a description is about the tool itself: the text without the sections of a docstring.

Invariant: what stands under a heading of parameters, answers, errors, examples or notes never comes through; where the
end of a section is in doubt, the rest goes too. Not covered: the entries of such sections (`sentences`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["without_sections"]

_NAMES = (
    r"(?:args|arguments?|parameters?|params|other parameters|inputs?|returns?|outputs?|response|results?|yields|raises|"
    r"errors?|exceptions?|warns|examples?|see also|related|references?|usage|attributes|todo|argumentos|"
    r"par[aá]metros|devuelve|ejemplos?|errores|parameter|r[uü]ckgabe|beispiele?|param[eè]tres|"
    r"retourne|exemples?|exemplos?|retorna|parametri|restituisce|esemp[io]+)"
)
_NOTES = r"(?:notes?|notas?|hinweise?|remarques?)"


class _Headings(NamedTuple):
    inline: re.Pattern[str]
    line: re.Pattern[str]


def _headings(names: str) -> _Headings:
    return _Headings(
        re.compile(rf"(?:^|(?<=[.;!?]\s)|(?<=\s\s))\s*[#*_]*{names}[*_]*\s*:(?=\s|[*_]|$)", re.IGNORECASE),
        re.compile(rf"^\s*(?:#+\s*|[*_]+)?{names}\s*:?[*_]*\s*:?\s*$", re.IGNORECASE),
    )


_ALL, _BUT_NOTES = _headings(rf"(?:{_NAMES}|{_NOTES})"), _headings(_NAMES)
_RULE = re.compile(r"^\s*[-=~]{3,}\s*$")
_TAGGED = re.compile(r"^\s*(?:[:@\\](?:param|parameter|arg|returns?|raises?|throws|type|rtype|example|see|note)\b|>>>)")


def without_sections(text: str, *, notes: bool = False) -> str:
    """The text up to the first section, and what follows sections that show where they end; `notes` stay if asked."""
    headings = _BUT_NOTES if notes else _ALL
    kept: list[str] = []
    lines = text.split("\n")
    section: _Section | None = None
    for number, line in enumerate(lines):
        underlined = bool(_RULE.match("".join(lines[number + 1 : number + 2])))
        if _begins(line, underlined, headings.line):
            section = _Section(_depth(line), open_ended=underlined)
        elif section is not None and section.ends_before(line):
            section = None
        if section is None:
            kept.append(headings.inline.split(line, maxsplit=1)[0])
            if kept[-1] != line:
                section = _Section(_depth(line), seen=True)
    return "\n".join(kept)


def _begins(line: str, underlined: bool, heading: re.Pattern[str]) -> bool:
    """A heading with a colon, with a mark of its own or underlined; or a tagged line."""
    told = ":" in line or line.lstrip()[:1] in ("#", "*", "_") or underlined
    return bool(_TAGGED.match(line) or (told and heading.match(line)))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


@dataclass
class _Section:
    """A section being left out: it ends where the text is as far left as its heading, after content further right."""

    depth: int
    open_ended: bool = False
    seen: bool = False
    """Whether content further right was there; an entry on the heading's line ends at an empty one."""

    def ends_before(self, line: str) -> bool:
        if self.open_ended or not line.strip():
            return False
        self.seen = self.seen or _depth(line) > self.depth
        return self.seen and _depth(line) <= self.depth
