"""Single checks, on what the whole suite cannot be shown: walls that stand before it are taken down here."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.conformance.bar import Shares
from autoforge.generator.conformance.determinism import Run, check_processes, check_sessions
from autoforge.generator.conformance.findings import MOST_PER_CHECK, Findings
from autoforge.generator.conformance.laboratory import Laboratory, Step
from autoforge.generator.conformance.negative import invalid_calls
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.mcp_envs.arguments.values import BadArguments
from autoforge.mcp_envs.containment import Call, CallResult, Source, SyncWorker
from autoforge.mcp_envs.manifest import ToolRecord
from autoforge.mcp_envs.state import read_state

from .conftest import DESK, Plant


class LeakyWorker(SyncWorker):
    """A worker whose refused calls leave a trace, as one without transactions would."""

    def calls(
        self, episode: str, calls: Iterable[Call], *, seconds: float | None = None, stop: bool = False
    ) -> list[CallResult]:
        results: list[CallResult] = []
        for call in calls:
            results += super().calls(episode, [call], seconds=seconds)
            if results[-1].kind == "refused":
                scribble(self, episode)
            if stop and not results[-1].ok:
                break
        return results


class WhisperingWorker(SyncWorker):
    """A worker in which what one session does is written into another."""

    def calls(
        self, episode: str, calls: Iterable[Call], *, seconds: float | None = None, stop: bool = False
    ) -> list[CallResult]:
        if episode == "left":
            scribble(self, "right")
        return super().calls(episode, calls, seconds=seconds, stop=stop)


def scribble(worker: SyncWorker, episode: str) -> None:
    with closing(sqlite3.connect(worker.state_path(episode))) as connection:
        connection.execute("UPDATE autoforge_counters SET value = value + 1")
        connection.commit()


@pytest.fixture
def leaky() -> Iterator[LeakyWorker]:
    with LeakyWorker(DESK) as worker:
        yield worker


def test_a_refusal_that_leaves_a_trace_breaks_atomicity(leaky: LeakyWorker) -> None:
    subject, findings = Subject.read(DESK), Findings()
    tool = next(tool for tool in subject.tools if tool.name == "add_note")
    with closing(Laboratory(leaky, subject, findings)) as laboratory:
        good = laboratory.attempt(laboratory.seed, tool, {"ticket_id": 1, "text": "seen"}, look=True)
        bad = laboratory.attempt(laboratory.seed, tool, {"ticket_id": 99, "text": "seen"})
        after = laboratory.attempt(laboratory.seed, tool, {"ticket_id": 1, "text": "seen"}, look=True)
    assert good.ok and bad.kind == "refused" and after.tables == good.tables
    assert findings.of("add_note") == (
        'atomicity: a call that ended as refused changed the state: {"ticket_id": 99, "text": "seen"}',
    )


@pytest.mark.parametrize("leaks", [False, True])
def test_a_refusal_among_calls_in_a_row_that_leaves_a_trace_is_found(leaks: bool) -> None:
    subject, findings = Subject.read(DESK), Findings()
    tool = next(tool for tool in subject.tools if tool.name == "add_note")
    choices = [{"ticket_id": number, "text": "seen"} for number in (1, 99, 1)]
    kind = LeakyWorker if leaks else SyncWorker
    with kind(DESK) as worker, closing(Laboratory(worker, subject, findings)) as laboratory:
        results = laboratory.sequence(laboratory.seed, tool, choices)
    assert [result.kind for result in results] == ["ok", "refused", "ok"]
    told = ("atomicity: calls that ended as refused changed the state, among 3 calls in a row",)
    assert findings.of("add_note") == (told if leaks else ())


def source(*changes: tuple[str, str]) -> Source:
    """The desk, changed, past the static check."""
    whole = Source.read(DESK)
    text = whole.tools
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return whole._replace(tools=text, unchecked=True)


SCRIPT = [
    Step("add_note", {"ticket_id": 1, "text": "a"}),
    Step("get_ticket", {"ticket_id": 1}),
    Step("get_ticket", {"ticket_id": 4}),
]


def test_the_desk_answers_alike_in_every_process_and_session() -> None:
    findings = Findings()
    check_processes(source(), SCRIPT, findings)
    assert findings.notes == [] and not findings.checks("get_ticket")


def test_a_module_that_remembers_lets_sessions_see_each_other() -> None:
    findings = Findings()
    changed = source(
        ("class ToolError", "_SEEN = []\n\n\nclass ToolError"),
        (
            '    return {**ticket, "notes": notes}',
            '    _SEEN.append(1)\n    return {**ticket, "notes": notes, "seen": len(_SEEN)}',
        ),
    )
    check_processes(changed, SCRIPT, findings)
    assert findings.checks("get_ticket") == {"isolation"}


@pytest.mark.parametrize(("kind", "notes"), [(SyncWorker, 0), (WhisperingWorker, 1)])
def test_a_session_whose_rows_another_one_writes_is_found_though_no_answer_tells(
    kind: type[SyncWorker], notes: int
) -> None:
    findings = Findings()
    script = SCRIPT[1:]
    with kind(DESK) as worker:
        worker.open("first")
        first = Run(
            [worker.call("first", step.tool, step.arguments) for step in script], read_state(worker.state_path("first"))
        )
        check_sessions(worker, script, first, findings)
    assert len(findings.notes) == notes and findings.checks("get_ticket") == frozenset()
    assert all(note.startswith("isolation: the same calls leave different rows beside") for note in findings.notes)


def test_a_state_that_depends_on_the_process_is_found_though_no_answer_tells() -> None:
    findings = Findings()
    changed = source(("ticket_id, text, db.now())", "ticket_id, ' '.join({'a', 'b', 'c', 'd', text}), db.now())"))
    check_processes(changed, SCRIPT[:1], findings)
    assert len(set(findings.notes)) == 1
    assert findings.notes[0].startswith("determinism: the same calls leave different rows") and findings.notes[
        0
    ].endswith("in notes")


def tool(properties: dict[str, Any], required: tuple[str, ...] = (), output: dict[str, Any] | None = None) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    record = ToolRecord(name="tool", function="tool", kind="get")
    return Tool({"inputSchema": schema, "outputSchema": output}, record, ())


def test_every_way_to_break_a_schema_is_tried_and_refused_by_the_server() -> None:
    properties: dict[str, Any] = {
        "id": {"type": "integer", "minimum": 1, "maximum": 9},
        "state": {"type": "string", "enum": ["on", "off"]},
        "name": {"type": "string", "minLength": 2, "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    subject = tool(properties, ("id",))
    invalid = list(invalid_calls(subject, {"id": 3, "state": "on"}))
    assert {fault for fault, _ in invalid} >= {
        "an unknown parameter", "id is missing", "id is no integer", "id is out of range", "id is null",
        "state is not one of its values",
        "name is too long",
        "name is too short", "tags is no array", "tags holds what it may not",
    }  # fmt: skip
    for fault, arguments in invalid:
        with pytest.raises(BadArguments):
            subject.checked(arguments)
        assert fault == "an unknown parameter" or not subject.input_validator.is_valid(arguments)


def test_a_reference_inside_a_schema_is_followed() -> None:
    subject = tool({"who": {"$ref": "#/$defs/name"}, "loop": {"$ref": "#/$defs/loop"}})
    subject.input_schema["$defs"] = {"name": {"type": "string", "enum": ["a"]}, "loop": {"$ref": "#/$defs/loop"}}
    assert subject.parameters[0].schema["enum"] == ["a"]
    assert subject.parameters[1].schema == {}


def test_an_output_outside_its_schema_is_told_with_its_path() -> None:
    output = {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"type": "object", "required": ["id"]}}},
    }
    subject = tool({}, output=output)
    assert subject.output_fault({"rows": [{"id": 1}]}) is None
    assert subject.output_fault({"rows": [{"id": 1}, {}]}) == "rows[1]: 'id' is a required property"


def test_findings_are_kept_short_and_without_repeats() -> None:
    findings = Findings()
    for n in range(10):
        findings.add("tool", "crash", f"number {n}")
        findings.add("tool", "crash", "number 0")
    assert len(findings.of("tool")) == MOST_PER_CHECK
    assert findings.of("other") == ()


@pytest.mark.parametrize(
    ("shares", "faults"),
    [
        (Shares(10, 0, 100, 2), 0),
        (Shares(10, 0, 100, 3), 1),
        (Shares(2, 0, 10, 1), 0),  # one parameter of ten is more than 2 %, and yet only one
        (Shares(3, 1, 10, 0), 0),
        (Shares(5, 2, 10, 0), 1),
        (Shares(5, 2, 10, 2), 2),
        (Shares(), 0),
    ],
)
def test_the_bar_for_one_environment(shares: Shares, faults: int) -> None:
    assert len(shares.faults()) == faults


def test_the_targets_are_figures_of_the_whole_collection() -> None:
    assert Shares(50, 2, 500, 5).plus(Shares(50, 13, 500, 15)).reach_targets
    assert not Shares(100, 16, 500, 5).reach_targets
    assert not Shares(100, 0, 500, 11).reach_targets


def test_the_desk_has_no_literal_of_a_sentence_among_its_values() -> None:
    subject = Subject.read(DESK)
    search = next(tool for tool in subject.tools if tool.name == "search_tickets")
    assert {"opened_at", "due_on", "subject"} <= set(search.literals)
    assert not any("SELECT" in str(value) for value in search.literals)
    assert json.dumps(search.literals)


def test_a_folder_named_by_text_is_read_too(plant: Plant) -> None:
    assert next(iter(Subject.read(Path(str(plant()))).tools)).name == "list_agents"
