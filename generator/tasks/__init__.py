"""Tasks that carry their own proof: found out, drafted, worded, proved, and published.

- `probing`, `row_sets`, `slots`, `catalogue`, `graph`, `walks`: what is known of an environment's tools
- `builder`, `steps`, `supply`, `derived`, `twists`, `questions`, `extend`, `propose`, `finish`, `slim`: a draft
- `operators`, `interpreter`, `paths`, `stage`: carrying a blueprint out
- `wording`, `gate`, `make`: a draft in words, and its proof
- `campaign`, `pool`, `progress_file`, `selection`, `publish`, `examine`: hundreds of them, and all of them again
"""
