"""Tests of the seed; `worlds` holds what they seed."""
