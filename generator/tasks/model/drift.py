"""Whether a rewording still asks for the same: beyond each value and cue being there, how often and in which order.

Invariant: a text never drifts from itself. Not covered: values and leaks (`wording.check`), what a reader makes of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from autoforge.mcp_envs.task import Task, ToolStep, UserValue, sources_in

__all__ = ["drifted"]

_CONDITIONS: Mapping[str, str] = {
    "en": r"if|unless|otherwise|else|in case|should|when|whether|provided|assuming|depending|instead|failing that",
    "es": r"si|salvo|excepto|en caso|de lo contrario|cuando|siempre que|en su lugar|si no|caso contrario",
    "de": r"wenn|falls|sonst|andernfalls|ansonsten|sofern|stattdessen|ob|im falle",
}
"""Words by which a text says that something depends on something, by language."""
_LEAST = 4
"""Characters of a value that is looked for to see where a step is spoken of."""


def drifted(task: Task, instruction: str) -> str:
    """What became different from the task's own instruction, in one sentence; empty where nothing did."""
    old, new = _folded(task.instruction), _folded(instruction)
    return _fewer_conditions(task, old, new) or _fewer_choices(task, old, new) or _other_order(task, old, new)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _fewer_conditions(task: Task, old: str, new: str) -> str:
    """Every branch and every fall-back needs words that say so, for both of its sides."""
    pattern = re.compile(rf"\b(?:{_CONDITIONS.get(task.language, _CONDITIONS['en'])})\b")
    guards = {(n.when.node, n.when.equals, n.when.refused) for n in task.blueprint.nodes if n.when is not None}
    needed = min(len(guards), len(pattern.findall(old)))
    said = len(pattern.findall(new))
    return f"it has words for {said} of {needed} conditions" if said < needed else ""


def _fewer_choices(task: Task, old: str, new: str) -> str:
    """Where several nodes choose alike (earliest, earliest), so many words for it are needed."""
    stored = task.provenance.get("cues")
    cues = stored if isinstance(stored, dict) else {}
    reasons = {node.id for node in task.blueprint.reasons}
    lists = [texts for name, texts in cues.items() if name in reasons and isinstance(texts, list)]
    alike = Counter(tuple(map(str, texts)) for texts in lists)
    for texts, count in alike.items():
        before, after = _times(old, texts), _times(new, texts)
        if after < min(count, before):
            return f"it says {' or '.join(map(repr, texts[:3]))} {after} times instead of {min(count, before)}"
    return ""


def _times(text: str, texts: Sequence[str]) -> int:
    alternatives = "|".join(re.escape(_folded(t)) for t in sorted(texts, key=len, reverse=True) if t)
    return len(re.findall(rf"(?<!\w)(?:{alternatives})(?!\w)", text)) if alternatives else 0


def _other_order(task: Task, old: str, new: str) -> str:
    """Values of different steps come in the same order, so that none was swapped with another."""
    steps = _steps_of_values(task)
    marks = {value: step for value, step in steps.items() if _once(value, old) and _once(value, new)}
    before = [marks[v] for v in sorted(marks, key=old.index)]
    after = [marks[v] for v in sorted(marks, key=new.index)]
    return "" if before == after else "the values of its steps come in another order"


def _once(value: str, text: str) -> bool:
    return text.count(value) == 1


def _steps_of_values(task: Task) -> dict[str, str]:
    """Long texts that the user gives to exactly one tool step -> that step."""
    users: dict[str, set[str]] = {}
    for node in task.blueprint.nodes:
        given = list(node.arguments.values()) if isinstance(node, ToolStep) else []
        for source in given:
            for part in sources_in(source):
                if isinstance(part, UserValue):
                    users.setdefault(part.user, set()).add(node.id)
    found: dict[str, set[str]] = {}
    for name, nodes in users.items():
        value = task.known.get(name)
        if isinstance(value, str) and len(value) >= _LEAST:
            found.setdefault(_folded(value), set()).update(nodes)
    return {value: next(iter(nodes)) for value, nodes in found.items() if len(nodes) == 1}
