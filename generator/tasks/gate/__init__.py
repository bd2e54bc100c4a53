"""The gate: what must hold of a task before it is one, and proves it again afterwards."""

from __future__ import annotations

from autoforge.generator.tasks.gate.admission import Admitted, admit
from autoforge.generator.tasks.gate.orders import Conflict, conflicts, with_needed_order
from autoforge.generator.tasks.gate.proof import Proof, prove
from autoforge.generator.tasks.gate.reasons import REASONS
from autoforge.generator.tasks.gate.wording import Faults

__all__ = ["REASONS", "Admitted", "Conflict", "Faults", "Proof", "admit", "conflicts", "prove", "with_needed_order"]
