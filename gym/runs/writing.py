"""Writes files that are whole or not there.

Invariant: a crash or an error leaves a file as it was, and nothing beside it but what a kill could not take away; only
a regular file is replaced, and of a link its target. Not covered: files that grow (`trajectory_file`).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from autoforge.gym.regular_file import output_place, shown
from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = ["expect_no_input", "whole_file", "write_whole"]

_LONGEST_NAME = 200
"""Bytes of a file's name that its draft has, too."""


@contextmanager
def whole_file(place: Path) -> Iterator[TextIO]:
    """A file that takes its place when all is written. Raises BadInput where it cannot be made, AutoForgeError where
    writing fails."""
    target = output_place(place)
    _expect_unlocked(place)
    draft = _draft_of(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = draft.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInput(f"{shown(place)} cannot be written: {error.strerror or error}; give another file.") from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise AutoForgeError(f"{place} cannot be written: {error.strerror or error}.") from None
    finally:
        draft.unlink(missing_ok=True)


def expect_no_input(place: Path, inputs: Iterable[Path]) -> None:
    """Raises BadInput where a file that is to be written is one of those that are read, under whatever name."""
    for path in inputs:
        try:
            same = place.samefile(path)
        except (OSError, ValueError):
            same = False  # one of them is not there
        if same:
            raise BadInput(f"{place} is a file that is read ({path}); give another file with -o.")


def _draft_of(place: Path) -> Path:
    name = os.fsdecode(os.fsencode(place.name)[:_LONGEST_NAME])
    return place.with_name(f".{name}.{os.getpid()}.new")


def _expect_unlocked(place: Path) -> None:
    """Raises BadInput for a file that a run is writing."""
    try:
        with place.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInput(f"a run is writing {place}; wait for its end, or give another file.") from None
    except OSError:
        return  # it is not there, or will be refused below


def write_whole(place: Path, parts: Iterable[str]) -> None:
    """Write a file. Raises as `whole_file`."""
    with whole_file(place) as file:
        file.writelines(parts)
