"""What was done of a campaign, kept beside the environment until it is finished, so that it can be resumed.

Invariant: a line is whole or not there; a file of another request or another environment is never used. Not covered:
the finished tasks.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from autoforge.generator.kept_tasks import meaning_of
from autoforge.generator.tasks.make import Attempt
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.mcp_envs.version import GENERATOR

__all__ = ["ProgressFile"]

_FILES = ("tools.py", "seed.sql", "schema.sql", "docs.json", "policy.md")


class ProgressFile:
    """Attempts by number."""

    def __init__(self, folder: EnvironmentFolder, request: str) -> None:
        """`request` is the text of all settings that attempts depend on."""
        self.path = _place(folder)
        texts = [GENERATOR, request, meaning_of(folder.manifest), *(folder.text(name) for name in _FILES)]
        self._key = hashlib.sha256("\0".join(texts).encode()).hexdigest()
        self.known = self._read()

    def _read(self) -> dict[int, Attempt]:
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return {}
        if not lines or lines[0] != json.dumps({"key": self._key}):
            return {}
        found: dict[int, Attempt] = {}
        for line in lines[1:]:
            attempt = _attempt(line)
            if attempt is not None:
                found[attempt.number] = attempt
        return found

    def add(self, attempts: Iterable[Attempt]) -> None:
        """Append attempts; begins the file anew where it was another request's."""
        fresh = not self.known
        lines = [json.dumps({"key": self._key})] if fresh else []
        for attempt in attempts:
            self.known[attempt.number] = attempt
            task = None if attempt.task is None else attempt.task.model_dump(mode="json", by_alias=True)
            lines.append(json.dumps([attempt.number, task, attempt.reason, attempt.message]))
        try:
            self._write(lines, fresh)
        except OSError as error:
            words = f"{self.path} cannot be written ({error.strerror or error}), where what is done is kept"
            raise BadInput(f"{words}; make room or change the folder's permissions, and run it again.") from None

    def _write(self, lines: Sequence[str], fresh: bool) -> None:
        with self.path.open("w" if fresh else "a", encoding="utf-8") as file:
            file.write(("" if fresh else "\n") + "\n".join(lines) + "\n")  # the line before may be cut short

    @staticmethod
    def discard(folder: EnvironmentFolder) -> None:
        """Remove the file of an environment, once its tasks are written."""
        _place(folder).unlink(missing_ok=True)


def _place(folder: EnvironmentFolder) -> Path:
    path = Path(os.path.abspath(folder.path))
    return path.with_name(f".{path.name}.tasks.jsonl")


def _attempt(line: str) -> Attempt | None:
    """The attempt of a line; None for one that a crash cut short."""
    try:
        number, task, reason, message = json.loads(line)
        return Attempt(number, None if task is None else Task.model_validate(task), reason, message)
    except (ValueError, TypeError, ValidationError):
        return None
