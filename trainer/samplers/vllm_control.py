"""What vLLM's transfer engine tells servers while weights are on their way: its client protocol, for many at a time.

Invariant: all servers are told the same in the same order, at the same time, because each waits for the others in NCCL;
each has ranks of its own in the group; the version goes along with the end of an update. Not covered: sampling
(`vllm_server`), the data itself (`vllm_transfer`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any, Final, NamedTuple

import httpx2

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.samplers.vllm_http import CONNECT_SECONDS, EVIDENCE, KEY

__all__ = ["ServerGroup", "VllmControl"]

START: Final = 'start it with VLLM_SERVER_DEV_MODE=1 and --weight-transfer-config \'{"backend":"nccl"}\''


class ServerGroup(NamedTuple):
    """Servers that take weights together."""

    urls: tuple[str, ...]
    workers: tuple[int, ...]
    """How many GPUs each one has."""


class VllmControl:
    """A `VLLMWeightSyncClient` over HTTP. Its four calls come from threads of vLLM's engine."""

    def __init__(self, servers: ServerGroup, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self.version = ""
        """Of the weights that are sent next."""

    def init_weight_transfer_engine(self, init_info: dict[str, Any]) -> None:
        """Have all join the group. Raises BadInput, AutoForgeError."""
        workers = self._servers.workers
        offsets = accumulate(workers[:-1], initial=int(init_info["rank_offset"]))
        self._tell("init_weight_transfer_engine", [{"init_info": {**init_info, "rank_offset": at}} for at in offsets])

    def start_weight_update(self) -> None:
        """Weights come. Raises BadInput, AutoForgeError."""
        self._tell("start_weight_update", [{}] * len(self._servers.urls))

    def update_weights(self, update_info: Any) -> None:
        """Have all receive; ends when they have. Raises BadInput, AutoForgeError."""
        self._tell("update_weights", [{"update_info": update_info}] * len(self._servers.urls))

    def finish_weight_update(self, weight_version: str | None = None) -> None:
        """All weights are there. Raises BadInput, AutoForgeError."""
        body = {"weight_version": weight_version or self.version}
        self._tell("finish_weight_update", [body] * len(self._servers.urls))

    def _tell(self, path: str, bodies: Sequence[Mapping[str, Any]]) -> None:
        with ThreadPoolExecutor(len(bodies)) as threads:
            list(threads.map(lambda url, body: self._one(url, path, body), self._servers.urls, bodies))

    def _one(self, url: str, path: str, body: Mapping[str, Any]) -> None:
        key = os.environ.get(KEY, "").strip()
        headers = {"authorization": f"Bearer {key}"} if key else {}
        timeout = httpx2.Timeout(self._seconds, connect=CONNECT_SECONDS)
        try:
            answer = httpx2.post(f"{url.rstrip('/')}/{path}", json=body, headers=headers, timeout=timeout)
        except httpx2.TransportError as error:
            raise AutoForgeError(f"vLLM at {url}/{path}: {type(error).__name__}: {error}") from error
        if answer.status_code == 404:
            raise BadInput(f"vLLM at {url}/{path}: the server has no such path; {START}")
        if answer.status_code >= 400:
            words = " ".join(answer.text.split())[:EVIDENCE]
            raise AutoForgeError(f"vLLM at {url}/{path}: HTTP {answer.status_code}: {words}")
