"""The weights of a model as full tensors, a piece at a time.

Invariant: names are those of the model without adapters, whose products are added in; a parameter that has several
names (tied embeddings) comes once, with the others told; tensors are copies, which stay as they are while the model
is trained on; every rank yields the same pieces in the same order. Not covered: buffers, and names that a checkpoint
has for what the module keeps packed (experts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from autoforge.trainer.learner.model import full_shape

__all__ = ["Weight", "WeightShape", "pieces", "shapes"]


class WeightShape(NamedTuple):
    """What a weight is."""

    name: str
    shape: torch.Size
    dtype: torch.dtype
    aliases: tuple[str, ...]
    """Further names of the same parameter."""


class Weight(NamedTuple):
    """A weight, on the learner's device."""

    name: str
    tensor: Tensor
    aliases: tuple[str, ...]


def shapes(causal: nn.Module) -> list[WeightShape]:
    """Of all weights, in the order in which `pieces` yields them."""
    return [
        WeightShape(item.name, full_shape(item.parameter), item.parameter.dtype, item.aliases)
        for item in _items(causal)
    ]


def pieces(causal: nn.Module, most_bytes: int) -> Iterator[list[Weight]]:
    """All weights, so many bytes at a time, or one weight that is larger. Under ZeRO-3 every rank must go through all
    of them, in step."""
    for group in _grouped(_items(causal), most_bytes):
        with torch.no_grad(), _gathered([p for item in group for p in item.parameters()]):
            piece = [Weight(item.name, item.full(), item.aliases) for item in group]
        yield piece


class _Item(NamedTuple):
    name: str
    parameter: nn.Parameter
    aliases: tuple[str, ...]
    adapter: Any = None
    """The layer of peft whose base weight this is."""

    def parameters(self) -> list[nn.Parameter]:
        """What must be whole for this weight."""
        return [self.parameter, *(p for n, p in _own(self.adapter) if "lora_" in n)]

    def full(self) -> Tensor:
        """A copy, with the adapter's part."""
        tensor = self.parameter.detach().clone()
        return tensor if self.adapter is None else tensor + self.adapter.get_delta_weight("default").to(tensor.dtype)

    def size(self) -> int:
        """In bytes."""
        return full_shape(self.parameter).numel() * self.parameter.element_size()


def _items(causal: nn.Module) -> list[_Item]:
    names: dict[int, list[str]] = {}
    found: dict[int, nn.Parameter] = {}
    for name, parameter in causal.named_parameters(remove_duplicate=False):
        if ".lora_" not in name:
            names.setdefault(id(parameter), []).append(name)
            found[id(parameter)] = parameter
    return [_item(causal, names[key], parameter) for key, parameter in found.items()]


def _item(causal: nn.Module, names: Sequence[str], parameter: nn.Parameter) -> _Item:
    first, *others = (name.replace(".base_layer.", ".") for name in names)
    layer, _, last = names[0].rpartition(".base_layer.")
    adapter = causal.get_submodule(layer) if layer and last == "weight" else None
    return _Item(first, parameter, tuple(others), adapter)


def _own(adapter: nn.Module | None) -> Iterator[tuple[str, nn.Parameter]]:
    return iter(()) if adapter is None else adapter.named_parameters()


def _grouped(items: Sequence[_Item], most_bytes: int) -> Iterator[list[_Item]]:
    group: list[_Item] = []
    for item in items:
        if group and sum(other.size() for other in group) + item.size() > most_bytes:
            yield group
            group = []
        group.append(item)
    yield group


def _gathered(parameters: Sequence[Any]) -> AbstractContextManager[Any]:
    """The parameters whole, where they are split over the ranks."""
    split = [parameter for parameter in parameters if hasattr(parameter, "ds_id")]
    if not split:
        return nullcontext()
    context: AbstractContextManager[Any] = import_module("deepspeed").zero.GatheredParameters(split)
    return context
