"""One attempt to get one answer over HTTP through a vendor's SDK, ending in a reply or in a described fault.

The invariant: nothing that an SDK raises leaves this module, and no text leaves it unredacted, so a key can travel
neither in an exception nor in the context of one. The SDKs' own retries are off; `retry` is the one place that tries
again. Redirects are not followed: they could carry a key elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import anyio

from autoforge.gym.llm.anthropic_wire import AnthropicWire
from autoforge.gym.llm.json_text import load_json
from autoforge.gym.llm.messages import Reply, Request, Usage
from autoforge.gym.llm.openai_wire import OpenAIWire
from autoforge.gym.llm.secrecy import KEY_VARIABLES, Redactor
from autoforge.gym.llm.spec import ModelSpec, check_base_url
from autoforge.gym.llm.wire import MalformedAnswer, Wire
from autoforge.mcp_envs.errors import BadInput

if TYPE_CHECKING:
    import anthropic
    import httpx2
    import openai

__all__ = ["Fault", "Transport", "carries_reasoning"]

# Sent to servers that want no key; the SDKs insist on one.
NO_KEY: Final = "none"

BASE_URL_VARIABLES: Final = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}

# Seconds to reach a server at all.
CONNECT_TIMEOUT: Final = 15.0

# Characters of a server's own words in a message.
EVIDENCE: Final = 400

# Statuses after which the server may have done, and charged, the work.
LATE_STATUSES: Final = (408, 504, 524)

# How servers say that a request does not fit: a code at OpenAI, words elsewhere.
TOO_LONG_CODE: Final = "context_length_exceeded"
TOO_LONG: Final = re.compile(
    r"context (length|window|size)|(prompt|input)\b.{0,40}\btoo long|maximum model length", re.IGNORECASE
)

# Their chat completions neither show reasoning nor take it back.
REASONLESS_HOSTS: Final = ("openai.com", "openai.azure.com")

HINTS: Final = {
    401: "check the key in {variable}",
    403: "the key in {variable} may not use this model",
    404: "check the model's name and the base URL",
}


class Fault(NamedTuple):
    """Why an attempt gave no answer."""

    message: str
    retry: bool
    charged: bool
    """Whether the provider may have charged for it."""
    retry_after: float | None = None
    """Seconds that the server asked to wait."""
    usage: Usage | None = None
    """The tokens charged, where the server said so in spite of the fault."""
    too_long: bool = False
    """Whether the request did not fit the model's context."""


class _Sdk(NamedTuple):
    client: anthropic.AsyncAnthropic | openai.AsyncOpenAI
    status_error: type[anthropic.APIStatusError] | type[openai.APIStatusError]
    connection_error: type[anthropic.APIConnectionError] | type[openai.APIConnectionError]
    any_error: type[anthropic.AnthropicError] | type[openai.OpenAIError]


class Transport:
    """Sends requests for one model to one server."""

    def __init__(self, spec: ModelSpec, *, base_url: str | None, timeout: float, native_schema: bool) -> None:
        """`timeout` is in seconds, for one attempt.

        Raises:
            BadInput: the key or the SDK is missing, or the base URL cannot be used.
        """
        self._spec = spec
        self._timeout = timeout
        base_url = _address(spec, base_url)
        key = _key(spec, check_base_url(base_url) if base_url else None)
        self._redact = Redactor(key)
        self._sdk = (
            _anthropic(key, base_url, timeout) if spec.provider == "anthropic" else _openai(key, base_url, timeout)
        )
        self._wire: Wire = (
            AnthropicWire()
            if spec.provider == "anthropic"
            else OpenAIWire(native_schema, "max_tokens" if base_url else "max_completion_tokens")
        )

    async def exchange(self, request: Request) -> Reply | Fault:
        """Send a request once; every failure comes back as a Fault."""
        import httpx2

        body = self._wire.body(self._spec.model, request)
        try:
            with anyio.fail_after(self._timeout):
                response = await self._sdk.client.post(self._wire.path, cast_to=httpx2.Response, body=body)
        except self._sdk.status_error as error:
            return self._refused(error.response)
        except self._sdk.connection_error as error:
            return self._unreached(error.__cause__)
        except TimeoutError:
            return self._unreached(None)
        except (self._sdk.any_error, httpx2.HTTPError) as error:
            return Fault(self._redact(f"{type(error).__name__}: {error}")[:EVIDENCE], retry=False, charged=True)
        return self._read(response, request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.client.close()

    def _read(self, response: httpx2.Response, request: Request) -> Reply | Fault:
        text = self._redact(response.text)
        kind = response.headers.get("content-type", "no content type")
        try:
            body = load_json(text)
        except ValueError as error:
            return Fault(f"the answer ({kind}) is not JSON: {error}: {text[:EVIDENCE]!r}", retry=True, charged=True)
        if not isinstance(body, dict):
            return Fault(f"the answer is no JSON object: {text[:EVIDENCE]!r}", retry=True, charged=True)
        try:
            return self._wire.reply(body, request)
        except MalformedAnswer as error:
            return Fault(f"{error}: {text[:EVIDENCE]!r}", retry=True, charged=True, usage=self._wire.usage(body))

    def _refused(self, response: httpx2.Response) -> Fault:
        status = response.status_code
        text = self._redact(response.text)
        words, code = _error_of(text)
        hint = HINTS.get(status, "").format(variable=KEY_VARIABLES[self._spec.provider])
        return Fault(
            f"HTTP {status}: {words[:EVIDENCE]}" + (f"; {hint}" if hint else ""),
            # An exhausted account answers 429 as well, and no waiting fills it.
            retry=(status in (408, 429) or status >= 500) and code != "insufficient_quota",
            charged=status in LATE_STATUSES,
            retry_after=_retry_after(response.headers),
            too_long=status in (400, 413) and (code == TOO_LONG_CODE or TOO_LONG.search(words) is not None),
        )

    def _unreached(self, cause: BaseException | None) -> Fault:
        import httpx2

        sent = not isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
        if cause is None or isinstance(cause, httpx2.TimeoutException):
            message = f"no answer within {self._timeout:g} s" if sent else f"no connection within {CONNECT_TIMEOUT:g} s"
        else:
            message = self._redact(f"the connection failed: {type(cause).__name__}: {cause}")[:EVIDENCE]
        return Fault(message, retry=True, charged=sent)


def carries_reasoning(spec: ModelSpec, base_url: str | None) -> bool:
    """Whether the server shows a model's reasoning and takes it back. Raises BadInput for an address that is none."""
    address = _address(spec, base_url)
    if spec.provider == "anthropic" or address is None:
        return spec.provider == "anthropic"
    host = urlsplit(check_base_url(address)).hostname or ""
    return not any(host == name or host.endswith(f".{name}") for name in REASONLESS_HOSTS)


def _address(spec: ModelSpec, base_url: str | None) -> str | None:
    return base_url or os.environ.get(BASE_URL_VARIABLES[spec.provider]) or None


def _key(spec: ModelSpec, base_url: str | None) -> str:
    variable = KEY_VARIABLES[spec.provider]
    key = os.environ.get(variable, "").strip()
    if not key and base_url is None:
        raise BadInput(f"the model {spec} needs a key: set the environment variable {variable}")
    if not key.isascii() or not key.isprintable():
        raise BadInput(f"the key in {variable} has characters that no key has: copy it again")
    return key or NO_KEY


def _anthropic(key: str, base_url: str | None, timeout: float) -> _Sdk:
    try:
        import anthropic
    except ImportError:
        raise BadInput("the package anthropic is missing: pip install 'anthropic>=2'") from None
    client = anthropic.AsyncAnthropic(
        api_key=key,
        # The SDK adds /v1 itself.
        base_url=base_url.rstrip("/").removesuffix("/v1") if base_url else None,
        max_retries=0,
        timeout=_timeout(timeout),
        http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False),
    )
    return _Sdk(client, anthropic.APIStatusError, anthropic.APIConnectionError, anthropic.AnthropicError)


def _openai(key: str, base_url: str | None, timeout: float) -> _Sdk:
    try:
        import openai
    except ImportError:
        raise BadInput("the package openai is missing: pip install 'openai>=3'") from None
    client = openai.AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=0,
        timeout=_timeout(timeout),
        http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
    )
    return _Sdk(client, openai.APIStatusError, openai.APIConnectionError, openai.OpenAIError)


def _timeout(seconds: float) -> httpx2.Timeout:
    import httpx2

    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT))


def _error_of(text: str) -> tuple[str, str | None]:
    """A server's own words about its error, and its code for it."""
    try:
        body: Any = load_json(text)
    except ValueError:
        return " ".join(text.split()) or "no reason given", None
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error), None
    code = error.get("code")
    return str(error.get("message") or error), code if isinstance(code, str) else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after` (seconds or a date)."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
