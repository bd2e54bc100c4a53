"""A few words on who the user is and how they speak.

Invariant: a persona says nothing of what the user wants. Not covered: how a simulated user keeps to it (`gym`).
"""

from __future__ import annotations

import random

from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.wording.english import article
from autoforge.generator.tasks.wording.grammar import Grammar

__all__ = ["persona"]

_ROLES = {
    "en": "project manager, night nurse, shop owner, student, accountant, retired teacher, office assistant, engineer, "
    "parent of three, freelance designer, team lead, newcomer to the service, busy consultant, librarian",
    "es": "persona que dirige proyectos, persona que estudia, persona jubilada, persona con tienda propia, persona que "
    "trabaja de noche, persona que empieza con este servicio",
    "de": "Person, die Projekte leitet; Person, die studiert; Person im Ruhestand; Person mit eigenem Laden; "
    "Person, die "
    "nachts arbeitet; Person, die den Dienst zum ersten Mal nutzt",
}
_MANNERS = {
    "en": "patient; friendly; brisk; polite; careful; slightly impatient; cheerful; matter-of-fact",
    "es": "paciente; amable; directa; cortés; cuidadosa; algo impaciente; alegre; práctica",
    "de": "geduldige; freundliche; direkte; höfliche; sorgfältige; etwas ungeduldige; fröhliche; sachliche",
}
_HABITS = {
    "en": "writes in short sentences; answers exactly what is asked; gives details only when asked; likes a "
    "short summary "
    "at the end; does not like to repeat things; writes informally; reads every answer carefully",
    "es": "escribe frases cortas; responde solo a lo que se le pregunta; da detalles solo si se los piden; no quiere "
    "repetir las cosas; lee con cuidado cada respuesta",
    "de": "kurze Sätze schreibt; genau auf das antwortet, was gefragt wird; Einzelheiten nur auf Nachfrage "
    "nennt; nichts "
    "zweimal sagen möchte; jede Antwort genau liest",
}


def persona(draft: Draft, grammar: Grammar, chance: random.Random) -> str:
    """One or two sentences in the second person; with the user's name where a known value is just that."""
    code = grammar.code
    roles = [r.strip() for r in _ROLES[code].split(";" if ";" in _ROLES[code] else ",")]
    role, manner, habit = (chance.choice(options) for options in (roles, _split(_MANNERS[code]), _split(_HABITS[code])))
    name = _own_name(draft)
    if code == "es":
        return (f"Te llamas {name}. " if name else "") + f"Eres una {role}, {manner}, que {habit}."
    if code == "de":
        return (
            f"Du heißt {name}. " if name else ""
        ) + f"Du bist eine {manner} {role}{',' if ',' in role else ''} und eine Person, die {habit}."
    who = f"You are {name}, {article(manner)} {manner} {role}" if name else f"You are {article(manner)} {manner} {role}"
    return f"{who} who {habit}."


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";")]


def _own_name(draft: Draft) -> str | None:
    """A value that is called the user's own name."""
    for name, value in draft.known.items():
        words = split_words(name)
        if (
            isinstance(value, str)
            and " " in value
            and words in (("my", "name"), ("customer", "name"), ("full", "name"))
        ):
            return value
    return None
