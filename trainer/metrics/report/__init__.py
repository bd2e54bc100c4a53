"""`report.html`: the curves of a run as one page.

Invariant: the page loads nothing. Not covered: which records there are.
"""

from __future__ import annotations

from autoforge.trainer.metrics.report.page import write_report

__all__ = ["write_report"]
