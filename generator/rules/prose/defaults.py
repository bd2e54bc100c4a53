"""Defaults in prose.

Invariant: only literals, where nothing around them makes them anything else: a default that is computed (`today`, `the
current user`) or holds in some cases is MISSING. Not covered: defaults of schemas.
"""

from __future__ import annotations

import re
from typing import Any, Final

from autoforge.generator.rules.prose.numbers import number_in
from autoforge.generator.rules.prose.sections import without_sections
from autoforge.generator.rules.prose.sentences import LONGEST, segments, sentences
from autoforge.generator.vocabulary import word_set

__all__ = ["MISSING", "default_in_prose", "defaults_of_others"]


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()
"""No default is told; distinct from None, which is one."""

_LITERAL = r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|[-+]?\d+(?:[.,]\d+)*(?![\d:/%-])"
_VALUE = rf"(?P<value>{_LITERAL}|an? empty (?:string|list|array|object|dict)|[^\W\d][\w./-]*)"
_FIGURE = rf"(?P<value>{_LITERAL})"
_TRUTH = r"true|false|yes|no|on|off"
_UNIT = r"(?: (?!for\b|per\b|if\b|or\b|and\b|to\b|when\b|after\b|before\b)[^\W\d]+)?"
_NOTHING = (
    r"(?:(?:if|when) (?:it is |they are )?(?:omitted|left out|left empty|unspecified|"
    r"not (?:given|specified|provided|set|stated|supplied|passed))|"
    r"unless (?:it is )?(?:stated|specified|given|told otherwise|(?:stated|specified|given) otherwise|"
    r"otherwise (?:stated|specified|told|given))|si (?:no se (?:indica|especifica|da)|se omite)|"
    r"salvo que se indique otr[oa]|(?:wenn|falls) nicht(?:s(?: anderes)?)? angegeben|sofern nicht anders angegeben|"
    r"si non (?:précisée?|indiquée?)|sauf indication contraire|se não (?:informad[oa]|indicad[oa]|especificad[oa])|"
    r"salvo indicação em contrário|se non (?:specificat[oa]|indicat[oa])|salvo diversa indicazione)"
)
_BY_DEFAULT = (
    r"(?:by default|per default|por defecto|por omisión|standardmäßig|par défaut|por padrão|"
    r"per impostazione predefinita)"
)
_WORDED = (
    r"(?:(?:(?:the )?default(?: value)?|valor por defecto|valor predeterminado|predeterminado|standardwert|standard|"
    r"voreinstellung|valeur par défaut|padrão|valor padrão|predefinito|valore predefinito|impostazione predefinita|"
    r"por defecto|par défaut|por padrão|standardmäßig)(?: ?[:=] ?| is | of | es | será | ist | est | é | è )|"
    r"defaults? to )"
)
_LEAD = (
    r"(?:(?!.*\b(?:not|never|no|longer|if|when|in|for|unlike|other|previously|each|every|user's|default)\b)"
    r"[\w' -]{0,50} )?"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_LEAD}{_WORDED}\s*{_VALUE}{_UNIT}(?: {_NOTHING})?",
        rf"(?:default|by default|por defecto|standard|standardmäßig|par défaut|por padrão|padrão|predefinito) "
        rf"(?:{_FIGURE}{_UNIT}|(?P<truth>{_TRUTH}))",
        rf"(?:(?:is )?assumed to be |taken as |assume )?{_FIGURE}{_UNIT} (?:{_BY_DEFAULT}|{_NOTHING})",
        rf"(?P<bare>[^\W\d]\w*) {_NOTHING}|(?P<truth>{_TRUTH}) {_BY_DEFAULT}",
        rf"{_NOTHING}:? {_FIGURE}{_UNIT}(?: is (?:used|assumed))?",
    )
)
_AFTER_NOTHING = re.compile(
    rf"(?:(?:it )?is |then |assumes |uses )?{_VALUE}(?P<unit>{_UNIT})(?: is (?:used|assumed|taken|applied))?",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?P<value>\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|[\w-]+)\s*\((?:the |is )?(?:default|por defecto|"
    r"standard|par défaut|padrão|predefinito)\)",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"(?:if|when|unless|or|otherwise|else|except|but|for|in|with|on|si|cuando|wenn|falls|quand|quando|se|[-+]?\d\S* "
    r"(?:for|if|when|on|in|para|für|pour|per))\b",
    re.IGNORECASE,
)
"""Beginnings of pieces that say in which cases their neighbour holds."""
_NAME = r"(?P<name>\w+(?: \w+)?)"
_GIVEN = r"(?:given|specified|provided|passed|set|stated|supplied)"
_OF_OTHERS = (
    re.compile(
        rf"(?:if|when) (?:no {_NAME} (?:is|are) {_GIVEN}|(?:the )?(?P<absent>\w+(?: \w+)?) (?:is|are) (?:not {_GIVEN}|"
        rf"omitted|left out)),? (?:it is |it defaults to |(?:the )?(?P<again>\w+(?: \w+)?) (?:is|defaults to) )"
        rf"{_VALUE}{_UNIT}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:wenn|falls) kein(?:e[rn]?)? {_NAME} angegeben (?:ist|wird),? (?:gilt|ist) (?:sie |er |es )?"
        rf"{_VALUE}{_UNIT}",
        re.IGNORECASE,
    ),
)
_DEFAULTS_TO = re.compile(rf"(?:the )?{_NAME} defaults? to {_VALUE}{_UNIT}", re.IGNORECASE)
_CASES = re.compile(r"\b(?:if|when|unless|not|never|unlike|other|otherwise|previously|wenn|falls)\b", re.IGNORECASE)
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
    "unlimited unset generated random inherited computed calculated required optional ignored unchanged nothing "
    "undefined unspecified anonymous mandatory skipped "
    "what same selected configured system automatic automatically first last active are project user users empty"
)


def default_in_prose(text: str) -> Any:
    """The literal after `Defaults to`, `(default: …)`, `por defecto …`, or before `(default)`, `by default`, `if
    omitted`; else MISSING.
    """
    marked = _MARKED.search(text)
    for sentence in _short(text):
        pieces = _pieces(sentence)
        for number, piece in enumerate(pieces):
            told = _default_of(piece, pieces[number - 1] if number else "", "".join(pieces[number + 1 : number + 2]))
            if told is not MISSING:
                return told
    return _literal(marked["value"]) if marked is not None else MISSING


def _short(text: str) -> list[str]:
    return [s for s in sentences(text) if len(s) <= LONGEST]


def _pieces(sentence: str) -> list[str]:
    """What commas, semicolons, dashes and parentheses set apart."""
    parts = re.split(r";\s*|,\s+|\s+[\u2013\u2014-]\s+|\s*[()\[\]]\s*", sentence)
    return [p.strip(" .") for p in parts if p.strip(" .")]


def _default_of(piece: str, before: str, after: str) -> Any:
    omitted = re.fullmatch(_NOTHING, before, re.IGNORECASE) is not None
    if (_CASE.match(before) and not omitted) or (
        _CASE.match(after) and not re.fullmatch(_NOTHING, after, re.IGNORECASE)
    ):
        return MISSING
    match = next((m for form in _FORMS if (m := form.fullmatch(piece)) is not None), None)
    if match is None and omitted:
        match = _AFTER_NOTHING.fullmatch(piece)
    if match is None:
        return MISSING
    groups = match.groupdict()
    return _literal(groups.get("value") or groups.get("truth") or groups["bare"])


def defaults_of_others(text: str) -> list[tuple[str, Any]]:
    """`If no severity is given, it is warning`: the words for a parameter, and its default."""
    found: list[tuple[str, Any]] = []
    for sentence in sentences(without_sections(text, notes=True)):
        match = next((m for p in _OF_OTHERS if (m := p.fullmatch(sentence.rstrip("."))) is not None), None)
        if match is not None:
            found.extend(_of_absent(match))
        elif not _CASES.search(sentence):
            told = (_DEFAULTS_TO.fullmatch(s) for s in segments(sentence))
            found.extend((m["name"], _literal(m["value"])) for m in told if m is not None)
    return [(name, value) for name, value in found if value is not MISSING]


def _of_absent(match: re.Match[str]) -> list[tuple[str, Any]]:
    groups = match.groupdict()
    name = groups.get("name") or groups.get("absent") or ""
    return [(name, _literal(groups["value"]))] if groups.get("again") in (None, name) else []


def _literal(token: str) -> Any:
    """The value of a token, in quotation marks or not."""
    if token[0] in "\"'`":
        inner = token[1:-1]
        return _WORDS.get(inner.lower(), _number(inner)) if token[0] == "`" else inner
    if empty := re.match(r"an? empty (\w+)", token, re.IGNORECASE):
        return {"string": "", "list": [], "array": []}.get(empty.group(1).lower(), {})
    token = token.rstrip(".-/")
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    number = _number(token)
    return number if number != token or token.lower() not in _COMPUTED else MISSING


def _number(token: str) -> Any:
    """The number that a token is, else the token."""
    number = number_in(token.removeprefix("+"))
    return token if number is None else number
