"""What all stages share: the model, the rules' world they start from, the limits, and where progress is told.

Invariant: tokens and cost are those of the distinct answers that were used, cached or not, so a resumed run reports
the same as an uninterrupted one. Not covered: what is asked (the stages).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, Unpack

import anyio
from anyio.from_thread import BlockingPortal
from pydantic import BaseModel, JsonValue
from rich.console import Console
from rich.markup import escape

from autoforge.generator.compile import Settings
from autoforge.generator.documents import Documentation, ToolDocument
from autoforge.generator.ir import World
from autoforge.generator.llm_synthesis.drafts import Frame
from autoforge.generator.llm_synthesis.words import SYSTEM, prompt_digest
from autoforge.gym.llm import Message, ModelClient, Reply, Request
from autoforge.gym.llm.cache import request_key
from autoforge.gym.llm.prices import price_of
from autoforge.mcp_envs.errors import AutoForgeError, BudgetExceeded, ModelFailure

__all__ = ["Caps", "Desk", "Scribe", "Unanswered", "all_of"]

_Answer = TypeVar("_Answer", bound=BaseModel)
_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


@dataclass(frozen=True)
class Caps:
    """How much one environment may take."""

    rounds: int = 3
    """Rounds of repair."""
    tools_per_request: int = 5
    characters_per_request: int = 24_000
    """Documentation and drafts of the tools in one request."""
    tables_per_request: int = 6
    answer_tokens: int = 16_000
    """Longest answer."""
    tokens: int = 60_000
    """Tokens in and out after which nothing is repaired any more: so many, and …"""
    tokens_per_tool: int = 30_000
    """… so many for each tool."""


class Unanswered(ModelFailure):
    """There was no answer at all, good or bad: the service, the network or the recorded answers are at fault, not the
    model."""


class Scribe(ModelClient):
    """A client that remembers which answers were used."""

    def __init__(self, model: str, *, base_url: str | None, cache: Path, max_cost: float | None) -> None:
        self.cache = cache
        self.used: dict[str, Reply] = {}
        """Key of the request -> its answer."""
        super().__init__(
            model, base_url=base_url, cache_dir=cache / "answers", ledger=cache / "ledger.jsonl", max_cost=max_cost
        )

    async def complete(self, request: Request, trial: int = 0, *, stage: str = "model") -> Reply:
        """The answer. Raises BudgetExceeded, and Unanswered where the client gave up."""
        try:
            reply = await super().complete(request, trial, stage=stage)
        except BudgetExceeded:
            raise
        except ModelFailure as error:
            raise Unanswered(str(error)) from None
        self.used[request_key(self.spec, request, trial)] = reply
        return reply

    @property
    def tokens(self) -> int:
        """Tokens in and out of the answers used."""
        return sum(r.usage.input_tokens + r.usage.output_tokens for r in self.used.values() if r.usage is not None)

    def provenance(self) -> dict[str, JsonValue]:
        """Model, prompts, tokens and cost (US dollars; 0 where the price is unknown), for the manifest."""
        usages = [r.usage for r in self.used.values() if r.usage is not None]
        given, written = sum(u.input_tokens for u in usages), sum(u.output_tokens for u in usages)
        price = price_of(self.spec)
        return {
            "model": str(self.spec),
            "prompt_digests": [prompt_digest(), *sorted(self.used)],
            "input_tokens": given,
            "output_tokens": written,
            "cost": round(price.cost(given, written), 6) if price is not None else 0.0,
        }


@dataclass(frozen=True)
class Desk:
    """One environment at work."""

    client: Scribe
    portal: BlockingPortal
    """To the thread of the model calls."""
    console: Console
    documentation: Documentation
    settings: Settings
    rules: World
    """What the rules made of the documentation."""
    frames: dict[str, Frame]
    """By tool, of the rules."""
    caps: Caps = Caps()

    @property
    def author(self) -> str:
        """The model, as evidence names it."""
        return str(self.client.spec)

    def tool(self, name: str) -> ToolDocument:
        return next(t for t in self.documentation.tools if t.name == name)

    def wait(self, job: Callable[[Unpack[_Arguments]], Awaitable[_Result]], *arguments: *_Arguments) -> _Result:
        """Run model calls to their end."""
        return self.portal.call(job, *arguments)

    def say(self, stage: str, text: str) -> None:
        """One line of progress, with the cost so far."""
        cost = self.client.ledger.committed
        money = f"  [dim]${cost:.4f}[/]" if cost else ""
        self.console.print(f"[bold]{escape(self.settings.name)}[/] {stage}: {escape(text)}{money}", highlight=False)

    async def ask(
        self, label: str, words: str, sections: Sequence[tuple[str, str]], kind: type[_Answer], answer: type[_Answer]
    ) -> _Answer:
        """One structured answer. `label` names the request: stage, round and what it is about.

        `kind` gives the schema that the model is shown; `answer`, the same or held to more, is what its answer must be.
        """
        title = self.rules.title or self.settings.name
        parts = [
            f"Request: {label}\nService: {title}",
            words,
            *(f"## {heading}\n\n{text}" for heading, text in sections if text),
        ]
        request = Request(
            system=SYSTEM,
            messages=(Message(role="user", content="\n\n".join(parts)),),
            max_tokens=self.caps.answer_tokens,
            response_schema=kind.model_json_schema(),
        )
        return await self.client.structured(request, answer, stage=f"{self.settings.name}: {label.split()[0]}")


async def all_of(jobs: Sequence[Callable[[], Coroutine[Any, Any, _Result]]]) -> list[_Result]:
    """The results of all jobs, run at once, in their order. Where some fail the others still end, and their answers
    are kept; then the first error is raised."""
    results: dict[int, _Result] = {}
    errors: list[AutoForgeError] = []

    async def one(number: int, job: Callable[[], Coroutine[Any, Any, _Result]]) -> None:
        try:
            results[number] = await job()
        except AutoForgeError as error:
            errors.append(error)

    async with anyio.create_task_group() as group:
        for number, job in enumerate(jobs):
            group.start_soon(one, number, job)
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(jobs))]
