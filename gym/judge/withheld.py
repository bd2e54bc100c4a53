"""Known values that the agent asked for by name and that the user did not give, or said not to have.

Invariant: what the user had told before is not withheld unless it then denies to know it; asking whether to go on is
not asking for a value. Not covered: values that nobody asked for (`telling`), yes-or-no details.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autoforge.gym.judge.asking import asked_for
from autoforge.gym.judge.case import Dispute, Finding, bare
from autoforge.gym.judge.choices import others_of
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.values import strange_in

__all__ = ["withheld_errors"]


def withheld_errors(dispute: Dispute) -> Iterator[Finding]:
    """Each known value once, where it was first withheld."""
    seen = set[str]()
    for exchange in dispute.exchanges:
        if not exchange.said.strip():
            continue
        for known in asked_for(dispute, exchange):
            if any(strange_in(dispute, exchange, s) for s in exchange.sentences):
                continue
            if any(f" {bare(other).strip()} " in bare(exchange.said) for other in others_of(known, dispute)):
                continue
            twins = [k for k in dispute.brief.known if k.words == known.words and not k.bound]
            if known.name in seen or any(dispute.says(k, exchange.number) for k in twins):
                continue
            denied = _denied(dispute, exchange)
            if denied is None and (all(dispute.told_before(k, exchange.number) for k in twins) or _asks_back(exchange)):
                continue
            seen.update(k.name for k in twins)
            later = any(dispute.says(known, n) for n in range(exchange.number + 1, len(dispute.exchanges)))
            told = later or dispute.told_before(known, exchange.number)
            touches: Any = "required" if known.needed and not told else "nothing"
            words = f"the agent asked for the {' '.join(known.name.split('_'))}, which is {known.value!r}"
            yield Finding(dispute.judgement("withheld", exchange, denied or exchange.said, touches, words), known)
            break


def _denied(dispute: Dispute, exchange: Exchange) -> str | None:
    for sentence in exchange.sentences:
        if dispute.lexicon.denies.search(dispute.blank(sentence)):
            return sentence.said
    return None


def _asks_back(exchange: Exchange) -> bool:
    """`Do you mean the first one?`: what the agent asked for is not clear to the user."""
    return (
        re.search(
            r"(?i)\b(?:do you mean|which one|what do you mean|meinen sie|se refiere|qué quiere decir)\b", exchange.said
        )
        is not None
    )
