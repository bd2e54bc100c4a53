"""German → pivot language. Verbs at the end of a clause move before what they rule.

Invariant: rules apply in their order, and words without a rule stay. Not covered: what the tokens are matched for.
"""

from __future__ import annotations

from autoforge.generator.rules.prose.languages import Language
from autoforge.generator.vocabulary import word_set

__all__ = ["GERMAN"]

GERMAN = Language(
    "de",
    word_set("der die das den dem des ein eine einen und oder nicht ist sind mit für von zu im wenn muss kann können "
          "darf nur werden auf bei existiert bereits"),
    (
        (r"\b(?:schlägt fehl|scheitert|wirft einen fehler|gibt einen fehler zurück|liefert einen fehler|fehler|"
         r"wird abgelehnt|"
         r"(?:ist )?nicht (?:möglich|erlaubt|zulässig))(?=,? (?:wenn|falls|solange|sobald)\b)", "«fail»"),
        (r"\b(?:höchstens|maximal|nicht mehr als|bis zu(?= \d))", "«atmost»"),
        (r"\b(?:mindestens)\b", "«atleast»"),
        (r"«atmost» (\d+)[- ]?mal\b", r"«atmost» \1 times"),
        (r"\b(?:es sei denn|außer wenn|außer)\b,?", "«unless»"),
        (r"\b(?:wenn|falls|solange|sobald)\b", "«if»"),
        (r"\b(?:nur|ausschließlich|lediglich)\b", "«only»"),
        (r"\b(?:kann|können|darf|dürfen) (.*?)\bnicht(?: mehr| erneut| nochmals| wieder| noch einmal)? (\w+) werden\b",
         r"«cannot» «be» \2 \1"),
        (r"\b(?:kann|können|darf|dürfen) nicht(?: mehr)? (?:in der vergangenheit liegen)", "«must» «not» «be» «past»"),
        (r"\b(?:muss|müssen) in der zukunft liegen\b", "«must» «be» «future»"),
        (r"\b(?:muss|müssen) (?:zeitlich )?(nach|vor) (.+?) liegen\b", r"«must» «be» \1 \2"),
        (r"\b(?:darf|dürfen) nicht (nach|vor) (.+?) liegen\b", r"«must» «not» «be» \1 \2"),
        (r"\b(?:kann|können|darf|dürfen) «only» (\w+) werden\b", r"«can» «only» «be» \1"),
        (r"\b(?:kann|können|darf|dürfen) (\w+) werden\b", r"«can» «be» \1"),
        (r"\b(?:darf|dürfen|kann|können) (?:keine?n?) (.+?) haben\b", r"«must» «not» «have» \1"),
        (r"\b(?:kann|können|darf|dürfen) («atmost» .+?) haben\b", r"«can» «have» \1"),
        (r"\b(?:muss|müssen) (.+?) sein\b", r"«must» «be» \1"),
        (r"\b(?:muss|müssen) existieren\b", "«must» «exist»"),
        (r"\b(?:muss|müssen) (.+?) gehören\b", r"«must» «belong» \1"),
        (r"\b(?:darf|dürfen) (.+?) nicht (?:überschreiten|übersteigen)\b", r"«must» «not» «more» \1"),
        (r"\b(?:darf|dürfen) nicht\b", "«must» «not»"),
        (r"\b(?:muss|müssen)\b", "«must»"),
        (r"\b(?:kann|können|darf|dürfen)\b", "«can»"),
        (r"\bnicht (?:existiert|existieren|gefunden wird|gefunden wurde|vorhanden ist)\b", "«not» «exist»"),
        (r"\bexistiert (?:bereits|schon)\b", "«already» «exist»"),
        (r"\b(?:bereits|schon) (?:existiert|existieren|vorhanden ist)\b", "«already» «exist»"),
        (r"\b(?:bereits|schon) (\w+) (?:ist|sind|wurde|wurden)\b", r"«already» «be» \1"),
        (r"\b(?:noch )?nicht (\w+) (?:ist|sind|wurde|wurden)\b", r"«not» «be» \1"),
        (r"\bnicht (.+?) gehört\b", r"«not» «belong» \1"),
        (r"\bkeine?n? (.+?) (?:hat|haben)\b", r"«not» «have» \1"),
        (r"(?<=«if» )(.*?)\b(?:noch |bereits )?((?:\w+e[nrs]? )\w+) (?:hat|haben)\b", r"\1 «have» \2"),
        (r"\b(\w+) (?:ist|sind)$", r"«be» \1"),
        (r"\b(?:hat|haben) keine?n?\b", "«not» «have»"),
        (r"\b(?:hat|haben)\b", "«have»"),
        (r"\b(?:ist|sind|wurde|wurden|sein)\b", "«be»"),
        (r"\bexistiert\b", "«exist»"),
        (r"\b(?:angemeldet|eingeloggt|authentifiziert)\b", "«session»"),
        (r"\bnach(?= (?:dem|der|den|⟦|\w+(?:datum|_)))", "«after»"),
        (r"\bvor(?= (?:dem|der|den|⟦|\w+(?:datum|_)))", "«before»"),
        (r"\bin der vergangenheit\b", "«past»"),
        (r"\bin der zukunft\b", "«future»"),
        (r"\b(?:größer|höher|mehr) als\b|\büber(?:steigt|schreitet)\b", "«more»"),
        (r"\b(?:kleiner|niedriger|weniger) als\b", "«less»"),
        (r"\bmit (?:derselben|demselben|denselben|der gleichen|dem gleichen|gleicher|gleichem)\b", "with «same»"),
        (r"\b(?:dasselbe|derselbe|dieselbe|dieselben|identisch|gleich)\b", "«same»"),
        (r"\b(?:unterschiedlich|verschieden)\b", "«differ»"),
        (r"\b(?:nicht ausreichend|unzureichend|nicht genug|nicht genügend|zu wenig)e?[srn]?\b", "«insufficient»"),
        (r"\b(?:ausreichend|genug|genügend)e?[srn]?\b", "«enough»"),
        (r"\beindeutig\b", "«unique»"),
        (r"\b(?:im|mit) (?:dem )?status\b|\bim zustand\b", "«instatus»"),
        (r"\b(?:wird|werden) auf (\S+) gesetzt\b", r"«become» \1"),
        (r"\bstatus wird (\S+)$", r"status «become» \1"),
        (r"\b(?:bereits|schon)\b", "«already»"),
        (r"\b(?:noch|auch)\b ?", ""),
        (r"\boder\b", "«or»"),
        (r"\bund\b", "«and»"),
        (r"\bnicht\b", "«not»"),
    ),
)  # fmt: skip
