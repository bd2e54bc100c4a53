"""Sources of values: hypothesis, drawn in order, without its database, its clock or a folder in the user's working
directory.

Invariant: the same strategy and seed give the same values, whatever source code lies around. Not covered: shrinking
(`fuzz` makes its findings plain itself, with calls counted).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, configuration, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers

from autoforge.generator.seed.pattern_texts import TextMaker
from autoforge.mcp_envs.arguments.patterns import UnknownPattern
from autoforge.mcp_envs.containment import ScratchFolder

__all__ = ["drawn", "hypothesis_at_home", "matching"]

T = TypeVar("T")
_MATCHES = 8
"""Texts drawn for one pattern."""
_LOCAL, _CACHE = "_get_local_constants", "CONSTANTS_CACHE"
_CACHED = 1024
"""Kinds of values whose constants are kept, as hypothesis has it."""


def drawn(strategy: st.SearchStrategy[T], count: int, seed: int) -> list[T]:
    """At most `count` values, the simplest first."""
    values: list[T] = []

    @with_seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(value: T) -> None:
        values.append(value)

    draw()
    return values


@lru_cache(maxsize=512)
def matching(pattern: str) -> tuple[str, ...]:
    """Texts that a pattern matches, the shortest first and then in order, so that of two times the first is the
    earlier one; none for a pattern that the server does not know.
    """
    try:
        maker = TextMaker(random.Random(0), pattern)
        texts = [maker.text() for _ in range(_MATCHES)]
    except UnknownPattern:
        return ()
    return tuple(sorted({text for text in texts if text is not None}, key=lambda text: (len(text), text)))


@contextmanager
def hypothesis_at_home() -> Iterator[None]:
    """Keep what hypothesis writes in a temporary folder, and keep it from the constants of our own modules: it parses
    all of them for these (two seconds), and what it draws would change with every edit and with the place of an
    installation.
    """
    directory: Any = configuration.storage_directory()
    before = getattr(directory, "path", directory)  # a plain path in older versions
    with ScratchFolder("hypothesis") as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            with _no_local_constants():
                yield
        finally:
            configuration.set_hypothesis_home_dir(before)


@contextmanager
def _no_local_constants() -> Iterator[None]:
    """There is no setting for it; a version without these names reads no constants, or goes on reading them. Those that
    the process has drawn from before are cached, and left out too.
    """
    before = {name: getattr(providers, name) for name in (_LOCAL, _CACHE) if hasattr(providers, name)}
    none = type(providers.GLOBAL_CONSTANTS)()
    instead: dict[str, Any] = {_LOCAL: lambda: none, _CACHE: LRUCache(_CACHED)}
    for name in before:
        setattr(providers, name, instead[name])
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(providers, name, value)
