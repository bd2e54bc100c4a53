"""The client of vLLM against a real HTTP server that answers as vLLM does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import torch
from anyio.lowlevel import checkpoint
from safetensors.torch import load_file

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import BadInput, ModelFailure, PromptTooLong
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.vllm_server import VllmServerSampler, VllmServerSettings
from autoforge.trainer.samplers.vllm_wire import PATHS
from tests.trainer.samplers.fake_vllm import CONTEXT, IDS, FakeVllm, next_id, next_logprob

pytestmark = pytest.mark.anyio

PROMPT = [5, 9, 2]
ROUTES = ["tokens", "completions"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeVllm]:
    monkeypatch.delenv("VLLM_API_KEY", raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with FakeVllm() as fake:
        yield fake


waits: list[float] = []


async def no_wait(seconds: float) -> None:
    waits.append(seconds)
    await checkpoint()


def client(server: FakeVllm, *, stop_ids: list[int] | None = None, **settings: Any) -> VllmServerSampler:
    waits.clear()
    return VllmServerSampler(VllmServerSettings(url=server.url, **settings), stop_ids=stop_ids or [], sleep=no_wait)


def foretold(prompt: list[int], number: int, version: int = 0) -> tuple[int, ...]:
    ids = list(prompt)
    for _ in range(number):
        ids.append(next_id(ids, version))
    return tuple(ids[len(prompt) :])


def test_it_is_a_sampler() -> None:
    sampler: Sampler = VllmServerSampler(VllmServerSettings(url="http://127.0.0.1:1"), stop_ids=[])
    assert sampler.version == 0


@pytest.mark.parametrize("route", ROUTES)
async def test_ids_come_as_they_were_sampled(server: FakeVllm, route: str) -> None:
    async with client(server, route=route) as sampler:
        sampled = await sampler.sample(PROMPT, max_tokens=6, seed=4)
    ids = foretold(PROMPT, 6)
    assert sampled == Sampled(ids, tuple(next_logprob(id, 0) for id in ids), "length", (0,) * 6)


@pytest.mark.parametrize("route", ROUTES)
async def test_a_request_switches_off_what_the_server_would_add(server: FakeVllm, route: Any) -> None:
    async with client(server, route=route, temperature=0.8, stop_ids=[42]) as sampler:
        await sampler.sample(PROMPT, max_tokens=6, seed=4)
    (body,) = server.bodies(PATHS[route])
    sampling = {**body, **body.get("sampling_params", {})}
    expected = {"temperature": 0.8, "seed": 4, "max_tokens": 6, "top_p": 1.0, "top_k": 0, "min_p": 0.0,
                "repetition_penalty": 1.0, "ignore_eos": True, "stop_token_ids": [42], "model": "policy",
                "cache_salt": "weights-0"}  # fmt: skip
    assert {key: sampling[key] for key in expected} == expected


@pytest.mark.parametrize("route", ROUTES)
async def test_a_turn_ends_with_the_stop_id(server: FakeVllm, route: str) -> None:
    stop = foretold(PROMPT, 4)[3]
    async with client(server, route=route, stop_ids=[stop]) as sampler:
        sampled = await sampler.sample(PROMPT, max_tokens=9, seed=0)
    assert (sampled.ids, sampled.stop_reason) == (foretold(PROMPT, 4), "stop")


@pytest.mark.parametrize("route", ROUTES)
async def test_scores_are_those_of_the_server(server: FakeVllm, route: str) -> None:
    async with client(server, route=route) as sampler:
        assert await sampler.logprobs(PROMPT) == [next_logprob(9, 0), next_logprob(2, 0)]


async def test_max_tokens_end_where_the_context_is_full(server: FakeVllm) -> None:
    async with client(server) as sampler:
        assert len((await sampler.sample([1] * (CONTEXT - 2), max_tokens=9, seed=0)).ids) == 2
        with pytest.raises(PromptTooLong, match="64 ids, and the context of the model is 64"):
            await sampler.sample([1] * CONTEXT, max_tokens=9, seed=0)


@pytest.mark.parametrize("fault", [0, 429, 500, 502, 503, 504])
async def test_what_may_pass_is_tried_again(server: FakeVllm, fault: int) -> None:
    server.faults = [fault, fault]
    async with client(server) as sampler:
        assert (await sampler.sample(PROMPT, max_tokens=3, seed=0)).ids == foretold(PROMPT, 3)
    assert waits == [0.5, 1.0]


async def test_tries_come_to_an_end(server: FakeVllm) -> None:
    server.faults = [503] * 9
    async with client(server, attempts=3) as sampler:
        with pytest.raises(ModelFailure, match=r"/inference/v1/generate: 3 tries failed; the last one: HTTP 503"):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)
    assert len(server.faults) == 6


async def test_what_the_server_refuses_is_not_tried_again(server: FakeVllm) -> None:
    server.faults = [400]
    async with client(server) as sampler:
        with pytest.raises(ModelFailure, match="HTTP 400"):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)
    assert waits == []


async def test_a_server_that_never_answers_ends_at_the_deadline(server: FakeVllm) -> None:
    server.hold_at = 0
    async with client(server, seconds=0.05) as sampler:
        with pytest.raises(ModelFailure, match=r"no answer within 0\.05 s"):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)


async def test_no_server_is_a_failure_that_names_the_address() -> None:
    sampler = VllmServerSampler(
        VllmServerSettings(url="http://127.0.0.1:9", attempts=2), stop_ids=[], sleep=no_wait
    )  # fmt: skip
    with pytest.raises(ModelFailure, match=r"http://127\.0\.0\.1:9/v1/models: 2 tries failed"):
        async with sampler:
            pass


async def test_a_server_without_the_route_says_how_to_start_it(server: FakeVllm) -> None:
    server.missing = {"/inference/v1/generate", "/collective_rpc"}
    async with client(server) as sampler:
        with pytest.raises(BadInput, match="start it with --enable-scale-out, or set route"):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)
        with pytest.raises(BadInput, match="start it with VLLM_SERVER_DEV_MODE=1"):
            await sampler.load(Path("weights"), 1)


async def test_another_model_than_the_servers_is_refused(server: FakeVllm) -> None:
    with pytest.raises(BadInput, match="has the models policy; set `model` to one of them"):
        async with client(server, model="other"):
            pass


async def test_the_key_is_sent_and_never_told(server: FakeVllm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", "a-secret-of-the-server")
    server.spoil = {"finish_reason": "a-secret-of-the-server"}
    async with client(server) as sampler:
        server.faults = [401]
        with pytest.raises(BadInput, match="the server wants a key; set the environment variable VLLM_API_KEY"):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)
    assert set(server.keys) == {"Bearer a-secret-of-the-server"}


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ({"logprobs": None}, "lacks what was asked for"),
        ({"token_ids": None, "finish_reason": "nothing"}, "ended a turn with 'nothing'"),
        ({"token_ids": [1]}, "without a finite probability for each"),
        ({"logprobs": {"content": [{"logprob": float("nan")}] * 3}}, "not JSON|without a finite"),
        ({"prompt_token_ids": [5]}, "another prompt than the one that was sent"),
    ],
)
async def test_an_answer_without_what_was_asked_for_is_a_failure(
    server: FakeVllm, spoil: dict[str, Any], words: str
) -> None:
    server.spoil = spoil
    async with client(server) as sampler:
        with pytest.raises(ModelFailure, match=words):
            await sampler.sample(PROMPT, max_tokens=3, seed=0)


async def reached(server: FakeVllm) -> None:
    assert await anyio.to_thread.run_sync(server.reached.wait, 30)


@pytest.mark.parametrize("route", ROUTES)
async def test_a_turn_over_a_load_goes_on_from_its_ids_with_both_versions(
    server: FakeVllm, route: str, tmp_path: Path
) -> None:
    server.hold_at = 4
    found: list[Sampled] = []

    async def ask() -> None:
        found.append(await sampler.sample(PROMPT, max_tokens=10, seed=1))

    async with client(server, route=route) as sampler, anyio.create_task_group() as group:
        group.start_soon(ask)
        await reached(server)
        await sampler.load(tmp_path, 1)
        server.hold_at = None
    old = foretold(PROMPT, 4)
    new = foretold([*PROMPT, *old], 6, version=1)
    assert found[0].ids == old + new
    assert found[0].versions == (0,) * 4 + (1,) * 6
    assert (sampler.version, server.weights) == (1, [tmp_path])
    control = [path for path, _ in server.requests if path not in PATHS.values()]
    assert control == ["/v1/models", "/pause", "/resume", "/collective_rpc", "/update_weight_version",
                       "/reset_prefix_cache"]  # fmt: skip


async def test_new_requests_wait_for_the_end_of_a_pause_and_scores_do_not(server: FakeVllm) -> None:
    async with client(server) as sampler, anyio.create_task_group() as group, sampler.paused():
        group.start_soon(lambda: sampler.sample(PROMPT, max_tokens=3, seed=0))
        assert len(await sampler.logprobs([1, 2, 3])) == 2
        assert len(server.bodies(PATHS["tokens"])) == 1
    assert len(server.bodies(PATHS["tokens"])) == 2


async def test_a_request_that_a_pause_refuses_is_asked_again_afterwards(server: FakeVllm) -> None:
    server.hold_at, server.refuses = 0, True
    found: list[Sampled] = []

    async def ask() -> None:
        found.append(await sampler.sample(PROMPT, max_tokens=3, seed=0))

    async with client(server) as sampler, anyio.create_task_group() as group:
        group.start_soon(ask)
        await reached(server)
        async with sampler.paused():
            server.hold_at = None
    assert [sampled.ids for sampled in found] == [foretold(PROMPT, 3)]
    assert waits == []


async def test_tensors_are_loaded_through_the_exchange(server: FakeVllm, tmp_path: Path) -> None:
    tensors = {"a": torch.arange(3.0), "b": torch.ones(2)}
    async with client(server, exchange=tmp_path) as sampler:
        for version in (1, 2):
            await sampler.load(tensors, version)
    assert server.weights[-1] == tmp_path / "weights-2"
    assert [path.name for path in tmp_path.iterdir()] == ["weights-2"]
    assert load_file(tmp_path / "weights-2" / "model.safetensors").keys() == tensors.keys()


async def test_tensors_without_an_exchange_are_refused(server: FakeVllm) -> None:
    async with client(server) as sampler:
        with pytest.raises(BadInput, match="set `exchange` to one that the server sees"):
            await sampler.load({"a": torch.ones(1)}, 1)


async def test_many_ask_at_the_same_time(server: FakeVllm) -> None:
    found: dict[int, Sampled] = {}

    async def ask(number: int) -> None:
        found[number] = await sampler.sample([number % IDS, 3], max_tokens=5, seed=number)

    async with client(server, connections=7) as sampler, anyio.create_task_group() as group:
        for number in range(40):
            group.start_soon(ask, number)
    assert all(found[number].ids == foretold([number % IDS, 3], 5) for number in range(40))


async def test_a_cancelled_request_leaves_the_client_usable(server: FakeVllm) -> None:
    server.hold_at = 0
    async with client(server, connections=1) as sampler:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: sampler.sample(PROMPT, max_tokens=3, seed=0))
                await reached(server)
                scope.cancel()
        server.hold_at = None
        assert (await sampler.sample(PROMPT, max_tokens=3, seed=0)).ids == foretold(PROMPT, 3)


async def test_closing_ends_what_is_in_flight_and_what_waits(server: FakeVllm) -> None:
    server.hold_at = 0
    errors: list[str] = []

    async def ask() -> None:
        try:
            await sampler.sample(PROMPT, max_tokens=3, seed=0)
        except ModelFailure as error:
            errors.append(str(error))

    async with anyio.create_task_group() as group, client(server, connections=1) as sampler:
        group.start_soon(ask)
        group.start_soon(ask)
        await reached(server)
    assert errors == ["the sampler was closed"] * 2
