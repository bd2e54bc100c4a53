"""Requests to a server of vLLM, tried again where that is safe, within a deadline.

Invariant: what is repeated is harmless to repeat: sampling and scoring change nothing on the server, and the control
requests set a state, but for a reload, which is asked once; every failure is a ModelFailure of one sentence (BadInput
where the server must be started otherwise), and no key is in it. Not covered: what is sent.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import anyio
import httpx2

from autoforge.gym.llm.json_text import load_json
from autoforge.gym.llm.secrecy import Redactor
from autoforge.mcp_envs.errors import BadInput, ModelFailure, PromptTooLong

__all__ = ["Sleep", "VllmHttp"]

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

KEY: Final = "VLLM_API_KEY"
"""The environment variable of the server's key, as vLLM itself calls it."""

AGAIN: Final = (408, 425, 429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed; 503 is a server that is paused."""

FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 15.0
CONNECT_SECONDS: Final = 10.0
EVIDENCE: Final = 300
TOO_LONG: Final = ("context length", "model length", "max_model_len")


class VllmHttp:
    """One server."""

    def __init__(self, url: str, *, attempts: int, connections: int, sleep: Sleep = anyio.sleep) -> None:
        self.url = url.rstrip("/")
        self._attempts = attempts
        self._sleep = sleep
        key = os.environ.get(KEY, "").strip()
        self._redact = Redactor(key)
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._client = httpx2.AsyncClient(
            base_url=self.url, headers={"authorization": f"Bearer {key}"} if key else {}, limits=limits,
            timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        )  # fmt: skip

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def call(
        self,
        method: str,
        path: str,
        seconds: float,
        body: Any = None,
        *,
        params: Mapping[str, str] | None = None,
        wanted: Callable[[], bool] = lambda: True,
        once: bool = False,
    ) -> Any:
        """The JSON of the answer; None where it has no content, or where a try failed and the answer is no longer
        wanted. What must not be repeated is asked `once`. Raises ModelFailure, PromptTooLong; BadInput where the server
        has no such path."""
        words, tries = "none has ended", 1 if once else self._attempts
        try:
            with anyio.fail_after(seconds):
                for attempt in range(tries):
                    if attempt:
                        await self._sleep(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)))
                    answer = await self._tried(method, path, body, params)
                    if isinstance(answer, httpx2.Response):
                        return self._read(path, answer)
                    words = answer
                    if not wanted():
                        return None
        except TimeoutError:
            raise ModelFailure(f"{self._name(path)}: no answer within {seconds:g} s; the last try: {words}") from None
        raise ModelFailure(f"{self._name(path)}: {tries} tries failed; the last one: {words}")

    async def _tried(
        self, method: str, path: str, body: Any, params: Mapping[str, str] | None
    ) -> httpx2.Response | str:
        """An answer, or why to try again."""
        try:
            response = await self._client.request(method, path, json=body, params=params)
        except httpx2.TransportError as error:
            return self._redact(f"the connection failed: {type(error).__name__}: {error}")[:EVIDENCE]
        return self._words(response) if response.status_code in AGAIN else response

    def _read(self, path: str, response: httpx2.Response) -> Any:
        if response.status_code == 404 and not response.text.strip().startswith('{"error"'):
            raise BadInput(f"{self._name(path)}: the server has no such path; {_hint(path)}")
        if response.status_code in (401, 403):
            raise BadInput(f"{self._name(path)}: the server wants a key; set the environment variable {KEY}")
        if response.status_code >= 400:
            words = self._words(response)
            error = PromptTooLong if any(hint in words for hint in TOO_LONG) else ModelFailure
            raise error(f"{self._name(path)}: {words}")
        if not response.content:
            return None
        try:
            return load_json(response.text)
        except ValueError as error:
            raise ModelFailure(f"{self._name(path)}: the answer is not JSON: {error}") from error

    def _words(self, response: httpx2.Response) -> str:
        return f"HTTP {response.status_code}: " + self._redact(" ".join(response.text.split()))[:EVIDENCE]

    def _name(self, path: str) -> str:
        return f"vLLM at {self._redact(self.url)}{path}"


def _hint(path: str) -> str:
    if path.startswith("/inference"):
        return 'start it with --enable-scale-out, or set route = "completions"'
    return "start it with VLLM_SERVER_DEV_MODE=1 in its environment"
