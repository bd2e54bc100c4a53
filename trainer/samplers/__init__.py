"""Samplers: what gives ids for ids under the newest weights, on this machine or on a server of vLLM.

Invariant: what was sampled is given as it was sampled, with a probability and a version for each id. Not covered: texts
and templates (`tokens`), whether weights arrived as they were sent (`sync`). Names are imported from the module that
defines them.
"""

from __future__ import annotations

__all__: list[str] = []
