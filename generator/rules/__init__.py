"""Synthesis without a model: names, parameters, schemas and prose of tool documentation → a `World`.

Deterministic: the same documentation gives the same world in any process. `synthesize` is the only entry.
"""
