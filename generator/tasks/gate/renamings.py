"""Other ids than gold's for what is created in the episode: gold from a start whose counters stand elsewhere.

Invariant: the start is the task's own but for the counters of ids; ids reach later calls through the blueprint, so a
literal that guesses one fails here. Not covered: ids that come from something else than a counter; for those the
orders of `orders` stand.
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.generator.tasks.stage import Stage, Start
from autoforge.mcp_envs.manifest import ColumnKind, Table
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import Change, changes, literal, quote

__all__ = ["check_renamings"]

_EPISODE = "renamed"
_STEPS = ((1, 0), (90, 13))
"""How far each counter is advanced: so much, and so much more for each next one."""


def check_renamings(trial: Trial) -> int:
    """The number of ways in which generated ids were renamed, which score 1; 0 where gold advances no counter."""
    used = _used(trial)
    for first, more in _STEPS if used else ():
        start = _start(trial, {name: value + first + more * i for i, (name, value) in enumerate(used.items())})
        done = trial.perform(start=start)
        if not trial.score_of(done):
            words = done.fault or "the outcome is another"
            raise reject("ids matter", f"where generated ids are {first} further, {words}")
    return len(_STEPS) if used else 0


def _used(trial: Trial) -> dict[str, int]:
    """The counters that gold advances, and where they stand at the start; none whose ids are compared exactly."""
    before, after = _counters(trial.start.state), _counters(trial.state)
    exact = {t.name for t in trial.stage.manifest.tables if _is_exact(t)}
    return {name: int(before.get(name, 0)) for name in after if after[name] != before.get(name) and name not in exact}


def _is_exact(table: Table) -> bool:
    """Whether no column of the key is one that may be renamed."""
    kinds = {column.name: column.kind for column in table.columns}
    return all(kinds.get(name) != ColumnKind.SURROGATE for name in table.key)


def _counters(state: Any) -> dict[str, int]:
    contents = state.get(COUNTER_TABLE)
    return {} if contents is None else {row["name"]: row["value"] for row in contents.records()}


def _start(trial: Trial, counters: dict[str, int]) -> Start:
    """The task's start, its set-up written as statements, with the counters elsewhere."""
    draft, stage = trial.draft, trial.stage
    statements = list(draft.initial)
    if draft.setup:
        plain = _opened(stage, statements)
        statements += [_statement(change, trial) for change in changes(plain.state, trial.start.state, stage.manifest)]
    for name, value in counters.items():
        insert = f"INSERT INTO {COUNTER_TABLE} (name, value) VALUES ({literal(name)}, {value})"
        statements.append(f"{insert} ON CONFLICT (name) DO UPDATE SET value = {value}")
    return _opened(stage, statements)


def _opened(stage: Stage, statements: list[str]) -> Start:
    """A start that is used once, so the stage need not keep it."""
    stage.worker.reset(_EPISODE, statements)
    return stage.start_of(_EPISODE)


def _statement(change: Change, trial: Trial) -> str:
    table = quote(change.table)
    if change.before is None and change.after is not None:
        names = ", ".join(map(quote, change.after))
        return f"INSERT INTO {table} ({names}) VALUES ({', '.join(map(literal, change.after.values()))})"
    key = next(t.key for t in trial.stage.manifest.tables if t.name == change.table)
    where = " AND ".join(f"{quote(n)} IS {literal(v)}" for n, v in zip(key, change.key, strict=False)) or "1"
    if change.after is None:
        return f"DELETE FROM {table} WHERE {where}"
    values = ", ".join(f"{quote(n)} = {literal(v)}" for n, v in change.after.items())
    return f"UPDATE {table} SET {values} WHERE {where}"
