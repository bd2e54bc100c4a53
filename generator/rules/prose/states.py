"""Words that say which state a row is in.

Invariant: a word counts as a state if the lexicon has it, if it was quoted or has an underscore, or if it reads as a
participle that is not one of the common ones about arguments (`required`, `provided`). Not covered: which column
holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from autoforge.generator.rules.prose.sentences import unquote
from autoforge.generator.rules.verbs import STATES
from autoforge.generator.rules.words import singular
from autoforge.generator.vocabulary import word_set

__all__ = ["documented_states", "is_known", "is_state", "listed_form", "states_in"]

_MORE = word_set(
    "pending active inactive open closed draft available unavailable occupied vacant reserved booked overdue "
    "expired processing paid unpaid done todo completed incomplete discontinued scheduled failed queued running "
    "idle free busy online offline assigned unassigned verified unverified signed submitted sent read unread "
    "archived public private ready waiting outstanding dirty clean loaned borrowed lent lost stolen damaged "
    "waitlisted live sold backordered ongoing finalized planned cleaning maintenance taken shipping activo "
    "inactivo pendiente disponible abierto cerrado vigente vencido prestado libre ocupado agotado extraviado "
    "devuelto resuelto roto listo ativo inativo pendente disponível disponivel aberto fechado livre esgotado pago "
    "entregue aceito attivo inattivo aperto chiuso scaduto disponibile libero occupato sospeso concluso emesso "
    "actif inactif ouvert ouverte fermé occupé payé expiré brouillon rendu perdu suspendu vendu offen aktiv "
    "inaktiv geschlossen verfügbar frei belegt ausstehend überfällig fällig verloren abgelaufen bezahlt unbezahlt "
    "versandt versendet geliefert laufend beendet vergeben genehmigt bestätigt abgelehnt gesperrt ausgeliehen "
    "verliehen zurückgegeben gelöscht erledigt gebucht"
)
_LEXICON = _MORE | frozenset(STATES.values())
_PHRASES = frozenset(
    ("in progress", "in transit", "on hold", "checked in", "checked out", "checked-in", "checked-out", "picked up",
        "out of service", "under review",
     "out of stock", "in process", "en curso", "en attente", "en cours", "in attesa", "in corso", "em andamento", "in "
         "bearbeitung", "de baja",
     "no show", "sold out", "en reparación", "signed off", "past due"),
)  # fmt: skip
_ARGUMENTS = word_set(
    "required needed provided specified given used allowed supported permitted formatted encoded included passed "
    "called set_ supplied based followed "
    "separated defined configured installed logged authenticated authorized named located expected prefixed shared "
    "applied added created entered "
    "wrapped escaped signed_in ignored omitted limited restricted related associated linked combined populated "
    "granted kept sorted ordered changed "
    "quoted selected chosen determined recognized stored indexed sized typed valued trimmed filtered numbered dated "
    "listed hashed matched "
    "permitido requerido dado indicado obligado usado incluido especificado definido limitado proporcionado "
    "formateado separado relacionado nulo "
    "data metadata malformed enrolled registered subscribed invited existed unlimited detailed advanced undefined "
    "deleted_ unsigned united advised embedded red bed need speed feed seed feet proceed exceed "
    "gesetzt gegeben benötigt erforderlich angegeben verwendet enthalten gültig verwendet requis donné indiqué "
    "utilisé fourni défini"
)
_GERMAN = word_set("offen aktiv inaktiv geschlossen verfügbar frei belegt ausstehend überfällig fällig")
_NOUNS = word_set(
    "pedido partido contenido sentido mercado estado resultado empleado certificado grado lado apellido sonido "
    "entrada salida medida comida partida llamada "
    "jornada temporada parada posada cada nada vida chamada empregado risultato stato mercato minuto credito debito "
    "deposito prestito crédito débito depósito "
    "visita journée année durée entrée arrivée donnée quantité unité propriété société qualité activité facilité "
    "privé abonado jurado tratado helado "
    "candidato formato contrato mandato relato prato sindicato plato dato gato contato candidata metadata feed seed "
    "breed"
)
_PARTICIPLE = re.compile(
    r"^[a-z]{2,}ed$|^[^\W\d_]{2,}(?:ad|id)[oa]s?$|^[^\W\d_]{3,}(?:at|it|ut)[oi]$|"
    r"^[^\W\d_]{3,}[ai]ta$|^[^\W\d_]{3,}ée?s?$|^[^\W\d_]{3,}iert$"
)
_BARE = re.compile(r"^[^\W\d_][\w-]*$")
_LEADING = re.compile(
    r"^(?:«already»|either|in|the|a|an|marked|«instatus»|status|state|estado|fully|entweder|soit|bereits|schon|noch|"
    r"ya|déjà|già|já|todavía|ainda|ancora|aún|"
    r"encore|als|as)\s+(?=\S)",
)
_TRAILING = re.compile(
    r"\s+(?:first|again|yet|already|anymore|any more|in full|at the moment|to be \w+|before \w+ing|beforehand|too|"
    r"status|state|estado|todavía|aún|encore|ainda|ancora|mehr)$"
)


def states_in(text: str) -> tuple[str, ...]:
    """The states of a list such as `pending, confirmed «or» ⟦checked_in⟧`; () unless all of the text is one."""
    text = text.strip()
    while (shorter := _LEADING.sub("", text)) != text:
        text = shorter
    text = _TRAILING.sub("", text)
    found: list[str] = []
    for part in re.split(r"\s*,\s*(?:«or»|«and»)?\s*|\s*(?:«or»|«and»)\s*", text):
        state = is_state(_LEADING.sub("", part.strip()))
        if state is None:
            return ()
        found.append(state)
    return tuple(dict.fromkeys(found))


_DOCUMENTED: ContextVar[frozenset[str]] = ContextVar("documented states", default=frozenset())


@contextmanager
def documented_states(words: frozenset[str]) -> Iterator[None]:
    """Within it, values that the documentation lists (lower case) count as states, whatever the lexicon has."""
    token = _DOCUMENTED.set(words)
    try:
        yield
    finally:
        _DOCUMENTED.reset(token)


def is_state(word: str) -> str | None:
    """The state that a word or quoted token is, in its basic form (`activos` → activo, `offene` → offen), else None."""
    if re.fullmatch(r"⟦[^⟧]+⟧", word):
        written = unquote(word)
        short = len(written.split()) <= 3 and not written.isdigit()
        return written if short and not re.search(r"[:=/{}<>$.]", written) else None
    low = word.lower()
    if (documented := listed_form(low, _DOCUMENTED.get())) is not None:
        return documented
    if low in _PHRASES:
        return low.removeprefix("de ")
    if not _BARE.match(low) or low in _ARGUMENTS:
        return None
    if "_" in low:
        return None if low.endswith(("_id", "_at", "_date", "_name")) else low
    return _basic_form(low)


def listed_form(word: str, listed: frozenset[str]) -> str | None:
    """The listed value that a word is: as written, with a German declension, or of another gender or number."""
    for plain in (word, word.replace(" ", "_")):
        if plain in listed:
            return plain
    declined = (word.removesuffix(e) for e in ("e", "en", "er", "es", "em"))
    if (german := next((d for d in declined if d in listed and len(d) > 4), None)) is not None:
        return german  # `gesperrter`; `lower` is no low one
    stem = re.sub(r"[aeo]s?$", "", word)
    return next((s for s in sorted(listed) if len(stem) > 4 and s in (stem + "o", stem + "a", stem + "e")), None)


def is_known(word: str) -> bool:
    """Whether the lexicon has the word as a state, in some gender and number."""
    form = _basic_form(word.lower())
    return form is not None and (form in _LEXICON or form[:-1] + "o" in _LEXICON or form[:-1] in _LEXICON)


def _basic_form(word: str) -> str | None:
    """By the lexicon, else by the ending; gender stays, number and German declension go."""
    one = singular(word)
    if one in _NOUNS:
        return None
    if one[:-1] in _GERMAN:
        return one[:-1]
    if one in _LEXICON or (one[-1] in "ae" and (one[:-1] + "o" in _LEXICON or one[:-1] in _LEXICON)):
        return one
    if word[-1] == "i" and word[:-1] + "o" in _LEXICON:
        return word[:-1] + "o"
    for end in ("en", "er", "es", "em"):
        if word.endswith(end) and word[: -len(end)] in _LEXICON:
            return word[: -len(end)]
    return one if _PARTICIPLE.match(word) and one not in _ARGUMENTS else None
