"""Defaults in prose.

Invariant: only literals: a default that is computed (`today`, `the current user`) is MISSING. Not covered: defaults
of schemas.
"""

from __future__ import annotations

import re
from typing import Any, Final

from autoforge.generator.vocabulary import word_set

__all__ = ["MISSING", "default_in_prose", "defaults_of_others"]


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()
"""No default is told; distinct from None, which is one."""

_VALUE = (
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|an? empty (?:string|list|array|object|dict)|"
    r"[-+]?\d+(?:[.,]\d+)?(?![\d-])|[^\W\d][\w./-]*)"
)
_INTRODUCED = re.compile(
    rf"(?:\bdefaults? to\b|\b(?:the )?default(?: value)?(?: is| of|:| =|=| (?=\d))|[(\[]default:?|"
    rf"\bby default,? (?=[\d\"'`])|"
    rf"\bpor defecto:? (?:es |será )?|\bvalor por defecto:?|\bvalor predeterminado:?|"
    rf"\bpredeterminado:?|\bstandardwert:?(?: ist)?|\bstandardmäßig:?|\bstandard:|\bvoreinstellung:?|\bpar défaut ?:?|"
    rf"\bvaleur par défaut ?:?|\bpadrão:?(?: é)?|\bpor padrão:?|\bvalor padrão:?|"
    rf"\bpredefinito:?|\bvalore predefinito:?|\bimpostazione predefinita:?)\s*{_VALUE}(?P<after>.?.?.?)",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?P<value>\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|[\w-]+)\s*\((?:the |is )?(?:default|por defecto|"
    r"standard|par défaut|padrão|predefinito)\)",
    re.IGNORECASE,
)
_NOTHING = (
    r"(?:(?:if|when) (?:it is |they are )?(?:omitted|left out|absent|missing|unspecified|"
    r"not (?:given|specified|provided|set|stated|supplied|passed))|"
    r"unless (?:it is )?(?:stated|specified|given|told otherwise|(?:stated|specified|given) otherwise|"
    r"otherwise (?:stated|specified|told|given))|si no se (?:indica|especifica|da)|salvo que se indique otr[oa]|"
    r",? (?:wenn|falls) nicht(?:s(?: anderes)?)? angegeben|sofern nicht anders angegeben|"
    r"si non (?:précisée?|indiquée?)|sauf indication contraire|se não (?:informad[oa]|indicad[oa]|especificad[oa])|"
    r"salvo indicação em contrário|"
    r"se non (?:specificat[oa]|indicat[oa])|salvo diversa indicazione)"
)
_TRAILING = re.compile(
    r"(?:^|[\s(:])(?P<value>[-+]?\d+(?:\.\d+)?|\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`)(?: \w+)? ?"
    r"(?:by default\b|por defecto\b|standardmäßig\b|par défaut\b|por padrão\b|"
    rf"{_NOTHING})|^(?P<word>[^\W\d]\w*) {_NOTHING}",
    re.IGNORECASE,
)
_NO_NAME = r"(?:no|the|kein(?:e[rn]?)?|aucune?|ningún|ninguna|nenhuma?|nessuna?) (?P<name>[\w ]{2,30}?)"
_OF_OTHERS = (
    re.compile(
        rf"\b(?:if|when) {_NO_NAME} (?:is|are) (?:not )?(?:given|specified|provided|passed|set|stated|supplied),? "
        rf"(?:it is|it defaults to|(?:the )?[\w ]+? (?:is|defaults to)) {_VALUE}(?P<after>.?.?.?)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:wenn|falls) {_NO_NAME} angegeben (?:ist|wird),? (?:gilt|ist) (?:sie |er |es )?{_VALUE}"
        r"(?P<after>.?.?.?)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:the )?(?P<name>[\w ]{{2,30}}?) defaults? to {_VALUE}(?P<after>.?.?.?)", re.IGNORECASE),
)
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "none": None,
    "null": None,
    "verdadero": True,
    "falso": False,
    "vrai": True,
    "faux": False,
    "wahr": True,
    "falsch": False,
}
_COMPUTED = word_set(
    "the a an all any not now today current tomorrow yesterday using whatever if when to is and or it this your their "
    "no every everything one value is "
    "el la todos todas hoy no ahora der die das alle heute jetzt nicht le les tous aujourd o a hoje todos il la oggi "
    "tutti both value of for in based "
    "what same selected configured system automatic automatically first last active are project user users empty"
)


def default_in_prose(text: str) -> Any:
    """The literal after `Defaults to`, `(default: …)`, `por defecto …`, or before `(default)`, `by default`, `if
    omitted`; else MISSING.
    """
    for pattern in (_INTRODUCED, _MARKED):
        match = pattern.search(text)
        if match is not None:
            return _literal(match["value"], match.groupdict().get("after") or "")
    trailing = _TRAILING.search(text)
    return _literal(trailing["value"] or trailing["word"], "") if trailing is not None else MISSING


def defaults_of_others(text: str) -> list[tuple[str, Any]]:
    """`If no severity is given, it is warning`: the words for a parameter, and its default."""
    found = [(m["name"].strip(), _literal(m["value"], m["after"])) for p in _OF_OTHERS for m in p.finditer(text)]
    return [(name, value) for name, value in found if value is not MISSING]


def _literal(token: str, after: str) -> Any:
    if token[0] in "\"'`":
        inner = token[1:-1]
        return _WORDS.get(inner.lower(), _number(inner)) if token[0] == "`" else inner
    if empty := re.match(r"an? empty (\w+)", token, re.IGNORECASE):
        return {"string": "", "list": [], "array": []}.get(empty.group(1).lower(), {})
    token = token.rstrip(".-/")
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    if re.fullmatch(r"[-+]?\d+(?:[.,]\d+)?", token):
        return MISSING if re.match(r"\s?(?:%|-|:|/)\d?", after) and not after.startswith("%") else _number(token)
    complete = not after.strip() or after[0] in ".,;)]" or after.startswith((" (", ". "))
    return token if complete and token.lower() not in _COMPUTED else MISSING


def _number(token: str) -> Any:
    if re.fullmatch(r"[-+]?\d+", token):
        return int(token)
    return float(token.replace(",", ".")) if re.fullmatch(r"[-+]?\d+[.,]\d+", token) else token
