"""A server that answers as vLLM does, over real HTTP: its model is a small sum, so that every id can be foretold."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

__all__ = ["FakeVllm", "next_id", "next_logprob"]

IDS = 97
CONTEXT = 64
RELOADED = "weights_path"


def next_id(ids: Sequence[int], version: int) -> int:
    return (sum(ids) + 3 * len(ids) + version) % IDS


def next_logprob(id: int, version: int) -> float:
    return -0.125 * (id + 1) - version


class FakeVllm:
    """Weights are a version; a turn can be held at an id until it is let go or paused."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str | None] = []
        self.faults: list[int] = []
        """Statuses of the next sampling requests; 0 closes the connection."""
        self.missing: set[str] = set()
        self.version = 0
        self.weights: list[Path] = []
        self.workers = 1
        """GPUs."""
        self.refused: dict[str, int] = {}
        """Statuses of control requests."""
        self.hold_at: int | None = None
        """How many ids a held turn has."""
        self.held = threading.Semaphore(0)
        self.reached = threading.Event()
        self.paused = threading.Event()
        self.refuses = False
        """Whether a pause refuses the turns that it finds, instead of breaking them off."""
        self.spoil: dict[str, Any] = {}
        """Changes to a choice of an answer."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [body for sent, body in self.requests if sent == path]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        self.held.release(1000)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str, query: dict[str, str], body: dict[str, Any]) -> tuple[int, Any]:
        self.requests.append((path, {**body, **query}))
        if path in self.missing:
            return 404, {"detail": "Not Found"}
        if path in ("/inference/v1/generate", "/v1/completions"):
            return self._sampled(path, body)
        return self._controlled(path, query, body)

    def _controlled(self, path: str, query: dict[str, str], body: dict[str, Any]) -> tuple[int, Any]:
        if path in self.refused:
            return self.refused[path], {"error": {"message": "not like that"}}
        if path == "/get_world_size":
            return 200, {"world_size": self.workers}
        if path == "/v1/models":
            return 200, {"data": [{"id": "policy", "max_model_len": CONTEXT}]}
        if path == "/pause":
            self.paused.set()
            self.held.release(1000)
        if path == "/resume":
            self.paused.clear()
        if path == "/collective_rpc":
            assert body["method"] == "reload_weights"
            self.weights.append(Path(body["kwargs"][RELOADED]))
            self.version += 1
        return 200, {"success": True}

    def _sampled(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        if self.faults:
            return self.faults.pop(0), {"error": {"message": "not now"}}
        if self.paused.is_set():
            return 503, {"error": {"message": "generation is paused"}}
        tokens = path == "/inference/v1/generate"
        sampling = body["sampling_params"] if tokens else body
        prompt: list[int] = body["token_ids" if tokens else "prompt"]
        if len(prompt) + sampling["max_tokens"] > CONTEXT:
            return 400, {"error": {"message": f"the maximum model length is {CONTEXT}"}}
        choice = {**self._choice(prompt, sampling, tokens), **self.spoil}
        if self.refuses and self.paused.is_set():
            return 503, {"error": {"message": "generation is paused"}}
        return 200, {"choices": [choice], "prompt_logprobs": self._scores(prompt)}

    def _choice(self, prompt: list[int], sampling: dict[str, Any], tokens: bool) -> dict[str, Any]:
        ids: list[int] = []
        logprobs: list[float] = []
        reason, version = "length", self.version
        while len(ids) < sampling["max_tokens"]:
            if len(ids) == self.hold_at:
                self.reached.set()
                self.held.acquire()
                if self.paused.is_set():
                    reason = "abort"
                    break
            ids.append(next_id([*prompt, *ids], version))
            logprobs.append(next_logprob(ids[-1], version))
            if ids[-1] in sampling["stop_token_ids"] if "stop_token_ids" in sampling else False:
                reason = "stop"
                break
        choice: dict[str, Any] = {"index": 0, "finish_reason": reason, "token_ids": ids, "prompt_token_ids": prompt}
        if tokens:
            spans = [{"version": str(version), "start": 0, "end": len(ids)}]
            content = [{"token_id": id, "logprob": value} for id, value in zip(ids, logprobs, strict=True)]
            return {**choice, "logprobs": {"content": content}, "weight_versions": spans}
        return {**choice, "text": "", "logprobs": {"token_logprobs": logprobs}}

    def _scores(self, ids: list[int]) -> list[Any]:
        rest = [{str(id): {"logprob": next_logprob(id, self.version), "rank": 1}} for id in ids[1:]]
        return [None, *rest]


def _handler(fake: FakeVllm) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._serve({})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            self._serve(json.loads(self.rfile.read(length) or b"{}"))

        def _serve(self, body: dict[str, Any]) -> None:
            fake.keys.append(self.headers.get("authorization"))
            address = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(address.query).items()}
            status, answer = fake.answer(address.path, query, body)
            if status == 0:
                self.close_connection = True
                return
            data = json.dumps(answer).encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:  # the client has gone
                self.close_connection = True

        def log_message(self, format: str, *arguments: Any) -> None:
            return

    return Handler
