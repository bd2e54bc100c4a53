"""Seed data: from a world to realistic, coherent initial rows, and those rows as SQL.

Invariant: the same world, seed and number of rows give the same bytes, in any process.
"""

from autoforge.generator.seed.counters import counters
from autoforge.generator.seed.rows import seed_rows
from autoforge.generator.seed.sql import seed_sql

__all__ = ["counters", "seed_rows", "seed_sql"]
