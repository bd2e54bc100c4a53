"""Runs a program's commands and exits: the one place where errors become sentences.

Invariant: exit 0 when what was asked holds, 1 when it ran and does not hold, 2 for bad input, 130 after Ctrl-C; with
`--json` one JSON document goes to stdout and everything else to stderr; a fault of ours is one line too, and its
traceback is there for AUTOFORGE_TRACEBACK=1; stdout that takes nothing more is exit 1, and no fault. Not covered: what
commands do.
"""

from __future__ import annotations

import errno
import functools
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["TRACEBACK_VARIABLE", "run_program"]

TRACEBACK_VARIABLE = "AUTOFORGE_TRACEBACK"
_OF_OUTPUT = frozenset({
    errno.EPIPE, errno.ENOSPC, errno.EAGAIN, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.ECONNRESET,
})  # fmt: skip


def run_program(commands: click.Group, program: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command of the group and exit with its code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _terminated)
    run = functools.partial(commands.main, arguments, prog_name=program, standalone_mode=False)
    try:
        code = _outcome(run, program, "--json" in arguments)
        code = code if _flushed(program) else code or 1
    finally:
        _expect_no_more()
    sys.exit(code)


def _outcome(run: Callable[[], Any], program: str, as_json: bool) -> int:
    try:
        return int(run() or 0)
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return _said(error.format_message(), error.exit_code, as_json)
    except AutoForgeError as error:
        _tell(f"{program}: {error}")
        return _said(str(error), error.exit_code, as_json)
    except (KeyboardInterrupt, click.Abort) as error:
        said = str(error) or str(error.__cause__ or "") or "interrupted; nothing is half written."
        _tell(f"{program}: {said}")
        return 130
    except Exception as error:
        if isinstance(error, OSError) and _is_of_output(error):
            _give_up_output(program, error)
            return 1
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        words = f"{_place(error)}; a fault of AutoForge: please report it with what {TRACEBACK_VARIABLE}=1 shows."
        _tell(f"{program}: {words}")
        return _said(words, 1, as_json)


def _said(words: str, exit_code: int, as_json: bool) -> int:
    if as_json:
        with suppress(OSError):
            click.echo(json.dumps({"error": words, "exit_code": exit_code}, ensure_ascii=False))
    return exit_code


def _tell(words: str) -> None:
    """On stderr, where that can be written to."""
    with suppress(OSError):
        click.echo(words, err=True)


def _is_of_output(error: OSError) -> bool:
    """Whether it is of stdout or stderr: errors of files that we write are told by those who write them."""
    return error.filename is None and error.errno in _OF_OUTPUT


def _flushed(program: str) -> bool:
    """Whether all that was printed has left; what the interpreter would say of the rest is kept from being said."""
    try:
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except OSError as error:
        _give_up_output(program, error)
        return False
    return True


def _give_up_output(program: str, error: OSError) -> None:
    """A reader that has gone away (`| head`) wants no words."""
    if error.errno != errno.EPIPE:
        _tell(f"{program}: the output cannot be written: {error.strerror or error}.")
    sys.stdout = io.StringIO()


def _expect_no_more() -> None:
    """Give stderr up, too, where it takes nothing: the interpreter would end with a code of its own."""
    try:
        if sys.stderr is not None and not sys.stderr.closed:
            sys.stderr.flush()
    except OSError:
        sys.stderr = io.StringIO()


def _place(error: Exception) -> str:
    """`KeyError: 'x' (writes.py, line 12)`."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _terminated(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)
