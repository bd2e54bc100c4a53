"""Rollouts: episodes of the policy, in groups of one task, many in flight at a time.

- `draws`: which tasks a step plays
- `collector`: groups that are complete, from episodes in flight
- `episodes`: one episode of the policy, judged, with its line in the file

Invariant: a finished episode is on disk before it counts, and is never played again. Not covered: what is learned from
groups (`erpo`).
"""
