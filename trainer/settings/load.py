"""Settings as they are used: read, merged, checked, each value with who gave it.

Invariant: what is returned holds together, and no setting that a person wrote goes unheeded. Not covered: whether
models, environments and files are there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from autoforge.gym.agents.policy import PolicySettings
from autoforge.gym.environment import EpisodeLimits
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.erpo_settings import METHODS
from autoforge.trainer.settings.consistency import disagreements
from autoforge.trainer.settings.faults import fault, refused
from autoforge.trainer.settings.heeded import unheeded
from autoforge.trainer.settings.layers import Layers, layers_of, merged
from autoforge.trainer.settings.nearest import meant
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Loaded", "load_settings"]


class Loaded(NamedTuple):
    """Settings, and where they are from."""

    settings: TrainerSettings
    layers: Layers


def load_settings(source: str, assignments: Sequence[str] = ()) -> Loaded:
    """Of a TOML file, or a preset by name, with `key=value` over it. Raises BadInput, a sentence for each fault."""
    layers = _with_method(layers_of(source, assignments))
    try:
        settings = TrainerSettings.model_validate_json(json.dumps(layers.values), strict=True)
    except ValidationError as error:
        raise refused(error, layers) from None
    wrong = [fault(layers, key, words) for key, words in (*unheeded(settings, layers.given), *disagreements(settings))]
    if wrong:
        raise BadInput("\n".join(wrong))
    return Loaded(settings, layers)


def _with_method(layers: Layers) -> Layers:
    """With `erpo.method` replaced by the settings that it stands for, below those that are given beside it."""
    erpo = layers.values.get("erpo")
    if not isinstance(erpo, dict) or "method" not in erpo:
        return layers
    name = erpo["method"]
    if name not in METHODS:
        known = ", ".join(METHODS)
        words = f"= {json.dumps(name)} is no method{meant(str(name), METHODS)}; methods are {known}."
        raise BadInput(fault(layers, "erpo.method", words))
    method = METHODS[name](_longest(layers)).model_dump(mode="json", exclude_defaults=True)
    own = {key: value for key, value in erpo.items() if key != "method"}
    return layers._replace(values={**layers.values, "erpo": merged(method, own)})


def _longest(layers: Layers) -> int:
    """The most tokens that a rollout may sample, which Dr.GRPO divides by."""
    rollouts: Any = layers.values.get("rollouts", {})
    try:
        policy = PolicySettings.model_validate(rollouts.get("policy", {}))
        limits = EpisodeLimits.model_validate(rollouts.get("limits", {}))
    except (ValidationError, AttributeError):
        return 1  # said by whoever reads the whole
    return min(policy.context, policy.max_tokens * limits.turns)
