"""Answers that must match a pydantic model: reading one, and asking again with what was wrong.

A cut-off answer is never read, even where a part of it would fit. Asking again shows the model its last answer only,
so that a long struggle does not grow the prompt.
"""

from __future__ import annotations

import json
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from autoforge.gym.llm.json_text import documents_in
from autoforge.gym.llm.messages import Message, Reply, Request
from autoforge.gym.llm.wire import NO_TEXT

__all__ = ["Answer", "UnusableAnswer", "asked_again", "read_answer"]

Answer = TypeVar("Answer", bound=BaseModel)

# Faults shown to the model and to a person; the first ones usually cause the rest.
MOST_FAULTS: Final = 20


class UnusableAnswer(ValueError):
    """A reply does not hold what was asked for; the message says why, in words for the model."""


def read_answer(reply: Reply, kind: type[Answer]) -> Answer:
    """The answer in a reply: its last JSON document that is valid.

    Raises:
        UnusableAnswer: the reply was cut off, refused or empty, or holds no valid document.
    """
    if reply.truncated:
        spent = f" after {reply.usage.output_tokens} tokens" if reply.usage else ""
        raise UnusableAnswer(f"The answer was cut off{spent} by the length limit (max_tokens). Answer more briefly.")
    if reply.stop_reason == "refusal":
        raise UnusableAnswer("The answer was refused.")
    if not reply.text.strip():
        called = ", ".join(call.name for call in reply.tool_calls)
        raise UnusableAnswer(f"The answer was empty{f' but for calls of {called}' if called else ''}.")
    return _last_valid(reply.text, kind)


def _last_valid(text: str, kind: type[Answer]) -> Answer:
    documents = documents_in(text)
    if not documents.values:
        raise UnusableAnswer(f"The answer holds no complete JSON document: {documents.fault or 'there is none'}.")
    faults = ""
    for value in reversed(documents.values):
        try:
            return kind.model_validate_json(json.dumps(value))
        except ValidationError as error:
            faults = faults or _faults(error)
    raise UnusableAnswer(f"The JSON is not valid against the schema:\n{faults}")


def _faults(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"- {'.'.join(map(str, fault['loc'])) or 'the document'}: {fault['msg']}" for fault in found[:MOST_FAULTS]]
    return "\n".join([*lines, f"- and {len(found) - MOST_FAULTS} more"] if len(found) > MOST_FAULTS else lines)


def asked_again(request: Request, reply: Reply, problem: str, attempt: int, attempts: int) -> Request:
    """The request with the model's answer and what was wrong with it; `attempt` (from 2) makes each one its own."""
    again = (
        f"That answer cannot be used. {problem}\n"
        f"Answer again with the whole, corrected JSON document and nothing else (attempt {attempt} of {attempts})."
    )
    turns = (Message(role="assistant", content=reply.text or NO_TEXT), Message(role="user", content=again))
    return request.model_copy(update={"messages": (*request.messages, *turns)})
