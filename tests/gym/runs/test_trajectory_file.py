"""The file of a run: whatever is killed, locked or full, whole lines stay and torn ones go."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.runs.reading import latest, latest_outcomes
from autoforge.gym.runs.settings import RunSettings, keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from tests.gym.runs.outcomes import trajectory

ONE, TWO = trajectory("t1"), trajectory("t2", reward=0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a run keeps its episodes; its settings are there."""
    place = tmp_path / "run.jsonl"
    keep_settings(place, RunSettings(agent="a", user="u"))
    return place


@pytest.mark.anyio
async def test_what_was_appended_is_there_when_the_file_is_opened_again(path: Path) -> None:
    with TrajectoryFile(path) as file:
        await file.append(ONE)
        await file.append(TWO)
        assert path.read_text(encoding="utf-8") == ONE.line() + TWO.line()
    with TrajectoryFile(path) as file:
        assert list(file.outcomes) == [ONE.id, TWO.id]
    assert list(latest(path)) == [ONE, TWO]


@pytest.mark.anyio
async def test_the_last_line_of_an_id_counts(path: Path) -> None:
    failed = trajectory("t1", reward=None, blame="user")
    with TrajectoryFile(path) as file:
        for one in (failed, failed, TWO, ONE):
            await file.append(one)
        assert file.outcomes[ONE.id].reward == 1.0 and file.spoiled[ONE.id] == 2
    assert list(latest(path)) == [TWO, ONE]
    assert {id: outcome.reward for id, outcome in latest_outcomes(path).items()} == {TWO.id: 0.0, ONE.id: 1.0}
    with TrajectoryFile(path) as file:
        assert file.spoiled[ONE.id] == 2 and file.spoiled[TWO.id] == 0


@settings(max_examples=60)
@given(data=st.data())
def test_wherever_a_kill_cuts_a_file_its_whole_lines_are_read_and_the_rest_is_cut_off(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cut") / "run.jsonl"
    keep_settings(path, RunSettings(agent="a", user="u"))
    lines = [ONE.line().encode(), TWO.line().encode()]
    text = b"".join(lines)
    cut = data.draw(st.integers(0, len(text)))
    path.write_bytes(text[:cut])
    first, both = len(lines[0]), len(text)
    whole = (cut >= first - 1) + (cut >= both - 1)
    assert [t.id for t in latest(path)] == [ONE.id, TWO.id][:whole]
    with TrajectoryFile(path) as file:
        assert list(file.outcomes) == [ONE.id, TWO.id][:whole]
    assert path.read_bytes() == b"".join(lines[:whole])


def test_a_file_that_no_run_made_is_left_as_it_is(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes(b"my notes\nwithout an end")
    with pytest.raises(BadInput, match="no run made it"):
        TrajectoryFile(notes)
    assert notes.read_bytes() == b"my notes\nwithout an end"


def test_a_line_that_is_no_trajectory_is_named(path: Path) -> None:
    path.write_text(ONE.line() + '{"id": "x"}\n' + TWO.line(), encoding="utf-8")
    with pytest.raises(BadInput, match="line 2, /environment"):
        TrajectoryFile(path)
    with pytest.raises(BadInput, match="line 2, /environment"):
        list(latest(path))


def test_two_runs_do_not_write_one_file(path: Path) -> None:
    with TrajectoryFile(path), pytest.raises(BadInput, match="another run is writing"):
        TrajectoryFile(path)
    TrajectoryFile(path).__exit__(None, None, None)


@pytest.mark.parametrize("place", ["file/below.jsonl", "folder"])
def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        TrajectoryFile(tmp_path / place)


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.anyio
async def test_a_full_disk_is_a_sentence_and_what_was_finished_stays(path: Path) -> None:
    long = Trajectory.model_validate({**TWO.model_dump(), "instructions": "x" * 4000})
    with TrajectoryFile(path) as file:
        await file.append(ONE)
        with room(2000), pytest.raises(AutoForgeError, match="its 1 finished episodes are kept"):
            await file.append(long)
        assert path.read_text(encoding="utf-8") == ONE.line()
        await file.append(TWO)
    assert list(latest(path)) == [ONE, TWO]
