"""Known values that the agent asked for by name and that the user did not give, or said not to have.

Invariant: what the user tells at any time is not withheld, and a question whether to go on asks for no value. Not
covered: values that nobody asked for (`telling`), yes-or-no details.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autoforge.gym.judge.asking import asked_for
from autoforge.gym.judge.brief import Known
from autoforge.gym.judge.case import Dispute, Finding, bare
from autoforge.gym.judge.choices import others_of
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.values import strange_in

__all__ = ["withheld_errors"]


def withheld_errors(dispute: Dispute) -> Iterator[Finding]:
    """Each known value once, where it was first withheld."""
    seen = set[str]()
    for exchange in dispute.exchanges:
        known = _withheld(dispute, exchange) if exchange.said.strip() else None
        if known is not None and known.name not in seen:
            seen.update(twin.name for twin in dispute.brief.twins(known))
            words = f"the agent asked for the {known.name.replace('_', ' ')}, which is {known.value!r}"
            quote = _denied(dispute, exchange) or exchange.said
            touches: Any = "required" if known.needed else "nothing"
            yield Finding(dispute.judgement("withheld", exchange, quote, touches, words), known)


def _withheld(dispute: Dispute, exchange: Exchange) -> Known | None:
    """The first value that was asked for and is told nowhere, where another one is not told in its place."""
    if any(strange_in(dispute, exchange, sentence) for sentence in exchange.sentences):
        return None
    for known in asked_for(dispute, exchange):
        twins = [twin for twin in dispute.brief.twins(known) if not twin.bound]
        said = any(dispute.says(twin, exchange.number) for twin in twins)
        other = any(bare(word) in bare(exchange.said) for word in others_of(known, dispute))
        untold = next((twin for twin in twins if not dispute.told(twin)), None)
        if untold is not None and not said and not other and not _asks_back(exchange):
            return untold
    return None


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
