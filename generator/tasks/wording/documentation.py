"""What a tool does, as an imperative clause out of its title, its name or its description.

Invariant: the clause begins with a verb in the imperative of the documentation's language, and holds no sentence about
formats, results or other tools. Not covered: whose row it is about (`clauses` puts the things in).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from autoforge.generator.rules.prose.languages import language_of
from autoforge.generator.rules.verbs import verb_of
from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.catalogue import Catalogue, ToolModel
from autoforge.generator.vocabulary import word_set

__all__ = ["ToolWords", "clauses_of", "documentation_language", "first_sentence", "tool_words"]


class ToolWords(NamedTuple):
    """A clause without its values."""

    verb: str
    rest: tuple[str, ...]
    plain: bool
    """Whether the nouns stand without articles, as in names and headlines."""
    known: bool = True
    """Whether the first word really is a verb; else the clause is what the documentation says in other words."""


_BOILERPLATE = re.compile(
    r"^.*?tool description:\s*|^(?:use )?this (?:tool|endpoint|function|method|operation|api)(?: is used|"
    r" can be used| will|"
    r" allows (?:you|users?)| lets you)?(?: to)? |^(?:the user will be able to|allows (?:you|users?|"
    r"the user) to|used to|"
    r"a tool (?:to|for)|(?:api|endpoint) (?:to|for)|use it to|helps (?:you|users) )\s*",
    re.IGNORECASE | re.DOTALL,
)
_CUT = re.compile(
    r"\s*[,(–].*|\s+- .*|\s+(?:based on|using|by (?:its |their |the |an? )?(?:\w+ )?(?:id|ids|identifier|name|"
    r"email)\b|via|"
    r"so that|which|that|if|when|in order|including|as well as|at once|where|whose|"
    r"with (?:the )?(?:an? )?(?:optional|configurable|specified|given|provided|form data|following|details)|"
    r"(?:for|from|of|in|to) (?:the )?(?:given|provided) (?:parameters?|details|data|input|values?)|"
    r"and (?:returns?|its|sets?|adds?)\b|"
    r"asociad|indicad|que |si |mediante|con (?:el|los|las?) |der |die |das (?:zu|den)).*",
    re.IGNORECASE,
)
_HTTP = word_set("get post put patch delete")
_MORE_VERBS = word_set(
    "log place hand give write take tell choose turn put bring let point top sign lend look see ask pick fill drop "
    "unassign reboot restart mark rate review vote compile deploy build edit adjust reply leave quote rent check join "
    "give entrega da lleva pon vergib gib leihe setze"
)
_PREPOSITIONS = word_set(
    "to from in on at for by with of into onto as off out up a en de con por para zu von mit an auf"
)
_DETERMINERS = word_set("a an the all one your this un una el la los las ein eine einen den die das")
_IMPERATIVES = {
    "hace": "haz", "pone": "pon", "dice": "di", "tiene": "ten", "sale": "sal", "hacer": "haz", "poner": "pon",
    "decir": "di",
    "tener": "ten", "salir": "sal", "enviar": "envía", "ampliar": "amplía", "vaciar": "vacía", "reducir": "reduce",
    "dar": "da", "ver": "mira", "elegir": "elige", "corregir": "corrige", "pedir": "pide", "medir": "mide",
    "servir": "sirve",
    "seguir": "sigue", "incluir": "incluye", "sustituir": "sustituye", "construir": "construye", "devolver": "devuelve",
    "resolver": "resuelve", "mover": "mueve", "promover": "promueve", "renovar": "renueva", "probar": "prueba",
    "aprobar": "aprueba", "encontrar": "encuentra", "mostrar": "muestra", "contar": "cuenta", "cerrar": "cierra",
    "empezar": "empieza", "comenzar": "comienza", "recomendar": "recomienda", "encender": "enciende",
    "atender": "atiende",
    "extender": "extiende", "convertir": "convierte", "transferir": "transfiere", "colgar": "cuelga", "jugar": "juega",
}  # fmt: skip


@cache
def _imperative(word: str, language: str) -> str | None:
    """The imperative of a verb of the documentation; None where it is no verb that is known."""
    low = word.lower()
    if language == "es":
        return _spanish(low)
    if language == "de":
        return _german(low)
    for base in _bases(low):
        if verb_of(base) is not None or base in _MORE_VERBS:
            return base
    return None


def _bases(low: str) -> tuple[str, ...]:
    """`adds` → adds, add; `modifies` → modify; `updated` → update."""
    if low.endswith("ies"):
        return (low, low[:-3] + "y")
    if low.endswith("s") and not low.endswith("ss"):
        return (low[:-1], low[:-2] if low.endswith("es") else low, low)
    if low.endswith("ed"):
        return (low[:-1], low[:-2])
    return (low,)


def _spanish(low: str) -> str | None:
    """Third person singular and infinitive both give the imperative: `cancela`, `cancelar` → cancela."""
    if low in _IMPERATIVES:
        return _IMPERATIVES[low]
    if low[-2:] in ("ar", "er", "ir") and len(low) > 3:
        return low[:-1] if low.endswith(("ar", "er")) else low[:-2] + "e"
    known = low[-1:] in "ae" and (verb_of(low + "r") is not None or verb_of(low[:-1] + "ir") is not None)
    return low if known or low in _MORE_VERBS or low[-1:] in ("a", "e") else None


def _german(low: str) -> str | None:
    """`storniert`, `stornieren` → storniere."""
    if low.endswith("en") and len(low) > 4:
        return low[:-1]
    if low.endswith("t") and len(low) > 3:
        return low[:-1] if low.endswith("et") else low[:-1] + "e"
    return low if low in _MORE_VERBS else None


@cache
def _language(sample: str) -> str:
    return language_of(sample)


def documentation_language(catalogue: Catalogue) -> str:
    """The language that the tools are described in."""
    return _language(" ".join(f"{tool.title} {tool.description}" for tool in catalogue.tools.values()))


def first_sentence(text: str) -> str:
    """Without what every tool of a service begins with."""
    rest = _BOILERPLATE.sub("", text.strip(), count=1)
    return re.split(r"(?<=[\w)'’\"])[.:;](?:\s|$)|\n", rest, maxsplit=1)[0].strip()


def tool_words(tool: ToolModel, catalogue: Catalogue) -> ToolWords:
    """The clause of a tool."""
    return clauses_of(tool, catalogue)[0]


def clauses_of(tool: ToolModel, catalogue: Catalogue) -> tuple[ToolWords, ...]:
    """Every clause that the documentation gives, the best first; at least one."""
    language = documentation_language(catalogue)
    title, described = _prose(tool.title, language), _prose(first_sentence(tool.description), language)
    named = _named(tool, catalogue, language)
    headline = title is not None and named is not None and {*title.rest} <= {*named.rest}
    first = None if title is not None and title.plain and headline else title
    found = [words for words in (first, named, described) if words is not None]
    if found:
        return tuple(found)
    texts = {tool.title, first_sentence(tool.description)} - {""}
    text = min(texts, key=len, default=" ".join(split_words(tool.name)))
    return (ToolWords("", tuple(_CUT.sub("", text).split()), False, known=False),)


def _prose(text: str, language: str) -> ToolWords | None:
    """The clause of a title or a sentence; None where it does not begin with a verb or says no object."""
    text = re.sub(r"\([^)]*\)", "", re.sub(r"\s+tool$", "", text.strip().rstrip("."), flags=re.IGNORECASE))
    text = re.sub(r"\s+", " ", text)
    short = _CUT.sub("", text).strip()
    words = (short if len(short.split()) > 1 else text).split()
    if len(words) < 2 or len(words) > 14:
        return None
    verb = _imperative(words[0], language)
    if verb is None and words[1].lower() in _DETERMINERS and words[0].isalpha():
        verb = _bases(words[0].lower())[0] if language == "en" else words[0].lower()
    if verb is None:
        return None
    plain = not any(w.lower() in _DETERMINERS for w in words)
    return ToolWords(verb, tuple(_lower(w) for w in words[1:]), plain)


def _lower(word: str) -> str:
    """Headlines are written in capitals: `Create a Saved Command`; abbreviations stay."""
    return word.lower() if re.fullmatch(r"[A-ZÀ-Þ][a-zß-ÿ]+(?:['’]s)?[.,]?", word) and word not in _PROPER else word


_PROPER = frozenset({"Gmail", "Discord", "Airtable", "Google", "Microsoft", "Outlook", "Slack", "GitHub", "I"})


def _named(tool: ToolModel, catalogue: Catalogue, language: str) -> ToolWords | None:
    words = list(split_words(tool.name))
    if words and words[0] in _HTTP and _http_names(tuple(catalogue.tools)):
        return None
    if len(words) > 2 and verb_of(words[0]) is None and verb_of(words[1]) is not None:
        words = words[1:]
    if len(words) < 2 or words[1] in _PREPOSITIONS or {"by", "with"} & set(words):
        return None
    verb = _imperative(words[0], language) if verb_of(words[0]) is not None or words[0] in _MORE_VERBS else None
    return ToolWords(verb, tuple(words[1:]), True) if verb is not None else None


@cache
def _http_names(names: tuple[str, ...]) -> bool:
    """Whether names are made of HTTP methods and paths."""
    first = [split_words(name)[:1] for name in names]
    return sum(word[0] in _HTTP for word in first if word) > 0.8 * len(names) and any(
        word and word[0] in ("post", "put", "patch") for word in first
    )
