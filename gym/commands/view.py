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
from autoforge.mcp_envs.errors import BadInput

__all__ = ["run_view"]


def run_view(files: Sequence[Path], output: Path) -> int:
    """Write the page. Raises BadInput for a file that is none of a run's, and where no episode is to be seen."""
    expect_no_input(output, files)
    episodes = chain.from_iterable(map(latest, files))
    first = next(episodes, None)
    if first is None:
        raise BadInput(f"{', '.join(map(str, files))}: no episodes in it; give a file that autoforge-gym run wrote.")
    write_page(chain([first], episodes), output)
    messages().print(f"Open {output} in a browser.", soft_wrap=True)
    return 0
