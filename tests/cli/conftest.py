"""Documentation that is quick to compile, and two ways to run `autoforge-gen`: here, and as a program."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mcp.client.stdio  # noqa: F401  its default for a server's stderr is bound here, before any test replaces it
import pytest

from autoforge.generator.cli import main

NOTE_ID = {"type": "string", "description": "ID of the note."}
PRIORITY = {"type": "string", "enum": ["low", "normal", "high"], "description": "Priority of the note."}


def tool(name: str, description: str, required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """One function in OpenAI's format."""
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


NOTES = [
    tool("get_note", "Get a note by its ID. Fails if the note does not exist.", ["note_id"], note_id=NOTE_ID),
    tool(
        "create_note",
        "Create a note. Returns the new note.",
        ["title", "priority"],
        title={"type": "string", "description": "Title of the note."},
        priority=PRIORITY,
    ),
    tool("list_notes", "List notes, only those of a priority where one is given.", [], priority=PRIORITY),
    tool("delete_note", "Delete a note. Fails if the note does not exist.", ["note_id"], note_id=NOTE_ID),
]
"""Four tools over one table; they pass."""


class Ran(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout; anything beside it is an error."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Run]:
    """Run the command in this process, in an empty folder."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def here(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Ran(int(ended.value.code or 0), out, err)

    yield here
    signal.signal(signal.SIGTERM, before)


def program(*arguments: str | Path, cwd: Path, seconds: float = 120) -> Ran:
    """Run the command as a program of its own."""
    command = [sys.executable, "-m", "autoforge.generator.cli", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", timeout=seconds, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A file of documentation that compiles into an environment that passes."""
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(NOTES), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled environment of that documentation; not to be changed."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "notes.json").write_text(json.dumps(NOTES), encoding="utf-8")
    done = program("notes.json", "-o", ".", cwd=folder)
    assert done.code == 0, done.err
    return folder / "notes"


def files_of(folder: Path) -> list[str]:
    """Every file and folder below a folder, hidden ones too."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))
