"""Which known values the agent asks for by name.

Invariant: asking whether to go on is not asking for a value, and a question that holds the value does not ask for it.
Not covered: what the user then says (`withheld`, `values`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autoforge.gym.judge.brief import Known
from autoforge.gym.judge.case import Dispute, bare
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.items import same
from autoforge.gym.judge.language import stem
from autoforge.gym.judge.sentences import Sentence

__all__ = ["asked_for", "asks_whether", "is_named", "is_question"]


def asked_for(dispute: Dispute, exchange: Exchange, sentences: Sequence[Sentence] | None = None) -> list[Known]:
    """The known values that the agent's message before asks for by name; `sentences` are some of it."""
    found: list[Known] = []
    for sentence in exchange.heard_sentences if sentences is None else sentences:
        if is_question(dispute, sentence):
            named = [k for k in dispute.brief.known if k.items and not k.bound and is_named(dispute, k, [sentence])]
            held = {k.words for k in named if _holds(dispute, sentence, k)}
            found += [k for k in named if k.words not in held and k not in found]
    return _most_exact(found)


def is_question(dispute: Dispute, sentence: Sentence) -> bool:
    lexicon, text = dispute.lexicon, dispute.blank(sentence)
    if asks_whether(dispute, sentence) or lexicon.closes.search(text):
        return False
    if lexicon.asks.search(text) is not None:
        return True
    return lexicon.opens.match(text) is not None or ("?" in text and lexicon.opens.search(text) is not None)


def asks_whether(dispute: Dispute, sentence: Sentence) -> bool:
    """Whether it asks for a yes: `Shall I go ahead?`, not `Which one should I take?`."""
    lexicon = dispute.lexicon
    text = dispute.blank(sentence)
    return lexicon.consents.search(text) is not None and lexicon.opens.search(text) is None


def _holds(dispute: Dispute, sentence: Sentence, known: Known) -> bool:
    """Whether the question names the value itself."""
    said = dispute.items(sentence)
    return any(same(a, b) for a in said for b in known.items) or any(
        p in bare(sentence.said) for p in dispute.phrases(known)
    )


def _most_exact(found: list[Known]) -> list[Known]:
    """`check-in date` asks for no other date."""
    return [k for k in found if not any(set(k.words) < set(other.words) for other in found)]


def is_named(dispute: Dispute, known: Known, sentences: Iterable[Sentence]) -> bool:
    """Whether the name of a known value stands in one of the sentences, its words close together."""
    code = dispute.lexicon.code
    for sentence in sentences:
        words = [stem(w.text, code) for w in sentence.words]
        for start in range(len(words)):
            window = words[start : start + len(known.words) + 1]
            if known.words and all(w in window for w in known.words):
                return True
    return False
