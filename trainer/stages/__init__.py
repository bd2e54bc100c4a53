"""What a run is made of: steps of the policy, the cold start, measurements, and the world in which episodes are played.

- `work`, `policy_step`: what all ranks train on in a step, and the step
- `cold_start`: supervised training before ERPO
- `world`: servers, users and judges by the settings
- `measure`: the policy on tasks that it is not trained on

Invariant: every rank does the same things in the same order; only the first one plays episodes. Not covered: the order
of a whole run (`run`).
"""
