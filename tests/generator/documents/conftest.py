"""Fixtures for the documentation reader: write a document, read it, or show why it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.documents import Documentation, read_documents
from autoforge.mcp_envs.errors import BadInput

Read = Callable[..., Documentation]
Refuse = Callable[..., str]


def _write(folder: Path, value: Any, name: str) -> Path:
    path = folder / name
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a document given as text, bytes or a JSON value."""

    def _read(value: Any, name: str = "docs.json") -> Documentation:
        return read_documents([_write(tmp_path, value, name)])

    return _read


@pytest.fixture
def refuse(tmp_path: Path) -> Refuse:
    """The message that a document is refused with, without the folder it lies in."""

    def _refuse(value: Any, name: str = "docs.json") -> str:
        with pytest.raises(BadInput) as caught:
            read_documents([_write(tmp_path, value, name)])
        return str(caught.value).replace(f"{tmp_path}/", "")

    return _refuse
