"""What a campaign keeps of itself: read again as it was, and never by another request."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.generator.tasks.make import Attempt
from autoforge.generator.tasks.progress_file import ProgressFile
from autoforge.mcp_envs.environment import EnvironmentFolder
from tests.generator.tasks.conftest import Made, desk_copy


@pytest.fixture
def folder(tmp_path: Path) -> EnvironmentFolder:
    return desk_copy(tmp_path)


@pytest.fixture(scope="module")
def attempts(made: Made) -> list[Attempt]:
    """Tasks and reasons, with characters of all sorts."""
    tasks = [Attempt(n, task) for n, task in enumerate(made.campaign.tasks[:3])]
    return [*tasks, Attempt(3, None, "too short", "line\nbreak, \u2028 and “quotes”"), Attempt(4, None, "no walks")]


def known(folder: EnvironmentFolder, request: str = "request") -> dict[int, Attempt]:
    return ProgressFile(folder, request).known


def test_attempts_are_read_again_as_they_were(folder: EnvironmentFolder, attempts: list[Attempt]) -> None:
    kept = ProgressFile(folder, "request")
    assert kept.known == {}
    kept.add(attempts[:2])
    kept.add(attempts[2:])
    assert kept.known == known(folder) == {a.number: a for a in attempts}


def test_the_file_lies_beside_the_environment(folder: EnvironmentFolder, attempts: list[Attempt]) -> None:
    before = sorted(p.name for p in folder.path.iterdir())
    ProgressFile(folder, "request").add(attempts)
    assert sorted(p.name for p in folder.path.iterdir()) == before
    assert [p.name for p in folder.path.parent.iterdir() if p != folder.path] == [".desk.tasks.jsonl"]


def test_another_requests_file_is_not_used_and_is_replaced(folder: EnvironmentFolder, attempts: list[Attempt]) -> None:
    ProgressFile(folder, "request").add(attempts)
    other = ProgressFile(folder, "another request")
    assert other.known == {}
    other.add(attempts[:1])
    assert set(known(folder, "another request")) == {0} and known(folder) == {}


@pytest.mark.parametrize("file", ["tools.py", "seed.sql", "schema.sql", "docs.json", "policy.md"])
def test_the_file_of_an_environment_that_has_changed_is_not_used(
    folder: EnvironmentFolder, attempts: list[Attempt], file: str
) -> None:
    ProgressFile(folder, "request").add(attempts)
    with (folder.path / file).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert known(folder) == {}


@pytest.mark.parametrize("cut", [1, 2, 20])
def test_a_last_line_that_was_cut_short_is_lost_alone(
    folder: EnvironmentFolder, attempts: list[Attempt], cut: int
) -> None:
    kept = ProgressFile(folder, "request")
    kept.add(attempts)
    kept.path.write_bytes(kept.path.read_bytes()[:-cut])
    whole = {a.number: a for a in (attempts if cut == 1 else attempts[:-1])}
    assert known(folder) == whole
    ProgressFile(folder, "request").add([Attempt(7, None, "later"), Attempt(8, None, "later still")])
    assert known(folder) == {**whole, 7: Attempt(7, None, "later"), 8: Attempt(8, None, "later still")}


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"not JSON\n", b'{"key": "other"}\n[0, null, "x", ""]\n'])
def test_a_file_that_is_none_of_ours_is_as_if_it_were_not_there(
    folder: EnvironmentFolder, attempts: list[Attempt], content: bytes
) -> None:
    kept = ProgressFile(folder, "request")
    kept.path.write_bytes(content)
    again = ProgressFile(folder, "request")
    assert again.known == {}
    again.add(attempts)
    assert known(folder) == {a.number: a for a in attempts}


def test_lines_that_say_no_attempt_are_left_out(folder: EnvironmentFolder, attempts: list[Attempt]) -> None:
    kept = ProgressFile(folder, "request")
    kept.add(attempts[:1])
    with kept.path.open("a", encoding="utf-8") as stream:
        stream.write('[5]\n{"a": 1}\nnull\n[6, {"id": "no task"}, "", ""]\n')
    assert known(folder) == {0: attempts[0]}


def test_a_finished_campaign_leaves_no_file(folder: EnvironmentFolder, attempts: list[Attempt]) -> None:
    ProgressFile(folder, "request").add(attempts)
    ProgressFile.discard(folder)
    ProgressFile.discard(folder)
    assert list(folder.path.parent.iterdir()) == [folder.path]
