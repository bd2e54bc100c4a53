"""Tokens of the trainer: chat templates as ids that only ever grow, and the rows that are trained on.

`TemplateRenderer.of(tokenizer)` drives `gym.agents.policy.PolicyAgent`; `rollout_of` makes rows of what it played,
`supervised_rollout` of what others played; `batch` makes tensors of rows (the only module here that imports torch).

To add a training template, for a family whose stock template drops earlier thoughts:

1. Write `templates/NAME.jinja`, with a comment at its head that says for whom. It is given `messages` (system, user,
   assistant with `content`, `reasoning_content` and `tool_calls`, tool), `tools` and `add_generation_prompt`. What it
   writes for a message may depend on the messages before it, never on those behind it (but for joining results).
2. It is taken by itself for every tokenizer whose stock template opens conversations and ends turns exactly alike
   (`training.choose_template`); nothing is registered.
3. Put the stock template beside the tests (`tests/trainer/tokens/templates/`, with its origin and licence in the README
   there) and its line into `STOCK` of `tests/trainer/tokens/families.py`: the laws then run for it, too.

Invariant: ids that were sampled stay as they are, in prompts and in rows. Not covered: sampling, losses.
"""

from __future__ import annotations

from autoforge.trainer.tokens.renderer import TemplateRenderer
from autoforge.trainer.tokens.sequence import Rollout, TokenRow, rollout_of
from autoforge.trainer.tokens.supervised import supervised_rollout
from autoforge.trainer.tokens.training import TemplateSettings, choose_template

__all__ = [
    "Rollout", "TemplateRenderer", "TemplateSettings", "TokenRow", "choose_template", "rollout_of",
    "supervised_rollout",
]  # fmt: skip
