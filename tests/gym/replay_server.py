"""A model server on this machine, for tests: real HTTP, answers written beforehand, faults on demand.

It speaks `POST …/messages` (Anthropic) and `POST …/chat/completions` (OpenAI). Answers come from a script, or from a
folder of recordings in the form that a relay leaves: `NNNN.request.json` as sent, with `NNNN.answer.md` (the text) or
`NNNN.answer.json` (`{"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}`). A request that was not recorded
gets 404. Streaming is not spoken. By hand: `python replay_server.py --recordings DIR [--port PORT]`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

__all__ = ["Answer", "Body", "Cut", "Drop", "ReplayServer", "Request", "Slow", "Status", "recordings"]


@dataclass(frozen=True)
class Answer:
    """A good answer, in the shape of whichever protocol was asked."""

    content: str = ""
    tool_calls: Sequence[dict[str, Any]] = ()
    """`{"name", "arguments"}`, and `"id"` where it matters."""
    thinking: Sequence[dict[str, Any]] = ()
    """Anthropic: blocks that go before the text. OpenAI: fields that are added to the message."""
    truncated: bool = False
    usage: tuple[int, int] | None = (100, 10)
    """Tokens in and out; None leaves the usage out."""


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "the server says no"
    code: str | None = None


@dataclass(frozen=True)
class Body:
    """Any body."""

    body: str
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True)
class Cut:
    """An answer whose body ends before its announced length."""


@dataclass(frozen=True)
class Drop:
    """The connection is closed without an answer."""


@dataclass(frozen=True)
class Slow:
    """No answer for as long as the client waits (bounded by the server's own life)."""


Step = Answer | Status | Body | Cut | Drop | Slow


class Request(NamedTuple):
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ReplayServer(ThreadingHTTPServer):
    """Serves on a free port of the loopback interface, from entering the context until leaving it."""

    daemon_threads = False

    def __init__(self, script: Iterable[Step] | Callable[[dict[str, Any]], Step] = (), port: int = 0) -> None:
        """A script is used up one step a request; its last step is repeated. A function decides by the body."""
        super().__init__(("127.0.0.1", port), _Handler)
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._decide = script if callable(script) else _scripted(list(script))
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def openai_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def url(self, provider: str) -> str:
        """The base URL for a provider's client."""
        return self.anthropic_url if provider == "anthropic" else self.openai_url

    def next_step(self, request: Request) -> Step:
        """Note a request and decide on it."""
        with self._lock:
            self.requests.append(request)
            return self._decide(request.body)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()


def _scripted(steps: list[Step]) -> Callable[[dict[str, Any]], Step]:
    rest = iter(steps)
    last = steps[-1] if steps else Status(404, message="the script is empty")
    return lambda _: next(rest, last)


def recordings(folder: Path) -> Callable[[dict[str, Any]], Step]:
    """Answers by request, from a folder of recordings."""
    answers: dict[str, Answer] = {}
    for request in sorted(folder.glob("*.request.json")):
        stem = request.name.removesuffix(".request.json")
        text, data = folder / f"{stem}.answer.md", folder / f"{stem}.answer.json"
        key = _recording_key(json.loads(request.read_text(encoding="utf-8")))
        if data.exists():
            written = json.loads(data.read_text(encoding="utf-8"))
            answers[key] = Answer(written.get("content") or "", written.get("tool_calls") or ())
        elif text.exists():
            answers[key] = Answer(text.read_text(encoding="utf-8"))
    missing = Status(404, message="this request was not recorded")
    return lambda body: answers.get(_recording_key(body), missing)


def _recording_key(body: dict[str, Any]) -> str:
    decisive = [body.get(name) for name in ("model", "system", "messages", "tools", "response_format")]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: ReplayServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw)
        step = self.server.next_step(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        match step:
            case Answer():
                shape = _message if self.path.endswith("/messages") else _completion
                self._send(200, json.dumps(shape(step, body)))
            case Status():
                error = {"message": step.message, "type": "error", "code": step.code}
                self._send(step.status, json.dumps({"type": "error", "error": error}), headers=step.headers)
            case Body():
                self._send(step.status, step.body, content_type=step.content_type)
            case Cut():
                self._send(200, '{"id": "msg_1", "content": [', announced=1000)
                self.close_connection = True
            case Drop():
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            case Slow():
                self.server.closing.wait(timeout=30)
                self.close_connection = True

    def _send(
        self,
        status: int,
        text: str,
        *,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        announced: int | None = None,
    ) -> None:
        raw = text.encode("utf-8")
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(announced or len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


def _message(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = list(answer.thinking)
    if answer.content:
        blocks.append({"type": "text", "text": answer.content})
    for number, call in enumerate(answer.tool_calls):
        identity = call.get("id", f"toolu_{number}")
        blocks.append({"type": "tool_use", "id": identity, "name": call["name"], "input": call["arguments"]})
    stop = "max_tokens" if answer.truncated else "tool_use" if answer.tool_calls else "end_turn"
    message: dict[str, Any] = {
        "id": "msg_replay",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
    }
    if answer.usage:
        message["usage"] = {"input_tokens": answer.usage[0], "output_tokens": answer.usage[1]}
    return message


def _completion(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.content or None}
    for fields in answer.thinking:
        message.update(fields)
    if answer.tool_calls:
        message["tool_calls"] = [
            {
                "id": call.get("id", f"call_{number}"),
                "type": "function",
                "function": {
                    "name": call["name"],
                    "arguments": call["arguments"]
                    if isinstance(call["arguments"], str)
                    else json.dumps(call["arguments"]),
                },
            }
            for number, call in enumerate(answer.tool_calls)
        ]
    stop = "length" if answer.truncated else "tool_calls" if answer.tool_calls else "stop"
    completion: dict[str, Any] = {
        "id": "chatcmpl-replay",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": stop}],
    }
    if answer.usage:
        tokens_in, tokens_out = answer.usage
        completion["usage"] = {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        }
    return completion


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Answer like a model server, from recordings.")
    parser.add_argument("--recordings", type=Path, required=True, help="folder of NNNN.request.json and NNNN.answer.*")
    parser.add_argument("--port", type=int, default=0, help="port on the loopback interface (default: a free one)")
    options = parser.parse_args()
    with ReplayServer(recordings(options.recordings), options.port) as server:
        print(f"{server.openai_url} and {server.anthropic_url}, from {options.recordings}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
