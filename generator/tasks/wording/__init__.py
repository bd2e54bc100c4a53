"""The wording of a task: instruction and persona from templates, checked mechanically, or better ones by a model.

- `wording`: the instruction of a draft; `sentences`, `clauses`, `places`, `details`: what is to be done;
  `scopes`, `choices`, `derivations`, `conditions`, `teller`: what is spoken of
- `grammar`, `english`, `spanish`, `german`: what differs by language
- `values`, `names`, `fields`: values and names in words
- `documentation`: a tool as an imperative; `origins`: which row an output shows; `memory`: what was said
- `check`: what is wrong with an instruction, whoever worded it; `model`: wording by a model
"""

from __future__ import annotations

from autoforge.generator.tasks.wording.check import faults
from autoforge.generator.tasks.wording.languages import LANGUAGES
from autoforge.generator.tasks.wording.wording import Wording, word

__all__ = ["LANGUAGES", "Wording", "faults", "word"]
