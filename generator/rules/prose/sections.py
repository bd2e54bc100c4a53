"""What of a description is about the tool itself: the text without the sections of a docstring.

Invariant: what stands under a heading of parameters, answers, errors, examples or notes never comes through; where the
end of a section is in doubt, the rest goes too. Not covered: the entries of such sections (`sentences`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["without_sections"]

_NAMES = (
    r"(?:args|arguments?|parameters?|params|other parameters|inputs?|returns?|outputs?|response|results?|yields|raises|"
    r"errors?|exceptions?|warns|examples?|notes?|see also|related|references?|usage|attributes|todo|argumentos|"
    r"par[aá]metros|devuelve|ejemplos?|notas?|errores|parameter|r[uü]ckgabe|beispiele?|hinweise?|param[eè]tres|"
    r"retourne|exemples?|remarques?|exemplos?|retorna|parametri|restituisce|esemp[io]+)"
)
_INLINE = re.compile(rf"(?:^|(?<=[.;!?]\s)|(?<=\s\s))\s*[#*_]*{_NAMES}[*_]*\s*:(?=\s|[*_]|$)", re.IGNORECASE)
_HEADING = re.compile(rf"^\s*(?:#+\s*|[*_]+)?{_NAMES}\s*:?[*_]*\s*:?\s*$", re.IGNORECASE)
_RULE = re.compile(r"^\s*[-=~]{3,}\s*$")
_TAGGED = re.compile(r"^\s*(?:[:@\\](?:param|parameter|arg|returns?|raises?|throws|type|rtype|example|see|note)\b|>>>)")


def without_sections(text: str) -> str:
    """The text up to the first section, and what follows sections that show where they end."""
    kept: list[str] = []
    lines = text.split("\n")
    section: _Section | None = None
    for number, line in enumerate(lines):
        underlined = bool(_RULE.match("".join(lines[number + 1 : number + 2])))
        if _begins(line, underlined):
            section = _Section(_depth(line), open_ended=underlined)
        elif section is not None and section.ends_before(line):
            section = None
        if section is None:
            kept.append(_INLINE.split(line, maxsplit=1)[0])
            if kept[-1] != line:
                section = _Section(_depth(line), seen=True)
    return "\n".join(kept)


def _begins(line: str, underlined: bool) -> bool:
    """A heading with a colon, with a mark of its own or underlined; or a tagged line."""
    told = ":" in line or line.lstrip()[:1] in ("#", "*", "_") or underlined
    return bool(_TAGGED.match(line) or (told and _HEADING.match(line)))


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
