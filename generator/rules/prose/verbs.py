"""Verbs of a passive or infinitive in prose, in their basic form.

Invariant: the form is one that `words.verb_of` knows where there is one; else the English stem or the word itself. Not
covered: what a verb does (`rules.verbs`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.prose.sentences import unquote
from autoforge.generator.rules.verbs import STATES, verb_of
from autoforge.generator.vocabulary import word_set

__all__ = ["base_form", "verbs_of"]

_IRREGULAR = {
    "frozen": "freeze", "unfrozen": "unfreeze", "paid": "pay", "sold": "sell", "sent": "send", "made": "make",
        "written": "write", "bought": "buy",
    "withdrawn": "withdraw", "taken": "take", "given": "give", "shown": "show", "seen": "see", "done": "do", "lent":
        "lend", "put": "put",
    "set": "set", "read": "read", "begun": "begin", "held": "hold", "left": "leave", "found": "find",
    "picked": "pick", "chosen": "choose",
    "undone": "undo", "reset": "reset", "rebooked": "rebook", "split": "split", "hidden": "hide", "broken": "break",
        "borrowed": "borrow",
    "ausgeliehen": "ausleihen", "zurückgegeben": "zurueckgeben", "gelöscht": "loeschen", "geändert": "aendern",
        "verschoben": "verschieben",
    "abgeschlossen": "abschliessen", "geschlossen": "schliessen", "verlängert": "verlaengern", "gebucht": "buchen",
        "bearbeitet": "bearbeiten",
    "devuelto": "devolver", "abierto": "abrir", "escrito": "escribir", "rendu": "rendre", "suspendu": "suspendre",
        "chiuso": "chiudere",
}  # fmt: skip
_PARTICLES = word_set(
    "again already ever directly first online only then once any more further «not» mehr wieder nuevamente"
)
_INVERSE = {state: verb for verb, state in STATES.items()}


def verbs_of(action: str | None) -> tuple[str, ...]:
    """`changed «or» cancelled again` → (change, cancel): the first word of each coordinated part."""
    if not action:
        return ()
    if action.startswith("dar de baja"):
        return ("dar de baja",)
    found: list[str] = []
    for part in re.split(r"«or»|«and»|,", action):
        words = [
            w for w in unquote(part).split() if w.lower() not in _PARTICLES | {"be", "ser", "werden", "être", "essere"}
        ]
        if words and re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)?", words[0]):
            found.append(base_form(words[0].lower(), words[1].lower() if len(words) > 1 else ""))
    return tuple(dict.fromkeys(found))


def base_form(word: str, following: str = "") -> str:
    """`cancelled` → cancel, `storniert` → stornieren, `checked` before `in` → checkin."""
    if following in ("in", "out") and word in ("checked", "check", "logged", "log", "signed", "sign"):
        return f"{'log' if word == 'logged' else word.removesuffix('ed')}{following}"
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    known = [c for c in _candidates(word) if verb_of(c) is not None]
    if known:
        return known[0]
    if word.endswith("ed") and re.search(r"(?:[cgsuvz]|[^aeiou][aiou][tr])ed$", word):
        return _inverse(word) or word[:-1]
    return _inverse(word) or _candidates(word)[-1]


def _candidates(word: str) -> list[str]:
    """From the likeliest to the plainest reading of a participle."""
    forms = [word]
    if word.endswith("ied"):
        forms.append(word[:-3] + "y")
    elif word.endswith("ed"):
        stem = word[:-2]
        forms += [stem[:-1]] if len(stem) > 3 and stem[-1] == stem[-2] else []
        forms += [word[:-1], stem]
    elif word.endswith(("ado", "ada", "ados", "adas")):
        forms.append(re.sub(r"ad[oa]s?$", "ar", word))
    elif word.endswith(("ido", "ida", "idos", "idas")):
        forms += [re.sub(r"id[oa]s?$", "er", word), re.sub(r"id[oa]s?$", "ir", word)]
    elif word.endswith(("ato", "ata", "ati", "ate")):
        forms.append(word[:-3] + "are")
    elif word.endswith("iert"):
        forms.append(word[:-1] + "en")
    elif re.search(r"ée?s?$", word):
        forms.append(re.sub(r"ée?s?$", "er", word))
    return forms


def _inverse(word: str) -> str | None:
    return _INVERSE.get(word) or _INVERSE.get(re.sub(r"as?$", "o", word))
