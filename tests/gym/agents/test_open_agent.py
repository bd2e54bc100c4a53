"""Agents by the names that people write."""

from __future__ import annotations

import pytest

from autoforge.gym.agents.chat import ChatAgent, ChatSettings
from autoforge.gym.agents.hermes import HermesAgent
from autoforge.gym.agents.open import open_agent
from autoforge.gym.llm import ModelClient, ModelSpec
from autoforge.mcp_envs.errors import BadInput

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["oracle", "no-op", "random", "spam", "human", " oracle "])
def test_an_agent_without_a_model_is_opened_by_its_name(name: str) -> None:
    assert open_agent(name).name == name.strip()


@pytest.mark.parametrize(
    ("name", "model", "kind"),
    [
        ("anthropic:claude-opus-4-5", "anthropic:claude-opus-4-5", ChatAgent),
        ("openai:qwen3:8b", "openai:qwen3:8b", ChatAgent),
        ("openai:a-hermes+b", "openai:a-hermes+b", ChatAgent),
        ("hermes+openai:qwen3:8b", "openai:qwen3:8b", HermesAgent),
        (" hermes+openai:qwen3:8b ", "openai:qwen3:8b", HermesAgent),
    ],
)
async def test_a_model_is_opened_with_the_client_that_the_caller_connects(name: str, model: str, kind: type) -> None:
    asked: list[ModelSpec] = []

    def connect(spec: ModelSpec) -> ModelClient:
        asked.append(spec)
        return client

    async with ModelClient(model, base_url="http://127.0.0.1:9/v1") as client:
        agent = open_agent(name, connect, ChatSettings(reasoning="keep"))
    assert type(agent) is kind and agent.name == name.strip()
    assert [str(spec) for spec in asked] == [model]


@pytest.mark.parametrize("name", ["", "oracel", "hermes+oracle", "mistral:large", "hermes+", "openaii:x", ":"])
def test_another_name_is_answered_with_all_there_are(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        open_agent(name)
    assert str(caught.value) == (
        f"there is no agent {name!r}; give oracle, no-op, random, spam, human, anthropic:MODEL, openai:MODEL "
        "or hermes+openai:MODEL."
    )


@pytest.mark.parametrize(
    ("name", "words"), [("openai:", "needs a model name"), ("openai", "names no provider"), ("openai:x", "is a model")]
)
def test_a_model_that_cannot_be_had_is_refused(name: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        open_agent(name)


async def test_a_model_with_no_place_for_written_thoughts_does_not_write_its_calls() -> None:
    async with ModelClient("anthropic:claude-opus-4-5") as client:
        with pytest.raises(BadInput, match=r"has native calls.*leave out hermes\+, or name a model as openai:MODEL"):
            open_agent("hermes+anthropic:claude-opus-4-5", lambda spec: client)


async def test_settings_that_the_model_cannot_keep_are_refused() -> None:
    async with ModelClient("openai:gpt-4.1") as client:
        with pytest.raises(BadInput, match="shows no reasoning"):
            open_agent("openai:gpt-4.1", lambda spec: client, ChatSettings(reasoning="keep"))
