"""What decides which episodes a run plays: kept beside it, so that it is gone on with as it was begun.

Invariant: a run whose episodes would be others than those in its file is refused with the names of what differs.
Steps, saving, measuring every so often, the learner and the transfer may change. Not covered: the environments' own
files, which the file of episodes keeps (`gym.runs.settings`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from pydantic import BaseModel

from autoforge.gym.runs.settings import digest_of_task
from autoforge.gym.runs.writing import write_whole
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["keep_what_decides"]

_FILE = "begun.json"


def keep_what_decides(settings: TrainerSettings, training: Mapping[str, tuple[Task, ...]]) -> None:
    """Write it beside the run, or compare it with what is there. Raises BadInput."""
    path = settings.run.folder / _FILE
    now = _decides(settings, training)
    if not path.exists():
        write_whole(path, [json.dumps(now, indent=1), "\n"])
        return
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read ({error}); give another run.folder.") from None
    other = [name for name, digest in now.items() if before.get(name) != digest]
    if other:
        words = f"{settings.run.folder} was begun with other values of {', '.join(other)}"
        raise BadInput(f"{words}; go on with those, or give another folder with --set run.folder=….")


def _decides(settings: TrainerSettings, training: Mapping[str, tuple[Task, ...]]) -> dict[str, str]:
    own = settings.rollouts
    values: dict[str, object] = {
        "run.seed": settings.run.seed,
        "model": settings.model,
        "tasks of environments.train": {name: [digest_of_task(t) for t in tasks] for name, tasks in training.items()},
        "user": (settings.user.model, settings.user.errors),
        "judge": (settings.judge.model, settings.judge.mask),
        "sampler.temperature": settings.sampler.temperature,
        "rollouts": (own.group, own.limits, own.policy),
        "erpo": settings.erpo,
        "cold_start": settings.cold_start,
    }
    return {name: hashlib.sha256(_text(value).encode()).hexdigest()[:16] for name, value in values.items()}


def _text(value: object) -> str:
    def plain(inner: object) -> object:
        return inner.model_dump(mode="json") if isinstance(inner, BaseModel) else str(inner)

    return json.dumps(value, default=plain, sort_keys=True)
