"""What a model adds to what was found out about an environment's tools.

Invariant: two advices of one digest give the same tasks. Not covered: how it comes about.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from autoforge.generator.tasks.graph import Graph
from autoforge.generator.tasks.model.derived_fields import DerivedField

__all__ = ["Advice"]


class Advice(NamedTuple):
    """What a model adds to what was found out about the tools."""

    graph: Graph
    derived: tuple[DerivedField, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of all that tasks depend on of it."""
        edges = [(e.producer, e.row_set, e.field, e.consumer, e.slot.path, e.evidence) for e in self.graph.edges]
        return hashlib.sha256(repr((edges, self.derived)).encode("utf-8")).hexdigest()
