"""Two ways to run `autoforge-gym`: here, and as a program."""

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

from autoforge.gym.cli import main
from tests.gym.conftest import ENVIRONMENTS

HOTEL, TELECOM = ENVIRONMENTS / "hotel", ENVIRONMENTS / "telecom"


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
    for name in ("COLUMNS", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AUTOFORGE_PRICES", "AUTOFORGE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AUTOFORGE_ENVS", str(ENVIRONMENTS))

    def here(*arguments: object, stdin: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Ran(int(ended.value.code or 0), out, err)

    yield here
    signal.signal(signal.SIGTERM, before)


def command(*arguments: object) -> list[str]:
    """The program's command line."""
    return [sys.executable, "-m", "autoforge.gym.cli", *map(str, arguments)]


def program(*arguments: object, cwd: Path, seconds: float = 120) -> Ran:
    """Run the command as a program of its own."""
    done = subprocess.run(
        command(*arguments), cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", timeout=seconds,
        check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


def files_of(folder: Path) -> list[str]:
    """Every file and folder below a folder, hidden ones too."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.fixture(scope="session")
def oracle_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle on every task of the hotel; not to be changed."""
    folder = tmp_path_factory.mktemp("oracle")
    done = program("run", HOTEL, "--agent", "oracle", "--judge", "none", "-o", "oracle.jsonl", cwd=folder)
    assert done.code == 0, done.err
    return folder / "oracle.jsonl"
