"""English → pivot language. See `languages` for what the tokens mean.

Invariant: rules apply in their order, and words without a rule stay. Not covered: what the tokens are matched for.
"""

from __future__ import annotations

from autoforge.generator.rules.prose.languages import Language
from autoforge.generator.vocabulary import word_set

__all__ = ["ENGLISH"]

_CALL = (
    r"(?:(?:the |this |a |an |your )?(?:tool|call|request|operation|action|function|method|command|api|it|"
    r"registration|update|deletion|"
    r"cancellation|booking|transfer|payment|purchase|checkout)s? )?"
)
_FAIL = (
    rf"\b{_CALL}(?:(?:will |would |may |can |also )?(?:fails?|errors?(?: out)?)|"
    r"(?:is|counts as) an error|(?:is|are|will be|"
    rf"gets?) (?:also )?(?:refused|rejected|denied|declined)|"
    r"(?:is|are|be) not (?:possible|allowed|permitted|accepted)|not (?:possible|allowed|permitted)|"
    r"refused|"
    r"(?:causes?|leads? to|triggers?) an? (?:error|failure)|(?:an? )?error (?:is|will be) (?:raised|returned|thrown)|"
    r"(?:raises?|throws?|returns?|gives?|produces?|yields?|responds? with|results? in)(?: with)?(?: an?|"
    r" the)?(?: [\w\"'⟦⟧-]+){0,2}? "
    r"(?:error|exception|failure|[45]\d\d)(?: messages?| responses?| codes?)?|(?:raises?|throws?) ⟦?\w+(?:Error|"
    r"Exception)⟧?)(?=[ ,]|$)"
)

_NOT_WORKING = (
    rf"(?:^|(?<=, )|(?<=; )|(?<= and )){_CALL}(?:(?:this|it|they|which|that) )?(?:(?:does|do|will) not work|refuses)\b"
)
"""Only of the tool: `the carrier does not work on Sundays` refuses nothing, nor does `the bank refuses`."""

_UNIQUE = r"e-?mail|username|name|handle|address|number|code|slug|isbn|sku|title"
_TAKEN = r"(?:in use|taken|used|registered|known)"
ENGLISH = Language(
    "en",
    word_set("the of is are be to an and or not with for by in can must if that this from it on at as a"),
    (
        (r"\bcan[\u2019']t\b", "can not"),
        (r"n[\u2019']t\b", " not"),
        (r"\bcannot\b", "can not"),
        (r"\b(can|may|must|should|is|are|be|has|have|does|do) (?:no longer|never)\b", r"\1 not"),
        (r"\b(?:do|does|need|did)(?: not)?(?: also)? not (?:need|have) to\b|\bneed not\b", "optionally"),
        (r"\bonly once\b", "«atmost» 1 times"),
        (r"\bat once\b", "at a time"),
        (r"\b(?:has|have|had)( not)?(?: already| yet)? (started|ended|begun|finished|expired|departed|closed|passed|"
         r"arrived|completed|failed|left)\b", r"be\1 \2"),
        (r"\btwice\b", "2 times"),
        (r"\b(?:lies?|falls?) (?=(?:in|after|before|on) )", "be "),
        (r"\bno (copy|copies|seats?|units?|places?|spaces?|slots?|tickets?|rooms?|items?|stock) (?:is|are) "
         r"(?:available|left|free|in stock)\b", r"the \1 is out of stock"),
        (rf"\b({_UNIQUE}) (?:must|may) not (?:(?:already|yet) (?:be {_TAKEN}|exist)|be {_TAKEN} (?:yet|already)|exist "
         r"(?:yet|already))(?=[.,;)]|$)", r"\1 must not exist"),
        (rf"\b({_UNIQUE}) must not be (?:in use|taken)(?=[.,;)]|$)", r"\1 must not exist"),
        (r"\bit is not (?:possible|allowed|permitted) to\b", "«cannot»"),
        (_NOT_WORKING, "«fail»"),
        (_FAIL, "«fail»"),
        (r"\bno ([^«]+?) (?:exists?|(?:is|are|was|were|can be|could be) found)\b", r"\1 «not» «exist»"),
        (r"\bthere (?:is|are) no (?:such )?(.+)$", r"\1 «not» «exist»"),
        (r"\bthere (?:is|are) already (?:an? )?", "«already» «exist» "),
        (rf"\b({_UNIQUE}) (?:is|has been|was) already "
         r"(?:in use|taken|used|registered)\b", r"\1 «already» «exist»"),
        (r"\b(?:does|do|did) not (?:already |yet )?exist\b|\b(?:(?:is|are|was|were|be) )?not found\b|\b(?:can|"
         r"could) not be found\b|"
         r"\b(?:is|are) missing\b", "«not» «exist»"),
        (r"\bexists?\b", "«exist»"),
        (r"\buntil (?=it |they |the |he |she )", "«unless» "),
        (r"\bbefore (it|they|the \w+) (?:is|are|has been|have been|gets?) (\w+)$", r"«if» \1 «not» «be» \2"),
        (r"\bafter (?=(?:it|they|the \w+) (?:is|are|has|have|was|were)\b)", "«if» "),
        (r"\b(?:as long as|in case(?: that)?|whenever|so long as|if|when|while|once)\b", "«if»"),
        (r"\bprovided(?: that)? (?=the |it |they )", "«only» «if» "),
        (r"\b(?:unless|except (?:if|when)|except «if»)", "«unless»"),
        (r"\b(?:only|solely|exclusively)\b", "«only»"),
        (r"\b(?:is|are|be) (?:logged|signed)[- ]in\b", "«session»"),
        (r"\b(?:(?:is|are) )?(?:logged|signed)[- ]in\b(?! to\b)|\b(?:is|are|be) authenticated\b", "«session»"),
        (r"\b(?:be|is|are) (?=«session»)", ""),
        (r"\b(?:can|may|could) not\b|\b(?:is|are) (?:not able|unable) to\b|^unable to\b", "«cannot»"),
        (r"\b(?:must|has to|have to|needs to|need to|shall|(?:is|are) required to)\b", "«must»"),
        (r"\bshould\b", "«should»"),
        (r"\b(?:can|may|could)\b", "«can»"),
        (r"\bnot\b", "«not»"),
        (r"\b(?:has|have|had) «not»(?: yet| already)? been\b", "«not» «be»"),
        (r"\b(?:has|have|had)( already)? been\b", r"\1 «be»"),
        (r"\b(?:is|are|was|were|be|being|will be|would be)( already| still)? «not»", r"\1 «not» «be»"),
        (r"\b(?:will be|would be|is|are|was|were|be|being)\b", "«be»"),
        (r"«be» (?=«session»)", ""),
        (r"«be»( already| currently| still| yet)\b", r"\1 «be»"),
        (r"\b(?:does|do|did) «not»(?: already| yet)? (?:have|contain|hold)\b|\b(?:has|have|contains?) no\b(?! (?:more|"
         r"fewer|less|later)\b)|\bwithout any\b", "«not» «have»"),
        (r"\b(?:has|have|contains?|holds?)\b", "«have»"),
        (r"\b(?:does|do) «not» belong to\b|«be» «not» owned by\b|«not» «be» owned by\b", "«not» «belong»"),
        (r"\bbelongs? to\b|«be» owned by\b", "«belong»"),
        (r"\balready\b", "«already»"),
        (r"\b(?:still|currently|yet|also|too|now|itself|actually|then)\b ?", ""),
        (r"\b(?:greater|more|larger|higher|later|after) than or equal(?: to)?\b|\bno less than\b|«not» less than\b|"
         r"\bno fewer than\b|\bat least\b|"
         r"\ba minimum of\b", "«atleast»"),
        (r"\b(?:less|lower|smaller|fewer) than or equal(?: to)?\b|\b(?:no|«not») (?:more|greater|larger|"
         r"higher) than\b|\bat most\b|\bup to\b|"
         r"\ba maximum of\b|\bat maximum\b", "«atmost»"),
        (r"«not» exceeds?\b|\b(?:does|do) «not» exceed\b", "«not» «more»"),
        (r"\b(?:exceeds?|exceeded)\b|\b(?:greater|more|larger|higher|bigger) than\b|\babove\b", "«more»"),
        (r"\b(?:(?:falls?|drops?|goes|go|sinks?|«be») )?(?:less|lower|smaller|fewer) than\b|\b(?:(?:falls?|drops?|"
         r"goes|go|sinks?) )?below\b|\bunder(?= (?:the|\d))", "«less»"),
        (r"\bon or after\b|\bno earlier than\b|\bthe «same» as or after\b|\bequal to or after\b", "«after=»"),
        (r"\bon or before\b|\bno later than\b|\bequal to or before\b", "«before=»"),
        (r"\b(?:later than|after)\b", "«after»"),
        (r"\b(?:earlier than|before|prior to)\b", "«before»"),
        (r"\b(?:in|to) the past\b|\ba past (?:date|time)\b", "«past»"),
        (r"\b(?:in|to) the future\b|\ba future (?:date|time)\b", "«future»"),
        (r"\bthe same\b|\bidentical\b|\bsame\b", "«same»"),
        (r"\b(?:insufficient|not enough|«not» enough|«not» sufficient|inadequate)\b", "«insufficient»"),
        (r"\b(?:sufficient|enough)\b", "«enough»"),
        (r"\bdiffers?(?: from)?\b|«be» different(?: from| than)?\b|\bdifferent from\b", "«differ»"),
        (r"«not» «be» unique\b", "«not» «be» «unique»"),
        (r"\bunique\b(?=$|[,.]| among| across| within| per| in| for)", "«unique»"),
        (r"\bcovers?\b", "«cover»"),
        (r"\b(?:and has|with|in|having|«have»)(?: the| a)? (?:status|state)(?: of)?\b|\bwhose (?:status|state) «be»",
            "«instatus»"),
        (r"\b(?:that|which|who)\s+(?=«)", "«that» "),
        (r"\b(?:becomes?|changes? to|turns? to|goes to|moves? to(?= (?:status|state|⟦)))\b", "«become»"),
        (r"^no ([^«]+?) «can» «have» «more» ", r"a \1 «can» «have» «atmost» "),
        (r"\bor\b", "«or»"),
        (r"\band\b", "«and»"),
    ),
)  # fmt: skip
