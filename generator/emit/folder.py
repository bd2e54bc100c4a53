"""Writing an environment to disk so that a crash at any moment leaves the old one or the new one, whole.

How: everything is written to a sibling `.NAME.new-SUFFIX`, flushed to the disk, then put in place with one system
call. Where nothing is there yet that is `rename`; else Linux exchanges the two folders (`renameat2` with
RENAME_EXCHANGE) and the old one, now under the temporary name, is removed. Elsewhere the old one is first renamed
to `.NAME.old`: a crash between the two renames leaves no NAME, and `recover`, which every write begins with and
readers may call, renames `.NAME.old` back.

Invariant: NAME never holds a mixture. A lock on `.NAME.lock` keeps two writers apart, so that a temporary folder
that is found while holding it is a dead writer's and is removed. Not covered: what the files say.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from autoforge.mcp_envs.errors import BadInput

__all__ = ["recover", "write_environment"]

MANIFEST = "environment.json"
"""The file by which a folder is known to be an environment."""
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def write_environment(files: Mapping[str, str | bytes], target: Path) -> None:
    """Put an environment of these files (path with slashes -> content, text as UTF-8) in the place of `target`.

    Files of the old environment that are not among `files` are gone afterwards. Raises BadInput where the target exists
    and is not an environment, or where a path would lie outside of it.
    """
    target = Path(os.path.abspath(target))
    _check(files, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target):
        recover(target)
        _refuse_strangers(target)
        fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.new-", dir=target.parent))
        try:
            _write(files, fresh)
            _put(fresh, target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
            _flush(target.parent)


def recover(target: Path) -> None:
    """Clean up after a writer that was killed. Call it only where no other writer is at work on `target`."""
    target = Path(os.path.abspath(target))
    old = _aside(target)
    if old.exists():
        if target.exists():
            shutil.rmtree(old)
        else:
            old.rename(target)
    if target.parent.is_dir():
        for stale in sorted(target.parent.glob(f".{_escaped(target.name)}.new-*")):
            shutil.rmtree(stale, ignore_errors=True)


def _check(files: Mapping[str, str | bytes], target: Path) -> None:
    if MANIFEST not in files:
        raise BadInput(f"an environment cannot be written to {target} without {MANIFEST}; add it to the files")
    for name in files:
        path = PurePosixPath(name)
        if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in name or "\\" in name:
            raise BadInput(f"the file name {name!r} does not lie inside an environment; use a relative path")


def _refuse_strangers(target: Path) -> None:
    """Only an environment or an empty folder may be replaced."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BadInput(f"{target} is not a folder; choose another place for the environment")
    if target.is_dir() and not (target / MANIFEST).is_file() and any(target.iterdir()):
        raise BadInput(f"{target} is not an environment (it has no {MANIFEST}); choose another place or empty it")


def _write(files: Mapping[str, str | bytes], folder: Path) -> None:
    folder.chmod(0o777 & ~_umask())
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
    for inner in sorted({folder, *(p for p in folder.rglob("*") if p.is_dir())}):
        _flush(inner)


def _put(fresh: Path, target: Path) -> None:
    """Bring the new folder into place; what was there is afterwards under the name `fresh`, or gone."""
    if not target.exists():
        fresh.rename(target)
        return
    exchange = _exchange()
    if exchange is not None and exchange(fresh, target):
        return
    old = _aside(target)
    target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old)


def _exchange() -> Callable[[Path, Path], bool] | None:
    """The system's way to swap two folders at once, which says whether the file system could; None without one."""
    if not sys.platform.startswith("linux"):
        return None
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return None
    rename.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]

    def swap(first: Path, second: Path) -> bool:
        if rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
            return True
        code = ctypes.get_errno()
        if code in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
            return False
        raise OSError(code, os.strerror(code), str(second))

    return swap


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Hold the writers' lock of a target. Its file goes with its holder; who waited for it takes the next one."""
    path = target.with_name(f".{target.name}.lock")
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                break
        os.close(descriptor)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.old")


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
