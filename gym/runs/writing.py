"""Writes files that are whole or not there.

Invariant: a crash or an error leaves a file as it was, and nothing beside it but what a kill could not take away. Not
covered: files that grow (`trajectory_file`).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = ["whole_file", "write_whole"]


@contextmanager
def whole_file(place: Path) -> Iterator[TextIO]:
    """A file that takes its place when all is written. Raises BadInput where it cannot be made, AutoForgeError where
    writing fails."""
    draft = place.with_name(f".{place.name}.{os.getpid()}.new")
    _check(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = draft.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInput(f"{place} cannot be written: {error.strerror or error}; give another file.") from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    except OSError as error:
        raise AutoForgeError(f"{place} cannot be written: {error.strerror or error}.") from None
    finally:
        draft.unlink(missing_ok=True)


def _check(place: Path) -> None:
    """Raises BadInput for what is no place for a file, and for a file that a run is writing."""
    if place.is_dir():
        raise BadInput(f"{place} is a folder; give a file.")
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
