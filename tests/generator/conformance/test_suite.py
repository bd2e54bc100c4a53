"""The suite finds what is planted, blames the right tool, and passes what is sound."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from autoforge.generator.conformance import Report, render_table, run_suite
from autoforge.generator.conformance.subject import _documents
from autoforge.mcp_envs.errors import BadInput

from .conftest import Plant, desk_copy

FAULTS = (
    # list_agents: a parameter that is taken and forgotten
    (
        ' AND (?2 IS NULL OR on_duty = ?2) ORDER BY id",\n        team,\n        on_duty,',
        ' ORDER BY id",\n        team,',
    ),
    # search_tickets: a text where the schema wants a number
    (' for row in rows], "total": total}', ' for row in rows], "total": str(total)}'),
    # get_ticket: the order of a set
    ('{**ticket, "notes": notes}', '{**ticket, "tags": list({*ticket["tags"], "a", "b", "c"}), "notes": notes}'),
    # add_note: a crash on a blank text
    ('    note_id = db.next_id("notes")', '    first = text.split()[0]\n    note_id = db.next_id("notes")'),
    # assign_ticket: success for a ticket that is not there
    ('    ticket = _ticket(db, ticket_id)\n    if ticket["status"] == "resolved":', "    if ticket_id < 0:"),
    (
        "agent_id, ticket_id)\n    return _ticket(db, ticket_id)",
        "agent_id, min(ticket_id, 7))\n    return _ticket(db, min(ticket_id, 7))",
    ),
    # list_agents again: a change by a tool that is said to read only
    ('    return {"agents": agents}', '    db.run("UPDATE agents SET on_duty = 1")\n    return {"agents": agents}'),
    # resolve_ticket: nothing makes it succeed
    ('    if ticket["status"] != "assigned":', '    if ticket["status"] != "nothing":'),
)


SLY_FAULTS = (
    # list_agents: a parameter that is refused whatever is given
    (
        "    agents = db.all(\n",
        '    if on_duty is not None:\n        raise ToolError("ask for a team")\n    agents = db.all(\n',
    ),
    # resolve_ticket: a column that its effects do not name
    ("SET status = 'resolved', resolved_at = ?", "SET status = 'resolved', subject = 'done', resolved_at = ?"),
    # open_ticket: a row in a table that its effects do not name
    (
        "    return _ticket(db, ticket_id)\n\n\ndef assign_ticket",
        '    db.run("INSERT INTO notes (id, ticket_id, text, written_at) VALUES (?, ?, ?, ?)",'
        ' db.next_id("notes"), ticket_id, "opened", db.now())\n'
        "    return _ticket(db, ticket_id)\n\n\ndef assign_ticket",
    ),
)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return run_suite(desk_copy(tmp_path_factory.mktemp("clean") / "desk"))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return run_suite(desk_copy(tmp_path_factory.mktemp("faulty") / "desk", *FAULTS))


@pytest.fixture(scope="module")
def sly(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return run_suite(desk_copy(tmp_path_factory.mktemp("sly") / "desk", *SLY_FAULTS))


def test_a_parameter_that_is_always_refused_is_dead(sly: Report) -> None:
    assert sly.dead == ("list_agents.on_duty",)


def test_a_column_that_the_manifest_does_not_name_may_not_change(sly: Report) -> None:
    failures = sly.verdicts["resolve_ticket"].failures
    assert failures
    assert all(f.startswith("effects: changed tickets.subject, which the manifest does not name") for f in failures)


def test_a_table_that_the_manifest_does_not_name_may_not_grow(sly: Report) -> None:
    failures = sly.verdicts["open_ticket"].failures
    assert failures
    assert all(f.startswith("effects: made rows in notes, which the manifest does not name") for f in failures)
    assert sly.verdicts["add_note"].passed and sly.verdicts["assign_ticket"].passed


def test_the_server_of_a_models_code_is_not_started_and_the_report_says_so(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr(
        "autoforge.generator.conformance.server.check_server", lambda folder, *rest: started.append(folder)
    )
    report = run_suite(plant(('"synthesizer": "rules"', '"synthesizer": "llm"'), file="environment.json"))
    assert report.passed and started == []
    assert report.remarks == ("server: not started: model-written code runs in the contained worker only",)


def test_a_sound_environment_passes_with_every_parameter_alive(clean: Report) -> None:
    assert clean.evidence == ()
    assert clean.passed
    assert clean.dead == ()
    assert all(verdict.succeeded and verdict.passed for verdict in clean.verdicts.values())
    assert clean.as_conformance().model_dump(exclude={"calls"}) == {
        "passed": True, "tools": 7, "weak": 0, "parameters": 20, "dead_parameters": 0, "failures": ()
    }  # fmt: skip


def test_the_same_environment_and_seed_give_the_same_report_and_leave_no_file(
    clean: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk_copy(tmp_path / "desk")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.chdir(tmp_path)
    again = run_suite(Path("desk"))
    assert again.tools == clean.tools
    assert list(tmp_path.iterdir()) == [folder]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_parameter_that_matters_only_without_another_is_alive(plant: Plant) -> None:
    report = run_suite(
        plant(("    agents = db.all(\n", "    on_duty = None if team else on_duty\n    agents = db.all(\n"))
    )
    assert report.dead == ()
    assert report.passed


def test_a_parameter_that_is_taken_and_forgotten_is_dead_by_name(faulty: Report) -> None:
    assert faulty.dead == ("list_agents.on_duty",)


def test_an_output_that_breaks_its_schema_is_told_with_its_place(faulty: Report) -> None:
    failures = faulty.verdicts["search_tickets"].failures
    assert failures and all(failure.startswith("output: total: ") for failure in failures)


def test_an_answer_in_the_order_of_a_set_is_not_deterministic(faulty: Report) -> None:
    assert any(failure.startswith("determinism: ") for failure in faulty.verdicts["get_ticket"].failures)


def test_a_crash_is_told_with_the_plainest_arguments(faulty: Report) -> None:
    failures = faulty.verdicts["add_note"].failures
    assert failures[0].startswith("crash: IndexError") and '"text": " "' in failures[0]
    assert failures[0].endswith(", made plain")


def test_success_for_a_row_that_does_not_exist_is_a_failure(faulty: Report) -> None:
    failures = faulty.verdicts["assign_ticket"].failures
    assert any("changed the state for a ticket_id that does not exist" in failure for failure in failures)


def test_a_tool_that_nothing_makes_succeed_is_a_failure_with_its_own_words(faulty: Report) -> None:
    failures = faulty.verdicts["resolve_ticket"].failures
    assert len(failures) == 1
    assert failures[0].startswith("positive: no call succeeded")
    assert "only an assigned ticket can be resolved" in failures[0]


def test_a_change_by_a_tool_that_is_said_to_read_only_is_a_failure(faulty: Report) -> None:
    failures = faulty.verdicts["list_agents"].failures
    assert failures and all(f.startswith("effects: it is said to read only, and changed agents") for f in failures)


def test_tools_without_a_fault_are_not_blamed(faulty: Report) -> None:
    assert faulty.verdicts["open_ticket"].passed
    assert not faulty.passed


def test_a_tool_that_hangs_is_found_and_waited_for_once(plant: Plant) -> None:
    report = run_suite(
        plant(("    _ticket(db, ticket_id)\n    note_id", "    while len(text) > 8:\n        pass\n    note_id"))
    )
    verdict = report.verdicts["add_note"]
    assert sum(failure.startswith("deadline: ") for failure in verdict.failures) == 1
    assert report.verdicts["get_ticket"].passed


def test_a_default_that_remembers_other_sessions_may_not_run_at_all(plant: Plant) -> None:
    changes = (
        ("def get_ticket(db, *, ticket_id: int)", "def get_ticket(db, *, ticket_id: int, seen: list = [])"),
        ('{**ticket, "notes": notes}', '{**ticket, "notes": notes[: len(seen)]}'),
    )
    assert run_suite(plant(*changes)).failures[0].startswith("containment: ")


def test_code_that_may_not_run_is_a_verdict_and_not_an_error(plant: Plant) -> None:
    report = run_suite(plant(("from typing import Any", "import os\nfrom typing import Any")))
    assert not report.passed
    assert report.failures[0].startswith("containment: tools.py is not allowed to run")


def test_a_server_of_another_text_is_not_started_and_fails_the_environment(plant: Plant, tmp_path: Path) -> None:
    folder, mark = plant(), tmp_path / "mark"
    server = folder / "server.py"
    planted = f"from __future__ import annotations\nopen({str(mark)!r}, 'w').close()\n"
    server.write_text(server.read_text("utf-8").replace("from __future__ import annotations\n", planted), "utf-8")
    failures = run_suite(folder).failures
    assert any(failure.startswith("server: server.py is not the text") for failure in failures)
    assert not mark.exists()


def test_a_module_beside_the_server_is_not_imported_by_the_proof(plant: Plant, tmp_path: Path) -> None:
    folder, mark = plant(), tmp_path / "mark"
    (folder / "anyio.py").write_text(f"open({str(mark)!r}, 'w').close()\n", encoding="utf-8")
    assert run_suite(folder).passed
    assert not mark.exists()


def test_a_folder_that_is_no_environment_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"environment\.json cannot be read"):
        run_suite(tmp_path)


def test_files_that_disagree_on_the_tools_are_bad_input(plant: Plant) -> None:
    folder = plant(('"name": "get_ticket"', '"name": "get_tickets"'), file="docs.json")
    with pytest.raises(BadInput, match="do not name the same tools: get_ticket, get_tickets"):
        run_suite(folder)


def test_the_table_has_a_line_for_each_tool_and_the_verdict(faulty: Report) -> None:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(render_table(faulty))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(tool.name in text for tool in faulty.tools)
    assert "does not pass: 7 tools" in text
    assert "on_duty" in text


@pytest.mark.parametrize(
    ("documents", "fault"),
    [
        ("{}", "is no tool with a name"),
        ('[{"name": 5}]', "is no tool with a name"),
        ("[null]", "is no tool with a name"),
        ('[{"name": "a", "inputSchema": 3}]', "has a schema that is no object"),
        ('[{"name": "a", "inputSchema": {"$ref": "file:///etc/passwd"}}]', "refers to another document"),
        ("[", "is not JSON"),
    ],
)
def test_documentation_that_is_none_is_refused_in_a_sentence(tmp_path: Path, documents: str, fault: str) -> None:
    path = tmp_path / "docs.json"
    path.write_text(documents)
    with pytest.raises(BadInput, match=fault):
        _documents(path)
