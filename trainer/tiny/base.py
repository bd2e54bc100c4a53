"""The tiny base as a folder of its own.

Invariant: the folder is there whole or not at all. Not covered: how the base was made (`pretrain`).
"""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

__all__ = ["tiny_model"]


def tiny_model(folder: Path) -> None:
    """A copy in a new folder: a Hugging Face model with its tokenizer and its chat template."""
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    with resources.as_file(resources.files("autoforge.trainer.tiny") / "base") as base:
        shutil.copytree(base, draft)
    draft.rename(folder)
