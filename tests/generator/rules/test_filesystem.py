"""Documentation of file tools becomes a tree that behaves like one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generator.rules.worlds import TEXT, Opened, tool

LOCAL = {"type": "string", "description": "Name in the current directory. No path is allowed."}
FLAG = {"type": "boolean", "default": False, "optional": True}
PLACE = {"type": "string", "default": ".", "description": "Defaults to the current directory", "optional": True}
SHELL = [
    tool("pwd", "Print the current working directory.", {"directory": TEXT}),
    tool("cd", "Change the current directory.", {"current_directory": TEXT}, folder=TEXT),
    tool("ls", "List the current directory.", {"contents": {"type": "array", "items": TEXT}}, a=FLAG),
    tool("mkdir", "Create a directory in the current directory.", dir_name=LOCAL),
    tool("touch", "Create an empty file in the current directory.", file_name=LOCAL),
    tool("echo", "Write content to a file or display it.", {"output": TEXT}, content=TEXT, file_name={**TEXT, "optional": 1}),  # noqa: E501
    tool("cat", "Show the contents of a file.", {"file_content": TEXT}, file_name=LOCAL),
    tool("find", "Find files and directories under a path by name. Matches are relative to the given path.",
         {"matches": {"type": "array", "items": TEXT}}, path=PLACE, name={**TEXT, "optional": 1}),
    tool("grep", "Search for lines in a file.", {"lines": {"type": "array", "items": TEXT}}, file_name=TEXT, pattern=TEXT),  # noqa: E501
    tool("wc", "Count lines, words or characters of a file.", {"count": {"type": "integer"}, "type": TEXT},
         file_name=TEXT, mode={"type": "string", "default": "l", "optional": 1}),
    tool("sort", "Sort the lines of a file.", {"sorted_content": TEXT}, file_name=TEXT),
    tool("tail", "Show the last lines of a file.", {"last_lines": TEXT}, file_name=TEXT, lines={"type": "integer", "default": 10, "optional": 1}),  # noqa: E501
    tool("diff", "Compare two files line by line.", {"diff_lines": TEXT}, file_name1=TEXT, file_name2=TEXT),
    tool("du", "Estimate the disk usage of a directory.", {"disk_usage": TEXT}, human_readable=FLAG),
    tool("mv", "Move a file or directory.", {"result": TEXT}, source=TEXT, destination=TEXT),
    tool("cp", "Copy a file or directory.", {"result": TEXT}, source=TEXT, destination=TEXT),
    tool("rm", "Remove a file or directory.", {"result": TEXT}, file_name=TEXT),
    tool("rmdir", "Remove an empty directory.", {"result": TEXT}, dir_name=TEXT),
]  # fmt: skip
SERVER = [
    tool("read_file", "Read a file.", path=TEXT, head={"type": "number", "optional": 1}, tail={"type": "number", "optional": 1}),  # noqa: E501
    tool("read_multiple_files", "Read several files; failed reads do not stop the rest.", paths={"type": "array", "items": TEXT}),  # noqa: E501
    tool("write_file", "Create a file or overwrite one.", path=TEXT, content=TEXT),
    tool("edit_file", "Edit a text file; returns a diff.", path=TEXT, dryRun=FLAG, edits={"type": "array", "items": {
        "type": "object", "properties": {"oldText": TEXT, "newText": TEXT}, "required": ["oldText", "newText"]}}),
    tool("create_directory", "Create a directory, also nested ones. If it already exists, this succeeds silently.", path=TEXT),  # noqa: E501
    tool("list_directory", "List all files and directories in a path.", path=TEXT),
    tool("directory_tree", "Recursive tree of files and directories.", path=TEXT),
    tool("move_file", "Move or rename files. If the destination exists, the operation will fail.", source=TEXT, destination=TEXT),  # noqa: E501
    tool("search_files", "Search files by a glob pattern.", path=TEXT, pattern=TEXT),
    tool("get_file_info", "Metadata of a file, such as size and last modified time.", path=TEXT),
    tool("delete_file", "Delete a file.", path=TEXT),
    tool("delete_directory", "Delete a directory.", path=TEXT, recursive=FLAG),
]  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(SHELL, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(SERVER, tmp_path)
    yield opened
    opened.close()


def consistent(opened: Opened) -> bool:
    """Every entry but the top lies in a directory and is named after its path."""
    rows = opened.rows("SELECT path, parent, name, kind FROM files")
    directories = {path for path, _, _, kind in rows if kind == "directory"}
    return all(
        path == "/" or (parent in directories and path == parent.rstrip("/") + "/" + name)
        for path, parent, name, _ in rows
    )


def test_the_seed_is_a_tree_and_one_stands_in_it(shell: Opened) -> None:
    assert consistent(shell)
    here = shell.call("pwd")["directory"]
    assert shell.rows(f"SELECT kind FROM files WHERE path = '{here}'") == [("directory",)]


def test_the_seed_shows_paths_of_the_documentation(tmp_path: Path) -> None:
    documented = {**TEXT, "examples": ["/srv/reports/june.txt"]}
    opened = Opened([*SERVER[1:], tool("read_file", "Read a file.", path=documented)], tmp_path)
    assert "june.txt" in opened.call("read_file", path="/srv/reports/june.txt")["content"]
    assert consistent(opened)
    opened.close()


def test_changing_the_directory_and_coming_back(shell: Opened) -> None:
    start = shell.call("pwd")["directory"]
    shell.call("mkdir", dir_name="inner")
    assert shell.call("cd", folder="inner") == {"current_directory": f"{start}/inner"}
    assert shell.call("ls")["contents"] == []
    shell.call("cd", folder="..")
    assert shell.call("pwd")["directory"] == start
    assert "no directory" in shell.refusal("cd", folder="nowhere")
    shell.call("touch", file_name="plain")
    assert "not a directory" in shell.refusal("cd", folder="plain")


def test_hidden_entries_are_listed_only_when_asked_for(shell: Opened) -> None:
    shell.call("touch", file_name=".secret")
    assert ".secret" not in shell.call("ls")["contents"]
    assert ".secret" in shell.call("ls", a=True)["contents"]


def test_what_exists_is_not_made_again(shell: Opened) -> None:
    shell.call("mkdir", dir_name="box")
    shell.call("touch", file_name="leaf")
    assert "exists" in shell.refusal("mkdir", dir_name="box")
    assert "exists" in shell.refusal("touch", file_name="leaf")
    assert "is a path" in shell.refusal("touch", file_name="box/leaf")


def test_echo_writes_replaces_or_only_displays(shell: Opened) -> None:
    assert shell.call("echo", content="hello") == {"output": "hello"}
    shell.call("echo", content="one", file_name="note.txt")
    shell.call("echo", content="two", file_name="note.txt")
    assert shell.call("cat", file_name="note.txt") == {"file_content": "two"}
    shell.call("mkdir", dir_name="box")
    assert "is a directory" in shell.refusal("echo", content="x", file_name="box")


def test_contents_are_searched_counted_sorted_and_compared(shell: Opened) -> None:
    shell.call("echo", content="pear\napple pie\nfig", file_name="a.txt")
    shell.call("echo", content="pear\nfig", file_name="b.txt")
    assert shell.call("grep", file_name="a.txt", pattern="p")["lines"] == ["pear", "apple pie"]
    assert shell.call("wc", file_name="a.txt") == {"count": 3, "type": "lines"}
    assert shell.call("wc", file_name="a.txt", mode="w") == {"count": 4, "type": "words"}
    assert "mode" in shell.refusal("wc", file_name="a.txt", mode="x")
    assert shell.call("sort", file_name="a.txt")["sorted_content"] == "apple pie\nfig\npear"
    assert shell.call("tail", file_name="a.txt", lines=1)["last_lines"] == "fig"
    assert shell.call("diff", file_name1="a.txt", file_name2="b.txt")["diff_lines"] == "- apple pie"


def test_find_looks_below_a_path(shell: Opened) -> None:
    shell.call("mkdir", dir_name="deep")
    shell.call("cd", folder="deep")
    shell.call("touch", file_name="needle.txt")
    shell.call("cd", folder="..")
    assert shell.call("find", name="needle")["matches"] == ["deep/needle.txt"]
    assert shell.call("find", path="deep")["matches"] == ["needle.txt"]
    assert "no directory" in shell.refusal("find", path="nowhere")


def test_usage_is_the_size_of_what_lies_below(shell: Opened) -> None:
    shell.call("mkdir", dir_name="deep")
    shell.call("cd", folder="deep")
    shell.call("echo", content="x" * 2048, file_name="big")
    assert shell.call("du") == {"disk_usage": "2048 bytes"}
    assert shell.call("du", human_readable=True) == {"disk_usage": "2 KB"}


def test_moving_renames_or_puts_into_a_directory_with_all_below(shell: Opened) -> None:
    shell.call("mkdir", dir_name="box")
    shell.call("cd", folder="box")
    shell.call("echo", content="x", file_name="leaf")
    shell.call("cd", folder="..")
    shell.call("mkdir", dir_name="shelf")
    shell.call("mv", source="box", destination="shelf")
    assert shell.call("find", path="shelf")["matches"] == ["box", "box/leaf"]
    assert consistent(shell)
    assert "no file or directory" in shell.refusal("mv", source="box", destination="crate")
    assert "into itself" in shell.refusal("mv", source="shelf", destination="shelf")
    shell.call("touch", file_name="old")
    shell.call("mv", source="old", destination="new")
    assert "new" in shell.call("ls")["contents"] and "old" not in shell.call("ls")["contents"]


def test_where_one_stands_moves_along(shell: Opened) -> None:
    shell.call("mkdir", dir_name="box")
    start = shell.call("cd", folder="box")["current_directory"]
    name = start.split("/")[2]
    shell.call("mv", source=f"../../{name}", destination="../../renamed")
    assert shell.call("pwd")["directory"] == start.replace(f"/{name}/", "/renamed/")
    assert consistent(shell)


def test_copying_keeps_the_original(shell: Opened) -> None:
    shell.call("echo", content="x", file_name="leaf")
    shell.call("cp", source="leaf", destination="copy")
    assert shell.call("cat", file_name="copy") == shell.call("cat", file_name="leaf")
    assert "exists" in shell.refusal("cp", source="leaf", destination="copy")
    assert consistent(shell)


def test_removing_refuses_what_is_missing_or_not_empty(shell: Opened) -> None:
    shell.call("mkdir", dir_name="box")
    shell.call("cd", folder="box")
    shell.call("touch", file_name="leaf")
    assert "stands in it" in shell.refusal("rm", file_name="../box")
    shell.call("cd", folder="..")
    assert "not empty" in shell.refusal("rmdir", dir_name="box")
    assert "not a directory" in shell.refusal("rmdir", dir_name="box/leaf")
    assert "no file" in shell.refusal("rm", file_name="nothing")
    shell.call("rm", file_name="box")
    assert "box" not in shell.call("ls")["contents"]
    assert consistent(shell)


def test_a_server_of_paths_needs_no_working_directory(server: Opened) -> None:
    assert [e.name for e in server.world.entities] == ["file"]
    server.call("create_directory", path="/new/inner")
    server.call("create_directory", path="/new/inner")
    server.call("write_file", path="/new/inner/a.txt", content="one\ntwo\nthree")
    assert server.call("read_file", path="new/inner/a.txt", head=2)["content"] == "one\ntwo"
    assert server.call("read_file", path="/new/inner/a.txt", tail=1)["content"] == "three"
    assert "not both" in server.refusal("read_file", path="/new/inner/a.txt", head=1, tail=1)
    assert "does not exist" in server.refusal("write_file", path="/missing/a.txt", content="x")
    found = server.call("read_multiple_files", paths=["/new/inner/a.txt", "/nothing"])["files"]
    assert [sorted(f) for f in found] == [["content", "path"], ["error", "path"]]
    assert server.call("get_file_info", path="/new/inner/a.txt")["size"] == 13
    assert consistent(server)


def test_edits_replace_text_and_a_preview_changes_nothing(server: Opened) -> None:
    server.call("write_file", path="/a.txt", content="one\ntwo")
    edits = [{"oldText": "two", "newText": "three"}]
    assert server.call("edit_file", path="/a.txt", edits=edits, dryRun=True)["diff"] == "- two\n+ three"
    assert server.call("read_file", path="/a.txt")["content"] == "one\ntwo"
    server.call("edit_file", path="/a.txt", edits=edits)
    assert server.call("read_file", path="/a.txt")["content"] == "one\nthree"
    assert "does not occur" in server.refusal("edit_file", path="/a.txt", edits=edits)


def test_trees_globs_moves_and_deletions_by_path(server: Opened) -> None:
    server.call("create_directory", path="/t/sub")
    server.call("write_file", path="/t/sub/a.md", content="x")
    server.call("write_file", path="/t/b.txt", content="x")
    assert server.call("directory_tree", path="/t")["tree"] == [
        {"name": "b.txt", "type": "file"},
        {"name": "sub", "type": "directory", "children": [{"name": "a.md", "type": "file"}]},
    ]
    assert [m["path"] for m in server.call("search_files", path="/t", pattern="*.md")["matches"]] == ["/t/sub/a.md"]
    assert "exists" in server.refusal("move_file", source="/t/b.txt", destination="/t/sub")
    server.call("move_file", source="/t/b.txt", destination="/t/sub/c.txt")
    assert "is a directory" in server.refusal("delete_file", path="/t/sub")
    assert "not empty" in server.refusal("delete_directory", path="/t")
    server.call("delete_directory", path="/t", recursive=True)
    assert "no directory" in server.refusal("list_directory", path="/t")
    assert consistent(server)


NEAR_MISSES: list[list[dict[str, Any]]] = [
    [tool("list_files", "List files of a drive.", folder_id=TEXT), tool("get_file", "Get a file.", file_id=TEXT),
     tool("delete_file", "Delete a file.", file_id=TEXT), tool("create_folder", "Create a folder.", name=TEXT, parent_id=TEXT)],  # noqa: E501
    [tool("git_diff", "Shows differences between commits.", repo_path=TEXT, target=TEXT), tool("git_add", "Adds file contents.", repo_path=TEXT),  # noqa: E501
     tool("git_status", "Shows the working tree status.", repo_path=TEXT)],
    [tool("file_complaint", "File a complaint.", text=TEXT), tool("find_hotel", "Find hotels.", name=TEXT), tool("sort_results", "Sort results.", by=TEXT)],  # noqa: E501
]  # fmt: skip


@pytest.mark.parametrize("tools", NEAR_MISSES)
def test_documents_about_other_things_get_no_tree(tools: list[dict[str, Any]], tmp_path: Path) -> None:
    opened = Opened(tools, tmp_path)
    assert not any(e.key == ("path",) for e in opened.world.entities)
    opened.close()
