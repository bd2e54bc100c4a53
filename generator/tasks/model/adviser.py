"""A model at work for the tasks of one environment: one place where it is asked, and where it is told what that cost.

Invariant: tokens and cost are those of the distinct answers that were used, cached or not, so a resumed run reports the
same as an uninterrupted one; a request for which there is no money left, or whose answers cannot be used, is None and
noted, never guessed. Not covered: what is asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import BaseModel, JsonValue

from autoforge.generator.llm_synthesis.desk import Scribe, Unanswered, all_of
from autoforge.generator.tasks.model.words import SYSTEM
from autoforge.gym.llm import Message, Reply, Request
from autoforge.gym.llm.cache import request_key
from autoforge.gym.llm.prices import price_of
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure

__all__ = ["Adviser", "Counts", "Question", "Tell", "open_adviser"]

_ANSWER_TOKENS = 4000
_Answer = TypeVar("_Answer", bound=BaseModel)
Tell = Callable[[str], None]
"""Told one line of progress."""


class Question(NamedTuple):
    """What the model is asked once."""

    task: str
    """What it shall do."""
    sections: tuple[tuple[str, str], ...]
    """Headings and texts."""


class Counts(NamedTuple):
    """What a stage used."""

    answers: int
    input_tokens: int
    output_tokens: int


class Counted(Scribe):
    """A client that remembers which answers each stage used."""

    def __init__(self, model: str, *, base_url: str | None, cache: Path, max_cost: float | None) -> None:
        self.stages: dict[str, dict[str, Reply]] = {}
        """Stage -> key of the request -> its answer."""
        super().__init__(model, base_url=base_url, cache=cache, max_cost=max_cost)

    async def complete(self, request: Request, trial: int = 0, *, stage: str = "model") -> Reply:
        """The answer. Raises BudgetExceeded, and Unanswered where the client gave up."""
        reply = await super().complete(request, trial, stage=stage)
        key = request_key(self.spec, request, trial)
        self.stages.setdefault(stage.rpartition(": ")[2], {})[key] = reply
        return reply


@dataclass
class Adviser:
    """The model for one environment. Made by `open_adviser`."""

    client: Counted
    portal: BlockingPortal
    """To the thread of the model calls."""
    environment: str
    tell: Tell
    notes: list[str] = field(default_factory=list)
    """What could not be had, one sentence each."""

    @property
    def model(self) -> str:
        return str(self.client.spec)

    def note(self, sentence: str) -> None:
        """Keep and tell a sentence, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)
            self.tell(sentence)

    def ask(self, stage: str, questions: Sequence[Question], kind: type[_Answer]) -> list[_Answer | None]:
        """One answer for each question, asked at once; None where the budget ends before it, or where three answers in
        a row cannot be used. Raises Unanswered where the service gives none.
        """
        found: list[_Answer | None] = self.portal.call(self._all, stage, questions, kind)
        return found

    async def _all(self, stage: str, questions: Sequence[Question], kind: type[_Answer]) -> list[_Answer | None]:
        return await all_of([partial(self._one, stage, question, kind) for question in questions])

    async def _one(self, stage: str, question: Question, kind: type[_Answer]) -> _Answer | None:
        parts = [question.task, *(f"## {heading}\n\n{text}" for heading, text in question.sections if text)]
        request = Request(
            system=SYSTEM,
            messages=(Message(role="user", content="\n\n".join(parts)),),
            max_tokens=_ANSWER_TOKENS,
            response_schema=kind.model_json_schema(),
        )
        try:
            return await self.client.structured(request, kind, stage=f"{self.environment}: {stage}")
        except BudgetExceeded as error:
            self.note(f"{stage}: the cost limit is reached, so the rest goes without the model ({error})")
        except Unanswered:
            raise
        except ModelFailure as error:
            self.note(f"{stage}: an answer was given up ({str(error)[:300]})")
        return None

    def record(self) -> dict[str, JsonValue]:
        """Model, prompts, tokens and cost (US dollars; 0 where the price is unknown), for the manifest."""
        total = _counts(self.client.used)
        price = price_of(self.client.spec)
        return {
            "model": self.model,
            "prompt_digests": {stage: _digest(used) for stage, used in sorted(self.client.stages.items())},
            "stages": {stage: dict(_counts(used)._asdict()) for stage, used in sorted(self.client.stages.items())},
            "input_tokens": total.input_tokens,
            "output_tokens": total.output_tokens,
            "cost": round(price.cost(total.input_tokens, total.output_tokens), 6) if price is not None else 0.0,
            "notes": list(self.notes),
        }


def _counts(used: dict[str, Reply]) -> Counts:
    usages = [reply.usage for reply in used.values() if reply.usage is not None]
    return Counts(len(used), sum(u.input_tokens for u in usages), sum(u.output_tokens for u in usages))


def _digest(used: dict[str, Reply]) -> str:
    """SHA-256 over the keys of a stage's requests, each of which covers the whole prompt."""
    return hashlib.sha256("\n".join(sorted(used)).encode("ascii")).hexdigest()


@contextmanager
def open_adviser(
    model: str, environment: str, tell: Tell, *, base_url: str | None, cache: Path, max_cost: float | None
) -> Iterator[Adviser]:
    """The model, with a thread of its own for its calls. Keys are read here and not again.

    Raises BadInput for a model, key, address or limit that cannot be used.
    """
    with start_blocking_portal() as portal:
        opened = portal.call(partial(Counted, model, base_url=base_url, cache=cache, max_cost=max_cost))
        with portal.wrap_async_context_manager(opened) as client:
            yield Adviser(client, portal, environment, tell)
