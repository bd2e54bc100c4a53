"""Reading a state: contents, digest and changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from autoforge.mcp_envs import runtime
from autoforge.mcp_envs import state as state_module
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import changes, digest, dump, read_state, state_of_bytes, without_log

DESK = Path(__file__).parents[1] / "fixtures" / "desk"


@pytest.fixture
def manifest() -> Manifest:
    return Manifest.model_validate_json((DESK / "environment.json").read_text(encoding="utf-8"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[runtime.Connection]:
    with closing(runtime.connect(tmp_path / "desk.sqlite")) as connection:
        runtime.create_state(DESK, connection)
        yield connection


def test_stored_values_are_read_past_the_converters_of_the_connection(desk: runtime.Connection) -> None:
    tickets = dump(desk)["tickets"].records()
    assert tickets[0]["tags"] == '["invoice","refund"]'
    assert dump(desk)["agents"].records()[0]["on_duty"] == 1


def test_an_unknown_table_is_refused_by_name(desk: runtime.Connection) -> None:
    with pytest.raises(BadInput, match="no table 'nothing'"):
        dump(desk, ["nothing"])


def test_a_file_is_read_while_another_holds_it_open(desk: runtime.Connection, tmp_path: Path) -> None:
    desk.execute("BEGIN")
    desk.execute("DELETE FROM notes")
    assert len(read_state(tmp_path / "desk.sqlite")["notes"].rows) == 4
    desk.execute("ROLLBACK")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.sqlite").write_bytes(b"not a database, but long enough to be looked at as one" * 20)
    with pytest.raises(BadInput, match="not a readable state file"):
        read_state(tmp_path / "bad.sqlite")


def test_the_bytes_of_a_file_hold_the_same_state(desk: runtime.Connection) -> None:
    with closing(sqlite3.connect(":memory:")) as scratch:
        assert state_of_bytes(desk.serialize(), scratch) == dump(desk)
        with pytest.raises(BadInput, match="not a state file"):
            state_of_bytes(b"x" * 4096, scratch)


def test_the_digest_is_of_the_rows_and_not_of_their_order(desk: runtime.Connection) -> None:
    before = digest(dump(desk))
    desk.execute("CREATE TEMP TABLE kept AS SELECT * FROM notes")
    desk.execute("DELETE FROM notes")
    assert digest(dump(desk)) != before
    desk.execute("INSERT INTO notes SELECT * FROM kept ORDER BY id DESC")
    assert digest(dump(desk)) == before
    desk.execute("UPDATE notes SET text = text || '.' WHERE id = 1")
    assert digest(dump(desk)) != before
    assert digest(dump(desk), ["agents"]) != before


def test_the_log_is_left_out_where_it_does_not_count(desk: runtime.Connection, manifest: Manifest) -> None:
    before = dump(desk)
    desk.execute("INSERT INTO autoforge_log(tool, arguments) VALUES ('t', '{}')")
    assert dump(desk) != before
    assert without_log(dump(desk), manifest) == without_log(before, manifest)


def test_changes_name_the_row_and_only_the_changed_columns(desk: runtime.Connection, manifest: Manifest) -> None:
    before = dump(desk)
    desk.execute("UPDATE tickets SET status = 'assigned', agent_id = 2 WHERE id = 2")
    desk.execute("DELETE FROM notes WHERE id = 4")
    desk.execute("INSERT INTO notes VALUES (9, 1, 'new', '2026-03-02T09:00:00')")
    desk.execute("UPDATE autoforge_counters SET value = 99")
    found = changes(before, dump(desk), manifest)
    assert [(c.table, c.key) for c in found] == [("tickets", (2,)), ("notes", (4,)), ("notes", (9,))]
    assert str(found[0]) == "tickets 2: status 'open' -> 'assigned', agent_id None -> 2"
    assert found[1].after is None and found[2].before is None
    assert str(found[2]).startswith("notes 9: new {")


def test_no_change_is_an_empty_list(desk: runtime.Connection, manifest: Manifest) -> None:
    assert changes(dump(desk), dump(desk), manifest) == ()


def test_reading_what_others_wrote_ends_by_a_deadline(
    desk: runtime.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "_READ_SECONDS", -1.0)
    monkeypatch.setattr(state_module, "_READ_STEPS", 1)
    with closing(sqlite3.connect(":memory:")) as scratch, pytest.raises(BadInput, match="interrupted"):
        state_of_bytes(desk.serialize(), scratch)


def test_a_value_longer_than_any_file_may_be_is_refused(
    desk: runtime.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "_LONGEST_VALUE", 1000)
    desk.execute("UPDATE notes SET text = ?", ("x" * 5000,))
    with pytest.raises(BadInput, match="too big"):
        read_state(tmp_path / "desk.sqlite")


def test_the_schema_of_what_others_wrote_calls_nothing_when_it_is_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "sly.sqlite")) as sly:
        sly.execute("CREATE TABLE t (id INTEGER, costly AS (zeroblob(900000000)) VIRTUAL)")
        sly.execute("INSERT INTO t (id) VALUES (1)")
        sly.commit()
    assert read_state(tmp_path / "sly.sqlite")["t"].rows == ((1,),)
