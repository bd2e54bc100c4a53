"""What the kernel enforces, feature by feature, and how it is reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autoforge.mcp_envs.containment import Enforcement, SyncWorker, probe

READ = "return open(path).read()"
LIST = "import os\nreturn 'etc' in os.listdir('/')"
SOCKET = "import socket\nsocket.create_connection(('127.0.0.1', port), 1).close()"
FORK = "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nreturn 'forked'"


def _need(feature: str) -> None:
    if not getattr(probe(), feature):
        pytest.skip(f"this machine cannot enforce {feature}")


@pytest.mark.parametrize(("without", "left"), [("landlock", "chroot"), ("chroot", "landlock")])
def test_either_wall_alone_keeps_files_out_of_reach(
    without: str, left: str, start: Callable[..., SyncWorker], tmp_path: Path
) -> None:
    _need(left)
    secret = tmp_path / "secret.txt"
    secret.write_text("canary", encoding="utf-8")
    worker = start(READ, unchecked=True, without=(without,))
    assert worker.enforcement.filesystem and not getattr(worker.enforcement, without)
    assert worker.call("e", "attempt", {"path": str(secret)}).kind == "failed"


def test_a_worker_without_walls_would_read_the_secret(start: Callable[..., SyncWorker], tmp_path: Path) -> None:
    """The attempts of `test_escapes.py` are real: with the walls left out they succeed, and the report says so."""
    secret = tmp_path / "secret.txt"
    secret.write_text("canary", encoding="utf-8")
    worker = start(READ, unchecked=True, without=("landlock", "chroot", "seccomp", "namespaces"))
    assert worker.call("e", "attempt", {"path": str(secret)}).value == "canary"
    assert not worker.enforcement.filesystem and not worker.enforcement.network
    assert "files outside the state folder" in worker.enforcement.describe()


def test_a_worker_without_seccomp_could_fork(start: Callable[..., SyncWorker]) -> None:
    _need("namespaces")
    worker = start(FORK, unchecked=True, without=("seccomp",))
    result = worker.call("e", "attempt", {})
    assert result.value == "forked" or "processes" in worker.enforcement.resources


@pytest.mark.parametrize("without", ["seccomp", "namespaces"])
def test_either_wall_alone_keeps_the_network_off(without: str, start: Callable[..., SyncWorker]) -> None:
    _need("namespaces" if without == "seccomp" else "seccomp")
    worker = start(SOCKET, unchecked=True, without=(without,))
    assert worker.enforcement.network
    assert worker.call("e", "attempt", {"port": 9}).kind == "failed"


def test_a_complete_enforcement_names_no_gap() -> None:
    full = Enforcement(7, True, True, True, True, ("memory",))
    assert full.missing == () and "no network" in full.describe()


def test_an_empty_enforcement_names_every_gap() -> None:
    empty = Enforcement()
    assert len(empty.missing) == 4
    assert all(word in empty.describe() for word in ("files", "network", "programs", "memory"))


def test_a_chroot_that_could_be_left_does_not_count() -> None:
    assert not Enforcement(chroot=True, capabilities=False).filesystem
    assert Enforcement(chroot=True, capabilities=True).filesystem
