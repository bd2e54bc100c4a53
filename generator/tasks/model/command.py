"""The model's part of `autoforge-gen tasks --llm`: what it adds before tasks are made, and after.

Invariant: keys are read when the model is connected and are out of this process's environment as long as generated code
may run, so no child inherits them; what the model said is on disk before it is used, so the same command goes on where
any kill left it and pays for nothing twice. Nothing of a model is imported without --llm. Not covered: what the model
is asked (`assistant`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput, ModelFailure

if TYPE_CHECKING:
    from autoforge.generator.tasks.model.assistant import Assistant

__all__ = ["ModelOptions", "check_model_options", "with_model"]


@dataclass(frozen=True)
class ModelOptions:
    """The options of `autoforge-gen tasks` that go with a model."""

    llm: str | None = None
    base_url: str | None = None
    max_cost: float | None = None
    cache: Path | None = None
    opinions: bool = False
    """Whether to ask for opinions on the calls of merged tasks, which cost and change nothing."""


def check_model_options(options: ModelOptions) -> None:
    """Raise BadInput for an option that needs --llm where there is none."""
    given = {"--base-url": options.base_url, "--max-cost": options.max_cost, "--cache": options.cache,
             "--opinions": options.opinions or None}  # fmt: skip
    for flag, value in given.items():
        if options.llm is None and value is not None:
            raise BadInput(f"{flag} goes with --llm; give a model, or leave it out.")


@contextmanager
def with_model(options: ModelOptions, folder: EnvironmentFolder, console: Console) -> Iterator[Assistant | None]:
    """The model for one environment, and no keys in this process's environment until it is left; None without --llm.

    Raises BadInput for a model, key, address or limit that cannot be used, and ModelFailure, with words about going on,
    where the service gives no answer.
    """
    if options.llm is None:
        yield None
        return
    from autoforge.generator.llm_synthesis.keys import keys_hidden
    from autoforge.generator.tasks.model.adviser import open_adviser
    from autoforge.generator.tasks.model.assistant import Assistant

    cache = options.cache or Path(folder.path).parent / ".cache"

    def tell(line: str) -> None:
        cost = adviser.client.ledger.committed
        money = f"  [dim]${cost:.4f}[/]" if cost else ""
        console.print(f"[bold]{escape(folder.name)}[/] {escape(line)}{money}", highlight=False)

    opened = open_adviser(
        options.llm, folder.name, tell, base_url=options.base_url, cache=cache, max_cost=options.max_cost
    )
    with opened as adviser, keys_hidden():
        try:
            yield Assistant(adviser, folder, options.opinions)
        except ModelFailure as error:
            kept = len(adviser.client.used)
            answers = "1 answer is" if kept == 1 else f"{kept} answers are"
            again = f"Run the same command again to go on: {answers} kept in {cache} and not paid again."
            raise type(error)(f"{str(error).rstrip('.')}. {again}") from None
