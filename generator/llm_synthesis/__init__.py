"""The model synthesizer: a language model writes the world, starting from what the rules made of the documentation.

- `synthesis`: the whole course, stage after stage; `desk`: what all stages share
- `words`: what the model is told; `describe`: how documentation and tables are shown to it
- `structure`, `functions`, `seed`: one stage each; `answers`: the schemas that their answers must match
- `effects`: what a function does to tables, measured from its SQL; `drafts`: a function as written, with its faults
- `versions`: a candidate, proved and scored; `repair`: asking again with the evidence
- `keys`: keys out of child processes
"""

from __future__ import annotations

from autoforge.generator.llm_synthesis.keys import keys_hidden
from autoforge.generator.llm_synthesis.synthesis import synthesize_with_model

__all__ = ["keys_hidden", "synthesize_with_model"]
