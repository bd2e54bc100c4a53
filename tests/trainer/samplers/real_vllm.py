"""Where tests of the real vLLM run: skipped where it is not installed, a failure there when AUTOFORGE_VLLM_TESTS=1."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Final

import pytest

__all__ = ["ON_CPU", "installed"]

WANTED: Final = os.environ.get("AUTOFORGE_VLLM_TESTS") == "1"

installed = pytest.mark.skipif(find_spec("vllm") is None and not WANTED, reason="vllm is not installed")

ON_CPU: Final = {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_CPU_KVCACHE_SPACE": "1", "OMP_NUM_THREADS": "1",
                 "VLLM_NO_USAGE_STATS": "1"}  # fmt: skip
"""Without these two cores spin against each other."""
