"""The turns of phrase by which a listener tells what a sentence of an agent is, in English, Spanish and German.

Each line is a pattern of whole words for text that `words.fold` made plain (no case, no accents). Invariant: a pattern
takes time in proportion to the text. Not covered: which of them counts where several fit (`hearing`).
"""

from __future__ import annotations

import re

__all__ = [
    "AFFIRMS", "ANNOUNCES", "ASKS", "BARE", "CLARIFIES", "CONDITION", "CONFIRMS", "COURTESY", "DONE", "FURTHER",
    "FUTURE", "GENERAL", "GIVES_UP", "LATER", "MORE", "OTHER", "UNABLE", "WAITS", "WHICH", "YOUR_PART", "YOUR_TURN",
]  # fmt: skip


def _any(text: str) -> re.Pattern[str]:
    """A pattern for whole words: any of the lines."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(line.strip() for line in text.strip().splitlines())})(?!\w)")


FURTHER = _any(r"""
    (?:anything|something|what) else|anything (?:more|further)|more i can|next (?:request|wish)
    (?:further|other) (?:questions?|requests?|help|assistance|needs?)
    if you (?:have|need) (?:any|more|further)\w*|let me know if you (?:have|need)
    algo mas|alguna otra|otra cosa|en que mas
    sonst noch|noch (?:etwas|was|einen wunsch)|weiter\w* (?:fragen|wunsch\w*|anliegen|hilfe)
""")
"""Is there anything else?"""
GIVES_UP = _any(r"""
    transfer(?:ring|red)? you|connect(?:ing|ed)? you (?:to|with)|escalat\w+|hand(?:ing)? (?:you|this) over
    human (?:agent|representative|colleague|operator|specialist|support)
    (?:unable|not able|cannot|can't|can not) (?:to )?(?:help|assist)|giv(?:e|ing) up
    agente humano|transferir(?:le|te|lo)|(?:le|te|lo) (?:transfiero|paso con|derivo)|no puedo ayudar\w*|me rindo
    menschliche\w* (?:mitarbeiter|agent|kolleg)\w*|(?:leite|verbinde) (?:sie|dich)
    (?:sie|dich) (?:mit einem \w+ )?(?:weiterleiten|weiterverbinden|verbinden)
    kann (?:ich )?(?:ihnen |dir )?(?:dabei |hier |leider )*nicht (?:weiter)?helfen|gebe auf
""")
"""A hand-over to somebody else, or the end of all efforts."""
CONFIRMS = _any(r"""
    (?:shall|should|may|can|could) (?:i|we)
    (?:do you|would you) (?:want|wish|like|prefer) (?:me|us) to|want me to
    (?:do|would) you (?:still |really )?(?:want|wish|like) to
    is (?:that|this|it|everything|all)(?: of (?:that|this|it))?(?: all)? (?:correct|right|ok|okay|fine|alright|accurate)
    (?:are|is) (?:these|those|this|that|it|the (?:details|data|dates))\b[^?]{0,30}\b(?:correct|right|ok|okay|fine)
    are you (?:sure|ok|okay|certain)|(?:can|could|do|would|will) you (?:please )?(?:confirm|agree|approve)
    yes/no|yes or no|y/n|(?:does|do) (?:that|this|it|these|everything) (?:look|sound)|ready (?:for me )?to proceed
    (?:correct|right|okay|ok|agreed|proceed|confirm|confirmed|go ahead)\W{0,3}\?
    (?:desea|desean|deseas|quiere|quieres|prefiere|prefieres|parece bien)(?: usted)? que
    procedo|continuo|confirma[sn]?|confirmar\w*|(?:debo|puedo|podria) \w+r\w*|seguro|segura
    (?:es|esta|estan|son)\b[^?]{0,30}\b(?:correct\w+|bien|de acuerdo)|de acuerdo|correcto
    (?:soll|darf|kann) ich|mocht(?:en sie|est du)\W+dass
    (?:ist|sind)\b[^?]{0,30}\b(?:richtig|korrekt|in ordnung|ok)|stimmt (?:das|alles|es)|bestatig\w+|einverstanden
    richtig|korrekt|passt das|in ordnung
""")
"""In a question: may it be done, is it right?"""
WAITS = _any(r"""
    (?:please|kindly) confirm|(?:once|after|when|until|if) you(?:'ve| have)? (?:confirm|agree|approve)(?:ed|d)?
    (?:wait(?:ing)? for|need|require) your (?:confirmation|approval|ok|go-ahead|permission)
    (?:por favor )?confirme[n]?|confirmame(?:lo)?|espero (?:su|tu) confirmacion
    bitte bestatig\w+|bestatigen sie|warte auf (?:ihre|deine) (?:bestatigung|zustimmung)
""")
"""The same without a question mark."""
BARE = _any(r"""
    confirm\w*(?: me)? (?:your|the|his|her|their|el|la|los|las|su|tu)
    bestatig\w*(?: sie)?(?: mir)? (?:ihre\w*|deine\w*|den|die|das)
""")
"""`Please confirm your address`: a request for a value, unless it says one."""
WHICH = re.compile(
    r"(?:^|[,;:.¿] ?)\W*(?:and |so |but |then |y |und )?"
    r"(?:in |at |for |from |on |to |with |a |con |en |de |an |mit |fur )?"
    r"(?:what|which|when|where|how|who|whose|cual|cuales|que|cuando|como|donde|quien|cuant\w+|welche\w*|was|wann|wie|wo|"
    r"wer|wen|wem)\b|\b(?:what|which|when|where|how|who|whose|cual|cuando|donde|cuant\w+|welche\w*|wann)\b[^,;:.?]{0,60}"
    r"\b(?:(?:should|shall|can|may|could) (?:i|we)|soll ich|kann ich|debo|puedo)\b"
)
"""The beginning of a question that yes does not answer."""
ASKS = _any(r"""
    (?:please|kindly|could you|can you|would you)\b[^.?!]{0,40}\b(?:provide|tell|give|share|specify|send|state|enter)
    (?:please|kindly|could you|can you|would you)\b[^.?!]{0,40}\b(?:supply|indicate|clarify|check|confirm)
    (?:please|kindly|could you|can you|would you)\b[^.?!]{0,40}\blet me know(?! once| when| if| as soon)
    (?:i|we)(?:'ll|'d| will| would| do)?(?: still| also)? (?:need|require) (?:to know|the|your|a few|some|more)
    (?:i|we)(?:'ll|'d| will| would)?(?: still| also)? need:|(?:necesito|me falta):|(?:brauche|benotige)(?: ich| noch)*:
    (?:let me know|tell me) (?:the|your|which|what|how|whether)
    (?:por favor|podria\w*|puede\w*)\b[^.?!]{0,40}\b(?:indi\w+|proporcion\w+|dime|digame|facilit\w+|especifi\w+)
    (?:por favor|podria\w*|puede\w*)\b[^.?!]{0,40}\b(?:confirm\w+|envi\w+|compart\w+|decir\w*|dar\w*)
    (?:necesito|me faltan?) (?:saber|que me|el|la|los|las|su|tu|mas)
    bitte\b[^.?!]{0,30}\b(?:nenn\w*|geb\w*|gib|teil\w*|sag\w*|schick\w*|bestatig\w+)
    (?:nennen|geben|teilen|sagen|schicken) sie (?:mir|uns)|(?:nenn|gib|sag|schick) mir
    (?:brauche|benotige|brauchte)n?(?: ich)?(?: noch)? (?:den|die|das|ihre\w*|deine\w*|mehr)
""")
"""A request for something to be said."""
CLARIFIES = _any(r"""
    clarif\w+|repeat|rephrase|(?:more|additional|further) (?:details|information|specific)|which one|what exactly
    (?:do|did) you mean|would you like|do you (?:want|have any)|any (?:special|particular|preference\w*)
    you (?:want|need|prefer)|(?:should|can|may|could) (?:i|we)
    how (?:can|may|could) i|(?:don't|didn't|do not|did not) understand
    repit\w+|repetir\w*|aclar\w+|mas (?:detalles|informacion)|(?:se|te) refieres?|quieres?|deseas?|debo|puedo|entend\w+
    wiederhol\w+|genauer|mehr (?:details|informationen|einzelheiten)|meinen sie|meinst du|mochten?|mochtest
    (?:soll|kann|darf) ich|(?:nicht verstanden|verstehe nicht)
""")
"""In a question: what is wanted?"""
UNABLE = _any(r"""
    cannot|can't|can not|could not|couldn't|unable|not able|not possible|impossible|won't be able|failed
    (?:was|were|been|got) (?:refused|rejected|denied)|refus(?:es|ed)|(?:doesn't|does not|didn't|did not) work
    no (?:puedo|pude|he podido|es posible|se puede|se pudo|ha sido posible|fue posible|funciona)|imposible|rechazad[oa]
    nicht moglich|unmoglich|(?:kann|konnte|konnen)\b[^.?!]{0,40}\bnicht|abgelehnt|nicht geklappt|fehlgeschlagen
""")
GENERAL = frozenset(
    """proceed continue confirm confirmation correct right okay following everything detail details information data
    change changes request action step steps want wish still sure also additionally addition well extra include upgrade
    procedo continuar confirmar correcto datos cambios
    accion seguro fortfahren weitermachen bestatigen richtig korrekt angaben daten""".split()
)
"""Words of a request to confirm that say nothing of what is to be done."""
DONE = _any(r"""
    done|i have|i've|i did|we have|has been|have been|successfully|completed|finished|all set|instead
    (?:was|were|is|are)(?: now| already)? (?!refused|rejected|denied|failed)\w+ed
    hecho|listo|hecha|lista|(?:he|hemos) \w+[diosth]o|(?:ha|han) (?:sido|quedado)|se han? \w+|queda\w*
    habe|haben|wurden?|erledigt|fertig|stattdessen
""")
ANNOUNCES = _any(r"""
    (?:i|we)(?:'ll| will| am going to| are going to|'m going to|'re going to| am about to| plan to)(?! (?:be|not)\b)
    (?:i am|i'm|we are|we're)(?: now| currently)? \w+ing|next,? i|working on it
    let me(?! know)|(?:one|just a|a) (?:moment|second|minute)|hold on|please wait|bear with me
    (?:voy|vamos) a \w+|procedo a|(?:dejame|dejeme|permitame|permiteme)
    un momento|esper[ae]n?|enseguida
    ich werde|werde ich|wir werden|(?:ein\w*|kleinen) (?:moment|augenblick)|lass\w* (?:sie )?mich
    ich (?:prufe|schaue|suche|mache|kummere mich)\b[^.?!]{0,30}\b(?:jetzt|nun|gleich|sofort|nach)
""")
FUTURE = re.compile(r"(?<!\w)(?!podré|estaré)\w{1,20}(?:aré|eré|iré|dré)(?!\w)")
"""Spanish, with its accents."""
CONDITION = re.compile(r"\W*(?:if|should you|once|si|en caso de que|wenn|falls|sollten|sobald)\b")
LATER = _any(r"""
    (?:i|we)(?:'ll| will) (?:let you know|tell you|inform you|notify you|keep you)
    (?:te|le) (?:avis\w+|dire|informare)|(?:sage|werde) (?:ich )?(?:ihnen|dir|sie|dich)\b[^.?!]{0,30}
""")
"""`I will let you know.`"""
COURTESY = re.compile(
    r"(?:(?:thank(?:s| you)?|sure|okay|ok|of course|certainly|absolutely|understood|got it|great|perfect|alright|"
    r"hello|hi|hey|welcome|good (?:morning|day|afternoon|evening)|no problem|sorry|i(?:'m| am) (?:very )?sorry|noted|"
    r"i apologi[sz]e|i understand|i see|(?:i(?:'m| am| will be|'ll be| would be) )?(?:very )?(?:happy|glad|here) to|"
    r"i can (?:help|assist)|you(?:'re| are) welcome|please let me know|have a|gracias|claro|por supuesto|entendido|"
    r"vale|perfecto|muy bien|hola|buen[oa]s|lo siento|encantad[oa]|de nada|(?:vielen )?dank\w*|gern\w*|naturlich|"
    r"verstanden|alles klar|hallo|guten|"
    r"(?:es )?tut mir leid|entschuldig\w*)\b[^,.;:!?]{0,60}[,.;:!?\s]*)+"
)
OTHER = _any(r"""
    instead|alternative\w*|rather than|en su lugar|en cambio|alternativa\w*|stattdessen|ersatzweise
""")
MORE = _any(r"""
    also|additionally|in addition|as well|extra|add|include|upgrade
    tambien|ademas|adicional\w*|anad\w+|incluir|auch|zusatzlich|ausserdem|dazu
""")
"""In a request to confirm: something beside."""
YOUR_PART = _any(r"""
    (?:on|from|at) your (?:side|end|part)|(?:do|take) your (?:part|step)|do (?:it|that|this) yourself
    por (?:tu|su) (?:parte|lado)|(?:tu|su) parte|auf (?:deiner|ihrer) seite|(?:deinen|ihren) teil
""")
"""`Please do your part now.`"""
YOUR_TURN = _any(r"""
    go ahead|please (?:do (?:it|that|so|this)|proceed)|(?:do|try) (?:it|that|so|this) now|now is|(?:right )?now
    you (?:can|may|should|could)(?: now| please)? (?:do|go|start|proceed)|you can now
    adelante|(?:puedes|puede) hacerlo|hazlo|hagalo|ahora(?: mismo)?|mach (?:das|es)|machen sie (?:das|es)|jetzt|nur zu
""")
"""The same in answer to a user who said what its part is."""
AFFIRMS = re.compile(r"\W*(?:yes|yeah|sure|of course|please do|si|claro|por supuesto|ja|gern|naturlich)\b")
