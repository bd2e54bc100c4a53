"""Requests and answers over real HTTP: what is sent, what comes back, what is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

import autoforge.gym.llm
from autoforge.gym.llm import Limits, Message, ModelClient, Request, Tool, ToolCall, parse_model
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from tests.gym.llm.conftest import CANARY, MODELS, Connect
from tests.gym.replay_server import Answer, ReplayServer, Slow, Status, recordings

pytestmark = pytest.mark.anyio

HELLO = Request(messages=(Message(role="user", content="hello"),))


def test_the_package_exports_what_it_lists_in_order() -> None:
    exported = autoforge.gym.llm.__all__
    assert exported == sorted(exported)
    assert all(hasattr(autoforge.gym.llm, name) for name in exported)


def test_importing_the_client_loads_no_sdk() -> None:
    code = "import sys, autoforge.gym.llm; print([n for n in ('anthropic', 'openai', 'httpx2') if n in sys.modules])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert child.stdout.strip() == "[]"


def test_a_model_of_ollama_keeps_the_colon_in_its_name() -> None:
    assert parse_model("openai:qwen3:8b") == ("openai", "qwen3:8b")
    assert str(parse_model(" anthropic:claude-x ")) == "anthropic:claude-x"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpt-x", "names no provider"),
        ("gemini:x", "unknown provider 'gemini'"),
        ("openai:", "needs a model name"),
        ("openai:a b", "without spaces"),
        ("", "names no provider"),
    ],
)
def test_a_wrong_model_is_refused_with_the_right_spelling(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        parse_model(text)
    assert "anthropic:MODEL or openai:MODEL" in str(caught.value)


async def test_text_usage_and_the_end_come_back(connect: Connect, provider: str) -> None:
    with ReplayServer([Answer("hi there", usage=(42, 7))]) as server:
        async with connect(server) as client:
            reply = await client.complete(HELLO)
    assert (reply.text, reply.stop_reason, reply.model) == ("hi there", "end", MODELS[provider].split(":")[1])
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (42, 7)
    assert server.requests[0].path == ("/v1/messages" if provider == "anthropic" else "/v1/chat/completions")


async def test_tool_calls_come_back_under_the_tools_own_names(connect: Connect, provider: str) -> None:
    tools = (Tool(name="/cities/:id", description="A city."), Tool(name="_cities__id"), Tool(name="a.b"))
    request = Request(messages=(Message(role="user", content="find it"),), tools=tools)
    with ReplayServer([Answer(tool_calls=[{"name": "_cities__id_2", "arguments": {"id": 7}}])]) as server:
        async with connect(server) as client:
            reply = await client.complete(request)
    assert reply.stop_reason == "tool_calls"
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("/cities/:id", {"id": 7})]
    sent = [tool if provider == "anthropic" else tool["function"] for tool in server.requests[0].body["tools"]]
    assert [tool["name"] for tool in sent] == ["_cities__id_2", "_cities__id", "a_b"]


async def test_a_large_answer_may_be_asked_for_without_streaming(connect: Connect) -> None:
    with ReplayServer([Answer("long")]) as server:
        async with connect(server) as client:
            reply = await client.complete(HELLO.model_copy(update={"max_tokens": 100_000}))
    assert reply.text == "long"


async def test_a_repeated_request_is_answered_from_disk_by_another_client(connect: Connect) -> None:
    with ReplayServer([Answer("first"), Answer("second")]) as server:
        async with connect(server) as client:
            first = await client.complete(HELLO)
        async with connect(server) as client:
            again = await client.complete(HELLO)
    assert first.text == "first"
    assert again == first
    assert len(server.requests) == 1


async def test_trials_are_independent_and_each_is_remembered(connect: Connect) -> None:
    with ReplayServer([Answer("zero"), Answer("one")]) as server:
        async with connect(server) as client:
            answers = [(await client.complete(HELLO, trial)).text for trial in (0, 1, 0, 1)]
    assert answers == ["zero", "one", "zero", "one"]
    assert len(server.requests) == 2


async def test_any_change_of_the_request_is_another_answer(connect: Connect) -> None:
    changes: list[dict[str, Any]] = [{"temperature": 0.5}, {"system": "be brief"}, {"stop": ("x",)}, {"max_tokens": 9}]
    with ReplayServer([Answer(str(number)) for number in range(5)]) as server:
        async with connect(server) as client:
            answers = {(await client.complete(HELLO.model_copy(update=change))).text for change in [{}, *changes]}
    assert answers == {"0", "1", "2", "3", "4"}


async def test_the_label_of_a_stage_does_not_change_the_answer(connect: Connect) -> None:
    with ReplayServer([Answer("one"), Answer("two")]) as server:
        async with connect(server) as client:
            assert (await client.complete(HELLO, stage="a")) == (await client.complete(HELLO, stage="b"))


async def test_identical_requests_at_once_share_one_call(connect: Connect) -> None:
    answers: list[str] = []
    with ReplayServer([Answer("once"), Answer("twice")]) as server:
        async with connect(server) as client, anyio.create_task_group() as group:

            async def ask() -> None:
                answers.append((await client.complete(HELLO)).text)

            for _ in range(20):
                group.start_soon(ask)
    assert answers == ["once"] * 20
    assert len(server.requests) == 1


async def test_clients_that_share_a_cache_only_through_the_disk_pay_once(connect: Connect) -> None:
    answers: list[str] = []
    with ReplayServer([Answer("once"), Answer("twice")]) as server:
        async with connect(server) as one, connect(server) as other, anyio.create_task_group() as group:

            async def ask(client: ModelClient) -> None:
                answers.append((await client.complete(HELLO)).text)

            group.start_soon(ask, one)
            group.start_soon(ask, other)
    assert answers == ["once", "once"]
    assert len(server.requests) == 1


async def test_when_the_first_asker_is_cancelled_the_next_one_fetches(connect: Connect) -> None:
    with ReplayServer([Slow(), Answer("second try")]) as server:
        async with connect(server) as client, anyio.create_task_group() as group:
            answers: list[str] = []

            async def ask() -> None:
                answers.append((await client.complete(HELLO)).text)

            with anyio.CancelScope() as first:

                async def cancel_when_asked() -> None:
                    while not server.requests:
                        await anyio.lowlevel.checkpoint()
                    group.start_soon(ask)
                    await anyio.wait_all_tasks_blocked()
                    first.cancel()

                group.start_soon(cancel_when_asked)
                await client.complete(HELLO)
    assert answers == ["second try"]


async def test_no_more_calls_run_at_once_than_allowed(connect: Connect) -> None:
    running: list[int] = []
    most = 0

    with ReplayServer(lambda body: Answer(body["messages"][-1]["role"])) as server:
        async with connect(server, limits=Limits(concurrency=2), cache_dir=None) as client:
            exchange = client._online.transport.exchange  # type: ignore[union-attr]

            async def counted(request: Request) -> Any:
                nonlocal most
                running.append(1)
                most = max(most, len(running))
                try:
                    return await exchange(request)
                finally:
                    running.pop()

            client._online.transport.exchange = counted  # type: ignore[method-assign, union-attr]
            async with anyio.create_task_group() as group:
                for trial in range(10):
                    group.start_soon(client.complete, HELLO, trial)
    assert len(server.requests) == 10
    assert most == 2


async def test_a_damaged_answer_is_reported_and_fetched_again(
    connect: Connect, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ReplayServer([Answer("true"), Answer("true again")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
            (file,) = (tmp_path / "answers").glob("*.json")
            for damage in (file.read_text(encoding="utf-8").replace('"true"', '"false"'), '{"key": "'):
                file.write_text(damage, encoding="utf-8")
                assert (await client.complete(HELLO)).text == "true again"
            assert (await client.complete(HELLO)).text == "true again"
    assert len(server.requests) == 3
    assert caplog.text.count(file.name) == 2
    assert "changed after it was written" in caplog.text
    assert "is damaged" in caplog.text


async def test_an_answer_of_another_request_under_this_name_is_not_trusted(connect: Connect, tmp_path: Path) -> None:
    with ReplayServer([Answer("a"), Answer("b"), Answer("a anew")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO, 0)
            (a,) = (tmp_path / "answers").glob("*.json")
            await client.complete(HELLO, 1)
            (b,) = set((tmp_path / "answers").glob("*.json")) - {a}
            a.write_bytes(b.read_bytes())
            assert (await client.complete(HELLO, 0)).text == "a anew"


async def test_offline_gives_recorded_answers_and_names_the_stage_of_a_missing_one(
    connect: Connect, provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReplayServer([Answer("recorded")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("OPENAI_API_KEY")
    async with ModelClient(MODELS[provider], cache_dir=tmp_path / "answers", offline=True) as client:
        assert (await client.complete(HELLO)).text == "recorded"
        with pytest.raises(ModelFailure, match=r"wording: no recorded answer .*trial 3.*there is none"):
            await client.complete(HELLO, 3, stage="wording")
        (file,) = (tmp_path / "answers").glob("*.json")
        file.write_text("{}", encoding="utf-8")
        with pytest.raises(ModelFailure, match=r"no recorded answer .*is damaged"):
            await client.complete(HELLO)


async def test_offline_without_a_folder_is_refused() -> None:
    with pytest.raises(BadInput, match="cache_dir"):
        ModelClient("openai:gpt-4.1", offline=True)


async def test_without_a_cache_nothing_is_written_and_every_call_is_made(connect: Connect, tmp_path: Path) -> None:
    with ReplayServer([Answer("one"), Answer("two")]) as server:
        async with connect(server, cache_dir=None, ledger=None) as client:
            assert [(await client.complete(HELLO)).text for _ in range(2)] == ["one", "two"]
    assert list(tmp_path.iterdir()) == []


async def test_recordings_of_a_relay_are_replayed_over_http(connect: Connect, tmp_path: Path, provider: str) -> None:
    box = tmp_path / "box"
    box.mkdir()
    call = Request(messages=(Message(role="user", content="book it"),), tools=(Tool(name="book"),))
    with ReplayServer([Status(400)]) as server:
        async with connect(server) as client:
            for number, request in enumerate((HELLO, call)):
                with pytest.raises(ModelFailure):
                    await client.complete(request)
                sent = json.dumps(server.requests[number].body)
                (box / f"000{number}.request.json").write_text(sent, encoding="utf-8")
    (box / "0000.answer.md").write_text("by hand", encoding="utf-8")
    answer = {"content": "", "tool_calls": [{"name": "book", "arguments": {"n": 1}}]}
    (box / "0001.answer.json").write_text(json.dumps(answer), encoding="utf-8")
    with ReplayServer(recordings(box)) as server:
        async with connect(server) as client:
            assert (await client.complete(HELLO)).text == "by hand"
            assert (await client.complete(call)).tool_calls[0] == ToolCall(
                id="toolu_0" if provider == "anthropic" else "call_0", name="book", arguments={"n": 1}
            )
            with pytest.raises(ModelFailure, match="was not recorded"):
                await client.complete(HELLO.model_copy(update={"system": "never seen"}))


async def test_a_missing_key_is_named(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = f"{provider.upper()}_API_KEY"
    monkeypatch.delenv(variable)
    with pytest.raises(BadInput, match=f"set the environment variable {variable}"):
        ModelClient(MODELS[provider])


async def test_a_server_of_ones_own_needs_no_key(
    connect: Connect, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{provider.upper()}_API_KEY")
    with ReplayServer([Answer("local")]) as server:
        async with connect(server) as client:
            assert (await client.complete(HELLO)).text == "local"
    assert CANARY not in str(server.requests[0].headers)


async def test_a_missing_package_is_named_with_its_command(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, provider, None)
    with pytest.raises(BadInput, match=rf"pip install '{provider}>="):
        ModelClient(MODELS[provider])


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "http://user:pa55word@host/v1"])
async def test_a_wrong_address_is_refused_without_repeating_a_password(url: str) -> None:
    with pytest.raises(BadInput, match="base URL") as caught:
        ModelClient("openai:x", base_url=url)
    assert "pa55word" not in str(caught.value)


async def test_an_anthropic_address_may_end_in_v1() -> None:
    with ReplayServer([Answer("ok")]) as server:
        async with ModelClient(MODELS["anthropic"], base_url=f"{server.anthropic_url}/v1/") as client:
            await client.complete(HELLO)
    assert server.requests[0].path == "/v1/messages"


async def test_a_redirect_is_not_followed_with_the_key(connect: Connect) -> None:
    with ReplayServer([Answer("stolen")]) as elsewhere:
        target = f"{elsewhere.anthropic_url}/v1/messages"
        with ReplayServer([Status(307, {"location": target})]) as server:
            async with connect(server) as client:
                with pytest.raises(ModelFailure, match="307"):
                    await client.complete(HELLO)
    assert elsewhere.requests == []
