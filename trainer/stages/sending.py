"""How the newest weights get from the ranks of the learner to the sampler, whichever way they go.

Invariant: a folder with weights is whole before its name is told, and is gone when the next one is in use; over NCCL
nothing is sent before the sampler is paused. Not covered: the pause and the proof (`sync`), the ranks' part (`crew`).
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.crew import Broadcast, Crew
from autoforge.trainer.samplers.replicas import replicas_of
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.vllm_control import ServerGroup
from autoforge.trainer.samplers.vllm_engine_parts import is_tied
from autoforge.trainer.samplers.vllm_server import VllmServerSampler
from autoforge.trainer.samplers.weights import name_head
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.sync import Probe, SyncSettings, probe_batch, proved, synchronise

__all__ = ["Sending"]

EXCHANGE: Final = "exchange"
"""The folder of a run through which weights go to servers."""


class Sending:
    """The first rank's side of all transfers of a run."""

    def __init__(self, settings: TrainerSettings, crew: Crew, sampler: Sampler) -> None:
        own = settings.sync
        self._crew = crew
        self._sampler = sampler
        self._way = _way(settings)
        self._settings = SyncSettings(own.seconds, own.probe_tokens, own.probe_tolerance)
        self._probe = probe_batch(crew.learner.vocabulary, own.probe_tokens)
        self._untied = settings.sampler.engine == "vllm-server" and settings.run.device == "cpu"
        self._exchange = settings.run.folder.resolve() / EXCHANGE

    async def send(self, version: int) -> Probe:
        """The weights of now, stamped and proved. Raises AutoForgeError."""
        if self._way == "nccl":
            deliver = partial(self._broadcast, version)
            # Meeting and sending have the deadline each, and tell more than the one around them.
            patient = self._settings._replace(seconds=3 * self._settings.seconds)
            return await proved(self._sampler, deliver, self._probe, version, patient)
        folder = self._folder(version) if self._way == "reload" else None
        sent = await self._crew.send(self._probe, folder)
        if folder is not None and self._untied and is_tied(folder):
            name_head(folder)
        weights = sent.weights if folder is None else folder
        found = await synchronise(self._sampler, weights, sent.logprobs, self._probe, version, self._settings)
        self._clear(but=folder)
        return found

    async def _broadcast(self, version: int) -> Sequence[float]:
        servers = _servers(self._sampler)
        workers = [await server.workers() for server in servers]
        group = ServerGroup(tuple(server.url for server in servers), tuple(workers))
        sent = await self._crew.broadcast(Broadcast(self._probe, group, version, self._settings.seconds))
        for server in servers:
            await server.loaded(version)
        return sent.logprobs

    def _folder(self, version: int) -> Path:
        """A new one; an earlier try of the same version goes."""
        folder = self._exchange / f"weights-{version}"
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def _clear(self, but: Path | None) -> None:
        for other in self._exchange.glob("weights-*") if but is not None else ():
            if other != but:
                shutil.rmtree(other, ignore_errors=True)


def _way(settings: TrainerSettings) -> Literal["memory", "nccl", "reload"]:
    if settings.sync.way != "auto":
        return settings.sync.way
    return "reload" if settings.sampler.engine == "vllm-server" else "memory"


def _servers(sampler: Sampler) -> list[VllmServerSampler]:
    """Raises BadInput where one is no server."""
    found = [replica for replica in replicas_of(sampler) if isinstance(replica, VllmServerSampler)]
    if len(found) != len(replicas_of(sampler)):
        raise BadInput("sync.way = 'nccl' sends to servers of vLLM; take --set sync.way=auto.")
    return found
