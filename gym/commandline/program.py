"""Runs a program's commands and exits: the one place where errors become sentences.

Invariant: exit 0 when what was asked holds, 1 when it ran and does not hold, 2 for bad input, 130 after Ctrl-C; with
`--json` one JSON document goes to stdout and everything else to stderr; a fault of ours is one line too, and its
traceback is there for AUTOFORGE_TRACEBACK=1. Not covered: what commands do.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["TRACEBACK_VARIABLE", "run_program"]

TRACEBACK_VARIABLE = "AUTOFORGE_TRACEBACK"


def run_program(commands: click.Group, program: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command of the group and exit with its code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _terminated)
    run = functools.partial(commands.main, arguments, prog_name=program, standalone_mode=False)
    sys.exit(_outcome(run, program, "--json" in arguments))


def _outcome(run: Callable[[], Any], program: str, as_json: bool) -> int:
    try:
        return int(run() or 0)
    except click.ClickException as error:
        error.show()
        return _said(error.format_message(), error.exit_code, as_json)
    except AutoForgeError as error:
        click.echo(f"{program}: {error}", err=True)
        return _said(str(error), error.exit_code, as_json)
    except (KeyboardInterrupt, click.Abort) as error:
        said = str(error) or str(error.__cause__ or "") or "interrupted; nothing is half written."
        click.echo(f"{program}: {said}", err=True)
        return 130
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        words = f"{_place(error)}; a fault of AutoForge: please report it with what {TRACEBACK_VARIABLE}=1 shows."
        click.echo(f"{program}: {words}", err=True)
        return _said(words, 1, as_json)


def _said(words: str, exit_code: int, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps({"error": words, "exit_code": exit_code}, ensure_ascii=False))
    return exit_code


def _place(error: Exception) -> str:
    """`KeyError: 'x' (writes.py, line 12)`."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _terminated(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)
