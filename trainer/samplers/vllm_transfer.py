"""Weights from the learner's GPUs to servers of vLLM over NCCL, by vLLM's own transfer engine.

The servers are started with --weight-transfer-config '{"backend":"nccl"}' beside what `vllm_server` wants. The learner
needs the package vllm, too: its engine packs, broadcasts and drives the servers.

Invariant: every rank gathers the same pieces of the model in the same order, one piece at a time, so that no rank holds
the whole model; what vLLM packs are copies; a transfer that takes too long is an error on every rank, and the group is
not used again. Not covered: a pause, caches and the proof (`sync`). vllm is imported when a transfer is opened; written
for 0.32 and 0.33, which differ in what they call a source's iteration. It has not run on GPUs yet: tested is all but
the broadcast itself.
"""

from __future__ import annotations

import inspect
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from ipaddress import ip_address
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.samplers.vllm_control import ServerGroup, VllmControl
from autoforge.trainer.samplers.vllm_engine_parts import vllm_module

__all__ = ["VllmTransfer", "weight_source", "within"]

PIECE_BYTES: Final = 1 << 30
"""Of the model that a rank holds whole at a time, as much as vLLM packs into one buffer."""

PACKAGE: Final = "vllm.distributed.weight_transfer"


class VllmTransfer:
    """One rank's side. Opened at the first transfer; every rank does the same in the same order."""

    def __init__(self, learner: Learner, servers: ServerGroup, seconds: float) -> None:
        """Meets the servers. Raises BadInput where there is no GPU or no vLLM here, AutoForgeError where the servers do
        not come."""
        if not torch.cuda.is_available():
            raise BadInput(
                "sync.way = 'nccl' needs GPUs of CUDA, and torch sees none here; take --set sync.way=reload."
            )
        self._seconds = seconds
        self._device = learner.ranks.device
        self._client = VllmControl(servers, seconds)
        self._engine = self._within(lambda: _engine(learner, servers, self._client))

    def send(self, version: int) -> None:
        """All weights, stamped with the version. Raises AutoForgeError; the transfer is of no more use then."""
        self._client.version = str(version)
        self._within(self._engine.send_weights)

    def _within(self, call: Callable[[], Any]) -> Any:
        def on_device() -> Any:
            if self._device.type == "cuda":
                torch.cuda.set_device(self._device)  # each thread has its own
            return call()

        return within(self._seconds, on_device)


class _Ended(NamedTuple):
    result: Any = None
    error: BaseException | None = None


def within(seconds: float, call: Callable[[], Any]) -> Any:
    """What the call gives. Raises AutoForgeError after so many seconds, or where NCCL or HTTP fail; a call that hangs
    is left in a thread that does not hold up the end of the program: NCCL waits for a lost server for ever."""
    ended: list[_Ended] = []

    def run() -> None:
        try:
            ended.append(_Ended(result=call()))
        except (RuntimeError, ValueError, TypeError, OSError, AutoForgeError) as error:
            ended.append(_Ended(error=error))

    thread = threading.Thread(target=run, name="weight-transfer", daemon=True)
    thread.start()
    thread.join(seconds)
    if not ended and not thread.is_alive():
        words = "the transfer over NCCL failed for the reason that is printed above"
        raise AutoForgeError(f"{words}; take --set sync.way=reload where it cannot be mended.")
    if not ended:
        words = f"the transfer over NCCL did not end within {seconds:g} s"
        raise AutoForgeError(f"{words}; look after the servers, raise sync.seconds, or take --set sync.way=reload.")
    error = ended[0].error
    if isinstance(error, AutoForgeError):
        raise error
    if error is not None:
        words = f"the transfer over NCCL failed: {type(error).__name__}: {error}"
        raise AutoForgeError(f"{words}; take --set sync.way=reload where it cannot be mended.") from error
    return ended[0].result


def weight_source(learner: Learner) -> Any:
    """A `WeightSource` of vLLM: names, types and shapes without a transfer, and the weights in the same order. A weight
    of several names comes under each: a server that does not tie them would keep the old one. Raises ImportError."""
    package = vllm_module(PACKAGE)
    metadata = [
        package.ParamMeta(name, weight.dtype, tuple(weight.shape))
        for weight in learner.weight_shapes()
        for name in (weight.name, *weight.aliases)
    ]

    def pairs(self: Any) -> Iterator[tuple[str, Tensor]]:
        for piece in learner.weights(PIECE_BYTES):
            for weight in piece:
                for name in (weight.name, *weight.aliases):
                    yield name, weight.tensor

    def declared(self: Any) -> list[Any]:
        return metadata

    # 0.32 calls `metadata()` and iterates; 0.33 wants a cached_property and `iter_full`.
    called = inspect.isfunction(inspect.getattr_static(package.WeightSource, "metadata"))
    body = {"metadata": declared if called else cached_property(declared), "__iter__": pairs, "iter_full": pairs}
    source: Callable[[], Any] = type("LearnerSource", (package.WeightSource,), body)
    return source()


def _engine(learner: Learner, servers: ServerGroup, client: VllmControl) -> Any:
    """vLLM's, on this rank. The first one meets the servers, the others take part in gathering alone."""
    try:
        factory = vllm_module(PACKAGE).WeightTransferTrainerFactory
        made = vllm_module(f"{PACKAGE}.nccl_engine").NCCLTrainerInitInfo
    except ImportError as error:
        words = f"sync.way = 'nccl' needs vllm on the learner's hosts, too ({error})"
        raise BadInput(f"{words}: pip install 'autoforge-rl[vllm]', or take --set sync.way=reload.") from error
    rank = learner.ranks.rank
    address, port = _meeting(servers.urls) if rank == 0 else ("", 0)
    info = made(rank=rank, master_address=address, master_port=port, world_size=1 + sum(servers.workers))
    return factory.trainer_init(info, client=client, source=weight_source(learner))


def _address(url: str) -> str:
    """This host's, on the way there."""
    parts = urlsplit(url)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        route.connect((parts.hostname or "localhost", parts.port or 80))  # of a datagram socket: nothing is sent
        return str(route.getsockname()[0])


def _meeting(urls: Sequence[str]) -> tuple[str, int]:
    """Where all servers find this rank: its address on the way to one of another host, where there is one, since
    servers beside it reach that, too; and a free port."""
    addresses = [_address(url) for url in urls]
    address = next((one for one in addresses if not ip_address(one).is_loopback), addresses[0])
    return address, _free_port(address)


def _free_port(address: str) -> int:
    with socket.socket() as free:
        free.bind((address, 0))
        return int(free.getsockname()[1])
