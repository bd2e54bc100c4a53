"""Task files: what is read is what was written, and what is not there is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.task import Probe, Task, read_task_file, read_tasks, task_line

ENVIRONMENTS = Path(__file__).parents[2] / "mcp_envs"
COMMITTED = sorted(path.parent for path in ENVIRONMENTS.glob("*/tasks.jsonl"))


@pytest.mark.parametrize("folder", COMMITTED, ids=[folder.name for folder in COMMITTED])
def test_a_committed_file_is_written_again_byte_for_byte(folder: Path) -> None:
    tasks = read_tasks(folder)
    assert "".join(map(task_line, tasks)).encode() == (folder / "tasks.jsonl").read_bytes()
    assert tasks and not any(task.probe for task in tasks)


def test_probes_are_written_where_there_are_some() -> None:
    probes = (Probe(tool="a", kind={"id": ColumnKind.SURROGATE}), Probe(tool="b", arguments={"n": 1}, path="$.x[*]"))
    task = read_tasks(COMMITTED[0])[0].model_copy(update={"probe": probes})
    assert Task.model_validate_json(task_line(task)) == task


def test_a_folder_without_tasks_has_none_and_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert read_tasks(tmp_path) == ()
    with pytest.raises(BadInput, match="cannot be read"):
        read_task_file(tmp_path / "tasks.jsonl")


def test_an_id_that_occurs_twice_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(task_line(read_tasks(COMMITTED[0])[0]) * 2, encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 2: the id .* occurs twice; give a file"):
        read_task_file(path)
    with pytest.raises(BadInput, match=r"line 2: .* write them anew with autoforge-gen tasks"):
        read_tasks(tmp_path)
