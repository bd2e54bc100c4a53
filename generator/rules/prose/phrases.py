"""Noun phrases: what a phrase is about, without its determiners, and the restrictions it carries.

Invariant: a phrase that is more than a noun with a few words before it is not understood (None): nothing is cut away
silently. Not covered: which entity or column a phrase names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.rules.prose.sentences import unquote
from autoforge.generator.rules.prose.states import is_known, is_state, states_in
from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Phrase", "conjuncts", "is_plural", "is_user", "noun", "phrase", "restrictions"]

_DETERMINERS = word_set(
    "a an the this that these those its it's their his her your my our any each every all some one two three both "
    "either other another new given "
    "specified existing provided requested resulting respective corresponding current first second selected whole at "
    "of these least "
    "el la los las un una unos unas su sus este esta ese esa cada cualquier otro otra nuevo nueva ningún ninguna "
    "algún alguno lo "
    "le les l du des ce cette ces son sa ses leur chaque tout toute autre nouveau nouvelle aucun aucune un une "
    "der die das den dem des ein eine einen einem einer eines kein keine keinen dieser diese dieses jeder jede jedes "
    "ihr ihre ihres neue neuer alle "
    "o os as um uma seu sua seus suas cada novo nova nenhum nenhuma outro outra este esta "
    "dos ambas ambos zwei beide beiden deux dois duas due entrambi i gli lo uno suo sua suoi ogni nuovo nuova altro "
    "altra nessun nessuna questo questa dei degli delle"
)
_PRONOUNS = word_set(
    "it they this that them one these those he she which él ella este esto eso er sie es dies il elle ils elles "
    "celui-ci ele ela esse isso "
    "esso essa questo"
)
_USERS = word_set("user you caller requester usuario utilisateur benutzer nutzer usuário utente usted sie") | {
    "account holder",
    "current user",
    "authenticated user",
    "calling user",
    "requesting user",
}
_OF = re.compile(
    r"^(.+?) (?:of|del|de la|de los|de las|de su|de un|de una|du|de le|de son|der|des|von|seiner|do|da|della|dello|"
    r"dei|al|of «same») (.+)$",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"\s(?:at|in|on|for|from|to|en|em|au|im|am) (?:the |a |an |its |that |this |el |la |le |der |"
    r"dem |o |a |il )?[\w⟦⟧\u02bc]+$",
    re.IGNORECASE,
)
_LOWER = r"[^\W\d]"


class Phrase(NamedTuple):
    head: str
    """Words of the noun, singular: `standing order`, `check out date`; "" for a pronoun."""
    owner: str
    """What it belongs to in `balance of the account`: "account"; "" where nothing is said."""


def noun(text: str) -> str | None:
    """The noun of a plain phrase (`one of the accounts` → account, `it` → ""), None if it is more than that."""
    text = re.sub(
        r"^(?:one|any|either|none|all|each|some|una?|uno|eine[rs]?|une?|uma?) (?:or more )?(?:of|de|von|"
        r"di)\s+",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    )
    text = re.sub(r"^(?:eine[rs]?) (?=der )", "", text, flags=re.IGNORECASE)
    if text.lower() in _PRONOUNS or not text:
        return ""
    if "«" in text or re.search(r"[,;:?\d%$€]", re.sub(r"⟦[^⟧]*⟧", "", text)):
        return None
    words = re.sub(r"['\u2019]s?(?=\s|$)", "", unquote(text)).split()
    while words and words[0].lower() in _DETERMINERS:
        words = words[1:]
    if not words:
        return ""
    flat = [w for word in words for w in split_words(word)]
    if not 0 < len(flat) <= 5 or len(words) > 3 or not all(re.match(_LOWER, w) for w in flat) or _function_word(words):
        return None
    return " ".join([*flat[:-1], re.sub(r"(ung|heit|keit|schaft)en$", r"\1", singular(flat[-1]))])


def _function_word(words: list[str]) -> bool:
    """Whether a preposition or clause is left inside; a compound such as `fecha de entrega` is one noun."""
    low = [word.lower() for word in words]
    return low[0] in _INNER or low[-1] in _INNER or not _INNER.difference(_COMPOUND).isdisjoint(low)


_COMPOUND = frozenset(("de", "di", "d"))
_INNER = _COMPOUND | word_set(
    "a an the el los las un una der die das den dem ein eine le les une of for with by at to from in on that which "
    "who whose than as and or if not without per between into about until where because so via using "
    "con por para en que sin sobre mit für von zu bei auf ohne avec pour par sur sans qui com por em sem con per su "
    "senza che have has been be is "
    "are was were does do did can will must may up out valid there here"
)


def phrase(text: str) -> Phrase | None:
    """The noun and what it belongs to: `the balance of the account`, `its balance`, `the account's balance`."""
    text = text.strip()
    if (plain := noun(text)) is not None and "'s " not in text and "\u2019s " not in text:
        return Phrase(plain, "")
    if owned := re.match(r"^(?:the |a |an )?([\w ]+?)['\u2019]s? ([\w ⟦⟧-]+)$", text):
        holder, head = noun(owned.group(1)), noun(owned.group(2))
        return Phrase(head, holder) if head and holder is not None else None
    bare = _PLACES.sub("", text)
    if bare != text and (found := phrase(bare)) is not None:
        place = noun(text[len(bare) :].strip().removeprefix("at ")) if " at " in text[len(bare) :] else ""
        return found if found.owner or not place else Phrase(found.head, place)
    if parts := _OF.match(text):
        head, holder = noun(parts.group(1)), noun(parts.group(2))
        return Phrase(head, holder) if head and holder is not None else None
    return None


def conjuncts(text: str) -> list[str]:
    """`the order, the item «or» one of the locations` → its parts."""
    return [p.strip() for p in re.split(r"\s*,\s*(?:(?:«or»|«and») )?|\s*(?:«or»|«and»)\s*", text) if p.strip()]


def is_user(text: str) -> bool:
    """Whether a noun phrase means whoever is logged in; German `sie` in lower case is a thing, `Sie` a person."""
    if text.strip() == "sie":
        return False
    words = [w for w in text.lower().split() if w not in _DETERMINERS or w == "current"]
    return " ".join(words) in _USERS or text.lower().strip() in ("you", "the «session» user", "«session» user")


def is_plural(text: str) -> bool:
    """Whether the last word of a phrase is a plural."""
    words = unquote(text).split()
    if len(words) > 1 and words[-1][:1].isupper() and words[-1].endswith(("en", "e")):  # German nouns
        return True
    return bool(words) and singular(words[-1].lower()) != words[-1].lower()


def restrictions(text: str) -> list[str]:
    """What a noun phrase says about its noun, as conditions: `pending orders` → `orders «be» pending`."""
    text = text.strip()
    if own := re.match(r"^(?:your|their|his or her|his|her|its) own (.+)$", text, re.IGNORECASE):
        return [f"{c} «belong» user" for c in conjuncts(own.group(1))]
    if relative := re.match(r"^(.+?) «that» (.+)$", text):
        head = _last_noun(relative.group(1))
        return [f"{head} {relative.group(2)}"] if head is not None else []
    if status := re.match(r"^(.+?),? «instatus» (.+)$", text):
        named = f"{status.group(1)} «be» {status.group(2)}"
        return [*_adjectives(status.group(1)), named] if states_in(status.group(2)) else []
    if having := re.match(r"^(.+?) (?:with|con|mit|avec|com) (.+)$", text, re.IGNORECASE):
        head = _last_noun(having.group(1))
        parts = [re.sub(r"^with ", "", p) for p in conjuncts(having.group(2))]
        return [f"{head} «have» {p}" for p in parts] if head and "«same»" not in text else []
    return _adjectives(text)


def _last_noun(text: str) -> str | None:
    """`A line of a customer` → customer: a restriction behind it is about the nearest noun."""
    found = phrase(text)
    return (found.owner or found.head) if found is not None else None


def _adjectives(text: str) -> list[str]:
    """Leading (English, German) or trailing (Romance) states of a phrase that has a determiner or is plural."""
    words = re.sub(r"\s*,\s*", " ", text).split()
    determined = bool(words) and words[0].lower() in _DETERMINERS
    while words and words[0].lower() in _DETERMINERS | {"«already»"}:
        words = words[1:]
    if len(words) < 2 or not (determined or is_plural(text) or is_plural(words[0])):
        return []
    for cut in range(len(words) - 1, 0, -1):
        front, back = words[:cut], words[cut:]
        if states_in(" ".join(front)) and (rest := " ".join(back)) and noun(rest) and is_state(back[0].lower()) is None:
            return [f"{rest} «be» {' '.join(front)}"]
    for cut in range(1, len(words)):
        front, back = words[:cut], words[cut:]
        plain = is_state(front[-1].lower()) is None or is_known(back[0])
        if plain and states_in(" ".join(back)) and noun(" ".join(front)):
            return [f"{' '.join(front)} «be» {' '.join(back)}"]
    return []
