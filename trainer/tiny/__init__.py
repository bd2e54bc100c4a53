"""The model of about a million parameters that comes along, so that everything runs on a laptop in minutes.

It was made by `pretrain` on dialogues of made-up domains: it copies, looks up and calls, and has seen no
environment, though words of the small ones. Not covered: doing anything well that these dialogues do not have, other
languages than English above all.
"""

from __future__ import annotations

from autoforge.trainer.tiny.base import tiny_model

__all__ = ["tiny_model"]
