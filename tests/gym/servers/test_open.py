"""From what a person names to the server that it means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.servers.command import CommandServer
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.open import open_server
from autoforge.gym.servers.url import UrlServer
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import task_line
from tests.gym.conftest import ENVIRONMENTS
from tests.gym.servers.notes import notes_task
from tests.gym.servers.processes import FAKE

HOTEL = ENVIRONMENTS / "hotel"
URL = "http://127.0.0.1:8000/mcp"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(task_line(notes_task()) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_TOKEN", "secret")
    monkeypatch.setenv("AUTOFORGE_ENVS", str(ENVIRONMENTS))
    monkeypatch.delenv("UNSET", raising=False)


@pytest.mark.parametrize("target", [str(HOTEL), "hotel"])
def test_a_folder_or_a_name_is_an_environment(target: str, tasks: Path) -> None:
    server = open_server(target, workers=2)
    assert isinstance(server, FolderServer) and server.name == "hotel" and len(server.tasks) == 12
    assert [task.id for task in open_server(target, tasks=tasks).tasks] == ["t1"]


def test_an_address_is_a_server_of_others(tasks: Path) -> None:
    server = open_server(f"{URL}, https://other.example/mcp", tasks=tasks, token_variable="THE_TOKEN")
    assert isinstance(server, UrlServer) and server.urls == (URL, "https://other.example/mcp")
    assert server.name == "notes" and open_server(URL).name == "127.0.0.1"


def test_an_address_with_a_folder_is_an_environment_of_ours(tasks: Path) -> None:
    server = open_server(URL, folder=HOTEL, token_variable="THE_TOKEN")
    assert isinstance(server, HostedServer) and server.urls == ["http://127.0.0.1:8000"] and server.name == "hotel"
    assert (
        len(server.tasks) == 12
        and len(open_server(URL, folder=HOTEL, token_variable="THE_TOKEN", tasks=tasks).tasks) == 1
    )


def test_anything_else_that_can_be_started_is_a_command(tasks: Path) -> None:
    server = open_server(f"{sys.executable} '{FAKE}' --x {{folder}}", tasks=tasks)
    assert isinstance(server, CommandServer) and server.words == (sys.executable, str(FAKE), "--x", "{folder}")
    assert open_server("true").name == "true" and server.name == "notes"


@pytest.mark.parametrize(
    ("target", "more", "words"),
    [
        ("hotell", {}, "hotell is no address of a server, no command that can be started, and no environment either"),
        ("no-such-program --x", {}, "no-such-program: no such program"),
        ("cat 'x", {}, "quote it as for a shell"),
        (" ", {}, "no server is named"),
        ("http://", {}, "http:// is no address of a server"),
        (f"{URL},hotel", {}, "hotel is no address of a server"),
        (URL, {"folder": HOTEL}, "name the variable that holds it"),
        (URL, {"token_variable": "UNSET"}, "the variable UNSET is empty or not set"),
        (URL, {"tasks": Path("/no/such/file")}, "/no/such/file cannot be read"),
        (str(HOTEL), {"folder": HOTEL}, "leave them out"),
        ("true", {"token_variable": "THE_TOKEN"}, "leave them out"),
        (str(Path(__file__).parent), {}, "no environment.json in it"),
    ],
)
def test_what_is_none_of_these_is_said_in_one_sentence(target: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        open_server(target, **more)
    assert words in str(refused.value) and "\n" not in str(refused.value) and "secret" not in str(refused.value)


def test_a_command_of_any_length_is_a_command(tmp_path: Path) -> None:
    words = [f"--option-{number}={'x' * 50}/file.py" for number in range(200)]
    server = open_server(" ".join([sys.executable, "server.py", *words, "y" * 5000 + ".py"]))
    assert isinstance(server, CommandServer) and server.words[2:-1] == tuple(words)


@pytest.mark.parametrize("target", ["x" * 256, "x" * 5000, "a\0b", "true a\0b", "folder/" * 1000, "cat '" + "x" * 5000])
def test_a_name_that_no_file_can_have_is_refused_in_one_sentence(target: str) -> None:
    with pytest.raises(BadInput) as refused:
        open_server(target)
    assert len(str(refused.value)) < 700 and "\n" not in str(refused.value) and "\0" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"path":"$.notes"', '"path":"notes]"'), "/probe/0/path"),
        (('"surrogate"', '"strange"'), "/probe/0/kind"),
        (('"tool":"list_notes"', '"tol":"list_notes"'), "/probe/0/tool"),
    ],
)
def test_a_bad_probe_is_named_with_its_line(tasks: Path, change: tuple[str, str], words: str) -> None:
    text = tasks.read_text(encoding="utf-8")
    assert change[0] in text
    tasks.write_text("\n" + text.replace(*change), encoding="utf-8")
    with pytest.raises(BadInput, match="line 2") as refused:
        open_server("true", tasks=tasks)
    assert words in str(refused.value)
