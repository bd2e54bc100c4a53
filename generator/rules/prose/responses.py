"""Fields of a result that a description names.

Invariant: only lists (of two or more) of short noun phrases behind "returns" or "with its"; one phrase is the entity,
not a field. Not covered: output schemas (`outputs`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.words import snake

__all__ = ["response_fields"]

_RETURNS = (
    r"(?:returns?|returning|yields?|outputs?|responds with|devuelve|retorna|gibt|liefert|renvoie|retourne|restituisce)"
)
_EACH = r"(?:(?:for each|de cada|für jede[ns]?|pour chaque|para cada|per ogni)(?: \w+)?:?,? )"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_RETURNS} {_EACH}(?:its |their |the |su |sus |ihre? |sa |seu )?(?P<list>.+)$",
        rf"\b{_RETURNS} [\w' -]{{0,60}}?(?:with|including|containing|con|mit|avec|com)(?: (?:its|their|the|su|"
        rf"sus))? (?P<with>.+)$",
        rf"\b{_RETURNS} (?:the |its |a |an |each )?(?:\w+ )?\w+['\u2019]s? (?P<list2>.+)$",
        rf"\b{_RETURNS}:? (?:the |its |a |an )?(?P<list3>.+)$",
        r"\beach (?:entry|item|result|row|record|element) (?:has|contains|includes) (?P<list4>.+)$",
        r"^(?:get|retrieves?|fetch(?:es)?|looks? up|shows?) [\w' -]{3,40}? with (?:its|their) (?P<list5>.+)$",
    )
)
_SEPARATOR = re.compile(r"\s*,\s*(?:and |or |y |e |und |et )?|\s+(?:and|y|e|und|et)\s+")
_CUT = re.compile(
    r",? (?:together with|along with|as well as|if|when|that|which|so that|for|sorted|grouped|based|"
    r"from|junto con)\b.*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"^(?:the|its|a|an|their|this|all|each|el|la|los|las|su|sus|der|die|das|ein|eine|le|les|son|sa|"
    r"o|os|as|seu|sua|il|lo|gli) |^l['\u2019]|^(?:\w+)['\u2019]s ",
    re.IGNORECASE,
)
_NO_FIELD = re.compile(
    r"^(?:and|or|either|up to|one|two|all|both|if|whether|how|what|any|\d)\b|\b(?:is|are|was|match|given|"
    r"successful\w*|paged|sorted|of|that|matching|as|by|in|to|found)\b",
    re.IGNORECASE,
)


def response_fields(description: str) -> tuple[str, ...]:
    """`Returns the order ID, product name and price.` → (order_id, product_name, price)."""
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-ZÁÉÍÓÚ])|\n", description):
        for pattern in _PATTERNS:
            match = pattern.search(sentence.strip(" ."))
            if match is not None and (found := _fields(next(g for g in match.groups() if g), match.lastgroup or "")):
                return found
    return ()


def _fields(text: str, form: str) -> tuple[str, ...]:
    text = _CUT.sub("", re.sub(r"\([^)]*\)", "", text)).strip(" .")
    parts = [p.strip() for p in _SEPARATOR.split(text) if p.strip()]
    names = [_ARTICLE.sub("", _ARTICLE.sub("", p)) for p in parts]
    if not all(re.fullmatch(r"[\w'\u2019-]+(?: [\w'\u2019-]+){0,2}", n) and not _NO_FIELD.search(n) for n in names):
        return ()
    needed = {"list3": 3, "list5": 2, "with": 1 if len(parts) == 1 and "_" in text else 2}.get(form, 2)
    return tuple(dict.fromkeys(snake(n) for n in names)) if len(names) >= needed else ()
