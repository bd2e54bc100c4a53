"""Words of sentences that promise an order, and what may stand around them, in six languages, without accents.

Invariant: patterns are in lower case; what is not known to be harmless around a promise is no part of them. Not
covered: how the parts make a sentence (`orders`).
"""

from __future__ import annotations

import re

__all__ = [
    "BY",
    "CASES",
    "COMPARED",
    "COPULA",
    "DATED",
    "DOWN",
    "FIRST",
    "GENERIC",
    "LISTING",
    "NESTED",
    "NEW",
    "OLD",
    "SOON",
    "TAIL",
    "THEN",
]

FIRST = (
    r"(?:first|at the top|on top|primero|primeros|primeras|en primer lugar|zuerst|d'abord|en premier|en tete|primeiro|"
    r"per prim[aie])"
)
_MORE = r"(?:mas|mais|piu|plus)"
_ART = r"(?:the |las? |los |les? |die |der |den |das |as |os |o |i |gli )?"
NEW = (
    rf"(?:{_ART}(?:newest|latest|most recent|last ones|"
    rf"{_MORE} (?:recientes?|nuev[oa]s?|recentes?|nov[oa]s?|recent[ei]?s?|nuov[ei])|neu(?:e)?ste[nrm]?|"
    rf"juengste[nrm]?)(?: ones?)?)"
)
OLD = (
    rf"(?:{_ART}(?:oldest|{_MORE} (?:antigu[oa]s?|"
    rf"viej[oa]s?|antig[oa]s?|velh[oa]s?|vecchi[oae]?|ancien(?:ne)?s?)|aelteste[nrm]?)(?: ones?)?)"
)
SOON = r"(?:(?:the |die )?(?:earliest|soonest|fruehe?ste[nr]?))"
_UP = r"(?:asc(?:ending(?:ly)?|endente|endant)?|aufsteigend|croissante?|crescente)"
_DOWNWARDS = r"(?:desc(?:ending(?:ly)?|endente|endant)?|absteigend|decroissante?|decrescente)"
WAY = rf"(?:in )?(?:{_UP}|{_DOWNWARDS})(?: order)?"
_LEAST = r"(?:lowest|smallest|fewest|shortest|cheapest|low|small)"
_MOST = r"(?:highest|largest|greatest|biggest|longest|high|large)"
COMPARED = re.compile(rf"\b(?:{_LEAST}|{_MOST})\b")
"""Words that compare amounts: a text is no amount."""
DOWN = re.compile(rf"\b{_DOWNWARDS}\b|\b{_MOST} (?:ones? )?(?:first|to\b)|\b{NEW} (?:{FIRST}|to\b)|\bz ?(?:-|to) ?a\b")
DATED = re.compile(rf"\b(?:{NEW}|{OLD}|{SOON}) (?:{FIRST}|to\b)")
"""Words that compare moments: a customer is no moment."""
_SPAN = (
    rf"(?:{_LEAST} to {_MOST}|{_MOST} to {_LEAST}|(?:the )?newest to (?:the )?oldest|"
    r"(?:the )?oldest to (?:the )?newest|a ?(?:-|to) ?z|z ?(?:-|to) ?a)"
)
TAIL = (
    rf"(?:,? {WAY})?(?:,? (?:the )?(?:{NEW}|{OLD}|{SOON}|{_LEAST}|{_MOST}) {FIRST})?(?:,? (?:from )?{_SPAN})?"
    r"(?:,? by default)?"
)
"""What may follow a promise: its direction."""
THEN = (
    r"(?:,? (?:and |y |und |et |e )?(?:then|luego|dann|puis|poi|depois) (?:by |por |nach |par |per )?\w+(?: \w+){0,2})*"
    rf"(?:,? and (?:by )?\w+(?: (?!{WAY}\b)\w+)?)?(?:,? by default)?"
)
"""And what may follow that: further columns, whose directions are their own."""
_THE = r"(?:the |their |its |su |sus |la |el |le |il |dem |der |ihrem |ihrer |leur |seu |sua )?"
BY = (
    rf"(?:(?:sorted|ordered|ordenad[oa]s?|tri(?:e|ee|es|ees)|ordinat[aei]|sortiert|geordnet)(?: {WAY})? "
    rf"(?:alphabetically |chronologically )?(?:by|por|par|per|nach) {_THE}"
    rf"(?P<by>[a-z_]\w*(?: (?!{WAY}|first|then)[a-z_]+){{0,2}}?)|"
    rf"sorted (?:alphabetically|chronologically) by {_THE}(?P<by_name>[a-z_]+(?: [a-z_]+){{0,2}}?)|"
    rf"(?:{WAY} )?nach {_THE}(?P<nach>[a-z_]+) (?:{WAY} )?(?:sortiert|geordnet)|"
    rf"in (?:the )?(?:{WAY}|order) (?:of|by) (?:{_UP} |{_DOWNWARDS} )?{_THE}(?P<of>[a-z_]+(?: [a-z_]+){{0,2}}?))"
)
COPULA = (
    r"(?:are|is|come|comes|will be|appear|appears|come back|son|estan|vienen|se (?:devuelven|muestran|listan)|sind|"
    r"werden|kommen|sont|sao|sono|vengono)(?: always)?(?: (?:returned|listed|shown|given|presented|displayed|devueltos|"
    r"devueltas|listad[oa]s|renvoye(?:e)?s|affiche(?:e)?s|retornad[oa]s|restituit[ie]|elencat[ie]))?"
)
GENERIC = frozenset(
    "result results item items row rows entry entries record records list they it output response answer matches hits "
    "resultados elementos lista ergebnisse eintraege liste resultats elements itens risultati elementi elenco".split()
)
"""Words for what a list answers."""
LISTING = re.compile(
    r"(?:list(?:s|ing)?|gets?|returns?|retrieves?|fetch(?:es)?|shows?|displays?|finds?|search(?:es)?|views?|browses?|"
    r"reads?|quer(?:y|ies)|enumerates?|looks?|filters?|devuelve|devolver|lista|listar|muestra|mostrar|obtiene|obtener|"
    r"busca|buscar|consulta|consultar|zeigt?|zeige|listet|liefert|gibt|holt|sucht|liste|lister|renvoie|retourne|affiche|"
    r"montre|recherche|cherche|retorna|mostra|obtem|elenca|restituisce|cerca|all|every)$"
)
"""First words of sentences that say what a list answers."""
NESTED = re.compile(
    r",|\b(?:that|which|who|whom|whose|where|with|including|containing|and|or|a list|as|like|que|con|mit|avec|qui|dont|"
    r"com|che|oder|ou|y|und|et)\b"
)
"""In front of a promise that no comma sets apart: it may be about something else than the list."""
CASES = re.compile(
    r"\b(?:not|never|no|nor|without|if|when(?:ever)?|unless|while|otherwise|may|might|can(?:not)?|could|should|must|need|"
    r"would|shall|either|optional(?:ly)?|possibly|usually|typically|generally|normally|often|sometimes|regardless|"
    r"irrespective|unlike|whether|depending|according|instead|example|eg|anything|was|were|used|"
    r"si|sin|cuando|puede[ns]?|debe[ns]?|nunca|segun|salvo|"
    r"nicht|kein(?:e[nrms]?)?|ohne|wenn|falls|sofern|kann|koennen|muss|nie|"
    r"ne|pas|sans|quand|lorsque|peut|peuvent|doit|selon|jamais|"
    r"nao|sem|se(?! (?:devuelven|muestran|listan))|quando|pode[m]?|deve[m]?|"
    r"non|senza|puo|possono)\b|n't\b|\bn'|[=<>?]|\be\.g"
)
"""The sentence tells of a case, a rule, a wish or the contrary."""
