"""The conformance suite: what is proved of an environment without a model, from its files alone."""

from __future__ import annotations

from autoforge.generator.conformance.report import Report, render_table
from autoforge.generator.conformance.suite import run_suite

__all__ = ["Report", "render_table", "run_suite"]
