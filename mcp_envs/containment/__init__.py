"""Generated code is untrusted: how it is checked, and the process in which alone it runs.

`static` reads the text before anything runs it; `SyncWorker` and `contained` run it in a child process with every limit
that the machine can enforce (`Enforcement` says which). Invariant: nothing in this package, nor in what imports it,
ever imports a `tools.py`.
"""

from __future__ import annotations

import functools

from autoforge.mcp_envs.containment.limits import Enforcement, Limits
from autoforge.mcp_envs.containment.pool import ContainedTools, contained
from autoforge.mcp_envs.containment.scratch import ScratchFolder
from autoforge.mcp_envs.containment.session import Call, CallResult, Source
from autoforge.mcp_envs.containment.static import Finding, check_file, check_source
from autoforge.mcp_envs.containment.sync import SyncWorker

__all__ = [
    "Call", "CallResult", "ContainedTools", "Enforcement", "Finding", "Limits", "ScratchFolder", "Source", "SyncWorker",
    "check_file", "check_source", "contained", "probe",
]  # fmt: skip


@functools.cache
def probe() -> Enforcement:
    """What this machine can enforce, found by starting a worker with nothing in it."""
    empty = Source("class ToolError(Exception):\n    pass\n", (), {})
    with SyncWorker.of(empty) as worker:
        return worker.enforcement
