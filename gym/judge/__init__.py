"""The judge of user errors: what a simulated user did wrong, with the evidence, and which episodes that masks.

- `rules`: the judge without a model; `values`, `choices`, `constraints`, `withheld`, `telling`, `scope`, `stops`,
  `own_tools`: one kind of finding each
- `case`, `brief`, `exchanges`, `asking`: what is judged; `items`, `ranks`, `sentences`: what a message says
- `language`, `english`, `spanish`, `german`: words of the rules
- `model`: a model looks at what the rules found; `masking`: what follows for an episode
- `calibration`, `corruptions`, `dialogues`, `spoken`, `phrasebook` with its phrases: how good a judge is

Invariant: every verdict quotes the turn it is about; where the judge itself fails the episode is unscorable. Not
covered: judging agents.
"""

from __future__ import annotations

from autoforge.gym.judge.masking import Rule, judged, masked
from autoforge.gym.judge.model import ModelJudge
from autoforge.gym.judge.rules import KINDS, judge_trajectory

__all__ = ["KINDS", "ModelJudge", "Rule", "judge_trajectory", "judged", "masked"]
