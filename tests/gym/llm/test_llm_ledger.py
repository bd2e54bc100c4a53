"""Money: what is counted, what a limit forbids, what survives a kill."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.llm import Ledger, Message, ModelClient, Request, Totals, parse_model
from autoforge.gym.llm.ledger import Reservation, Settlement
from autoforge.gym.llm.prices import price_of
from autoforge.mcp_envs.errors import AutoForgeError, BadInput, BudgetExceeded
from tests.gym.llm.conftest import MODELS, Connect
from tests.gym.replay_server import Answer, ReplayServer, Slow

pytestmark = pytest.mark.anyio

HELLO = Request(messages=(Message(role="user", content="hello"),), max_tokens=1000)

Lines = Callable[[], list[dict[str, Any]]]


async def test_each_stage_has_its_tokens_and_cost_and_answers_from_disk_are_free(connect: Connect) -> None:
    with ReplayServer([Answer("a", usage=(1_000_000, 500_000)), Answer("b", usage=(2, 3))]) as server:
        async with connect(server) as client:
            for _ in range(3):
                await client.complete(HELLO, stage="schema")
            await client.complete(HELLO, 1, stage="wording")
            totals = client.ledger.totals()
    price = price_of(client.spec)
    assert price is not None
    assert totals["schema"] == Totals(1, 1_000_000, 500_000, price.input + price.output / 2)
    assert totals["wording"][:3] == (1, 2, 3)


async def test_a_call_that_could_pass_the_limit_is_not_made(connect: Connect) -> None:
    with ReplayServer([Answer("never")]) as server:
        async with connect(server, max_cost=0.0001) as client:
            with pytest.raises(BudgetExceeded, match=r"schema: the next call .* raise --max-cost to go on"):
                await client.complete(HELLO, stage="schema")
    assert server.requests == []


async def test_earlier_runs_count_against_the_limit(connect: Connect, tmp_path: Path) -> None:
    with ReplayServer([Answer("paid", usage=(0, 100_000))]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
            spent = client.ledger.total.cost
        async with connect(server, max_cost=spent + 0.001) as client:
            assert (await client.complete(HELLO)).text == "paid", "what was paid for stays free"
            with pytest.raises(BudgetExceeded, match=r"is spent or reserved in .*ledger\.jsonl"):
                await client.complete(HELLO, 1)
        async with connect(server, max_cost=spent + 1) as client:
            await client.complete(HELLO, 1)
    assert len(server.requests) == 2


async def test_calls_in_flight_count_at_their_worst_and_others_wait_for_them(connect: Connect) -> None:
    """Enough for one call at a time in the worst case, and for all ten as they turn out."""
    answers: list[str] = []
    with ReplayServer([Answer("cheap", usage=(1, 1))]) as server:
        async with connect(server, max_cost=0.03) as client:

            async def ask(trial: int) -> None:
                answers.append((await client.complete(HELLO, trial)).text)
                assert client.ledger.committed <= 0.03

            async with anyio.create_task_group() as group:
                for trial in range(10):
                    group.start_soon(ask, trial)
            assert client.ledger.total.calls == 10
    assert answers == ["cheap"] * 10


async def test_calls_of_another_process_in_flight_count_at_their_worst(connect: Connect, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.jsonl") as other, ReplayServer([Answer("ok")]) as server:
        async with connect(server, max_cost=1.0) as client:
            call = Reservation(model="m", stage="s", key="k", trial=0, estimate=0.999)
            assert other.try_reserve(call, 1.0)
            with pytest.raises(BudgetExceeded):
                await client.complete(HELLO)
            other.settle(Settlement(id=call.id, outcome="answered", cost=0.001))
            assert (await client.complete(HELLO)).text == "ok"


async def test_a_cancelled_call_counts_at_its_worst(connect: Connect) -> None:
    with ReplayServer([Slow()]) as server:
        async with connect(server) as client, anyio.create_task_group() as group:
            group.start_soon(client.complete, HELLO)
            while not server.requests:
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        total = client.ledger.total
    assert total.calls == 1
    assert total.cost > 0


async def test_without_usage_a_call_costs_its_worst_case(connect: Connect, ledger_lines: Lines) -> None:
    with ReplayServer([Answer("ok", usage=None)]) as server:
        async with connect(server) as client:
            assert (await client.complete(HELLO)).usage is None
    reserved, settled = ledger_lines()
    assert settled["outcome"] == "lost"
    assert settled["cost"] == reserved["estimate"] > 0


async def test_an_unknown_price_is_said_once_and_tokens_are_kept(
    connect: Connect, provider: str, caplog: pytest.LogCaptureFixture, ledger_lines: Lines
) -> None:
    with ReplayServer([Answer("ok", usage=(11, 5))]) as server:
        client = ModelClient(f"{provider}:home-made", base_url=server.url(provider))
        with caplog.at_level(logging.WARNING):
            async with client:
                await client.complete(HELLO)
                await client.complete(HELLO, 1)
        assert client.ledger.total == Totals(2, 22, 10, 0.0)
    assert caplog.text.count("the price of") == 1
    assert "AUTOFORGE_PRICES" in caplog.text


def test_a_limit_without_a_price_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadInput, match=r'--max-cost needs the price of openai:home-made.*\{"home-made": \[INPUT, OUT'):
        ModelClient("openai:home-made", max_cost=1)


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_a_limit_that_is_no_amount_is_refused(amount: float) -> None:
    with pytest.raises(BadInput, match="--max-cost"):
        ModelClient("openai:gpt-4.1", max_cost=amount)


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("openai:gpt-5", True),
        ("openai:gpt-5-2025-08-07", True),
        ("openai:gpt-5-pro", False),
        ("openai:gpt-5.9", False),
        ("anthropic:claude-sonnet-4-5-20250929", True),
        ("anthropic:claude-sonnet-4-9", False),
        ("anthropic:claude-haiku-4-5-latest", True),
    ],
)
def test_a_price_fits_a_model_and_its_snapshots_only(model: str, known: bool) -> None:
    assert (price_of(parse_model(model)) is not None) == known


def test_own_prices_go_first_and_the_longest_name_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"gpt-5": [7, 8], "openai:Qwen/*": [0, 0], "Qwen/big*": [1, 2]}', encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(prices))
    assert price_of(parse_model("openai:gpt-5")) == (7, 8)
    assert price_of(parse_model("openai:gpt-4.1")) == (2, 8)
    assert price_of(parse_model("openai:Qwen/small")) == (0, 0)
    assert price_of(parse_model("openai:Qwen/big-1")) == (0, 0), "openai:Qwen/* is the longer name"


@pytest.mark.parametrize("text", ["{", "[]", '{"m": 1}', '{"m": [1]}', '{"m": [-1, 2]}', '{"m": [NaN, 2]}'])
def test_a_wrong_price_file_is_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(text, encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(prices))
    with pytest.raises(BadInput, match=r"AUTOFORGE_PRICES names .*prices\.json"):
        price_of(parse_model("openai:gpt-5"))


def test_a_missing_price_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOFORGE_PRICES", "/nowhere.json")
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        price_of(parse_model("openai:gpt-5"))


def test_folders_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="ledger"):
        Ledger(tmp_path / "file" / "ledger.jsonl")
    with pytest.raises(BadInput, match="cache folder"):
        ModelClient("openai:gpt-4.1", cache_dir=tmp_path / "file" / "answers")


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1), st.none() | st.floats(0, 1)), max_size=8),
    st.floats(0, 3),
)
def test_the_limit_holds_and_a_reader_of_the_file_counts_the_same(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, float, float | None]], limit: float
) -> None:
    """Whatever is reserved and settled below its estimate, the sum stays within the limit; a reopened ledger agrees."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.jsonl"
    with Ledger(path) as ledger:
        for stage, estimate, share in calls:
            call = Reservation(model="m", stage=stage, key="k", trial=0, estimate=estimate)
            if ledger.try_reserve(call, limit) and share is not None:
                ledger.settle(Settlement(id=call.id, outcome="answered", cost=estimate * share))
            assert ledger.committed <= limit + 1e-9
        with Ledger(path) as reader:
            assert reader.totals() == ledger.totals()


def test_a_torn_line_is_not_counted_and_the_next_one_is_whole(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "ledger.jsonl"
    first, second = (Reservation(model="m", stage="s", key="k", trial=0, estimate=cost) for cost in (0.25, 0.5))
    with Ledger(path) as ledger:
        ledger.try_reserve(first, None)
    with path.open("a", encoding="utf-8") as file:
        file.write(second.model_dump_json()[:40])
    with Ledger(path) as ledger:
        assert ledger.committed == 0.25
        ledger.settle(Settlement(id=first.id, outcome="answered", cost=0.125))
    assert "cannot be read" in caplog.text
    with Ledger(path) as ledger:
        assert ledger.committed == 0.125
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["cost"] == 0.125


def test_a_call_is_settled_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.jsonl") as ledger:
        call = Reservation(model="m", stage="s", key="k", trial=0, estimate=1)
        ledger.try_reserve(call, None)
        for cost in (0.5, 0.75):
            ledger.settle(Settlement(id=call.id, outcome="answered", cost=cost))
        ledger.settle(Settlement(id="of another ledger", outcome="answered", cost=9))
        assert ledger.committed == 0.5


async def test_an_answer_that_cannot_be_stored_is_still_paid_and_said(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with ReplayServer([Answer("lost to a full disk")]) as server:
        async with connect(server) as client:
            monkeypatch.setattr(os, "replace", full)
            with pytest.raises(AutoForgeError, match=r"could not be stored in .*No space left"):
                await client.complete(HELLO)
            assert client.ledger.total[:3] == (1, 100, 10)


KILLED = """
import os, signal, sys
from pathlib import Path
import anyio
from autoforge.gym.llm import Ledger, Message, ModelClient, Request
from autoforge.gym.llm.cache import AnswerCache

MODEL, URL, FOLDER, WHEN = sys.argv[1:]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if WHEN == "before the answer has its name":
    os.replace = die
elif WHEN == "while the answer is written":
    os.fsync = lambda fd, fsync=os.fsync: die() if ".tmp" in os.readlink(f"/proc/self/fd/{fd}") else fsync(fd)
elif WHEN == "before the cost is written":
    Ledger.settle = die

async def main():
    folder = Path(FOLDER)
    async with ModelClient(MODEL, base_url=URL, cache_dir=folder / "answers", ledger=folder / "ledger.jsonl") as client:
        await client.complete(Request(messages=(Message(role="user", content="hello"),), max_tokens=1000))
        die()

anyio.run(main)
"""


@pytest.mark.parametrize(
    ("when", "calls"),
    [
        ("while the answer is written", 2),
        ("before the answer has its name", 2),
        ("before the cost is written", 1),
        ("after everything", 1),
    ],
)
async def test_a_killed_run_leaves_no_half_answer_and_pays_no_stored_answer_twice(
    connect: Connect, provider: str, tmp_path: Path, when: str, calls: int
) -> None:
    with ReplayServer([Answer("dear", usage=(1000, 100))]) as server:
        arguments = [MODELS[provider], server.url(provider), str(tmp_path), when]
        killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], timeout=60, capture_output=True, text=True)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert len(server.requests) == 1
        async with connect(server) as client:
            assert (await client.complete(HELLO)).text == "dear"
            total = client.ledger.total
    price = price_of(client.spec)
    assert price is not None
    assert len(server.requests) == calls
    assert total.calls == calls
    if calls == 1:
        assert total.cost == price.cost(1000, 100)
    else:
        assert total.cost > 2 * price.cost(1000, 100), "the lost answer counts at its worst case"
    assert [path.suffix for path in (tmp_path / "answers").iterdir() if not path.name.startswith(".")] == [".json"]
