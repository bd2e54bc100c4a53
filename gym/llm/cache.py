"""Answers on disk: one file per request, model and trial number.

The invariant: a file under an answer's name is whole, whatever kills the process, and never paid for twice: it is
written under another name, synced and renamed, while a lock keeps other processes off the same answer. A file that was
damaged afterwards is reported and never trusted. Nothing is ever evicted.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import anyio
from pydantic import BaseModel, ConfigDict, ValidationError

from autoforge.gym.llm.ledger import Settlement
from autoforge.gym.llm.messages import Reply, Request
from autoforge.gym.llm.spec import ModelSpec
from autoforge.mcp_envs.errors import BadInput

__all__ = ["AnswerCache", "CachedAnswer", "CorruptAnswer", "request_key"]

# Counted up when the meaning of a key or the form of a file changes.
FORMAT: Final = 1

# Seconds between two looks at a lock that another process holds.
POLL: Final = 0.05


def request_key(spec: ModelSpec, request: Request, trial: int, native_schema: bool = False) -> str:
    """The name of an answer: a SHA-256 in hex over all that decides it. The server's address is not part of it."""
    decisive = {
        "format": FORMAT,
        "model": str(spec),
        "trial": trial,
        "native_schema": native_schema,
        "request": request.model_dump(mode="json"),
    }
    return _digest(decisive)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


class CorruptAnswer(ValueError):
    """A stored answer is damaged."""


class CachedAnswer(BaseModel):
    """One stored answer, with the request for a person to read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    key: str
    model: str
    stage: str
    trial: int
    settlement: Settlement
    """What the call cost, for a ledger that did not get to know."""
    request: Request
    reply: Reply
    checksum: str = ""

    def sealed(self) -> Self:
        """The same with its checksum."""
        return self.model_copy(update={"checksum": self._sum()})

    def intact(self, key: str) -> bool:
        """Whether this is the whole, unchanged answer for `key`."""
        return self.format == FORMAT and self.key == key and self.checksum == self._sum()

    def _sum(self) -> str:
        return _digest(self.model_dump(mode="json", exclude={"checksum"}))


class AnswerCache:
    """A folder of answers."""

    def __init__(self, folder: Path) -> None:
        """Create the folder where it is missing.

        Raises:
            BadInput: the folder cannot be used.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"the cache folder {folder} cannot be used: {error.strerror}") from None

    def path(self, key: str) -> Path:
        """Where the answer for a key is."""
        return self.folder / f"{key}.json"

    def get(self, key: str) -> CachedAnswer | None:
        """The stored answer, or None when there is none.

        Raises:
            CorruptAnswer: there is one, and it cannot be trusted.
        """
        path = self.path(key)
        try:
            answer = CachedAnswer.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CorruptAnswer(f"the stored answer {path} cannot be read: {error.strerror}") from None
        except ValidationError:
            raise CorruptAnswer(f"the stored answer {path} is damaged") from None
        if not answer.intact(key):
            raise CorruptAnswer(f"the stored answer {path} was changed after it was written")
        return answer

    def put(self, answer: CachedAnswer) -> None:
        """Store an answer; when this returns, it outlives the process and the machine."""
        text = json.dumps(answer.sealed().model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"
        # One name is enough: whoever writes this answer holds its lock, and a leftover of a killed process is replaced.
        draft = self.folder / f".{answer.key}.tmp"
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.path(answer.key))
        self._sync_folder()

    @asynccontextmanager
    async def locked(self, key: str) -> AsyncIterator[None]:
        """Hold the only right, among all processes, to fetch the answer for `key`; the kernel frees it at any death."""
        path = self.folder / f".{key}.lock"
        while (descriptor := _try_lock(path)) is None:
            await anyio.sleep(POLL)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(descriptor)

    def _sync_folder(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _try_lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    if os.fstat(descriptor).st_nlink == 0:
        # The last holder removed the file between our opening and locking it: others lock a new one.
        os.close(descriptor)
        return None
    return descriptor
