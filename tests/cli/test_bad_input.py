"""Input that cannot be used: one sentence that names it, exit code 2, and nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.conftest import NOTES, Run, files_of, tool


def documentation(value: Any) -> Callable[[Path], object]:
    """Write a value as a document."""
    return raw(json.dumps(value).encode())


def raw(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def sparse(path: Path) -> None:
    """A file of 101 MB that takes no place."""
    with path.open("wb") as file:
        file.truncate(101_000_000)


CYCLE = {
    "openapi": "3.1.0",
    "info": {"title": "Cycle", "version": "1"},
    "paths": {
        "/nodes": {
            "post": {
                "operationId": "addNode",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
    "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}},
}


class Bad(NamedTuple):
    """A document, and what its refusal names."""

    make: Callable[[Path], object]
    words: str


STRANGE = {**NOTES[0]["function"], "_meta": {"autoforge/side": "admin"}}
WIDE = {f"field_{n}": {"type": "string"} for n in range(1001)}
NO_SCHEMA = [{"name": "a", "description": "A.", "parameters": 7}]
DOCUMENTS = {
    "not JSON": Bad(raw(b'{"tools": [}'), "line 1, column"),
    "no tools": Bad(documentation({"tools": []}), "no tools"),
    "another shape": Bad(documentation({"colour": "blue"}), "no known shape"),
    "an empty list": Bad(documentation([]), "no tools"),
    "an empty file": Bad(raw(b""), "is empty"),
    "blanks": Bad(raw(b" \n\n"), "is empty"),
    "a name twice": Bad(documentation([NOTES[0], NOTES[0]]), "get_note"),
    "a cycle of references": Bad(documentation(CYCLE), "#/"),
    "an unresolvable reference": Bad(documentation([tool("a", "A.", [], x={"$ref": "#/$defs/Nowhere"})]), "Nowhere"),
    "parameters that are no schema": Bad(documentation(NO_SCHEMA), "#/0/parameters"),
    "a side that there is not": Bad(documentation([STRANGE]), "#/0/_meta/"),
    "more properties than columns": Bad(documentation([tool("a", "A.", [], **WIDE)]), "holds 1,001 properties"),
    "another encoding": Bad(raw('[{"name": "größe"}]'.encode("latin-1")), "UTF-8"),
    "an over-large file": Bad(sparse, "100 MB"),
    "deep nesting": Bad(raw(b"[" * 5000 + b"]" * 5000), "nested"),
    "binary": Bad(raw(bytes(range(256)) * 4), "UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_that_cannot_be_used_is_refused_with_its_place(run: Run, kind: str) -> None:
    path = Path("strange.json")
    DOCUMENTS[kind].make(path)
    ran = run(path)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert ran.err.startswith("autoforge-gen: ") and ran.err.count("\n") == 1
    assert "strange.json" in ran.err and DOCUMENTS[kind].words in ran.err
    assert files_of(Path()) == ["strange.json"]


def test_one_bad_file_among_good_ones_leaves_nothing_written(run: Run, notes: Path) -> None:
    Path("broken.json").write_text("{", encoding="utf-8")
    ran = run(notes, "broken.json")
    assert ran.code == 2 and "broken.json" in ran.err
    assert not Path("mcp_envs").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Usage:"),
        (["-o", "out"], "Give documentation"),
        (["notes.json", "--from-server", "python server.py"], "one of them"),
        ([""], "empty argument"),
        (["nowhere.json"], "nowhere.json"),
        (["notes.json", "--name", ""], "--name"),
        (["notes.json", "--name", "../up"], "--name"),
        (["notes.json", "--name", "x" * 65], "--name"),
        (["notes.json", "-o", ""], "empty argument"),
        (["notes.json", "-o", "notes.json"], "notes.json"),
        (["notes.json", "-o", "notes.json/below"], "notes.json"),
        (["notes.json", "-o", "/proc/self/environ"], "/proc/self/environ"),
        (["notes.json", "--data", ""], "empty argument"),
        (["notes.json", "--data", "nowhere.csv"], "nowhere.csv"),
        (["notes.json", "--data", "folder"], "folder"),
        (["notes.json", "--data", "empty.json"], "empty.json"),
        (["notes.json", "--data", "latin.csv"], "latin.csv"),
        (["notes.json", "--policy", "nowhere.md"], "nowhere.md"),
        (["notes.json", "--policy", "latin.csv"], "latin.csv"),
        (["notes.json", "--policy", "folder"], "folder"),
        (["notes.json", "--seed-rows", "1"], "--seed-rows"),
        (["notes.json", "--jobs", "0"], "--jobs"),
        (["notes.json", "--max-cost", "1"], "--llm"),
        (["notes.json", "--base-url", "http://127.0.0.1:1"], "--llm"),
        (["notes.json", "--llm", "nonsense"], "nonsense"),
        (["notes.json", "--llm", ""], "provider"),
        (["--from-server", ""], "No server"),
        (["--from-server", "no-such-program-at-all"], "no-such-program-at-all"),
        (["folder"], "folder"),
        (["folder/notes.json", "notes.json"], "environment 'notes'"),
        (["other.json", "notes.json", "--data", "empty.json"], "--data"),
        (["check", ""], "empty argument"),
        (["check", "nowhere"], "nowhere"),
        (["check", "folder"], "environment.json"),
        (["check"], "ENV"),
        (["show", ""], "empty argument"),
        (["show", "nowhere"], "nowhere"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_command_line_that_cannot_be_used_is_refused_before_anything_is_written(
    run: Run, notes: Path, arguments: list[str], words: str
) -> None:
    Path("folder").mkdir()
    Path("other.json").write_text(json.dumps(NOTES), encoding="utf-8")
    Path("empty.json").write_bytes(b"")
    Path("latin.csv").write_bytes("größe\n1\n".encode("latin-1"))
    if "folder/notes.json" in arguments:
        Path("folder/notes.json").write_text(json.dumps(NOTES), encoding="utf-8")
    before = files_of(Path())
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert words in " ".join(ran.err.split()), ran.err
    assert files_of(Path()) == before


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_is_in_the_place_of_the_environment_and_is_none_is_kept(run: Run, notes: Path, kind: str) -> None:
    place = Path("mcp_envs/notes")
    place.parent.mkdir()
    if kind == "file":
        place.write_text("mine", encoding="utf-8")
    elif kind == "link":
        place.symlink_to(notes.parent)
    else:
        place.mkdir()
        (place / "mine.txt").write_text("mine", encoding="utf-8")
    before = files_of(Path())
    ran = run(notes)
    assert ran.code == 2 and "mcp_envs/notes" in ran.err
    assert files_of(Path()) == before


def test_a_place_that_the_system_does_not_let_be_written_is_bad_input_in_the_summary(run: Run, notes: Path) -> None:
    """Found out only when writing: even root cannot make a folder there."""
    ran = run(notes, "-o", "/proc/autoforge", "--json")
    assert ran.code == 2
    assert "cannot be written" in ran.err or "may not be written" in ran.err


def test_with_json_bad_input_is_one_document_too(run: Run) -> None:
    ran = run("nowhere.json", "--json")
    assert ran.code == 2 == ran.document["exit_code"]
    assert "nowhere.json" in ran.document["error"] and "nowhere.json" in ran.err
