"""Temporary folders go with their owner, or at the next start after it was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.mcp_envs.containment.scratch import ScratchFolder, remove_stale

OWNER = """
import os, signal, sys, tempfile
from autoforge.mcp_envs.containment.scratch import ScratchFolder
tempfile.tempdir = sys.argv[1]
folder = ScratchFolder("test")
(folder.path / "state").write_text("x")
print(folder.path, flush=True)
if sys.argv[2] == "die":
    os.kill(os.getpid(), signal.SIGKILL)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def owner(folder: Path, fate: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OWNER, str(folder), fate]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def a_dead_number() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_a_folder_is_there_until_it_is_closed(tmp_path: Path) -> None:
    with ScratchFolder("test") as path:
        assert path.is_dir() and list(path.iterdir()) == []
        assert f"autoforge-{os.getpid()}-test-" in str(path)
        remove_stale()
        assert path.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_at_the_next_start(tmp_path: Path) -> None:
    with owner(tmp_path, "die") as process:
        out, _ = process.communicate()
    assert (Path(out.strip()) / "state").exists()
    remove_stale()
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_living_process_stays(tmp_path: Path) -> None:
    with owner(tmp_path, "live") as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().strip())
        remove_stale()
        assert (path / "state").exists()
        process.communicate("")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_stays_whatever_number_it_has(tmp_path: Path) -> None:
    """As seen from another container, where no process has the owner's number."""
    with ScratchFolder("test") as path:
        other = tmp_path / f"autoforge-{a_dead_number()}-test-x"
        path.parent.rename(other)
        remove_stale()
        assert (other / "files").is_dir()
        other.rename(path.parent)


@pytest.mark.parametrize("name", ["autoforge-proof-x", "autoforge-{dead}-x", "autoforge-{dead}-link", "other-{dead}-x"])
def test_what_is_not_a_locked_folder_of_ours_is_left_alone(name: str, tmp_path: Path) -> None:
    """Without a lock, a link, or of another name."""
    strange = tmp_path / name.format(dead=a_dead_number())
    target = tmp_path / "target"
    target.mkdir()
    if "link" in name:
        (target / "lock").touch()
        strange.symlink_to(target)
    else:
        strange.mkdir()
    remove_stale()
    assert strange.exists() and target.exists()
