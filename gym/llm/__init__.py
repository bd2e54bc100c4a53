"""The one client through which every model call goes.

- `client`: `ModelClient`, with cache, coalescing, budget, retries and structured answers
- `messages`: what a request and a reply are, for any provider; `spec`: how a model is named
- `wire`, `anthropic_wire`, `openai_wire`: how they look over HTTP; `transport`: one attempt; `retry`: when to try again
- `cache`: one file per answer; `ledger`: what was paid; `prices`: what it costs
- `structured`: answers that must match a pydantic model; `json_text`: the JSON that models write
- `secrecy`: keys stay out of texts, files and child processes
"""

from __future__ import annotations

from autoforge.gym.llm.client import Limits, ModelClient
from autoforge.gym.llm.ledger import Ledger, Totals
from autoforge.gym.llm.messages import Message, ReasoningBlock, Reply, Request, Tool, ToolCall, Usage
from autoforge.gym.llm.secrecy import scrubbed_environment
from autoforge.gym.llm.spec import ModelSpec, parse_model

__all__ = [
    "Ledger",
    "Limits",
    "Message",
    "ModelClient",
    "ModelSpec",
    "ReasoningBlock",
    "Reply",
    "Request",
    "Tool",
    "ToolCall",
    "Totals",
    "Usage",
    "parse_model",
    "scrubbed_environment",
]
