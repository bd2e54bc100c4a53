"""Wording by a model: the template's text made livelier, held to the facts by the mechanical check.

Invariant: what comes back has no fault; a model that cannot do it in three answers leaves the template's wording, which
is counted. Not covered: the client's cache, cost and retries (`gym.llm`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.wording.check import faults
from autoforge.generator.tasks.wording.wording import Wording
from autoforge.gym.llm import Message, ModelClient, Request
from autoforge.gym.llm.structured import UnusableAnswer, asked_again, read_answer
from autoforge.mcp_envs.task import Reasoning

__all__ = ["Tally", "WordingAnswer", "word_with_model"]

_ATTEMPTS = 3
_ANSWER_TOKENS = 4000
_LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Spanish", "de": "German"}
_SYSTEM = (
    "You write what a person says to an assistant that can act for them with the tools of a service. "
    "You change how it is said, never what is wanted."
)
_TASK = """\
Reword the draft below as one message of a real person to the assistant, in {language}.

- Keep every wish, every condition, every fall-back and every question, in the same order of events.
- Keep every value of the user exactly as it is written under Values, and every way in which something is chosen \
(cheapest, second latest, only, more than …) so that it can mean one thing only.
- Add no value, name, number, date or detail that is not in the draft: what the service can tell, the assistant must \
find out.
- Name no tool and no parameter. No lists, no headings, no markdown.
- The persona is one or two sentences in the second person on who the user is and how they speak; it says nothing of \
what the user wants.

Answer with one JSON object: {{"instruction": "…", "persona": "…"}}"""


class WordingAnswer(BaseModel):
    """What the model answers."""

    model_config = ConfigDict(extra="ignore")

    instruction: str = Field(min_length=1, max_length=6000)
    persona: str = Field(default="", max_length=600)


@dataclass
class Tally:
    """What became of the wordings that a model was asked for."""

    asked: int = 0
    accepted: int = 0
    repaired: int = 0
    """Of those accepted, how many after a first answer with faults."""
    kept: int = 0
    """Templates that stayed."""


async def word_with_model(
    client: ModelClient,
    wording: Wording,
    draft: Draft,
    *,
    derived: Collection[JsonValue] = (),
    policy: str = "",
    tally: Tally | None = None,
) -> Wording:
    """The wording by a model, or the given one where three answers all have faults.

    `derived` are the values that must not be told (see `faults`). Raises ModelFailure where the model does not answer
    at all, and BudgetExceeded; both leave the tally at asked.
    """
    tally = tally if tally is not None else Tally()
    tally.asked += 1
    request = _request(wording, draft, policy)
    for attempt in range(1, _ATTEMPTS + 1):
        reply = await client.complete(request, stage="wording")
        try:
            answer = read_answer(reply, WordingAnswer)
            problem = _problem(answer, wording, draft, derived)
        except UnusableAnswer as unusable:
            answer, problem = None, str(unusable)
        if answer is not None and not problem:
            tally.accepted += 1
            tally.repaired += attempt > 1
            return replace(
                wording, instruction=answer.instruction.strip(), persona=answer.persona.strip() or wording.persona
            )
        request = asked_again(request, reply, problem, attempt + 1, _ATTEMPTS)
    tally.kept += 1
    return wording


def _problem(answer: WordingAnswer, wording: Wording, draft: Draft, derived: Collection[JsonValue]) -> str:
    """What is wrong, in words for the model; empty where nothing is."""
    found = faults(answer.instruction, draft, derived, wording.cues, wording.language)
    return "The instruction has faults:\n" + "\n".join(f"- {fault}" for fault in found) if found else ""


def _request(wording: Wording, draft: Draft, policy: str) -> Request:
    sections = [
        ("Draft", wording.instruction),
        ("Values of the user", json.dumps(draft.known, ensure_ascii=False, indent=1, sort_keys=True)),
        ("Words that must stay recognisable", _kept(wording, draft)),
        ("Persona of the draft", wording.persona),
        ("Rules of the service, for background only", policy[:4000]),
    ]
    body = "\n\n".join(f"## {title}\n\n{text}" for title, text in sections if text)
    task = _TASK.format(language=_LANGUAGES.get(wording.language, "English"))
    return Request(
        system=_SYSTEM,
        messages=(Message(role="user", content=f"{task}\n\n{body}"),),
        max_tokens=_ANSWER_TOKENS,
        response_schema=WordingAnswer.model_json_schema(),
    )


def _kept(wording: Wording, draft: Draft) -> str:
    """For every constraint, the words of which one must be there."""
    reasons = {node.id for node in draft.blueprint.nodes if isinstance(node, Reasoning)}
    lines = [f"- one of: {', '.join(cues)}" for id, cues in wording.cues.items() if id in reasons and cues]
    return "\n".join(dict.fromkeys(lines))
