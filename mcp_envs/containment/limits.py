"""How much a worker may use, and what the kernel of this machine can enforce.

Invariant: the limits are in force before any generated code is imported, and `Enforcement` says what *is* in force, not
what was asked for: it is filled in by the worker after each step succeeded. Not covered: the deadline of a call
(`worker`, `session`).
"""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Enforcement", "Limits", "limit_resources"]


@dataclass(frozen=True)
class Limits:
    """Limits of one worker process."""

    seconds: float = 5.0
    """Deadline of one call, in seconds of wall time; a call may ask for another."""
    grace: float = 0.5
    """Seconds after the deadline before the worker is killed from outside."""
    memory: int = 512 * 1024 * 1024
    """Address space of the process in bytes."""
    file_size: int = 64 * 1024 * 1024
    """Largest file in bytes."""
    open_files: int = 128
    """File descriptors; half of it is how many episodes are kept open at once."""
    result: int = 4 * 1024 * 1024
    """Longest result of one call in bytes of JSON."""
    start_seconds: float = 20.0
    """Seconds for a worker to start, and for the state to be built or copied."""
    lifetime: int = 24 * 3600
    """Seconds of CPU after which a worker is ended and replaced."""


class Enforcement(NamedTuple):
    """What is in force in a worker of this machine."""

    landlock: int = 0
    """ABI of the Landlock rules that keep it in its state folder; 0: none."""
    chroot: bool = False
    """The state folder is the root of all paths it sees."""
    seccomp: bool = False
    """Only listed system calls: no sockets, programs, processes, signals to others, or new executable memory."""
    namespaces: bool = False
    """A network of its own with no interface, and no rights of the user who started it."""
    capabilities: bool = False
    """No capability is left and none can be gained (no new privileges)."""
    resources: tuple[str, ...] = ()
    """Resource limits in force, by name."""

    @property
    def filesystem(self) -> bool:
        """Whether no file outside the state folder can be opened."""
        return self.landlock > 0 or (self.chroot and self.capabilities)

    @property
    def network(self) -> bool:
        """Whether no connection can be made."""
        return self.seccomp or self.namespaces

    @property
    def missing(self) -> tuple[str, ...]:
        """What this machine cannot enforce, in words; empty where containment is complete."""
        gaps = (
            (
                self.filesystem,
                "files outside the state folder (needs Linux 5.13 with Landlock, or the right to chroot)",
            ),
            (self.network, "the network (needs Linux with seccomp on x86-64 or ARM64, or user namespaces)"),
            (self.seccomp, "starting programs and signalling processes (needs Linux with seccomp on x86-64 or ARM64)"),
            ("memory" in self.resources, "the limit on memory"),
        )
        return tuple(words for held, words in gaps if not held)

    def describe(self) -> str:
        """One sentence for a person."""
        if not self.missing:
            return "Generated code runs contained: no files but its state, no network, no programs, limits on memory."
        return (
            "Generated code runs with limits and the static check, but this machine cannot enforce: "
            + "; ".join(self.missing)
            + "."
        )


def limit_resources(limits: Limits, *, threads: bool = False) -> tuple[str, ...]:
    """Set the resource limits of this process; the names of those that hold. Some systems (macOS) refuse some. With
    `threads`, it may still start threads, and so processes."""
    wanted = (
        ("core", "RLIMIT_CORE", 0),
        ("cpu", "RLIMIT_CPU", limits.lifetime),
        ("file size", "RLIMIT_FSIZE", limits.file_size),
        ("open files", "RLIMIT_NOFILE", limits.open_files),
        ("processes", "RLIMIT_NPROC", 0),
        ("memory", "RLIMIT_AS", limits.memory),
    )
    return tuple(
        name for name, key, value in wanted if not (threads and name == "processes") and _limit(name, key, value)
    )


def _limit(name: str, key: str, value: int) -> bool:
    number = getattr(resource, key, None)
    if number is None:
        return False
    _, hard = resource.getrlimit(number)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(number, (value, value))
    except (OSError, ValueError):
        return False
    return resource.getrlimit(number)[1] == value and not (
        name == "processes" and os.getuid() == 0
    )  # which root may exceed
