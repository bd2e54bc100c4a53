"""A renderer that forgets the thoughts of earlier turns when the user speaks: what Qwen3's own template does.

It is for the ablation of kept thinking; a run that is to learn keeps thoughts. Invariant: nothing but thoughts is left
out, and only at the user's turns; what was sampled is trained on as it was sampled, in a row of its own for each time
the past was rewritten. Not covered: thoughts between marks that are several tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from autoforge.gym.agents.policy import Renderer
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.renderer import TemplateRenderer

__all__ = ["ForgettingRenderer"]


class ForgettingRenderer(Renderer):
    """Another renderer without earlier thoughts."""

    def __init__(self, inner: TemplateRenderer) -> None:
        """Raises BadInput where thoughts have no marks of a single token."""
        self._inner = inner
        template = inner.chosen.template
        opens, closes = (template.ids(mark) for mark in ("<think>", "</think>"))
        if len(opens) != 1 or len(closes) != 1:
            words = "rollouts.policy.thoughts is 'dropped', and this tokenizer has no single tokens for <think>"
            raise BadInput(f"{words} and </think>; keep thoughts, or take another model.")
        self._opens, self._closes = opens[0], closes[0]

    def opening(self, system: str, tools: Sequence[ToolDocument], observation: Observation) -> tuple[int, ...]:
        return self._inner.opening(system, tools, observation)

    def extended(self, ids: Sequence[int], observation: Observation) -> tuple[int, ...]:
        spoken = any(message.role == "user" for message in observation)
        return self._inner.extended(self._without_thoughts(ids) if spoken else ids, observation)

    def turn(self, ids: Sequence[int]) -> Action:
        return self._inner.turn(ids)

    def _without_thoughts(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Without what stands between the marks, the marks, and the blank space behind them; a thought that does not
        end stays."""
        kept: list[int] = []
        place = 0
        while place < len(ids):
            if ids[place] == self._opens and self._closes in ids[place:]:
                place = self._behind(ids, place)
            else:
                kept.append(ids[place])
                place += 1
        return tuple(kept)

    def _behind(self, ids: Sequence[int], opened: int) -> int:
        place = list(ids).index(self._closes, opened) + 1
        while place < len(ids) and not self._inner.chosen.template.words(ids[place : place + 1]).strip():
            place += 1
        return place
