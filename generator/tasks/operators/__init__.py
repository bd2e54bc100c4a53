"""The library of reasoning operators: typed, pure, executable derivations over earlier outputs."""

from __future__ import annotations

from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.registry import OPERATORS, derive

__all__ = ["OPERATORS", "Ambiguous", "Operator", "OperatorFault", "derive"]
