"""A file that is written is whole or not there, and only a regular file is replaced."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.runs.writing import write_whole
from autoforge.mcp_envs.errors import BadInput


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_no_regular_file_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to-fifo").symlink_to("fifo")
    (tmp_path / "to-device").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
    before = {path: path.lstat().st_ino for path in tmp_path.iterdir()}
    for path in before:
        with pytest.raises(BadInput, match=r"give a file|give another file"):
            write_whole(path, ["text"])
        with pytest.raises(BadInput, match=r"give a file|give another file"):
            TrajectoryFile(path)
    assert {path: path.lstat().st_ino for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("there", [True, False])
def test_of_a_link_the_target_is_replaced(tmp_path: Path, there: bool) -> None:
    target, link = tmp_path / "below" / "target", tmp_path / "link"
    target.parent.mkdir()
    if there:
        target.write_text("old", encoding="utf-8")
    link.symlink_to("below/target")
    write_whole(link, ["new"])
    assert link.is_symlink() and target.read_text(encoding="utf-8") == "new" and stat.S_ISREG(target.lstat().st_mode)
    assert names(tmp_path) == ["below", "link"] and names(target.parent) == ["target"]


@pytest.mark.parametrize("name", [".", "..", "x" * 256, "x" * 5000, "a\0b", "folder/" * 2000, "é" * 200])
def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as refused:
        write_whole(Path(name), ["text"])
    assert len(str(refused.value)) < 300 and names(tmp_path) == []


def test_the_longest_name_that_a_file_can_have_is_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "é" * 127):
        write_whole(tmp_path / name, ["text"])
        assert (tmp_path / name).read_text(encoding="utf-8") == "text"
    assert len(names(tmp_path)) == 2
