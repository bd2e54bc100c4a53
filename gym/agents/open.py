"""An agent by the name that a person writes for it.

Invariant: a name that is not understood is answered with all that are. Not covered: addresses, keys, caches and
budgets of models; whoever opens an agent connects its client.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from autoforge.gym.agents.agent import Agent
from autoforge.gym.agents.baseline import baseline_agents
from autoforge.gym.agents.chat import ChatAgent, ChatSettings
from autoforge.gym.agents.hermes import HermesAgent
from autoforge.gym.agents.human import HumanAgent
from autoforge.gym.llm import ModelClient, ModelSpec, parse_model
from autoforge.gym.llm.spec import PROVIDERS
from autoforge.mcp_envs.errors import BadInput

__all__ = ["AGENTS", "Connect", "open_agent"]

Connect: TypeAlias = Callable[[ModelSpec], ModelClient]
AGENTS = (*baseline_agents(), "human", *(f"{name}:MODEL" for name in PROVIDERS), "hermes+openai:MODEL")
_HERMES = "hermes+"


def open_agent(spec: str, connect: Connect | None = None, settings: ChatSettings | None = None) -> Agent:
    """The agent of one of the forms in `AGENTS`. `connect` makes the client of a model, which stays the caller's to
    close; `settings` are for models.

    Raises BadInput for another name, a model without `connect`, and settings that the agent cannot keep.
    """
    name = spec.strip()
    model = name.removeprefix(_HERMES)
    if model.split(":")[0] in PROVIDERS:
        parsed = parse_model(model)
        if connect is None:
            raise BadInput(f"the agent {name!r} is a model, and none can be reached from here; give another agent.")
        return (ChatAgent if model == name else HermesAgent)(connect(parsed), settings)
    others: dict[str, Agent] = {**baseline_agents(), "human": HumanAgent()}
    if name not in others:
        raise BadInput(f"there is no agent {name!r}; give {', '.join(AGENTS[:-1])} or {AGENTS[-1]}.")
    return others[name]
