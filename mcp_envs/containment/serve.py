"""Runs an environment's `server.py` as the main program of this process, with what a server needs and no more.

Started as a script: `python -P -B serve.py SERVER`. Invariant: before the server's text is compiled, and so before any
`tools.py`, the process has given up writing files, starting programs, new rights and, where the kernel can, the
network; nothing of ours and no folder of the environment is on the import path or among the modules. Not covered: what
the kernel lacks (`kernel.confine` does what it can), reading files, the system calls (a server needs more of them than
`seccomp` lists): a server of code that nobody trusts is not started at all.
"""

from __future__ import annotations

import runpy
import sys
import types
from pathlib import Path

__all__ = ["main"]


def _find_packages() -> None:
    """Make `autoforge.mcp_envs.containment` importable from the folder this file is in."""
    folder = Path(__file__).resolve().parent
    paths: dict[str, Path | None] = {
        "autoforge": None,
        "autoforge.mcp_envs": folder.parent,
        "autoforge.mcp_envs.containment": folder,
    }
    for name, path in paths.items():
        package = types.ModuleType(name)
        package.__path__ = [] if path is None else [str(path)]
        sys.modules[name] = package


def main() -> None:
    """Confine this process for good, then be the server."""
    _find_packages()
    from autoforge.mcp_envs.containment.kernel import confine
    from autoforge.mcp_envs.containment.limits import Limits

    confine(Limits(memory=2 * 1024**3, lifetime=120))
    for name in [name for name in sys.modules if name.partition(".")[0] == "autoforge"]:
        del sys.modules[name]
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
