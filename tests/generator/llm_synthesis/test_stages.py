"""Each stage alone: an answer that cannot be used is asked for again with the reason, and given up with a way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.documents import Documentation, read_documents
from autoforge.generator.llm_synthesis.answers import StructureAnswer
from autoforge.generator.llm_synthesis.describe import MOST_TABLES
from autoforge.generator.llm_synthesis.desk import Caps
from autoforge.generator.llm_synthesis.functions import write_functions
from autoforge.generator.llm_synthesis.seed import write_seed
from autoforge.generator.llm_synthesis.structure import world_of, write_structure
from tests.generator.llm_synthesis.conftest import NOTES, STRUCTURE, Bench, Decide, labels, notes_model
from tests.generator.llm_synthesis.recorded import label_of
from tests.gym.replay_server import Answer, ReplayServer, Step

Serve = Callable[[Decide], ReplayServer]


def _after(first: Step) -> Decide:
    """Begin with this, whatever is asked; then answer well."""
    rest = iter([first])
    return lambda body: next(rest, None) or Answer(notes_model(body))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(json.dumps({"entities": []})[:10], truncated=True),
        Answer('{"entities": [{"name": '),
        Answer('{"entities": [{"name": "note", "table": "notes", "columns": [{"name": "text"}], "key": ["number"]}]}'),
        Answer("I would rather not."),
    ],
    ids=["cut off", "not JSON", "key without a column", "no JSON at all"],
)
def test_an_unusable_answer_is_asked_for_again_with_the_reason(
    answer: Answer, bench: Bench, serve: Serve, notes: Documentation
) -> None:
    server = serve(_after(answer))
    with bench.desk(server, notes) as desk:
        tables = desk.wait(write_structure, desk)
    assert labels(server) == ["structure 0  1", "structure 0  2"]
    assert "cannot be used" in json.dumps(server.requests[1].body["messages"][-1])
    assert tables.entities[0].key == ("number",)


def test_rows_that_break_a_rule_of_the_tables_are_asked_for_again(
    bench: Bench, serve: Serve, notes: Documentation
) -> None:
    twice = {
        "tables": [
            {"entity": "note", "rows": [{"number": 1, "text": "a", "tag": "x"}, {"number": 1, "text": "b", "tag": "y"}]}
        ]
    }

    def decide(body: dict[str, Any]) -> Step:
        label = label_of(body)
        return Answer(json.dumps(twice) if label["stage"] == "seed" and label["attempt"] == 1 else notes_model(body))

    server = serve(decide)
    with bench.desk(server, notes) as desk:
        tables = world_of(desk.rules, StructureAnswer.model_validate(STRUCTURE))
        rows = desk.wait(write_seed, desk, tables)
    assert len(rows["note"]) == 6
    complaint = next(r for r in server.requests if label_of(r.body)["attempt"] == 2).body["messages"][-1]["content"]
    assert "UNIQUE constraint failed: notes.number" in complaint


def test_tables_that_are_never_usable_are_those_of_the_rules(bench: Bench, serve: Serve, notes: Documentation) -> None:
    server = serve(lambda body: Answer("no" if label_of(body)["stage"] == "structure" else notes_model(body)))
    with bench.desk(server, notes) as desk:
        tables = desk.wait(write_structure, desk)
        assert tables.entities == desk.rules.entities
    assert any("gave no usable tables" in note for note in tables.notes)
    assert len(labels(server)) == 3


def test_a_useless_answer_about_several_tools_is_asked_for_in_halves(
    bench: Bench, serve: Serve, notes: Documentation
) -> None:
    def decide(body: dict[str, Any]) -> Step:
        label = label_of(body)
        return Answer("no") if label["stage"] == "functions" and len(label["about"]) > 1 else Answer(notes_model(body))

    server = serve(decide)
    with bench.desk(server, notes) as desk:
        tables = world_of(desk.rules, StructureAnswer.model_validate(STRUCTURE))
        drafts = desk.wait(write_functions, desk, tables, list(desk.frames))
    assert sorted(labels(server)[3:]) == ["functions 0 add_note 1", "functions 0 list_notes 1"]
    assert all(draft.operation is not None for draft in drafts.values())


def _sent(bench: Bench, serve: Serve, folder: Path, things: int) -> list[int]:
    """Characters of each request for functions, where the documentation has two tools for each of so many things."""
    names = [
        f"{a}{b}"
        for a in ("bird", "boat", "coin", "lamp", "tree", "song")
        for b in ("house", "keeper", "shop", "trail")
    ]
    tools = [{**t, "name": str(t["name"]).replace("note", n)} for n in names[:things] for t in NOTES]
    path = folder / f"{things}.json"
    path.write_text(json.dumps({"tools": tools}), encoding="utf-8")

    def decide(body: dict[str, Any]) -> Step:
        written = [
            {"tool": t, "kind": "get", "source": "def nothing(db):\n    return {}\n"} for t in label_of(body)["about"]
        ]
        return Answer(json.dumps({"functions": written}))

    server = serve(decide)
    with bench.desk(server, read_documents([path])) as desk:
        desk.wait(write_functions, desk, desk.rules, list(desk.frames))
    return [len(json.dumps(request.body)) for request in server.requests]


def test_requests_grow_with_the_tools_and_not_with_their_square(bench: Bench, serve: Serve, tmp_path: Path) -> None:
    few, many = _sent(bench, serve, tmp_path, 5), _sent(bench, serve, tmp_path, 20)
    assert (len(few), len(many)) == (2, 8)
    assert max(many) < 2 * max(few)
    assert max(many) < Caps().characters_per_request + 2 * MOST_TABLES
