"""The environment without `await`: the same five-tuple, and nothing is left when it ends."""

from __future__ import annotations

import threading
from multiprocessing import active_children

import pytest

from autoforge.gym.blocking import BlockingEnvironment
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.turns import Action
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput, ContainmentError
from tests.gym.conftest import ENVIRONMENTS, gold_actions


def hotel() -> FolderServer:
    return FolderServer(find_environment(str(ENVIRONMENTS / "hotel")))


def threads_and_processes() -> tuple[set[str], set[int | None]]:
    return {thread.name for thread in threading.enumerate()}, {child.pid for child in active_children()}


def test_an_episode_is_played_without_await_and_leaves_nothing() -> None:
    before = threads_and_processes()
    server = hotel()
    with BlockingEnvironment(server, ScriptedUser(), progress=True) as environment:
        for task in server.tasks[:2]:
            observation, info = environment.reset(options={"task": task.id})
            assert observation[0].role == "user" and info["task"] == task.id
            for action in gold_actions(task):
                observation, reward, terminated, truncated, info = environment.step(action)
                if terminated:
                    break
            assert not truncated and info["progress"] == 1.0 and (reward == 1.0) == terminated
        environment.close()
    assert threads_and_processes() == before


def test_an_error_inside_arrives_as_it_is_and_leaves_nothing() -> None:
    before = threads_and_processes()
    with pytest.raises(BadInput, match="nowhere"), BlockingEnvironment(hotel(), ScriptedUser()) as environment:
        environment.reset(options={"task": "nowhere"})
    with pytest.raises(KeyError), BlockingEnvironment(hotel(), ScriptedUser()) as environment:
        environment.reset(seed=0)
        raise KeyError("the caller's own")
    assert threads_and_processes() == before


def test_a_server_that_does_not_start_is_told_at_the_beginning() -> None:
    class Unstartable(FolderServer):
        async def __aenter__(self) -> FolderServer:  # type: ignore[override]
            raise ContainmentError("there is no python")

    before = threads_and_processes()
    with pytest.raises(ContainmentError, match="no python"):
        BlockingEnvironment(Unstartable(find_environment(str(ENVIRONMENTS / "hotel"))), ScriptedUser()).__enter__()
    assert threads_and_processes() == before


def test_outside_its_block_it_says_how_to_use_it() -> None:
    environment = BlockingEnvironment(hotel(), ScriptedUser())
    for use in (environment.reset, environment.close, lambda: environment.step(Action(text="Hello."))):
        with pytest.raises(ValueError, match="with block"):
            use()
