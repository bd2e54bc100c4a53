"""What training does to a policy, shown: a proof that ERPO learns, and the ablations of the paper.

`python -m bench.learning proof` and `python -m bench.learning ablations` play real runs of `autoforge-train` with the
tiny model, two at a time, and go on where they were interrupted. Invariant: every figure is counted from the episodes
that a run left behind. Not covered: models of a useful size.
"""
