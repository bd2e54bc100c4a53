"""The learner: a causal language model trained with DeepSpeed, on one process or many.

Importing this imports neither torch nor DeepSpeed; its modules do. Names are imported from the module that defines
them; `learner.Learner` is the one that others need.
"""

from __future__ import annotations

__all__: list[str] = []
