"""The figures over all tasks: what the gate admitted and why it turned the rest away, baselines, how hard they are.

Invariant: what the manifest's admission says is shown whole, whatever its names are; difficulty is counted from the
tasks themselves. Not covered: markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.wording import share
from autoforge.mcp_envs.task import Task

__all__ = ["Count", "Group", "admission_groups", "difficulty_groups"]

_MOST_BARS = 24


class Count(NamedTuple):
    """One line of a group."""

    name: str
    words: str
    part: float | None = None
    """Share of the group's largest, for a bar; None: no bar."""
    note: str = ""


class Group(NamedTuple):
    name: str
    counts: tuple[Count, ...]


def admission_groups(admission: Mapping[str, Any] | None) -> tuple[Group, ...]:
    """Plain values first, as one group, then a group for each mapping; a mapping in a mapping is one line."""
    given = admission or {}
    plain = [Count(_name(name), value_words(value)) for name, value in given.items() if not isinstance(value, Mapping)]
    groups = [Group("Admission", tuple(plain))] if plain else []
    groups += [Group(_name(name), _counts(value)) for name, value in given.items() if isinstance(value, Mapping)]
    return tuple(group for group in groups if group.counts)


def _name(name: str) -> str:
    return name.replace("_", " ")


def _counts(values: Mapping[str, Any]) -> tuple[Count, ...]:
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values.values()):
        return tuple(Count(_name(name), _words(value)) for name, value in values.items())
    most, total = max(values.values(), default=0), sum(values.values())
    ranked = sorted(values.items(), key=lambda item: -item[1])
    return tuple(Count(_name(n), str(v), v / most if most > 0 else None, share(v, total)) for n, v in ranked)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{_name(name)} {value_words(inner)}" for name, inner in value.items())
    return value_words(value)


def difficulty_groups(tasks: Sequence[Task]) -> tuple[Group, ...]:
    """How many tasks there are by level, split, calls, writes, depth and what they ask for."""
    if not tasks:
        return ()
    found = [task.difficulty for task in tasks]
    asked = {
        "a reasoning node": sum(d.reasoning > 0 for d in found),
        "a branch or fall-back": sum(d.branches > 0 for d in found),
        "several walks": sum(d.walks > 1 for d in found),
        "an answer": sum(bool(task.gold.answers) for task in tasks),
        "the user's own calls": sum(any(s.actor == "user" for s in task.blueprint.steps) for task in tasks),
    }
    return (
        _ranked("Level", ("easy", "medium", "hard"), Counter(d.level for d in found)),
        _ranked("Split", ("train", "validation", "test"), Counter(task.split for task in tasks)),
        Group("Tasks with", tuple(_bar(name, n, len(tasks), len(tasks)) for name, n in asked.items())),
        _histogram("Gold calls", [d.calls for d in found]),
        _histogram("Writes", [d.writes for d in found]),
        _histogram("Depth", [d.depth for d in found]),
    )  # fmt: skip


def _ranked(title: str, names: Iterable[str], counted: Mapping[str, int]) -> Group:
    total, most = sum(counted.values()), max(counted.values())
    return Group(title, tuple(_bar(name, counted.get(name, 0), most, total) for name in names))


def _histogram(title: str, values: Sequence[int]) -> Group:
    counted = Counter(values)
    edge = sorted(counted)[:_MOST_BARS][-1]
    rest = sum(number for value, number in counted.items() if value > edge)
    shown = {str(value): counted[value] for value in sorted(counted) if value <= edge}
    if rest:
        shown[f"more than {edge}"] = rest
    middle = sorted(values)[len(values) // 2]
    most = max(shown.values())
    return Group(f"{title}, median {middle}", tuple(_bar(name, n, most, len(values)) for name, n in shown.items()))


def _bar(name: str, number: int, most: int, total: int) -> Count:
    return Count(name, str(number), number / most if most else None, share(number, total))
