"""What `autoforge-gen` compiles, from where, and what it prints."""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import NOTES, PRIORITY, Run, files_of, program, tool

BOOKS = [
    tool("get_book", "Get a book by its ID.", ["book_id"], book_id={"type": "string"}),
    tool("add_book", "Add a book.", ["title", "priority"], title={"type": "string"}, priority=PRIORITY),
]
FILES = {
    "README.md", "docs.json", "environment.json", "policy.md", "report.html", "schema.sql", "seed.sql", "server.py",
    "tools.py",
}  # fmt: skip


def differences(left: Path, right: Path) -> list[str]:
    """Files that only one of two environments has, and the first lines that differ in those that both have."""
    found = [f"{name}: in one only" for name in sorted({*files_of(left)} ^ {*files_of(right)})]
    for name in sorted({*files_of(left)} & {*files_of(right)}):
        one, other = ((folder / name).read_bytes() for folder in (left, right))
        if one != other:
            lines = difflib.ndiff(one.decode().splitlines(), other.decode().splitlines())
            found.append(f"{name}: " + "\n".join([line for line in lines if line[0] != " "][:6]))
    return found


def test_a_file_becomes_an_environment_under_mcp_envs_and_the_next_command_is_said(run: Run, notes: Path) -> None:
    ran = run(notes)
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert set(files_of(Path("mcp_envs/notes"))) == FILES
    assert files_of(Path("mcp_envs")) == ["notes", *(f"notes/{name}" for name in sorted(FILES))]
    assert "OpenAI tools" in ran.err and "passed" in ran.err
    assert "Next: autoforge-gen show mcp_envs/notes" in ran.err


def test_standard_input_with_a_name_gives_the_same_bytes_as_the_file(run: Run, compiled: Path, notes: Path) -> None:
    assert run("-", "--name", "notes", "-o", "here", stdin=notes.read_bytes()).code == 0
    assert differences(Path("here/notes"), compiled) == []


def test_a_folder_and_a_file_become_an_environment_for_each_file(run: Run, notes: Path) -> None:
    folder = Path("docs")
    folder.mkdir()
    (folder / "books.tools.json").write_text(json.dumps(BOOKS), encoding="utf-8")
    (folder / "README.md").write_text("no documentation", encoding="utf-8")
    ran = run("docs", notes, "--json", "--jobs", "2")
    assert ran.code == 0, ran.err
    assert [e["name"] for e in ran.document["environments"]] == ["books", "notes"]
    assert Path("mcp_envs/books/server.py").is_file() and Path("mcp_envs/notes/server.py").is_file()
    assert "2 of 2 passed" in ran.err


def test_a_name_joins_several_files_into_one_environment(run: Run, notes: Path) -> None:
    Path("books.json").write_text(json.dumps(BOOKS), encoding="utf-8")
    ran = run(notes, "books.json", "--name", "Library-1", "--json")
    assert ran.code == 0, ran.err
    [environment] = ran.document["environments"]
    assert (environment["name"], environment["tools"]) == ("Library-1", len(NOTES) + len(BOOKS))
    assert Path(environment["written"]) == Path("mcp_envs/Library-1")


def test_the_tools_of_a_running_server_are_compiled(run: Run, compiled: Path) -> None:
    command = shlex.join([sys.executable, str(compiled / "server.py")])
    ran = run("--from-server", command, "--name", "again", "--json")
    assert ran.code == 0, ran.err
    [environment] = ran.document["environments"]
    assert (environment["tools"], environment["formats"]) == (len(NOTES), ["MCP tools/list"])


def test_a_sample_of_the_state_becomes_the_initial_state(run: Run, notes: Path) -> None:
    rows = {"N-7": {"title": "Ring the plumber", "priority": "high"}, "N-9": {"title": "Oats", "priority": "low"}}
    Path("state.json").write_text(json.dumps({"notes": rows}), encoding="utf-8")
    ran = run(notes, "--data", "state.json")
    assert ran.code == 0, ran.err
    seed = Path("mcp_envs/notes/seed.sql").read_text(encoding="utf-8")
    assert "Ring the plumber" in seed and "N-9" in seed


def test_data_without_a_counterpart_is_said(run: Run, notes: Path) -> None:
    rows = {"N-7": {"title": "Oats", "priority": "high", "shoe_size": 44}}
    Path("state.json").write_text(json.dumps({"notes": rows}), encoding="utf-8")
    ran = run(notes, "--data", "state.json", "--json")
    assert ran.code == 0, ran.err
    assert any("shoe_size" in note for note in ran.document["environments"][0]["notes"])
    assert "shoe_size" in ran.err


def test_a_policy_is_what_the_agent_is_told_and_its_unread_sentences_are_said(run: Run, notes: Path) -> None:
    sentence = "Speak to the customer as a pirate would."
    Path("rules.md").write_text(sentence, encoding="utf-8")
    ran = run(notes, "--policy", "rules.md")
    assert ran.code == 0, ran.err
    assert sentence in Path("mcp_envs/notes/policy.md").read_text(encoding="utf-8")
    assert "not turned into code" in ran.err and "pirate" in ran.err


def test_names_that_mcp_forbids_are_mended_and_the_mapping_is_said(run: Run) -> None:
    odd = tool("get note!", "Get a note.", ["note_id"], note_id={"type": "string"})
    Path("notes.json").write_text(json.dumps([odd, *NOTES[1:]]), encoding="utf-8")
    ran = run("notes.json", "--json")
    assert ran.code == 0, ran.err
    [environment] = ran.document["environments"]
    [(mended, documented)] = environment["renamed"].items()
    assert documented == "get note!" and mended != documented
    assert "get note! is called" in ran.err


def test_seed_and_rows_change_the_initial_state_and_nothing_else(run: Run, notes: Path, compiled: Path) -> None:
    assert run(notes, "--seed", "5", "--seed-rows", "30").code == 0
    made = Path("mcp_envs/notes")
    seed = (made / "seed.sql").read_text(encoding="utf-8")
    assert seed.count("NOT-") >= 30 > (compiled / "seed.sql").read_text(encoding="utf-8").count("NOT-")
    for name in ("tools.py", "schema.sql", "docs.json", "server.py"):
        assert (made / name).read_bytes() == (compiled / name).read_bytes(), name


def test_an_environment_is_replaced_whole(run: Run, notes: Path, compiled: Path) -> None:
    shutil.copytree(compiled, "mcp_envs/notes")
    Path("mcp_envs/notes/left_over.txt").write_text("old", encoding="utf-8")
    assert run(notes).code == 0
    assert differences(Path("mcp_envs/notes"), compiled) == []


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_bytes_do_not_depend_on_the_process_or_the_place(
    hash_seed: str, tmp_path: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    folder = tmp_path / "a place with blanks" / "deeper"
    folder.mkdir(parents=True)
    (folder / "notes.json").write_text(json.dumps(NOTES), encoding="utf-8")
    done = program("notes.json", cwd=folder)
    assert done.code == 0, done.err
    assert differences(folder / "mcp_envs" / "notes", compiled) == []
