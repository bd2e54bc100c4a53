"""When to try a failed attempt again, and how long to wait first; the one place that retries.

Waits double with jitter, and are never shorter than the server asked for. What may be retried is the fault's to say.

Invariant: the attempts are counted, and no wait reaches past the deadline. Not covered: what a fault is (`transport`).
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt, stop_before_delay
from tenacity.wait import wait_base

from autoforge.gym.llm.messages import Reply
from autoforge.gym.llm.transport import Fault

__all__ = ["Sleep", "retrying"]

Sleep = Callable[[float], Awaitable[None]]

# Seconds before the second attempt, and at most.
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0


class _Wait(wait_base):
    def __call__(self, retry_state: RetryCallState) -> float:
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (retry_state.attempt_number - 1))
        # Jitter keeps clients that failed together from coming back together.
        jittered = random.uniform(longest / 2, longest)
        outcome = _result(retry_state)
        asked = outcome.retry_after if isinstance(outcome, Fault) else None
        return jittered if asked is None else asked + random.uniform(0, min(asked, FIRST_WAIT))


def _result(retry_state: RetryCallState) -> Reply | Fault:
    assert retry_state.outcome is not None
    result: Reply | Fault = retry_state.outcome.result()
    return result


def retrying(*, attempts: int, deadline: float, sleep: Sleep) -> AsyncRetrying:
    """A caller that repeats a function of `Reply | Fault` and gives the last result, whichever it is.

    It stops after `attempts`, or when the next wait would end `deadline` seconds or more after the first attempt.
    """
    return AsyncRetrying(
        sleep=sleep,
        stop=stop_after_attempt(attempts) | stop_before_delay(deadline),
        wait=_Wait(),
        retry=retry_if_result(lambda outcome: isinstance(outcome, Fault) and outcome.retry),
        retry_error_callback=_result,
    )
