"""Which rows a list shows, by their state: `Returns the rooms that are free: rooms that are not out_of_service`.

Invariant: only relative clauses of a sentence that begins by what the tool shows, without a condition. Not covered: who
is meant, and whether it has such a state (`read_filters`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.prose.sentences import sentences

__all__ = ["shown_states"]

_SHOWS = re.compile(
    r"^(?:returns?|lists?|gets?|shows?|finds?|search(?:es)?|retrieves?|fetch(?:es)?|devuelve|lista|muestra|busca|"
    r"listet|zeigt|liefert|sucht)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(?:if|when|unless|except|by default|si|salvo|wenn|falls|außer)\b", re.IGNORECASE)
_ONE = r"[`'\"]?[^\W\d][\w-]*[`'\"]?"
_THAT = re.compile(
    r"\b(?P<noun>[^\W\d]\w*) (?:(?:that|which|who) are|que (?=no est|est)|die (?=nicht )) ?"
    rf"(?P<not>not |no están |nicht )?(?:están |currently )?(?P<states>{_ONE}(?:(?:, or|,| or| o| oder) {_ONE})*)"
    r"(?: sind)?(?=[,.;:)]| and\b| y\b| und\b|$)",
    re.IGNORECASE,
)


def shown_states(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """(whose rows, `status_in` or `status_not_in`, the states) of each clause that says so."""
    found = []
    for sentence in sentences(text):
        if not _SHOWS.match(sentence) or _OPEN.search(sentence):
            continue
        for match in _THAT.finditer(" ".join(sentence.split())):
            states = tuple(w.strip("`'\"") for w in re.split(r",? (?:or|o|oder) |, ", match["states"]))
            found.append((match["noun"], "status_not_in" if match["not"] else "status_in", states))
    return found
