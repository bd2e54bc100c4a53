"""The page on which a person looks at an environment: its schema, its tools, its seed, its tasks and every verdict."""

from __future__ import annotations

from autoforge.generator.report.page import report_html
from autoforge.generator.report.task_section import tasks_section, with_tasks

__all__ = ["report_html", "tasks_section", "with_tasks"]
