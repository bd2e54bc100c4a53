"""Episodes, call ids and results through real workers, blocking and asynchronous, and that nothing is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.containment import Call, ContainedTools, Limits, SyncWorker, contained, probe
from autoforge.mcp_envs.containment.module import ToolModule
from autoforge.mcp_envs.containment.session import Source
from autoforge.mcp_envs.errors import BadInput, ContainmentError

NOTE = {"ticket_id": 2, "text": "called back"}
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists() and os.name != "posix", reason="needs a POSIX system"
)


@pytest.fixture
def worker(desk: Path) -> Iterator[SyncWorker]:
    with SyncWorker(desk) as worker:
        worker.open("e")
        yield worker


def _rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


# --- results ---


def test_documented_names_reach_the_function(worker: SyncWorker) -> None:
    assert worker.tools == (
        "add_note", "assign_ticket", "get_ticket", "list_agents", "open_ticket", "resolve_ticket", "search_tickets",
    )  # fmt: skip
    result = worker.call("e", "search_tickets", {"from": "2026-03-01", "tag": "login"})
    assert [ticket["id"] for ticket in result.value["tickets"]] == [2, 6]


def test_a_refusal_is_told_apart_from_a_fault(worker: SyncWorker) -> None:
    refused = worker.call("e", "get_ticket", {"ticket_id": 99})
    fault = worker.call("e", "get_ticket", {"number": 1})
    unknown = worker.call("e", "drop_ticket", {})
    assert (refused.kind, refused.message) == ("refused", "there is no ticket 99")
    assert fault.kind == "failed" and fault.message.startswith("TypeError: ")
    assert unknown.kind == "failed" and "drop_ticket" in unknown.message


def test_a_documented_parameter_may_be_called_db() -> None:
    function = ("ask", {"db": "db_"})
    module = ToolModule("def ask(db, *, db_):\n    return [db, db_]\n", {"ask": function}, 1.0)
    assert module.prepare("ask", 1.0)("state", db="given") == ["state", "given"]


def test_a_committed_call_is_in_the_file_when_its_result_is_here(worker: SyncWorker) -> None:
    assert worker.call("e", "add_note", NOTE).value == {"note_id": 5, "ticket_id": 2}
    assert _rows(worker.state_path("e"), "SELECT text FROM notes WHERE id = 5") == [("called back",)]


def test_arguments_that_are_not_json_are_bad_input(worker: SyncWorker) -> None:
    with pytest.raises(BadInput, match="JSON"):
        worker.call("e", "add_note", {"ticket_id": object()})
    assert worker.call("e", "get_ticket", {"ticket_id": 1}).ok


# --- call ids ---


def test_a_repeated_call_id_answers_again_and_does_nothing(worker: SyncWorker) -> None:
    first = worker.call("e", "add_note", NOTE, call_id="c1")
    again = worker.call("e", "add_note", {**NOTE, "text": "other"}, call_id="c1")
    assert again == first
    assert _rows(worker.state_path("e"), "SELECT count(*) FROM notes WHERE ticket_id = 2") == [(1,)]


def test_a_refusal_is_remembered_by_its_call_id(worker: SyncWorker) -> None:
    first = worker.call("e", "resolve_ticket", {"ticket_id": 2, "resolution": "done"}, call_id="c1")
    assert worker.call("e", "assign_ticket", {"ticket_id": 2, "agent_id": 1}).ok
    assert first.kind == "refused"
    assert worker.call("e", "resolve_ticket", {"ticket_id": 2, "resolution": "done"}, call_id="c1") == first


def test_a_call_whose_reply_was_lost_is_not_made_twice(desk: Path, tmp_path: Path) -> None:
    """The worker commits and dies before its reply is read: the retry finds the stored reply."""
    with SyncWorker(desk, tmp_path) as first:
        first.open("e")
        kept = first.call("e", "add_note", NOTE, call_id="c1")
    with SyncWorker(desk, tmp_path) as second:
        second.open("e")
        assert second.call("e", "add_note", NOTE, call_id="c1") == kept
        assert len(_rows(second.state_path("e"), "SELECT 1 FROM notes WHERE ticket_id = 2")) == 1


def test_a_worker_that_dies_between_calls_is_replaced(worker: SyncWorker) -> None:
    worker.call("e", "add_note", NOTE)
    os.kill(worker._session.link.pid, signal.SIGKILL)
    assert worker.call("e", "add_note", NOTE, call_id="c2").value == {"note_id": 6, "ticket_id": 2}
    assert worker.starts == 2


# --- episodes ---


def test_episodes_do_not_see_each_other(worker: SyncWorker) -> None:
    worker.open("f")
    worker.call("e", "add_note", NOTE)
    assert worker.call("f", "get_ticket", {"ticket_id": 2}).value["notes"] == []


def test_opening_an_episode_again_goes_on_with_it_and_reset_begins_anew(worker: SyncWorker) -> None:
    worker.call("e", "add_note", NOTE)
    worker.open("e")
    assert len(worker.call("e", "get_ticket", {"ticket_id": 2}).value["notes"]) == 1
    worker.reset("e")
    assert worker.call("e", "get_ticket", {"ticket_id": 2}).value["notes"] == []


def test_initial_statements_come_on_top_of_the_seed(worker: SyncWorker) -> None:
    worker.open("f", ["UPDATE agents SET on_duty = 0 WHERE id = 2", "DELETE FROM notes"])
    assert worker.call("f", "assign_ticket", {"ticket_id": 2, "agent_id": 2}).message == "Bruno Keller is not on duty"


@pytest.mark.parametrize("statement", ["DROP TABLE notes", "ATTACH 'x' AS y", "PRAGMA user_version = 3", "nonsense"])
def test_initial_statements_may_only_change_rows(worker: SyncWorker, statement: str) -> None:
    with pytest.raises(ContainmentError):
        worker.open("f", ["DELETE FROM notes", statement])


def test_a_fork_is_a_copy_that_goes_its_own_way(worker: SyncWorker) -> None:
    worker.call("e", "add_note", NOTE)
    worker.fork("e", "f")
    worker.call("f", "add_note", NOTE)
    counts = [len(worker.call(episode, "get_ticket", {"ticket_id": 2}).value["notes"]) for episode in ("e", "f")]
    assert counts == [1, 2]


def test_more_episodes_than_open_files(desk: Path) -> None:
    with SyncWorker(desk, limits=Limits(open_files=24)) as worker:
        for number in range(60):
            worker.open(f"e{number}")
            assert worker.call(f"e{number}", "add_note", NOTE).ok
        notes = [worker.call(f"e{n}", "get_ticket", {"ticket_id": 2}).value["notes"] for n in range(60)]
        assert all(len(found) == 1 for found in notes)


def test_a_closed_episode_leaves_no_file_unless_it_is_kept(worker: SyncWorker) -> None:
    worker.open("f")
    worker.call("f", "add_note", NOTE)
    worker.close_episode("e", keep=True)
    worker.close_episode("f")
    assert [p.name for p in worker.state_folder.iterdir() if "journal" not in p.name] == ["e.sqlite"]


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 101, "a\nb", "ä"])
def test_an_episode_cannot_be_named_like_a_path(worker: SyncWorker, name: str) -> None:
    with pytest.raises(BadInput, match="episode"):
        worker.open(name)


def test_a_call_on_an_episode_that_was_never_opened_is_bad_input(worker: SyncWorker) -> None:
    with pytest.raises(BadInput, match="open it first"):
        worker.call("nowhere", "get_ticket", {"ticket_id": 1})


def test_the_same_calls_give_the_same_file_contents_in_any_process(desk: Path) -> None:
    def dump() -> tuple[list[object], list[tuple[object, ...]]]:
        with SyncWorker(desk) as worker:
            worker.open("e")
            calls = [Call("add_note", NOTE), Call("search_tickets", {}), Call("list_agents", {})]
            results = worker.calls("e", calls)
            assert [r.kind for r in results] == ["ok", "ok", "ok"]
            notes = _rows(worker.state_path("e"), "SELECT * FROM notes")
            assert any(NOTE["text"] in row for row in notes)
            return [r.value for r in results], notes

    assert dump() == dump()


# --- values ---


@pytest.fixture(scope="module")
def shared() -> Iterator[SyncWorker]:
    with SyncWorker(Path(__file__).parents[2] / "fixtures" / "desk") as worker:
        yield worker


NASTY = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["'; DROP TABLE notes; --", '"', "')) OR 1=1 --", "\\", "%", "?1", ":x", "\0", "Robert'); --", "\ud83d"]
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=NASTY)
def test_values_are_data_whatever_they_hold(shared: SyncWorker, text: str) -> None:
    shared.reset("law")
    before = _rows(shared.state_path("law"), "SELECT name, sql FROM sqlite_master")
    added, looked, searched = shared.calls(
        "law",
        [
            Call("add_note", {"ticket_id": 7, "text": text}),
            Call("get_ticket", {"ticket_id": 7}),
            Call("search_tickets", {"text": text, "status": text}),
        ],
    )
    assert _rows(shared.state_path("law"), "SELECT name, sql FROM sqlite_master") == before
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        assert added.kind == "failed"
    else:
        assert [note["text"] for note in looked.value["notes"]] == [text]
        assert searched.value["total"] == 0


# --- asynchronous ---


def _with_pool(desk: Path, body: Callable[[ContainedTools], object], workers: int = 2) -> None:
    async def scenario() -> None:
        with anyio.fail_after(30):
            async with contained(desk, workers) as tools:
                await body(tools)  # type: ignore[misc]

    anyio.run(scenario)


def test_many_episodes_share_a_pool(desk: Path) -> None:
    async def body(tools: ContainedTools) -> None:
        async def play(episode: str) -> None:
            await tools.open(episode)
            for _ in range(5):
                await tools.call(episode, "add_note", NOTE)
            counts[episode] = len((await tools.call(episode, "get_ticket", {"ticket_id": 2})).value["notes"])

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(play, f"e{number}")
        assert tools.starts == 2

    counts: dict[str, int] = {}
    _with_pool(desk, body)
    assert counts == {f"e{number}": 5 for number in range(12)}


def test_a_fork_may_belong_to_another_worker(desk: Path) -> None:
    async def body(tools: ContainedTools) -> None:
        await tools.open("source")
        await tools.call("source", "add_note", NOTE)
        for number in range(6):
            await tools.open(f"t{number}")
            await tools.call(f"t{number}", "get_ticket", {"ticket_id": 2})
            await tools.fork("source", f"t{number}")
            assert len((await tools.call(f"t{number}", "get_ticket", {"ticket_id": 2})).value["notes"]) == 1

    _with_pool(desk, body)


def test_a_cancelled_caller_does_not_disturb_the_others(module: Callable[[str], str], tmp_path: Path) -> None:
    source = Source(module("while True:\n    pass"), ("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);", ""), {})

    async def scenario() -> None:
        async with contained(source, 1, tmp_path, Limits(seconds=0.4, grace=0.2)) as tools:
            await tools.open("e")
            with anyio.move_on_after(0.1):
                await tools.call("e", "attempt", {})
            with anyio.fail_after(10):
                assert (await tools.call("e", "names", {})).value == []

    anyio.run(scenario)


def test_closing_a_pool_ends_a_call_that_hangs(module: Callable[[str], str], tmp_path: Path) -> None:
    source = Source(module("while True:\n    pass"), (), {})

    async def scenario() -> None:
        raised: list[str] = []

        async def hang(tools: ContainedTools) -> None:
            try:
                await tools.call("e", "attempt", {}, seconds=60)
            except ContainmentError as error:
                raised.append(str(error))

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group, contained(source, 1, tmp_path) as tools:
                await tools.open("e")
                group.start_soon(hang, tools)
                await anyio.lowlevel.checkpoint()
                await anyio.lowlevel.checkpoint()
        assert len(raised) == 1 and "closed" in raised[0]

    anyio.run(scenario)


def test_an_error_in_the_body_arrives_as_it_is(desk: Path) -> None:
    async def body(tools: ContainedTools) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        _with_pool(desk, body)


# --- loading ---


def test_refused_code_never_starts_a_process(desk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(desk, folder)
    (folder / "tools.py").write_text("import os\n", encoding="utf-8")
    with pytest.raises(ContainmentError, match="line 1: module 'os'"):
        SyncWorker(folder)


def test_the_worker_checks_again_by_itself(start: Callable[..., SyncWorker]) -> None:
    source = Source("import os\n", (), {})
    with pytest.raises(ContainmentError, match="module 'os'"):
        SyncWorker.of(source)


@pytest.mark.parametrize(
    "script",
    [
        "ATTACH 'x.db' AS y;",
        "CREATE TABLE a(b); INSERT INTO a VALUES (random());",
        "SELECT load_extension('x');",
        "nonsense",
    ],
)
def test_scripts_that_reach_out_or_fail_are_refused(script: str) -> None:
    with pytest.raises(ContainmentError):
        SyncWorker.of(Source("class ToolError(Exception):\n    pass\n", (script,), {}))


def test_an_endless_script_is_given_up() -> None:
    script = (
        "CREATE TABLE a AS WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM t) SELECT count(*) AS n FROM t;"
    )
    with pytest.raises(ContainmentError, match="could not be loaded"):
        SyncWorker.of(
            Source("class ToolError(Exception):\n    pass\n", (script,), {}), limits=Limits(start_seconds=2.0)
        )


def test_a_folder_that_is_no_environment_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="environment folder"):
        SyncWorker(tmp_path)


# --- what is left behind ---


def _open_descriptors() -> set[str]:
    return {
        os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
    }


def _children() -> set[int]:
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text(encoding="utf-8")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(stat.rpartition(")")[2].split()[1]) == os.getpid():
                found.add(int(entry))
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to see processes and descriptors")
def test_nothing_is_left_behind(
    desk: Path, module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    probe()
    before = (_open_descriptors(), _children(), sorted(tmp_path.iterdir()))
    killed = Source(
        module("while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
        (),
        {},
        unchecked=True,
    )
    for _ in range(3):
        with SyncWorker(desk) as worker:
            worker.open("e")
            worker.call("e", "add_note", NOTE)
        with SyncWorker.of(killed, limits=Limits(seconds=0.1, grace=0.1)) as worker:
            worker.open("e")
            assert worker.call("e", "attempt", {}).kind == "deadline"
        with pytest.raises(ContainmentError):
            SyncWorker.of(Source("import os\n", (), {}))

        async def body(tools: ContainedTools) -> None:
            await tools.open("e")
            await tools.call("e", "add_note", NOTE)

        _with_pool(desk, body)
    assert (_open_descriptors(), _children(), sorted(tmp_path.iterdir())) == before
