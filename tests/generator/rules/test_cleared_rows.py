"""Rows that a clearing marks instead of removing stay in the state."""

from __future__ import annotations

from pathlib import Path

from tests.generator.rules.worlds import TEXT, Opened, tool

STATUS = {"type": "string", "enum": ["open", "completed"]}
TASK = {"task_id": TEXT, "project_id": TEXT, "title": TEXT, "status": STATUS, "hidden": {"type": "boolean"}}
TOOLS = [
    tool("create_project", "Create a project.", {"project_id": TEXT, "name": TEXT}, name=TEXT),
    tool("get_task", "Get a task.", TASK, task_id=TEXT),
    tool("create_task", "Create a task in a project.", TASK, project_id=TEXT, title=TEXT, status=STATUS),
    tool(
        "clear_tasks",
        "Clears all completed tasks from the project. The affected tasks will be marked as 'hidden' and no longer be "
        "returned by default.",
        project_id=TEXT,
    ),
]


def test_what_is_marked_as_hidden_is_hidden_and_stays(tmp_path: Path) -> None:
    opened = Opened(TOOLS, tmp_path)
    project = opened.call("create_project", name="Garden")["project_id"]
    done = opened.call("create_task", project_id=project, title="Dig", status="completed")["task_id"]
    left = opened.call("create_task", project_id=project, title="Sow", status="open")["task_id"]
    before = len(opened.rows("SELECT 1 FROM tasks"))
    opened.call("clear_tasks", project_id=project)
    assert len(opened.rows("SELECT 1 FROM tasks")) == before
    assert opened.call("get_task", task_id=done)["hidden"] is True
    assert not opened.call("get_task", task_id=left).get("hidden")
    opened.close()
