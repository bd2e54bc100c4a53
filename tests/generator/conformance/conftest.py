"""The desk, whole and with faults planted in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autoforge.generator.emit.server import server_py

DESK = Path(__file__).parents[2] / "fixtures" / "desk"

Plant = Callable[..., Path]


def desk_copy(folder: Path, *changes: tuple[str, str], file: str = "tools.py") -> Path:
    """A copy of the desk with its server, in which texts of a file are replaced; each must be there."""
    shutil.copytree(DESK, folder)
    (folder / "server.py").write_text(server_py(), encoding="utf-8")
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{old!r} is not in {file} of the desk"
        text = text.replace(old, new)
    (folder / file).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Makes a copy of the desk with changes."""
    return lambda *changes, file="tools.py": desk_copy(tmp_path / "desk", *changes, file=file)
