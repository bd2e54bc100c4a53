"""Who takes part in episodes, by the names that a person writes.

Invariant: an option that nobody would heed is refused. Not covered: what agents, users and judges do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import anyio.to_thread

from autoforge.gym.agents.agent import Agent
from autoforge.gym.agents.chat import ChatSettings
from autoforge.gym.agents.open import Connect, open_agent
from autoforge.gym.judge.masking import masked
from autoforge.gym.judge.model import ModelJudge
from autoforge.gym.judge.rules import judge_trajectory
from autoforge.gym.llm import ModelSpec, parse_model
from autoforge.gym.runs.judging import Judge, Judged
from autoforge.gym.runs.plan import RunServer
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.human import HumanUser
from autoforge.gym.users.llm import ModelUser
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["JUDGES", "USERS", "agent_of", "check_model_options", "fitted", "is_model", "judge_of", "spec_of", "user_of"]

JUDGES = ("rules", "none", "anthropic:MODEL", "openai:MODEL")
USERS = ("scripted", "human", "anthropic:MODEL", "openai:MODEL")


def is_model(name: str) -> bool:
    """Whether a name is that of a model, PROVIDER:MODEL."""
    return ":" in name


def spec_of(name: str) -> ModelSpec | None:
    """The model that a name stands for. Raises BadInput for a provider that is none."""
    return parse_model(name.rpartition("+")[2]) if is_model(name) else None


def agent_of(name: str, connect: Connect, reasoning: Literal["keep", "drop", "none"] | None) -> Agent:
    """Raises BadInput."""
    settings = ChatSettings(reasoning=reasoning) if reasoning is not None else None
    return open_agent(name, connect, settings)


def check_model_options(
    agent: str, others: Sequence[str], *, agent_options: dict[str, Any], other_options: dict[str, Any]
) -> None:
    """Raises BadInput for an option of models where no model heeds it; an option that is None was not given."""
    if not is_model(agent):
        given = next((name for name, value in agent_options.items() if value is not None), None)
        if given is not None:
            raise BadInput(f"{given} is for an agent that is a model, and {agent} is none; leave it out.")
    if not any(map(is_model, (agent, *others))):
        given = next((name for name, value in other_options.items() if value is not None), None)
        if given is not None:
            raise BadInput(f"{given} is for models, and there is none; leave it out.")


def user_of(name: str, connect: Connect) -> User:
    """Raises BadInput."""
    if is_model(name):
        return ModelUser(connect(parse_model(name)))
    if name == "human":
        return HumanUser()
    if name == "scripted":
        return ScriptedUser()
    raise BadInput(f"there is no user {name!r}; give {', '.join(USERS[:-1])} or {USERS[-1]}.")


def fitted(user: User, server: RunServer) -> User:
    """The user for one server: what a scripted one keeps back until it is asked depends on the tools there are."""
    if isinstance(user, ScriptedUser) and isinstance(server, FolderServer | HostedServer):
        return replace(user, agent_tools=server.documents)
    return user


def judge_of(name: str, connect: Connect, tools: Mapping[str, Sequence[ToolDocument]]) -> Judge | None:
    """The judge of users; `tools` are the documents of both sides, by environment. Raises BadInput."""
    if is_model(name):
        return _by_model(ModelJudge(connect(parse_model(name))), tools)
    if name == "rules":
        return _by_rules(tools)
    if name == "none":
        return None
    raise BadInput(f"there is no judge {name!r}; give {', '.join(JUDGES[:-1])} or {JUDGES[-1]}.")


def _by_rules(tools: Mapping[str, Sequence[ToolDocument]]) -> Judge:
    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        documents = tools.get(trajectory.environment, trajectory.tools)
        found = await anyio.to_thread.run_sync(judge_trajectory, trajectory, task, documents)
        return Judged(found, masked(found, trajectory.reward))

    return judge


def _by_model(model: ModelJudge, tools: Mapping[str, Sequence[ToolDocument]]) -> Judge:
    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        documents = tools.get(trajectory.environment, trajectory.tools)
        found = await model.judge(trajectory, task, documents, trial=trajectory.trial)
        return Judged(found, masked(found, trajectory.reward))

    return judge
