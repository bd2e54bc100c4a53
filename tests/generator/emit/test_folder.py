"""An environment on disk is always one whole environment, whatever kills its writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.generator.emit import folder
from autoforge.generator.emit.folder import recover, write_environment
from autoforge.mcp_envs.errors import BadInput

OLD = {"environment.json": "{}\n", "tools.py": "old\n", "gone.txt": "old\n"}
NEW: dict[str, str | bytes] = {"environment.json": "{ }\n", "tools.py": "new\n", "data/rows.bin": b"\x00\xff"}

WRITER = """
import importlib.util, os, shutil, signal, sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("folder", sys.argv[4])
folder = importlib.util.module_from_spec(spec)
spec.loader.exec_module(folder)
stop, exchange = int(sys.argv[2]), sys.argv[3] == "exchange"
if not exchange:
    folder._exchange = lambda: None
count = 0

def killing(function):
    def wrapped(*args, **kwargs):
        global count
        count += 1
        if count == stop:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)
    return wrapped

for owner, name in ((os, "fsync"), (os, "rename"), (os, "open"), (Path, "rename"), (Path, "open"), (Path, "mkdir"),
                    (shutil, "rmtree"), (Path, "unlink"), (folder, "_put")):
    setattr(owner, name, killing(getattr(owner, name)))
swap = folder._exchange()
if swap is not None:
    folder._exchange = lambda: killing(swap)
files = {"environment.json": "{ }\\n", "tools.py": "new\\n", "data/rows.bin": b"\\x00\\xff"}
folder.write_environment(files, Path(sys.argv[1]))
"""


def content(target: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(p.relative_to(target)): p.read_bytes() for p in sorted(target.rglob("*")) if p.is_file()}


def as_bytes(files: dict[str, str] | dict[str, str | bytes]) -> dict[str, bytes]:
    """What `content` shows for these files."""
    return {name: value.encode() if isinstance(value, str) else value for name, value in sorted(files.items())}


def run_writer(target: Path, stop: int, how: str) -> int:
    """Replace the target in a process that kills itself at its `stop`-th system call; how it ended."""
    command = [sys.executable, "-c", WRITER, str(target), str(stop), how, folder.__file__]
    return subprocess.run(command, check=False, timeout=60, capture_output=True, env=dict(os.environ)).returncode


def test_a_new_environment_has_exactly_the_files_given(tmp_path: Path) -> None:
    write_environment(NEW, tmp_path / "deep" / "shop")
    assert content(tmp_path / "deep" / "shop") == as_bytes(NEW)
    assert os.listdir(tmp_path / "deep") == ["shop"]


@pytest.mark.parametrize("exchange", [True, False])
def test_replacing_leaves_nothing_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(folder, "_exchange", lambda: None)
    write_environment(OLD, tmp_path / "shop")
    write_environment(NEW, tmp_path / "shop")
    assert content(tmp_path / "shop") == as_bytes(NEW)
    assert os.listdir(tmp_path) == ["shop"]


def test_a_folder_that_is_no_environment_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("words", encoding="utf-8")
    with pytest.raises(BadInput, match="not an environment"):
        write_environment(NEW, tmp_path / "thesis")
    assert content(tmp_path) == {"thesis/chapter.tex": b"words"}


def test_a_file_or_link_in_the_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(BadInput, match="not a folder"):
            write_environment(NEW, tmp_path / name)


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    write_environment(NEW, tmp_path / "shop")
    assert content(tmp_path / "shop") == as_bytes(NEW)


@pytest.mark.parametrize("name", ["../escape", "/etc/passwd", "a/../../b", "", "nul\0"])
def test_a_path_outside_the_environment_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="does not lie inside"):
        write_environment({**NEW, name: "x"}, tmp_path / "shop")
    assert os.listdir(tmp_path) == []


def test_files_without_a_manifest_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"environment\.json"):
        write_environment({"tools.py": ""}, tmp_path / "shop")


def test_a_failure_while_writing_leaves_the_old_environment(tmp_path: Path) -> None:
    write_environment(OLD, tmp_path / "shop")
    with pytest.raises(OSError):
        write_environment({**NEW, "tools.py/below": "a file cannot be a folder"}, tmp_path / "shop")
    assert content(tmp_path / "shop") == as_bytes(OLD)
    assert os.listdir(tmp_path) == ["shop"]


@pytest.mark.parametrize("how", ["exchange", "aside"])
def test_a_kill_at_any_point_leaves_the_old_or_the_new_environment_whole(tmp_path: Path, how: str) -> None:
    target, seen = tmp_path / "shop", set()
    for stop in range(1, 100):
        write_environment(OLD, target)
        code = run_writer(target, stop, how)
        if how == "aside":
            recover(target)
        found = content(target)
        assert found in (as_bytes(OLD), as_bytes(NEW)), f"killed at call {stop}"
        seen.add("new" if found == as_bytes(NEW) else "old")
        if code == 0:
            break
        assert code == -signal.SIGKILL
    else:
        pytest.fail("the writer never came to its end")
    assert seen == {"old", "new"}
    write_environment(NEW, target)
    assert os.listdir(tmp_path) == ["shop"]


def test_a_kill_while_the_first_one_is_written_leaves_nothing_or_all(tmp_path: Path) -> None:
    for stop in range(1, 100):
        target = tmp_path / str(stop) / "shop"
        target.parent.mkdir()
        code = run_writer(target, stop, "exchange")
        assert not target.exists() or content(target) == as_bytes(NEW), f"killed at call {stop}"
        if code == 0:
            assert content(target) == as_bytes(NEW)
            return
    pytest.fail("the writer never came to its end")


def test_another_environment_whose_name_begins_the_same_is_left_alone(tmp_path: Path) -> None:
    write_environment(OLD, tmp_path / "shop")
    (tmp_path / ".shop2.new-abc").mkdir()
    (tmp_path / ".shop.new-abc").mkdir()
    write_environment(NEW, tmp_path / "shop")
    assert sorted(os.listdir(tmp_path)) == [".shop2.new-abc", "shop"]
