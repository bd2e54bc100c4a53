"""A model and the user's own data together: the model writes around the data, and none of the data is lost."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.compile import Settings, code_files, compile_environment
from autoforge.generator.data import DataSample, read_data, restore
from autoforge.generator.documents import Documentation
from autoforge.generator.llm_synthesis.seed import write_seed
from autoforge.generator.llm_synthesis.structure import write_structure
from tests.generator.llm_synthesis.conftest import STRUCTURE, Bench, Decide, labels, notes_model
from tests.generator.llm_synthesis.recorded import label_of
from tests.gym.replay_server import Answer, ReplayServer, Step

Serve = Callable[[Decide], ReplayServer]
NOTES_OF_OURS = {
    "notes": [
        {"number": 11, "text": "Water the ferns", "tag": "home", "done": False},
        {"number": 12, "text": "Call Ada", "tag": "work", "done": True},
        {"number": 15, "text": "Call Bob", "tag": "work", "done": False},
    ]
}


@pytest.fixture
def sample(tmp_path: Path) -> DataSample:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(NOTES_OF_OURS), encoding="utf-8")
    return read_data([path], ["tag", "text"])


def _structure(*further: dict[str, Any]) -> dict[str, Any]:
    [note] = STRUCTURE["entities"]
    columns = [c for c in note["columns"] if isinstance(c, dict)]
    return {"entities": [{**note, "columns": [*columns, *further]}]}


WITH_ALL = _structure({"name": "done", "type": "boolean"})


def _model(body: dict[str, Any]) -> Step:
    structure = label_of(body)["stage"] == "structure"
    return Answer(json.dumps(WITH_ALL) if structure else notes_model(body))


def _restored(sample: DataSample, files: dict[str, str]) -> Any:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(files["schema.sql"] + files["seed.sql"])
        [value] = restore(sample, connection).values()
    return value


def test_an_environment_of_a_model_begins_with_the_rows_of_the_user(
    bench: Bench, serve: Serve, notes: Documentation, sample: DataSample, tmp_path: Path
) -> None:
    server = serve(_model)
    compiled = compile_environment(notes, bench.run(server, notes, data=sample), tmp_path / "notes")
    assert compiled.report.passed, compiled.report.evidence
    assert compiled.manifest.provenance.synthesizer == "llm"
    assert _restored(sample, compiled.files) == NOTES_OF_OURS
    assert not any(label.startswith("seed") for label in labels(server))


def test_a_structure_without_a_column_of_the_data_is_asked_for_again(
    bench: Bench, serve: Serve, notes: Documentation, sample: DataSample
) -> None:
    answers = iter([Answer(json.dumps(STRUCTURE)), Answer(json.dumps(WITH_ALL))])
    server = serve(lambda body: next(answers))
    with bench.desk(server, notes, data=sample) as desk:
        world = desk.wait(write_structure, desk)
        rows = desk.wait(write_seed, desk, world)
    assert labels(server) == ["structure 0  1", "structure 0  2"]
    assert "the columns done of notes are the user's own data" in json.dumps(server.requests[1].body["messages"][-1])
    files = code_files(world, notes, Settings(name="notes", data=sample, rows=rows))
    assert _restored(sample, files) == NOTES_OF_OURS
