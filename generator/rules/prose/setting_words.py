"""Words of sentences that say which value a column gets, in six languages, without accents.

Invariant: patterns are in lower case and match whole words; one table serves all languages, since what a sentence names
(`settings`) must be documented besides. Not covered: the order of the words (`settings`).
"""

from __future__ import annotations

import re

__all__ = [
    "ASIDE",
    "BECOME",
    "DETERMINER",
    "FROM",
    "HEDGE",
    "LAST",
    "LIT",
    "MARK",
    "OF",
    "POWER",
    "PUT",
    "SET",
    "THEN",
    "TO",
]

DETERMINER = (
    r"(?:(?:the|an?|its|their|his|her|this|that|el|las?|los|una?|sus?|este|esta|del|den|die|das|der|dem|"
    r"des|eine[nmrs]?|"
    r"ein|ihre[nmrs]?|ihr|seine[nmrs]?|sein|diese[nmrs]?|les?|une|son|sa|ce|cette|o|os|um|uma|seu|sua|il|"
    r"lo|gli|uno|suo|"
    r"same|given|specified)\s+|l')"
)
OF = r"(?:of|for|on|de las?|del?|dell[aoe]|du|de l'|des|der|die|dieser|dieses|eine[rs]|von|do|da|di|dell'|d')"
SET = (
    r"(?:sets?|setting|changes?|changing|moves?|puts?|resets?|updates?|switch(?:es)?|turns?|flips?|raises?|lowers?|"
    r"brings?|reverts?|returns?|advances?|transitions?|pone|poner|establece[r]?|cambia[r]?|fija[r]?|"
    r"pasa[r]?|mueve|mover|"
    r"actualiza[r]?|ajusta[r]?|deja[r]?|devuelve|sube|baja|setzt|setze|stellt|aendert|bringt|verschiebt|hebt|senkt|met|"
    r"mettre|passe[r]?|change[r]?|fixe[r]?|definit|remet|place|define|definir|muda[r]?|altera[r]?|"
    r"coloca[r]?|imposta[re]?|"
    r"porta|mette|sposta)"
)
TO = (
    r"(?:(?:back |again |wieder )?(?:to|as|into|in|at|a ser|a estar|a|en|al|como|auf|zu|nach|sur|comme|"
    r"para|em|su|come))"
)
FROM = r"(?:from|de|desde|von|da)"
BECOME = (
    r"(?:becomes?|(?:changes?|turns?|moves?|goes|switches|drops|rises|falls|returns?|"
    r"transitions?)(?: back)? (?:to|into)|"
    r"(?:is|are|gets|will be|be) (?:then |now |also )?(?:set|changed|moved|switched|updated|reset|put|turned|raised|"
    r"lowered) (?:back )?(?:to|into|in|as)|(?:is|will be) (?:then|now|afterwards|thereafter)|(?:then|now) (?:is|reads)|"
    r"will (?:be|become)|pasan? a(?: ser| estar)?|queda(?: en| como)?|se (?:pone|cambia|establece|fija) (?:a|en|como)|"
    r"cambia a|se vuelve|es entonces|wird (?:zu |auf |danach )?|(?:ist|wird) (?:danach|dann|anschliessend)|"
    r"wechselt (?:auf|zu|nach)|devient|passe (?:a|en|au)|est (?:alors|ensuite|desormais)|est mise? (?:a|en|sur)|"
    r"passa (?:a|para)(?: ser)?|fica|torna-se|muda para|diventa|viene (?:impostat[oa] )?(?:a|su))"
)
THEN = (
    r"(?:becomes?|(?:is|are|will be) (?:then|now|afterwards|thereafter)|then is|(?:is|are) (?:moved|put|"
    r"set) (?:to|in|into)|"
    r"(?:is|are|gets) (?:then |now )?marked as|queda(?: como)?|pasa a (?:estar|ser)|se marca como|"
    r"(?:ist|wird) (?:danach|dann|anschliessend|als)|est (?:alors|ensuite|desormais)|est marquee? comme|"
    r"devient|fica|diventa)"
)
MARK = r"(?:marks?|marking|flags?|labels?|marca[r]?|markiert|kennzeichnet|marque[r]?|segna|contrassegna)"
PUT = (
    r"(?:puts?|places?|brings?|moves?|sets?|switch(?:es)?|returns?|pone|poner|pasa[r]?|mueve|deja[r]?|"
    r"versetzt|bringt|setzt|"
    r"schaltet|met|mettre|passe[r]?|coloca[r]?|mette|porta)"
)
POWER = r"(?:turns?|switch(?:es)?|powers?|schaltet|schalte)"
LIT = {
    "on": "on", "off": "off", "ein": "on", "an": "on", "aus": "off", "enciende": "on", "encender": "on", "apaga": "off",
    "apagar": "off", "allume": "on", "allumer": "on", "eteint": "off", "eteindre": "off",
}  # fmt: skip
"""Words that say on and off."""
LAST = re.compile(
    r"(?:\s+(?:again|too|also|now|then|afterwards|thereafter|instead|immediately|state|status|mode|gesetzt|geaendert|"
    r"gestellt|markiert|ein|an|aus|tambien|aussi|auch|wieder|de nuevo))*\s*(?P<rest>$|[,.;].*|(?:and|y|"
    r"und|et|e|until|so|"
    r"which|from|by|for|with|hasta|bis|jusqu|y|e|from|in order)\b.*)"
)
"""What may follow a value."""
HEDGE = re.compile(
    r"\b(?:if|when|whenever|unless|can|could|cannot|may|might|must|should|not|never|no|fails?|failed|refused|rejected|"
    r"whether|whose|only|optional|optionally|default|si|cuando|puede|pueden|debe|falla|solo|wenn|falls|"
    r"sofern|nicht|kann|"
    r"koennen|darf|muss|nur|quand|ne|peut|doit|echoue|seule?s?|quando|deve|pode|apenas|use (?!this|it\b)\S+|"
    r"(?:list|find|get|search|count)s?\b.*\b(?:that|which|where))\b"
)
"""Before the value: the sentence tells of a case, a rule or another tool, not of what happens."""
ASIDE = re.compile(
    r"^[,.;]?\s*(?:if|when|unless|or|only|otherwise|depending|si|cuando|salvo|o|wenn|falls|oder|sofern|"
    r"quand|ou|sauf|use|"
    r"call|see)\b"
)
"""After the value: it holds in some cases, or is one of several."""
