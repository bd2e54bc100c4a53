"""Files that a person names: regular ones, which are read more than once or replaced as a whole.

Invariant: nothing that is no regular file is opened for long, so that nothing blocks; a path that the system does not
take is refused in one sentence. Not covered: what is in a file.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from autoforge.mcp_envs.errors import BadInput

__all__ = ["open_regular", "output_place", "shown"]

_SHOWN = 120
"""Characters of a path in a message."""
_KINDS = {
    stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}  # fmt: skip


def open_regular(path: Path, advice: str) -> BinaryIO:
    """A file to read, which may be sought in. Raises BadInput with the advice; FileNotFoundError is told so, too."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise BadInput(f"{shown(path)} cannot be read: {_reason(error)}; {advice}.") from None
    kind = _kind(os.fstat(descriptor))
    if kind:
        os.close(descriptor)
        raise BadInput(f"{shown(path)} is {kind}; give a regular file.")
    return os.fdopen(descriptor, "rb")


def output_place(place: Path) -> Path:
    """Where a file is that is to be written: that of a link is its target. Raises BadInput for what is no regular file
    and for a path that no file can have; what is not there is for the one who writes."""
    try:
        kind = _kind(os.stat(place))
        target = Path(os.path.realpath(place))
    except FileNotFoundError:
        return Path(os.path.realpath(place))
    except (OSError, ValueError) as error:
        raise BadInput(f"{shown(place)} cannot be written: {_reason(error)}; give another file.") from None
    if kind:
        raise BadInput(f"{shown(place)} cannot be written: it is {kind}; give a file.")
    return target


def shown(path: Path | str) -> str:
    """A path as it may stand in a sentence."""
    text = str(path).replace("\0", "\\0")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _kind(info: os.stat_result) -> str:
    """What it is, where it is no regular file."""
    return "" if stat.S_ISREG(info.st_mode) else _KINDS.get(stat.S_IFMT(info.st_mode), "no regular file")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
