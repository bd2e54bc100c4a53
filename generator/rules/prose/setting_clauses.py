"""What may stand before and after the words that set a column: the tool's own clauses, and nothing else.

Invariant: before a verb stand only the beginning, the tool as its subject, or clauses that begin with a verb; after a
value only an end, the means, a purpose or a further clause. Whatever is not known to be harmless is refused. Not
covered: which column is set (`settings`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.prose.setting_words import DETERMINER
from autoforge.generator.rules.verbs import verb_in_prose
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["ADVERBIAL", "closes", "is_clause", "opens"]

ADVERBIAL = word_set(
    "after before upon for on in at as by with without within during when once if while until till since through via "
    "under over per unless unlike like than from to into onto about because provided providing given assuming except "
    "besides despite instead rather against between along where whenever wherever whether though although every each "
    "both either neither nobody someone somebody everyone anyone none not no never this that these those its their "
    "the a an such other another only just so but nor or and then thus hence later soon eventually often always "
    "sometimes perhaps maybe once twice formerly previously elsewhere here there how who whom whose which what why "
    "simulate simulates pretend pretends preview previews "
    "use used uses call calls called invoke invokes see due thanks according depending concerning regarding following "
    "despues antes para por en al con sin cuando si mientras hasta desde segun tras sobre entre durante el la los las "
    "un una su sus este esta cada nunca nadie quien que como donde si no solo usa use llama llame vea "
    "nach vor fuer auf in im am an bei mit ohne wenn falls sobald waehrend bis seit durch ueber unter zwischen der die "
    "das den dem des ein eine einen einem einer ihr ihre sein seine jeder jede niemand wer wie wo nicht nur statt "
    "apres avant pour sur dans en chez avec sans quand lorsque si pendant depuis par selon entre le les une son sa "
    "ce cette chaque jamais personne qui que comme ou ne seulement utilisez appelez voir "
    "depois para em no na ao com sem quando se enquanto desde segundo o os as um uma seu sua ninguem quem nunca "
    "dopo prima per su nel nella con senza quando se mentre fino da secondo il lo gli uno suo sua nessuno chi mai"
)
"""Words that begin something else than an act of the tool, in six languages."""
_TOOL = (
    r"(?:tool|call|function|endpoint|operation|action|method|command|request|api|herramienta|funcion|llamada|"
    r"operacion|accion|werkzeug|funktion|aufruf|outil|fonction|appel|ferramenta|funcao|chamada|strumento|funzione)"
)
_SUBJECT = (
    rf"(?:(?:it|es|(?:this|the|esta|este|la|el|dieses|diese|dieser|das|die|der|cet|cette|le|a|o|questo|questa|lo) "
    rf"{_TOOL}|l'{_TOOL}|this|esto|dies|cela|isto|questo)\s+(?:will\s+)?)"
)
_ADVERB = (
    r"(?:(?:also|then|finally|immediately|automatically|simply|therefore|thereby|first|next|tambien|luego|despues|"
    r"auch|dann|aussi|ensuite|tambem|anche|poi)\s+)"
)
_AND = r"(?:and then|and|then|y luego|y|und dann|und|et|puis|e)"
_COORDINATION = re.compile(rf"\s*[,;]\s*(?:{_AND}\s+)?|\s+{_AND}\s+|^{_AND}\s+")
_MADE_FOR = rf"(?:use|call) (?:this|it) (?:{_TOOL} )?to |(?:allows|lets|enables) (?:you|users?|the user) (?:to )?"
_BEGINNING = re.compile(rf"{_SUBJECT}?{_ADVERB}?(?:{_MADE_FOR})?")
_MEANS = re.compile(r"(?:by|while|thereby|thus) [a-z]+ing\b|(?:until|so|so that|in order to|hasta|bis|jusqu'?a?)\b")
_AFTER = re.compile(rf"\s*[,.;]?\s*(?:{_AND}\s+)?(?P<clause>.*)")
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|if|when|unless|que|quien|quando|wenn|qui|dont|che)\b")
_NO_GERUND = r"(?!(?:pending|during|depending|barring|following|assuming)\b)"
_GOES_ON = re.compile(
    rf"(?:which|{_NO_GERUND}[a-z]{{3,}}ing|it|{DETERMINER}+[\w'-]+ (?:is|are|becomes?|gets|wird|ist|queda|est))\b"
)


def opens(lead: str, gerund: bool, name: str, nouns: frozenset[str]) -> bool:
    """Whether what stands before a verb lets it be the tool's own; `name` is the tool's."""
    lead = lead.strip() + " " if lead.strip() else ""
    if gerund and lead.endswith(" by "):
        return all(is_clause(p, name, nouns) for p in _parts(lead.removesuffix("by ")) if p)
    *before, last = _parts(lead) if lead else [""]
    if last.strip().lower() == name.lower():
        last = ""
    return bool(_BEGINNING.fullmatch(last)) and all(is_clause(p, name, nouns) for p in before if p.strip())


def _parts(lead: str) -> list[str]:
    return _COORDINATION.split(lead)


def is_clause(text: str, name: str, nouns: frozenset[str]) -> bool:
    """Whether a text begins with a finite verb that the tool is the subject of."""
    text = re.sub(rf"^{_SUBJECT}?{_ADVERB}?", "", text.strip())
    match = re.match(r"(?P<verb>[a-z][a-z'-]*)(?:\s+(?P<rest>.*))?$", text)
    if match is None or _RELATIVE.search(text) or match["verb"] in ADVERBIAL:
        return False
    verb, rest = match["verb"], f"{match['rest'] or ''} "
    if verb.endswith(("ing", "ly")):
        return False
    has_object = re.match(rf"{DETERMINER}|(?:it|them|lo|la|es|ihn|al|au|aux|zum|zur)\b", rest) is not None
    if singular(verb) in nouns and not has_object:
        return False
    return has_object or verb_in_prose(verb) is not None or _in_name(verb, name)


def _in_name(verb: str, name: str) -> bool:
    words = [ascii_word(w) for w in split_words(name)]
    return any(w[: max(3, len(w) - 2)] == verb[: max(3, len(w) - 2)] for w in words if len(w) > 2)


def closes(rest: str, name: str, nouns: frozenset[str]) -> bool:
    """Whether what follows a value leaves it as it is."""
    match = _AFTER.fullmatch(rest)
    clause = match["clause"].strip() if match is not None else rest
    if not clause:
        return True
    bare = not re.match(r"\s*(?:[,.;]|and\b|y\b|und\b|et\b|e\b)", rest)
    if _MEANS.match(clause):
        return True
    return not bare and (bool(_GOES_ON.match(clause)) or is_clause(clause, name, nouns))
