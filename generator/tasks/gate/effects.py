"""What gold's calls do to the state: refusals and reads change nothing, every write something, each time the same.

Invariant: a call counts as a write when its tool is documented to change a compared table or when the state shows that
it did. Not covered: other values in a write's arguments (`mutants`).
"""

from __future__ import annotations

from collections.abc import Sequence

from autoforge.generator.tasks.catalogue import Catalogue, ToolModel
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.task import GoldCall

__all__ = [
    "changes_compared", "check_dropped_writes", "check_fresh", "check_gold", "check_idle", "check_reads",
    "check_refusals",
]  # fmt: skip

_FOREIGN = 6
"""Reads of other tools that are added."""


def changes_compared(tool: ToolModel, catalogue: Catalogue) -> bool:
    """Whether a tool is documented to change something that comparisons read."""
    effects = tool.record.effects
    kinds = {(t.name, c.name): c.kind for t in catalogue.manifest.tables for c in t.columns}
    updated = {kinds.get((table, column)) for table, columns in effects.updates.items() for column in columns}
    return bool(effects.creates or effects.deletes or updated - {"log"})


def check_idle(trial: Trial) -> int:
    """What an agent scores that does nothing, and one that repeats the instruction. Raises Rejection unless 0."""
    acts = any(changes_compared(trial.catalogue.tools[call.tool], trial.catalogue) for call in trial.gold.calls)
    if not trial.gold.answers and not acts:
        raise reject("nothing to do", "gold neither changes the state nor answers anything")
    if acts and trial.scores(trial.start.state):
        raise reject("already satisfied", "the state is as wished before anything is done")
    if trial.scorer.score(trial.start.state, []):
        raise reject("already satisfied", "doing and saying nothing scores")
    if trial.scorer.score(trial.start.state, [trial.instruction]):
        raise reject("unfaithful instruction", "repeating the instruction tells every answer")
    return 0


def check_gold(trial: Trial) -> int:
    """What gold scores when its calls are made again. Raises Rejection unless 1, or where the outputs differ."""
    again = trial.run(trial.gold.calls)
    if not again.ok or [result.value for result in again.results] != list(trial.outputs):
        raise reject("not reproducible", "the gold calls made again on the same state give other results")
    if not trial.scores(again.state):
        raise reject("not reproducible", "the gold calls made again on the same state leave another state")
    return 1


def check_fresh(trial: Trial) -> bool | None:
    """Whether another process gives the same start, outputs and state; None where there is no other process."""
    if trial.fresh is None:
        return None
    run = trial.run(trial.gold.calls, trial.fresh)
    start = trial.fresh.start(trial.draft.initial, trial.draft.setup)
    same = start.state == trial.start.state and [result.value for result in run.results] == list(trial.outputs)
    if not same or trial.digest(run.state) != trial.gold.state:
        raise reject("not reproducible", "a fresh process gives other results or another state")
    return True


def check_refusals(trial: Trial) -> str:
    """That attempts which were refused are refused again in their place and change nothing: "n/n"."""
    refused = trial.execution.refused
    if refused:
        order = [node.id for node in trial.draft.blueprint.nodes if node.id in trial.foretold]
        run = trial.run([trial.foretold[name] for name in order])
        kinds = {name: result.kind for name, result in zip(order, run.results, strict=True)}
        if any(kinds[name] != "refused" for name in refused) or trial.digest(run.state) != trial.gold.state:
            raise reject("refusal leaves traces", "a refused attempt changes the state or what comes after it")
    return f"{len(refused)}/{len(refused)}"


def check_reads(trial: Trial) -> str:
    """That reads dropped, repeated and added score 1: "n/n" runs. Finds the writes."""
    calls = list(trial.gold.calls)
    doubtful = [i for i, call in enumerate(calls) if not _reads_only(trial, call)]
    trial.writes = tuple(i for i in doubtful if _writes(trial, i))
    runs: dict[str, Sequence[Call | GoldCall]] = {
        "dropped": trial.write_calls,
        "repeated": [c for i, call in enumerate(calls) for c in ([call] if i in trial.writes else [call] * 3)],
        "added": _with_foreign(trial, calls),
    }
    for words, changed in runs.items():
        if not trial.scores(trial.run(changed).state):
            raise reject("reading matters", f"reads {words} change the outcome")
    return f"{len(runs)}/{len(runs)}"


def _reads_only(trial: Trial, call: GoldCall) -> bool:
    return trial.catalogue.tools[call.tool].reads_only


def _writes(trial: Trial, place: int) -> bool:
    """Whether a call of a tool that may write is a write."""
    if changes_compared(trial.catalogue.tools[trial.gold.calls[place].tool], trial.catalogue):
        return True
    return not trial.scores(trial.run([c for i, c in enumerate(trial.gold.calls) if i != place]).state)


def _with_foreign(trial: Trial, calls: list[GoldCall]) -> list[Call | GoldCall]:
    tools = [tool for tool in trial.catalogue.tools.values() if tool.reads_only and tool.samples]
    chosen = trial.chance.sample(tools, min(_FOREIGN, len(tools)))
    mixed: list[Call | GoldCall] = list(calls)
    for tool in chosen:
        sample = trial.chance.choice(tool.samples)
        mixed.insert(trial.chance.randint(0, len(mixed)), Call(tool.name, sample.arguments))
    return mixed


def check_dropped_writes(trial: Trial) -> int:
    """The number of writes, each of which was dropped. Raises Rejection where that still scores."""
    writes = trial.write_calls
    for place, call in enumerate(writes):
        if trial.scores(trial.run([*writes[:place], *writes[place + 1 :]]).state):
            raise reject("write without effect", f"{call.node}: without {call.tool} the outcome is the same")
    return len(writes)
