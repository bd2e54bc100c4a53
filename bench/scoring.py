"""What scoring a finished episode costs: digest, comparison, explanation, with the gold state built from its diff.

Invariant: every state and message is made here from its size alone, and final states share no object with the initial
one, as after reading them from a file. Not covered: reading the file.
"""

from __future__ import annotations

import math
import pickle
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autoforge.gym.reward import Reward, score, telling
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.state import Contents, State, changes, digest, without_log
from autoforge.mcp_envs.task import Answer, Blueprint, Difficulty, Gold, Literally, RowChange, Task
from bench.compiling import LINEAR
from bench.figures import Figure, at_most

__all__ = ["SIZES", "scoring_figures"]

SIZES = (500, 1_000, 2_000, 4_000, 8_000)
"""Rows of a state."""
BOUND_ROWS, BOUND_MS = 2_000, 5.0
_RUNS = 9


def _column(name: str, kind: ColumnKind = ColumnKind.VALUE, type: str = "TEXT", **more: Any) -> Column:
    return Column(name=name, type=type, kind=kind, **more)


MANIFEST = Manifest(
    name="shop",
    tables=(
        Table(name="users", entity="user", key=("email",), columns=(
            _column("email", ColumnKind.KEY), _column("name"), _column("tags", type="JSON", set_like=True),
            _column("balance", type="REAL"))),
        Table(name="orders", entity="order", key=("id",), columns=(
            _column("id", ColumnKind.SURROGATE), _column("user", references="users"), _column("status"),
            _column("total", type="REAL"), _column("remark", ColumnKind.FREE_TEXT), _column("address", type="JSON"),
            _column("placed_at", ColumnKind.CLOCK), _column("trace", ColumnKind.LOG))),
        Table(name="lines", entity="line", key=("id",), columns=(
            _column("id", ColumnKind.SURROGATE, type="INTEGER"), _column("order_id", references="orders"),
            _column("product"), _column("amount", type="INTEGER"), _column("price", type="REAL"))),
    ),
    tools=(),
    provenance=Provenance(generator="benchmark", docs_digest=""),
)  # fmt: skip


class Finished(NamedTuple):
    """A task and its episode."""

    task: Task
    initial: State
    final: State
    messages: list[str]


def scoring_figures(sizes: Sequence[int] = SIZES) -> list[Figure]:
    """Milliseconds for each size and the exponent of their growth, where gold was reached and where it was not."""
    figures = []
    for reached in (True, False):
        case = "gold reached" if reached else "gold missed"
        times = [_milliseconds(_finished(rows, reached), reached) for rows in sizes]
        for rows, ms in zip(sizes, times, strict=True):
            name = f"scoring, {rows} rows, {case}"
            bounded = rows == BOUND_ROWS
            figures.append(at_most(name, ms, "ms", BOUND_MS) if bounded else Figure(name, ms, "ms", "", True))
        slope = statistics.linear_regression([math.log(s) for s in sizes], [math.log(t) for t in times]).slope
        figures.append(at_most(f"growth of scoring in rows, {case}, exponent", slope, "", LINEAR))
    return figures


def _milliseconds(episode: Finished, reached: bool) -> float:
    def scored() -> Reward:
        digest(without_log(episode.final, MANIFEST))
        return score(episode.task, episode.initial, episode.final, MANIFEST, episode.messages)

    reward = scored()
    if (reward.value == 1.0) != reached or bool(reward.explanation) == reached:
        raise AssertionError(f"a benchmark of the wrong thing: {reward}")
    return 1000 * min(_seconds(scored) for _ in range(_RUNS))


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _finished(rows: int, reached: bool) -> Finished:
    initial = _initial(rows)
    gold = _changed(initial, "ORD-A", "ORD-B", 3)
    final = _changed(initial, "ORD-B", "ORD-A", 3 if reached else 4)
    asked = (
        Answer(
            name="total price", type="number", value=71.5, others=tuple(range(1, 30)), source=Literally(literal=None)
        ),
        Answer(name="new order", type="text", value="ORD-A", others=("ORD-7",), source=Literally(literal=None)),
    )
    told = [telling(asked[0]), "The new order is ORD-B."]
    return Finished(_task(initial, gold, asked), initial, pickle.loads(pickle.dumps(final)), ["Let me look.", *told])


def _initial(rows: int) -> State:
    users, orders = rows // 10, rows // 3
    lines = rows - users - orders
    address = '{"street": "Long Street %d", "city": "Town", "lines": [1, 2]}'
    return {
        "users": Contents(("email", "name", "tags", "balance"), tuple(
            (f"user{n}@x.example", f"User Number {n}", '["new", "vip"]', n * 1.5) for n in range(users))),
        "orders": Contents(("id", "user", "status", "total", "remark", "address", "placed_at", "trace"), tuple(
            (f"ORD-{n}", f"user{n % users}@x.example", "open", n * 2.25,
             f"Please ring at door {n}, it is the blue one.", address % n, "2026-01-05T10:00:00", "t")
            for n in range(orders))),
        "lines": Contents(("id", "order_id", "product", "amount", "price"), tuple(
            (n, f"ORD-{n % orders}", f"product {n % 50}", n % 7 + 1, n * 0.75) for n in range(lines))),
        "autoforge_clock": Contents(("now",), (("2026-01-05T10:00:00",),)),
        "autoforge_counters": Contents(("name", "value"), (("orders", orders),)),
    }  # fmt: skip


def _changed(initial: State, first: str, second: str, amount: int) -> State:
    """Five rows changed: two orders and a line made, a user and an order updated."""
    users, orders, lines = (list(initial[name].rows) for name in ("users", "orders", "lines"))
    users[3] = (*users[3][:3], 0.5)
    orders[5] = (*orders[5][:2], "cancelled", *orders[5][3:])
    made = ("user1@x.example", "open"), ("2026-01-05T10:00:00", "t")
    orders += [(first, *made[0], 71.5, "now", "{}", *made[1]), (second, *made[0], 12.0, "later", "{}", *made[1])]
    lines.append((len(lines), first, "product 1", amount, 9.5))
    rows = {"users": users, "orders": orders, "lines": lines}
    return {n: Contents(c.columns, tuple(rows[n])) if n in rows else c for n, c in initial.items()}


def _task(initial: State, gold: State, answers: tuple[Answer, ...]) -> Task:
    diff = tuple(RowChange.model_validate(change._asdict()) for change in changes(initial, gold, MANIFEST))
    state = digest(without_log(gold, MANIFEST))
    return Task(
        id="t", environment="shop", instruction="", known={}, blueprint=Blueprint(nodes=()),
        gold=Gold(calls=(), state=state, diff=diff, answers=answers),
        difficulty=Difficulty(calls=5, writes=5, depth=5, reasoning=1),
    )  # fmt: skip
