"""How large a model is, from its config.json alone.

A decoder layer has queries hidden → heads × head_dim, keys and values hidden → kv_heads × head_dim, the output
projection back, and a gated feed-forward part of three matrices hidden × intermediate; a mixture of experts has one for
each expert, and a router hidden × experts. Embedding and head are vocabulary × hidden each, one matrix where they are
tied. Invariant: the count equals that of the model as transformers makes it, norms and biases included. Not covered:
other architectures than Qwen2, Qwen3, Qwen3-MoE and Llama.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.model import ModelSettings

__all__ = ["ModelShape", "shape_from_config", "shape_of"]

_FAMILIES = ("llama", "qwen2", "qwen3", "qwen3_moe")
_VARIANT = re.compile(r"-(Base|Instruct|(Instruct|Thinking)-\d+)$")
"""What a name may have behind it without another architecture."""


class ModelShape(NamedTuple):
    """Sizes of a decoder."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    """Of a dense layer."""
    vocabulary: int
    tied: bool
    """Whether embedding and head are one matrix."""
    head_norms: bool = False
    """Whether queries and keys have a norm of head_dim each (Qwen3)."""
    biases: int = 0
    """Biases of one layer."""
    experts: int = 0
    chosen: int = 0
    """Experts that a token goes through."""
    expert_intermediate: int = 0
    sparse_layers: int = 0
    """Layers with experts; the others are dense."""

    @property
    def query(self) -> int:
        """Width of all queries."""
        return self.heads * self.head_dim

    @property
    def key(self) -> int:
        """Width of all keys, and of all values."""
        return self.kv_heads * self.head_dim

    @property
    def attention(self) -> int:
        """Matrix elements of one layer's attention."""
        return 2 * self.hidden * (self.query + self.key)

    def feed_forward(self, *, experts: int) -> int:
        """Matrix elements of one sparse layer with so many experts, the router included."""
        return experts * 3 * self.hidden * self.expert_intermediate + self.hidden * self.experts

    @property
    def dense(self) -> int:
        """Matrix elements of one dense feed-forward part."""
        return 3 * self.hidden * self.intermediate

    @property
    def small(self) -> int:
        """Norms and biases of one layer."""
        return 2 * self.hidden + (2 * self.head_dim if self.head_norms else 0) + self.biases

    def _layers(self, experts: int) -> int:
        dense = (self.layers - self.sparse_layers) * self.dense
        return (
            self.layers * (self.attention + self.small)
            + dense
            + self.sparse_layers * self.feed_forward(experts=experts)
        )

    @property
    def parameters(self) -> int:
        """All."""
        matrices = 1 if self.tied else 2
        return self._layers(self.experts) + self.hidden + matrices * self.vocabulary * self.hidden

    @property
    def active(self) -> int:
        """Those that one token goes through, embedding and head included."""
        return self.parameters - self._layers(self.experts) + self._layers(self.chosen)

    @property
    def multiplied(self) -> int:
        """Matrix elements that one token is multiplied by: the layers' and the head's."""
        return self._layers(self.chosen) - self.layers * self.small + self.vocabulary * self.hidden

    @property
    def largest_layer(self) -> int:
        """Parameters of the largest layer."""
        fed = self.feed_forward(experts=self.experts) if self.sparse_layers else 0
        return self.attention + self.small + max(fed, self.dense if self.sparse_layers < self.layers else 0)

    @property
    def cached(self) -> int:
        """Elements that the cache of keys and values has for one token."""
        return 2 * self.layers * self.key


def shape_of(model: ModelSettings) -> ModelShape:
    """Of the model's folder, of `model.config`, or of a name that is known. Raises BadInput."""
    own = Path(model.path) / "config.json"
    place = own if own.is_file() else model.config
    if place is not None:
        return shape_from_config(_read(place), str(place))
    known: dict[str, Any] = json.loads((resources.files(__package__ or "") / "shapes.json").read_text("utf-8"))
    name = _VARIANT.sub("", model.path)
    if name not in known:
        raise BadInput(
            f"model.path = {model.path!r} is neither a folder with a config.json nor a name whose sizes are known"
            f" ({', '.join(known)}); give its config.json with --set model.config=FILE."
        )
    return shape_from_config(known[name], name)


def shape_from_config(config: Mapping[str, Any], where: str) -> ModelShape:
    """Of the JSON of a config. Raises BadInput for an architecture that is not known, or a missing size."""
    family = config.get("model_type")
    if family not in _FAMILIES:
        raise BadInput(
            f"{where}: parameters of the architecture {family!r} cannot be counted; known are {', '.join(_FAMILIES)}."
        )
    try:
        return _shape(config, family)
    except (KeyError, TypeError, ZeroDivisionError) as error:
        raise BadInput(f"{where} lacks a size ({error}); give the config.json of the model.") from None


def _shape(config: Mapping[str, Any], family: str) -> ModelShape:
    heads, hidden, layers = config["num_attention_heads"], config["hidden_size"], config["num_hidden_layers"]
    plain = ModelShape(
        layers=layers, hidden=hidden, heads=heads, kv_heads=config.get("num_key_value_heads") or heads,
        head_dim=config.get("head_dim") or hidden // heads, intermediate=config["intermediate_size"],
        vocabulary=config["vocab_size"], tied=bool(config.get("tie_word_embeddings", False)),
        head_norms=family.startswith("qwen3"),
    )  # fmt: skip
    shape = plain._replace(biases=_biases(config, family, plain))
    if family != "qwen3_moe":
        return shape
    step, dense = config.get("decoder_sparse_step", 1), set(config.get("mlp_only_layers") or ())
    sparse = sum(1 for place in range(layers) if place not in dense and (place + 1) % step == 0)
    return shape._replace(
        experts=config.get("num_experts") or config["num_local_experts"], chosen=config["num_experts_per_tok"],
        expert_intermediate=config["moe_intermediate_size"], sparse_layers=sparse,
    )  # fmt: skip


def _biases(config: Mapping[str, Any], family: str, shape: ModelShape) -> int:
    """Qwen2 has them at queries, keys and values; the others, where the config says so, at the output, too."""
    inward = shape.query + 2 * shape.key
    if family == "qwen2":
        return inward
    attention = inward + shape.hidden if config.get("attention_bias") else 0
    return attention + (2 * shape.intermediate + shape.hidden if config.get("mlp_bias") else 0)


def _read(place: Path) -> Mapping[str, Any]:
    try:
        config = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{place} cannot be read ({error}); give the config.json of the model.") from None
    if not isinstance(config, dict):
        raise BadInput(f"{place} is no JSON object; give the config.json of the model.")
    return config
