"""Whether `server.py` is the one text that this version writes.

Invariant: only that text is ever started; any other one is a failure, whatever it would do. Not covered: how it behaves
(`server`).
"""

from __future__ import annotations

from pathlib import Path

from autoforge.generator.conformance.findings import Fault
from autoforge.generator.emit.server import server_py

__all__ = ["server_text_faults"]


def server_text_faults(folder: Path) -> list[Fault]:
    """Why the server of this folder may not be started; empty where it may."""
    try:
        text = (folder / "server.py").read_bytes()
    except OSError as error:
        return [Fault(None, f"there is no server.py that can be read ({error.strerror or error})")]
    if text != server_py().encode():
        return [Fault(None, "server.py is not the text that this version writes; compile the environment again")]
    return []
