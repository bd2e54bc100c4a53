"""How well the judge without a model finds errors of users, over dialogues in which they were planted.

Two halves of the environments, each with phrases of its own: the rules were tuned on the development half alone. The
same is kept in bench/results/judge.json. Not covered: a judge with a model.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoforge.gym.judge import judge_trajectory
from autoforge.gym.judge.calibration import Measured, Source, Tally, cases, measured
from autoforge.gym.judge.phrasebook import Half
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import read_tasks
from bench.compiling import PROGRAM
from bench.figures import Figure, at_least, at_most

__all__ = ["judge_figures", "sources_of"]

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "bench" / "results" / "judge.json"
OWN = ("biblioteca", "hotel", "telecom")
ENVIRONMENTS = 10
TASKS = 12
DIALOGUES = 60
"""Of each environment, every other one with an error."""


def judge_figures(docs: Sequence[str], work: Path, dialogues: int = DIALOGUES) -> list[Figure]:
    """Ten environments: the committed ones with tasks, then the first of the documents by name, with twelve tasks."""
    sources = sources_of([ROOT / "mcp_envs" / name for name in OWN])
    folder = work / "judge"
    made = [*PROGRAM, *docs, str(ROOT / "bench" / "documents"), "-o", str(folder), "--tasks", str(TASKS), "--jobs", "2"]
    subprocess.run([*made, "--json"], stdout=subprocess.DEVNULL, check=False)
    more = sorted(path for path in folder.iterdir() if (path / "tasks.jsonl").is_file())
    sources += sources_of([path for path in more if path.name not in OWN][: ENVIRONMENTS - len(sources)])
    halves: dict[Half, list[Source]] = {"development": sources[::2], "held_out": sources[1::2]}
    found = {half: measured(cases(part, half, dialogues), judge_trajectory) for half, part in halves.items()}
    RESULT.parent.mkdir(exist_ok=True)
    _keep(found, halves)
    return [figure for half, result in found.items() for figure in _figures(half, result)]


def sources_of(folders: Sequence[Path]) -> list[Source]:
    environments = [find_environment(str(path)) for path in folders]
    return [Source(e.name, read_tasks(e.path), e.documents()) for e in environments]


def _figures(half: str, result: Measured) -> list[Figure]:
    kinds = ", ".join(f"{kind} {t.precision:.2f} {t.recall:.2f}" for kind, t in sorted(result.kinds.items()))
    told = f"{result.dialogues} dialogues; by kind, precision and recall: {kinds}"
    whole = result.total
    return [
        at_least(f"judge by rules, precision, {half}", whole.precision, "", 0.95, told),
        at_least(f"judge by rules, recall, {half}", whole.recall, "", 0.9),
        at_most(f"clean dialogues that are flagged, {half}", 100 * result.flagged_share, "%", 2,
                f"{result.flagged} of {result.clean}"),
    ]  # fmt: skip


def _keep(found: dict[Half, Measured], halves: dict[Half, list[Source]]) -> None:
    document = {half: {**_document(result), "environments": [s.name for s in halves[half]]}
                for half, result in found.items()}  # fmt: skip
    RESULT.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _document(result: Measured) -> dict[str, Any]:
    whole = result.total
    return {
        "dialogues": result.dialogues,
        "clean": result.clean,
        "clean flagged": result.flagged,
        "precision": round(whole.precision, 4),
        "recall": round(whole.recall, 4),
        "kinds": {kind: _shares(tally) for kind, tally in sorted(result.kinds.items())},
        "operators": {name: _shares(tally) for name, tally in sorted(result.operators.items())},
    }


def _shares(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "precision": round(tally.precision, 4), "recall": round(tally.recall, 4)}
