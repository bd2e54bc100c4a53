"""Which other tool says what a booking costs: `total_price is the total that quote_stay gives`.

Invariant: only a sentence that says so outright, of a tool that is documented; one that denies it or compares says
nothing. Not covered: how the price is worked out (`estimate_amounts`).
"""

from __future__ import annotations

import re

from autoforge.generator.documents import ToolDocument
from autoforge.generator.rules.prose.sentences import sentences

__all__ = ["quoting_description"]

_QUOTED = re.compile(
    r"\b(?:the (?:same )?(?:total|price|amount|cost) (?:that )?[`'\"]?(?P<gives>\w+)[`'\"]? (?:gives|quotes|computes|"
    r"calculates|returns)|(?:as )?(?:quoted|computed|calculated|given) by [`'\"]?(?P<by>\w+))",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:not|never|unlike|may|might|differs?|instead|rather|less|more|above|below|than|if|unless)\b", re.IGNORECASE
)


def quoting_description(tool: ToolDocument, tools: list[ToolDocument]) -> str | None:
    """Description of the tool whose total this one takes for its own; None where its prose names none."""
    for sentence in sentences(tool.description):
        match = _QUOTED.search(sentence)
        if match is None or _OTHERWISE.search(sentence):
            continue
        named = match["gives"] or match["by"]
        quoting = [t for t in tools if named in (t.name, t.original_name) and t.name != tool.name]
        if quoting:
            return quoting[0].description
    return None
