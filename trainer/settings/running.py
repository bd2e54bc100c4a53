"""Settings of a run as a whole, and what --dry-run takes for granted.

Invariant: what is assumed for estimates changes nothing in a run. Not covered: hosts, which the launcher's hostfile
names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from autoforge.trainer.settings.section import Section

__all__ = ["AssumptionsSettings", "RunSettings"]


class RunSettings(Section):
    """How long, where, and what is kept."""

    folder: Path = Path("runs/train")
    """Gets checkpoints, episodes, metrics.jsonl and report.html; paths are taken from the working folder."""
    steps: int = Field(default=100, ge=0)
    """ERPO steps; 0: the cold start alone."""
    seed: int = Field(default=0, ge=0)
    """Of everything that is drawn."""
    device: Literal["cuda", "cpu"] = "cuda"
    """Where learner and sampler run."""
    save_every: int = Field(default=10, ge=1)
    """Steps between checkpoints; the last step has one always."""
    keep: int = Field(default=2, ge=1)
    """Checkpoints that are kept, the newest."""
    tensorboard: bool = False
    """Whether metrics also go to FOLDER/tensorboard; needs the package tensorboard."""


class AssumptionsSettings(Section):
    """What --dry-run takes for granted in its estimates; nothing else heeds these."""

    memory: float = Field(default=80.0, gt=0)
    """GiB of one GPU, or of the host where `run.device` is cpu."""
    overhead: float = Field(default=3.0, ge=0)
    """GiB of each GPU that are neither learner's nor sampler's tensors: CUDA, NCCL, fragments."""
    teraflops: float = Field(default=989.0, gt=0)
    """Peak of one GPU in the model's precision, or of one rank on a CPU, in 1e12 operations per second."""
    bandwidth: float = Field(default=3350.0, gt=0)
    """Of the memory of one GPU, or of one rank on a CPU, in 1e9 bytes per second."""
    learner_share: float = Field(default=0.35, gt=0, le=1)
    """Share of the peak that training reaches."""
    sampler_share: float = Field(default=0.5, gt=0, le=1)
    """Share of peak and of memory bandwidth that sampling reaches."""
    sync_bandwidth: float = Field(default=10.0, gt=0)
    """Of weights on their way to the sampler, 1e9 bytes per second, all ranks together."""
    opening_tokens: int = Field(default=2500, ge=1)
    """Tokens before the first turn: instructions and tools."""
    turns: int = Field(default=12, ge=1)
    """Turns of the policy in one episode."""
    turn_tokens: int = Field(default=300, ge=1)
    """Sampled tokens of a turn, thoughts included."""
    observation_tokens: int = Field(default=150, ge=0)
    """Tokens that come back after a turn: a result or the user's words."""
    user_turns: int = Field(default=5, ge=0)
    """Turns of the user in one episode."""
    user_seconds: float = Field(default=3.0, ge=0)
    """Seconds of each; a scripted user needs next to none."""
    call_seconds: float = Field(default=0.02, ge=0)
    """Seconds of a tool call, one for each turn of the policy that is not answered by the user."""
    refilled: float = Field(default=0.25, ge=0)
    """Episodes that are played again for groups without contrast, as a share of those of the batch."""
