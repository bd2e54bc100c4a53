"""`PROVIDER:MODEL`, the way a person names a model.

The provider is the protocol that the server speaks, not the vendor: vLLM and Ollama are `openai:` with a base URL.

Invariant: nothing secret is part of it. Not covered: keys and addresses.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlsplit

from autoforge.mcp_envs.errors import BadInput

__all__ = ["PROVIDERS", "ModelSpec", "check_base_url", "parse_model"]

PROVIDERS: Final = ("anthropic", "openai")


class ModelSpec(NamedTuple):
    """One model of one provider; `str()` gives the spelling that `parse_model` reads."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def parse_model(text: str) -> ModelSpec:
    """Read `anthropic:MODEL` or `openai:MODEL`; only the first colon divides, so `openai:qwen3:8b` is fine.

    Raises:
        BadInput: there is no provider, no model, or the provider is unknown.
    """
    provider, colon, model = (part.strip() for part in text.partition(":"))
    known = " or ".join(f"{name}:MODEL" for name in PROVIDERS)
    if not colon:
        raise BadInput(f"model {text!r} names no provider: write {known}")
    if provider not in PROVIDERS:
        raise BadInput(
            f"model {text!r} names the unknown provider {provider!r}: write {known} "
            "(any OpenAI-compatible server is openai: with a base URL)"
        )
    if not model or any(character.isspace() for character in model):
        raise BadInput(f"model {text!r} needs a model name without spaces after the colon: write {known}")
    return ModelSpec(provider, model)


def check_base_url(url: str) -> str:
    """Return `url` when it is plain http(s).

    Raises:
        BadInput: it is no http(s) address, or carries a password, which would reach logs.
    """
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username
    except ValueError:
        raise BadInput("the base URL cannot be read: write http://HOST:PORT/v1") from None
    if user is not None:
        raise BadInput("the base URL carries a user name or password: give the key in the environment instead")
    if parts.scheme not in ("http", "https") or not host:
        raise BadInput(f"base URL {url!r} is not an http address: write http://HOST:PORT/v1")
    return url
