"""Loads the text of a `tools.py` into this process and calls its functions under a timer.

Only the contained worker imports this. Invariant: a call that the timer ends changes nothing, because the timer raises
only while a frame of the generated code is on the stack, never in the commit around it. Not covered: code that catches
every exception, or a C function that looks at no signal: the second timer, of CPU time, ends the process; the parent
does after the grace.
"""

from __future__ import annotations

import builtins
import importlib
import signal
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from autoforge.mcp_envs.containment.names import ALLOWED_BUILTINS, ALLOWED_MODULES

__all__ = ["FILE_NAME", "OutOfTime", "ToolModule", "make_ready"]

FILE_NAME = "tools.py"
_REPEAT = 0.02
"""Seconds between two attempts of the timer to end a call that swallows what it raises."""


class OutOfTime(BaseException):
    """Raised by the timer inside generated code; not an Exception, so that `except Exception` lets it through."""


class ToolModule:
    """The functions of one `tools.py`, by documented tool name."""

    def __init__(
        self, source: str, names: Mapping[str, tuple[str, Mapping[str, str]]], grace: float, *, trusted: bool = False
    ) -> None:
        """`names`: tool -> (function, documented parameter -> parameter); `trusted` gives all builtins (tests of the
        outer walls only)."""
        scope: dict[str, Any] = {"__name__": "tools", "__builtins__": vars(builtins) if trusted else _builtins()}
        self._grace = grace
        self._within(5.0, lambda: exec(compile(source, FILE_NAME, "exec", dont_inherit=True), scope))
        self.error: type[Exception] = scope.get("ToolError", _NoError)
        public = {
            n: f
            for n, f in scope.items()
            if callable(f) and n[0] != "_" and getattr(f, "__module__", "") == "tools" and f is not self.error
        }
        self._tools = {
            tool: (scope[function], dict(renamed)) for tool, (function, renamed) in names.items() if function in public
        }
        for name in public.keys() - {function for function, _ in names.values()}:
            self._tools.setdefault(name, (scope[name], {}))

    @property
    def tools(self) -> list[str]:
        return sorted(self._tools)

    def prepare(self, tool: str, seconds: float) -> Callable[..., Any]:
        """A function of the database and the documented arguments that is ended after `seconds`; KeyError for an
        unknown tool."""
        function, renamed = self._tools[tool]

        def run(db: Any, /, **arguments: Any) -> Any:
            given = {renamed.get(name, name): value for name, value in arguments.items()} if renamed else arguments
            return self._within(seconds, lambda: function(db, **given))

        return run

    def _within(self, seconds: float, run: Callable[[], Any]) -> Any:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds + self._grace)
            signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT)
            return run()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)


class _NoError(Exception):
    """Stands in where a module has no ToolError."""


def make_ready() -> None:
    """Import all that generated code may use, and what those import late, and set the timer's handler, while that is
    still allowed."""
    signal.signal(signal.SIGALRM, _on_alarm)
    for name in (
        *ALLOWED_MODULES,
        "_strptime",
        "calendar",
        "encodings.ascii",
        "encodings.latin_1",
        "encodings.utf_8_sig",
    ):
        importlib.import_module(name)


def _on_alarm(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_filename == FILE_NAME:
            raise OutOfTime
        frame = frame.f_back


def _builtins() -> dict[str, Any]:
    allowed = {name: getattr(builtins, name) for name in ALLOWED_BUILTINS}
    return {**allowed, "Exception": Exception, "__build_class__": builtins.__build_class__, "__import__": _import}


def _import(
    name: str, scope: object = None, local: object = None, members: tuple[str, ...] = (), level: int = 0
) -> Any:
    if level or name not in ALLOWED_MODULES or not set(members or ()) <= ALLOWED_MODULES[name]:
        raise ImportError(f"{name} is not available to tools")
    return sys.modules[name] if members or "." not in name else sys.modules[name.partition(".")[0]]
