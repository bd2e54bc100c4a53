"""Seconds and peak memory of a command with all the processes it starts. Linux only: it reads /proc.

Invariant: memory is the sum of the proportional set sizes (PSS) of the tree, in which a page that several processes
share counts once; it is sampled, so a peak shorter than `PERIOD` can be missed.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Measured", "measure", "proportional", "tree"]

PERIOD = 0.05
"""Seconds between two samples."""


class Measured(NamedTuple):
    """What a command took."""

    code: int
    seconds: float
    peak_mb: float
    """Most memory of the whole tree at once, in 10^6 bytes."""
    processes: int
    """Most processes at once."""
    out: str


def measure(command: Sequence[str], *, cwd: Path) -> Measured:
    """Run a command to its end; its stdout is captured, its stderr passed on."""
    started = time.perf_counter()
    peak, most = 0, 0
    with (cwd / "stdout").open("w+", encoding="utf-8") as out:
        with subprocess.Popen(command, cwd=cwd, stdout=out, stdin=subprocess.DEVNULL) as process:
            while process.poll() is None:
                sizes = [proportional(pid) for pid in tree(process.pid)]
                peak, most = max(peak, sum(sizes)), max(most, len(sizes))
                time.sleep(PERIOD)
        out.seek(0)
        return Measured(process.returncode, time.perf_counter() - started, peak / 1e6, most, out.read())


def tree(root: int) -> list[int]:
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting.extend(map(int, (task / "children").read_text(encoding="ascii").split()))
        except OSError:
            continue
    return found


def proportional(pid: int) -> int:
    """PSS in bytes; 0 for a process that is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:")), 0)
