"""The environment for code that is not asynchronous: `reset` and `step` that wait.

    with BlockingEnvironment(FolderServer(find_environment("hotel")), ScriptedUser()) as environment:
        observation, info = environment.reset(seed=0)
        observation, reward, terminated, truncated, info = environment.step(Action(text="Which dates?"))

Invariant: server and episode live in one event loop in one thread of their own, which ends with the block, whatever
ends it. Not covered: several environments at once (each has its own thread and processes: use `Environment`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Any, Self

from anyio.from_thread import BlockingPortal, start_blocking_portal

from autoforge.gym.environment import Environment, EpisodeLimits, Stepped
from autoforge.gym.runs.plan import RunServer
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users.user import User

__all__ = ["BlockingEnvironment"]


class BlockingEnvironment:
    """`Environment` without `await`, with a server of its own. A context manager."""

    def __init__(
        self, server: RunServer, user: User, *, limits: EpisodeLimits | None = None, progress: bool = False
    ) -> None:
        """The server is one that is not entered yet; it is entered and left with the block."""
        self._server = server
        self._environment = Environment(server, user, limits=limits, progress=progress)
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None

    def __enter__(self) -> Self:
        """Raises what entering the server raises."""
        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal())
            stack.enter_context(portal.wrap_async_context_manager(self._server))
            stack.callback(portal.call, self._environment.close)
            self._stack = stack.pop_all()
        self._portal = portal
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._portal = None
        self._stack.close()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """As `Environment.reset`."""
        begun: tuple[Observation, dict[str, Any]]
        begun = self._loop.call(partial(self._environment.reset, seed=seed, options=options))
        return begun

    def step(self, action: Action) -> Stepped:
        """As `Environment.step`."""
        stepped: Stepped = self._loop.call(self._environment.step, action)
        return stepped

    def close(self) -> None:
        """End the episode at hand, if there is one."""
        self._loop.call(self._environment.close)

    @property
    def _loop(self) -> BlockingPortal:
        if self._portal is None:
            raise ValueError("the environment is not open: use it in a with block")
        return self._portal
