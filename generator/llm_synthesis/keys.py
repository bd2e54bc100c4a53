"""Keys out of child processes.

Invariant: inside `keys_hidden` the environment that a child would inherit holds no secret; afterwards it is as
before. Whoever needs a key has read it before. Not covered: children that are given an environment of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from autoforge.gym.llm import scrubbed_environment

__all__ = ["keys_hidden"]


@contextmanager
def keys_hidden() -> Iterator[None]:
    """Take everything that looks like a secret out of this process's environment for a while."""
    kept = scrubbed_environment()
    hidden = {name: value for name, value in os.environ.items() if name not in kept}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)
