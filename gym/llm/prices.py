"""What a model's tokens cost, in US dollars per million tokens.

An entry fits its own name and dated snapshots of it (`gpt-5` fits `gpt-5-2025-08-07`, never `gpt-5-mini` or
`gpt-5.2`): a wrong price would make the cost limit a lie, an unknown one is said. Discounts (batches, prompt caches)
and surcharges (very long prompts, priority tiers) are not covered.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from autoforge.gym.llm.spec import ModelSpec
from autoforge.mcp_envs.errors import BadInput

__all__ = ["PRICES_VARIABLE", "Price", "price_of"]

PRICES_VARIABLE: Final = "AUTOFORGE_PRICES"

TOKENS_PER_UNIT: Final = 1_000_000


class Price(NamedTuple):
    """US dollars per million tokens."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """US dollars for so many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / TOKENS_PER_UNIT


# The vendors' own price pages, as of November 2026.
PRICES: Final[dict[str, Price]] = {
    "claude-fable-5-1": Price(10, 50),
    "claude-opus-5-5": Price(4, 20),
    "claude-opus-5": Price(5, 25),
    "claude-opus-4-7": Price(5, 25),
    "claude-opus-4-6": Price(5, 25),
    "claude-opus-4-5": Price(5, 25),
    "claude-sonnet-5-5": Price(2, 10),
    "claude-sonnet-5": Price(2, 10),
    "claude-sonnet-4-6": Price(3, 15),
    "claude-sonnet-4-5": Price(3, 15),
    "claude-haiku-5-5": Price(0.10, 0.50),
    "claude-haiku-4-5": Price(1, 5),
    "gpt-6-astra": Price(10, 50),
    "gpt-6.1-sol": Price(2, 10),
    "gpt-6-sol": Price(2, 10),
    "gpt-6-luna": Price(0.10, 0.50),
    "gpt-5.6-terra": Price(2, 12),
    "gpt-5.6-luna": Price(0.20, 1.20),
    "gpt-5": Price(1.25, 10),
    "gpt-5-mini": Price(0.25, 2),
    "gpt-5-nano": Price(0.05, 0.40),
    "gpt-4.1": Price(2, 8),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
    "gpt-4o": Price(2.50, 10),
    "gpt-4o-mini": Price(0.15, 0.60),
}

SNAPSHOT: Final = re.compile(r"(-latest|[-@]\d{4}-?\d{2}-?\d{2})?")

TABLE: Final = TypeAdapter(dict[str, Price])


def price_of(spec: ModelSpec) -> Price | None:
    """The price of a model, or None when it is unknown.

    `AUTOFORGE_PRICES` names a JSON file `{"MODEL": [INPUT, OUTPUT]}` that goes before the built-in table; there a name
    may be written with its provider, and one that ends in `*` fits every model that begins so (the longest one wins).

    Raises:
        BadInput: the file that `AUTOFORGE_PRICES` names cannot be used.
    """
    found = _look_up(_own_table(), spec)
    return found if found is not None else _look_up(PRICES, spec)


def _look_up(table: dict[str, Price], spec: ModelSpec) -> Price | None:
    names = (spec.model, str(spec))
    fitting = [entry for entry in table if any(_fits(entry, name) for name in names)]
    return table[max(fitting, key=len)] if fitting else None


def _fits(entry: str, name: str) -> bool:
    if entry.endswith("*"):
        return name.startswith(entry[:-1])
    return name.startswith(entry) and SNAPSHOT.fullmatch(name[len(entry) :]) is not None


def _own_table() -> dict[str, Price]:
    path = os.environ.get(PRICES_VARIABLE)
    if not path:
        return {}
    try:
        return TABLE.validate_python(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise BadInput(f"{PRICES_VARIABLE} names {path}, which cannot be read: {error.strerror}") from None
    except (ValueError, ValidationError):
        raise BadInput(
            f"{PRICES_VARIABLE} names {path}, which is not a JSON object of prices: write "
            '{"MODEL": [INPUT, OUTPUT]} in US dollars per million tokens'
        ) from None
