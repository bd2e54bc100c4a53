"""The checks of `autoforge-gym check`: is a server fit for episodes?

Invariant: a check that could not be tried says so; it neither holds nor fails. Not covered: whether tasks are good
(`autoforge-gen check` proves them).
"""

from __future__ import annotations

__all__: list[str] = []
