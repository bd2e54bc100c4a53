"""What every process of a pool does first: it leaves Ctrl-C to its parent, and unwinds when it is told to end.

Invariant: SIGTERM, or the parent's end, raises SystemExit once in the main thread; what comes after it is ignored, so
that temporary folders and contained processes go to the last (an executor ends its processes again whenever it finds
one of them gone). Not covered: SIGKILL.
"""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process
from types import FrameType

__all__ = ["ENDED", "obey_parent"]

ENDED = 130
"""The exit code of a process that unwound."""


def obey_parent() -> None:
    """To be called in the main thread of a fresh process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_stop_with_parent, daemon=True).start()


def _stop(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(ENDED)


def _stop_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
