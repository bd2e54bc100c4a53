"""`autoforge-gym view`: trajectories as one page to look at.

Invariant: the page is written whole or not at all. Not covered: the page (`gym.view`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from autoforge.gym.commandline.terminal import messages
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.writing import expect_no_input
from autoforge.gym.view import write_page

__all__ = ["run_view"]


def run_view(files: Sequence[Path], output: Path) -> int:
    """Write the page. Raises BadInput for a file that is none of a run's."""
    expect_no_input(output, files)
    write_page(chain.from_iterable(map(latest, files)), output)
    messages().print(f"Open {output} in a browser.", soft_wrap=True)
    return 0
