"""What both providers' HTTP bodies share: the interface of a provider, tool names and the schema's wording.

A provider only translates; it neither sends, retries nor counts.

Invariant: a provider keeps no state. Not covered: sending (`transport`).
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Final, Protocol

from pydantic import BaseModel, ValidationError

from autoforge.gym.llm.messages import Reply, Request, Usage

__all__ = [
    "NO_TEXT", "Counts", "MalformedAnswer", "ToolNames", "Wire", "first_fault", "object_schema", "system_text",
    "usage_of",
]  # fmt: skip

# Both providers accept [a-zA-Z0-9_-]{1,64}; MCP servers name tools `/cities/:id` or `a.b`.
LONGEST_NAME: Final = 64
UNACCEPTED: Final = re.compile(r"[^a-zA-Z0-9_-]")

# Anthropic refuses blank texts, and chat templates want every turn filled.
NO_TEXT: Final = "(no text)"


class MalformedAnswer(ValueError):
    """The server said 200, but its body is no answer."""


class Wire(Protocol):
    """How one provider writes requests and answers."""

    path: str

    def body(self, model: str, request: Request) -> dict[str, Any]:
        """The JSON body of the request."""
        ...

    def reply(self, body: dict[str, Any], request: Request) -> Reply:
        """The answer in a JSON body; raises MalformedAnswer when there is none."""
        ...

    def usage(self, body: dict[str, Any]) -> Usage | None:
        """The tokens that a body without an answer says were used."""
        ...


class ToolNames:
    """A one-to-one map between the tools' own names and names that every provider accepts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._wire: dict[str, str] = {}
        self._own: dict[str, str] = {}
        # Names that are fine as they are come first, so that no replaced name takes theirs.
        for name in sorted(dict.fromkeys(names), key=lambda name: self._accepted(name) != name):
            self._wire[name] = accepted = self._free(self._accepted(name))
            self._own[accepted] = name

    @classmethod
    def of(cls, request: Request) -> ToolNames:
        """The map for the tools a request offers and those its earlier turns called."""
        called = (call.name for message in request.messages for call in message.tool_calls)
        return cls([*(tool.name for tool in request.tools), *called])

    def wire(self, name: str) -> str:
        """The name to send for a tool."""
        return self._wire[name]

    def own(self, name: str) -> str:
        """The tool that a name in an answer means; a name that the model made up stays as it is."""
        return self._own.get(name, name)

    @staticmethod
    def _accepted(name: str) -> str:
        return UNACCEPTED.sub("_", name)[:LONGEST_NAME] or "_"

    def _free(self, name: str) -> str:
        number, free = 1, name
        while free in self._own:
            number += 1
            suffix = f"_{number}"
            free = name[: LONGEST_NAME - len(suffix)] + suffix
        return free


class Counts(BaseModel, ABC):
    """The tokens of an answer, as a provider writes them."""

    @abstractmethod
    def total(self) -> Usage:
        """The same in our words."""


def usage_of(body: dict[str, Any], counts: type[Counts]) -> Usage | None:
    """The tokens that a body says were used, where it says so."""
    try:
        return counts.model_validate(body.get("usage")).total()
    except ValidationError:
        return None


def first_fault(error: ValidationError) -> str:
    """The first thing wrong with a body, in a few words that quote none of it."""
    fault = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'body'}: {fault['msg']}"


def schema_instruction(schema: dict[str, Any]) -> str:
    """The wording that asks for one JSON document; stated in the prompt because not every server can constrain."""
    return (
        "Answer with one JSON document and nothing else: no explanation, no Markdown. "
        f"It must be valid against this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def system_text(request: Request) -> str:
    """The system prompt, with the schema of the answer where the request has one."""
    parts = [request.system, schema_instruction(request.response_schema) if request.response_schema is not None else ""]
    return "\n\n".join(part for part in parts if part)


def object_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A tool's input schema with the two members that some servers insist on."""
    return {"type": "object", "properties": {}, **schema}
