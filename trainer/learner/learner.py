"""The learner: a policy over a DeepSpeed engine.

Start it with a launcher for many ranks (`torchrun --nproc-per-node 8 …`, `deepspeed --hostfile … --no_local_rank …`),
or as a plain process. Invariant: every method is called by every rank in the same order; loss, gradients and weights do
not depend on how rows are spread over micro-batches and ranks. Not covered: what the loss is, data, samplers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch

from autoforge.trainer.learner import checkpoint, export, step
from autoforge.trainer.learner.batch import Batch, moved
from autoforge.trainer.learner.engine import engine_config, prepare, start
from autoforge.trainer.learner.failures import enough_memory
from autoforge.trainer.learner.head import Scores
from autoforge.trainer.learner.model import load
from autoforge.trainer.learner.ranks import Ranks, join
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.learner.step import Loss, StepReport
from autoforge.trainer.learner.weights import Weight, WeightShape, pieces, shapes

__all__ = ["Learner"]

B = TypeVar("B", bound=Batch)

_PIECE_BYTES = 1 << 30


class Learner:
    """Owns the model and its optimizer."""

    def __init__(self, settings: LearnerSettings, ranks: Ranks | None = None) -> None:
        """Loads the model and starts the engine. Raises BadInput for settings or a model folder that cannot be used,
        AutoForgeError where memory runs out."""
        self.settings = settings
        self.ranks = ranks or join(settings)
        prepare(self.ranks)
        with enough_memory("loading the model"):
            self._loaded = load(settings, self.ranks, engine_config(settings, self.ranks))
            self._engine = start(settings, self.ranks, self._loaded.policy)

    @property
    def steps(self) -> int:
        """Steps of the optimizer until now."""
        return int(self._engine.global_steps)

    @property
    def tokenizer(self) -> Any:
        """The model's, of transformers."""
        return self._loaded.tokenizer

    @property
    def vocabulary(self) -> int:
        """Ids are below this."""
        return self._loaded.vocabulary

    def logprobs(
        self, batch: Batch, *, temperature: float | None = None, entropy: bool = False, everywhere: bool = False
    ) -> Scores:  # fmt: skip
        """The same as `logprobs_of` with one batch."""
        return self.logprobs_of([batch], temperature=temperature, entropy=entropy, everywhere=everywhere)[0]

    def logprobs_of(
        self,
        batches: Sequence[Batch],
        *,
        temperature: float | None = None,
        entropy: bool = False,
        everywhere: bool = False,
    ) -> list[Scores]:
        """Without gradient, [rows, length − 1] for ids[:, 1:] of each batch, at the trainable ids or `everywhere` but
        in padding, 0 elsewhere; on the learner's device; at the temperature of the settings where none is given. Ranks
        may have different numbers of batches. Raises BadInput for a bad batch, AutoForgeError where memory runs out."""
        plan = step.plan_of(batches, self.vocabulary, self.ranks)
        scoring = step.Scoring(temperature or self.settings.temperature, entropy, everywhere)
        self._engine.eval()
        found = []
        with torch.no_grad(), enough_memory("computing log-probabilities"):
            for place in range(plan.passes):
                batch = moved(batches[place], self.ranks.device) if place < len(batches) else None
                found.append(step.scores(self._engine, self.ranks, batch, scoring))
        return found[: len(batches)]

    def train_step(self, micro_batches: Sequence[B], loss: Loss[B], *, entropy: bool = False) -> StepReport:
        """One step of the optimizer. The losses of all micro-batches of all ranks add up to the loss of the step:
        divide each by a normaliser of the whole step, over all ranks. Ranks may have different numbers of
        micro-batches, none too. Raises BadInput, on every rank, for a bad micro-batch; AutoForgeError where memory runs
        out, and where loss or gradients are not finite: the weights are as before then, and the learner is of no more
        use."""
        plan = step.plan_of(micro_batches, self.vocabulary, self.ranks)
        if not plan.trained_ids:
            return StepReport(self.steps, True, 0.0, 0.0, 0.0, 0, 0, {})
        scoring = step.Scoring(self.settings.temperature, entropy)
        return step.train(self._engine, self.ranks, plan, micro_batches, loss, scoring)

    def weights(self, piece_bytes: int = _PIECE_BYTES) -> Iterator[list[Weight]]:
        """All weights as full tensors, under the names of the model, in pieces of at most so many bytes (a larger
        weight alone). Every rank must go through all of them."""
        return pieces(self._loaded.policy.causal, piece_bytes)

    def weight_shapes(self) -> list[WeightShape]:
        """What `weights` yields, in that order."""
        return shapes(self._loaded.policy.causal)

    def save(self, folder: Path) -> None:
        """Everything that is needed to go on, in a new folder on a disk that all ranks share. Raises BadInput where it
        exists."""
        checkpoint.write(self._engine, self.settings, self.ranks, folder)

    def load(self, folder: Path) -> None:
        """What `save` wrote, into a learner that has done nothing yet. Raises BadInput where it does not fit."""
        checkpoint.read(self._engine, self.settings, self.ranks, folder)

    def export(self, folder: Path, *, chat_template: str | None = None) -> None:
        """The model as a new Hugging Face folder, with its tokenizer. `chat_template` replaces the tokenizer's. Raises
        BadInput where the folder exists."""
        export.write(self._loaded, self.ranks, folder, piece_bytes=_PIECE_BYTES, chat_template=chat_template)

    def close(self) -> None:
        """Frees the engine; the process group stays, see `ranks.leave`."""
        self._engine.destroy()
