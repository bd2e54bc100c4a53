"""What calls to one model may cost: the worst case before a call, the real cost after it, and the limit.

The invariant: no call is made whose worst case, added to all that the ledger counts, passes the limit. Where only calls
in flight stand in the way, a call waits for them instead of failing.
"""

from __future__ import annotations

import logging
import math
from typing import Final

from autoforge.gym.llm.ledger import Ledger, Outcome, Reservation, Settlement
from autoforge.gym.llm.messages import Request, Usage
from autoforge.gym.llm.prices import PRICES_VARIABLE, Price, price_of
from autoforge.gym.llm.spec import ModelSpec
from autoforge.mcp_envs.errors import BadInput, BudgetExceeded

__all__ = ["Meter"]

log = logging.getLogger(__name__)

# Tokens that providers add around a request, such as the wording that introduces tools.
OVERHEAD_TOKENS: Final = 1024


class Meter:
    """Reserves and settles the calls of one model in a ledger."""

    def __init__(self, spec: ModelSpec, ledger: Ledger, max_cost: float | None) -> None:
        """`max_cost` is in US dollars, over everything in the ledger.

        Raises:
            BadInput: the limit is no amount, or the model's price is unknown and there is a limit.
        """
        if max_cost is not None and not (math.isfinite(max_cost) and max_cost >= 0):
            raise BadInput(f"--max-cost {max_cost} is no amount: give US dollars, 0 or more")
        self._spec = spec
        self._ledger = ledger
        self._max_cost = max_cost
        self._price: Price | None = price_of(spec)
        self._warned = False
        if self._price is None and max_cost is not None:
            raise BadInput(
                f"--max-cost needs the price of {spec}, which is unknown: let {PRICES_VARIABLE} name a JSON file with "
                f'{{"{spec.model}": [INPUT, OUTPUT]}}, in US dollars per million tokens'
            )

    async def reserve(self, request: Request, *, stage: str, key: str, trial: int) -> Reservation:
        """Write down the worst case of a call.

        Raises:
            BudgetExceeded: it could pass the limit.
        """
        estimate = self._worst_case(request)
        call = Reservation(model=str(self._spec), stage=stage, key=key, trial=trial, estimate=estimate)
        while not self._ledger.try_reserve(call, self._max_cost):
            if not await self._ledger.wait_for_settlement():
                raise BudgetExceeded(
                    f"{stage}: the next call to {self._spec} could cost ${estimate or 0:.4f}, and "
                    f"${self._ledger.committed:.4f} of ${self._max_cost or 0:.4f} is spent or reserved"
                    f"{f' in {self._ledger.path}' if self._ledger.path else ''}: raise --max-cost to go on"
                )
        return call

    def free(self, call: Reservation) -> Settlement:
        """The settlement of a call that cost nothing."""
        return Settlement(id=call.id, outcome="failed", cost=0.0)

    def lost(self, call: Reservation) -> Settlement:
        """The settlement of a call whose cost is not known: its worst case."""
        return Settlement(id=call.id, outcome="lost", cost=call.estimate)

    def paid(self, call: Reservation, usage: Usage, outcome: Outcome = "answered") -> Settlement:
        """The settlement of a call whose tokens are known."""
        cost = self._price.cost(usage.input_tokens, usage.output_tokens) if self._price else None
        return Settlement(
            id=call.id,
            outcome=outcome,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=cost,
        )

    def _worst_case(self, request: Request) -> float | None:
        if self._price is None:
            self._warn_once()
            return None
        # No tokenizer makes more tokens than there are bytes.
        size = len(request.model_dump_json().encode("utf-8")) + OVERHEAD_TOKENS
        return self._price.cost(size, request.max_tokens)

    def _warn_once(self) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "the price of %s is unknown, so its calls count as free; %s can name a file with prices",
                self._spec,
                PRICES_VARIABLE,
            )
