"""`autoforge-train report`: the curves of a run as one page to look at.

Invariant: the page is written whole or not at all; a run that is being made may be looked at. Not covered: the page
(`metrics.report`).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from autoforge.gym.commandline.terminal import messages
from autoforge.trainer.metrics.metrics_file import read_records
from autoforge.trainer.metrics.recorder import METRICS_FILE, REPORT_FILE
from autoforge.trainer.metrics.report.page import write_report

__all__ = ["run_report"]


def run_report(run: Path, *, output: Path | None, as_json: bool) -> int:
    """Write the page. Raises BadInput for what is no run."""
    file = run / METRICS_FILE if run.is_dir() else run
    records = list(read_records(file))
    page = output or file.with_name(REPORT_FILE)
    write_report(records, page, title=file.resolve().parent.name)
    messages().print(f"Open {page} in a browser.", soft_wrap=True, markup=False)
    if as_json:
        counts = Counter(record.stage for record in records)
        click.echo(json.dumps({"output": str(page), "records": dict(counts)}, ensure_ascii=False))
    return 0
