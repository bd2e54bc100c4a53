"""Memory of one rank of the learner, in bytes.

P parameters, of which T are trained (all, or the adapters'), b bytes each (bf16 2, fp32 4), N ranks:

- weights: b·P; with ZeRO 3 b·P/N, and two layers are whole at a time (the one at work, the one that is fetched);
- gradients: b·T; with ZeRO 2 and 3 b·T/N;
- optimizer: two means of AdamW in fp32, 8·T, and with bf16 an fp32 copy of the weights, 4·T; with ZeRO 1 to 3 a
  share of 1/N, with offload in the host's memory;
- activations of a micro-batch of M tokens: for each token and layer 6h + 4q + 4k + 4f values of b bytes (the two norms
  keep their input in fp32 and their output; queries and keys before and after rotation, values, output of attention;
  gate, up, their activation and product), q = heads × head_dim, k the same of keys, f the width that a token goes
  through; 2q + 2k more where queries and keys have norms; with experts 2h more for each chosen one (its input and
  output). No square of the length: attention is computed in blocks. What torch keeps for models of transformers is
  within 15 % of it. With checkpointing: b·h for each token and layer, and all of one layer;
- head: `head_tokens` rows of logits at a time: in the model's precision, in fp32, and their gradient.

Invariant: more ranks, a higher stage or checkpointing never need more, but for the two whole layers. Not covered:
fragments and buffers (`assumptions.overhead`), padding beyond M.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["LearnerMemory", "bytes_of", "learner_memory", "trained_parameters"]

_ALL = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class LearnerMemory(NamedTuple):
    """Bytes on one device."""

    weights: float
    gathered: float
    """Whole layers under ZeRO 3."""
    gradients: float
    optimizer: float
    activations: float
    head: float
    host: float
    """In the host's memory, for one rank."""

    @property
    def total(self) -> float:
        """On the device."""
        return sum(self) - self.host


def bytes_of(settings: TrainerSettings) -> int:
    """Of one value in the model's precision."""
    return 2 if settings.model.precision == "bf16" else 4


def learner_memory(settings: TrainerSettings, shape: ModelShape) -> LearnerMemory:
    """Of one rank."""
    learner, size = settings.learner, bytes_of(settings)
    trained = trained_parameters(settings, shape)
    share = [1.0 / learner.ranks if learner.zero >= stage else 1.0 for stage in (1, 2, 3)]
    whole = 2 * shape.largest_layer * size if learner.zero == 3 and learner.ranks > 1 else 0
    optimizer = trained * (12 if size == 2 else 8) * share[0]
    return LearnerMemory(
        weights=shape.parameters * size * share[2], gathered=whole, gradients=trained * size * share[1],
        optimizer=0.0 if learner.offload else optimizer, activations=_activations(settings, shape),
        head=float(min(learner.head_tokens, learner.micro_batch_tokens) * shape.vocabulary * (size + 8)),
        host=optimizer if learner.offload else 0.0,
    )  # fmt: skip


def trained_parameters(settings: TrainerSettings, shape: ModelShape) -> int:
    """All, or those of adapters: rank × (inputs + outputs) of each matrix that has one. Experts have none."""
    lora = settings.learner.lora
    if lora is None:
        return shape.parameters
    h, q, k, f = shape.hidden, shape.query, shape.key, shape.intermediate
    ends = {"q_proj": h + q, "k_proj": h + k, "v_proj": h + k, "o_proj": q + h}
    dense = {"gate_proj": h + f, "up_proj": h + f, "down_proj": f + h}
    targets = lora.targets or _ALL
    attention = sum(width for name, width in ends.items() if name in targets)
    feed = sum(width for name, width in dense.items() if name in targets)
    return lora.rank * (shape.layers * attention + (shape.layers - shape.sparse_layers) * feed)


def _activations(settings: TrainerSettings, shape: ModelShape) -> float:
    tokens, size = settings.learner.micro_batch_tokens, bytes_of(settings)
    sparse, dense = _layer_values(shape, sparse=True), _layer_values(shape, sparse=False)
    if settings.learner.checkpointing:
        one = max(sparse if shape.sparse_layers else 0, dense if shape.sparse_layers < shape.layers else 0)
        return float(tokens * size * (shape.layers * shape.hidden + one))
    values = shape.sparse_layers * sparse + (shape.layers - shape.sparse_layers) * dense
    return float(tokens * size * values)


def _layer_values(shape: ModelShape, *, sparse: bool) -> int:
    """Values that one layer keeps for one token."""
    heads = (6 if shape.head_norms else 4) * (shape.query + shape.key)
    common = 6 * shape.hidden + heads
    if sparse:
        return common + 4 * shape.chosen * shape.expert_intermediate + 2 * shape.chosen * shape.hidden
    return common + 4 * shape.intermediate
