"""The page on which a person looks at an environment: its schema, its tools, its seed and every verdict."""

from __future__ import annotations

from autoforge.generator.report.page import report_html

__all__ = ["report_html"]
