"""An environment's folder: finding it by path or name, and reading its manifest and documents.

Invariant: a folder that is returned has a readable `environment.json` of a known format. Not covered: its state and its
tools' code.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import FORMAT_VERSION, Manifest

__all__ = ["EnvironmentFolder", "find_environment"]

_AGAIN = "compile the environment again with autoforge-gen"
SEARCH_VARIABLE = "AUTOFORGE_ENVS"
"""Folders with environments, separated like PATH."""
_SHOWN = 200
"""Characters of a name in a message."""


@dataclass(frozen=True)
class EnvironmentFolder:
    """One environment on disk."""

    path: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        return self.manifest.name

    def text(self, file: str) -> str:
        """The text of one of its files; raises BadInput where it is missing or no UTF-8."""
        try:
            return (self.path / file).read_text(encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{self.path / file}: {error.strerror or error}; {_AGAIN}.") from None
        except UnicodeDecodeError as error:
            raise BadInput(f"{self.path / file}: not UTF-8 at byte {error.start}; {_AGAIN}.") from None

    def documents(self) -> list[dict[str, Any]]:
        """The MCP `Tool` objects of `docs.json`."""
        try:
            documents = json.loads(self.text("docs.json"))
        except ValueError as error:
            raise BadInput(f"{self.path / 'docs.json'}: not JSON ({error}); {_AGAIN}.") from None
        if not isinstance(documents, list):
            raise BadInput(f"{self.path / 'docs.json'}: not a list of tools; {_AGAIN}.")
        return documents


def find_environment(name: str) -> EnvironmentFolder:
    """The environment at a path, or of a name under ./mcp_envs or a folder of $AUTOFORGE_ENVS.

    Raises BadInput where there is none, or where its manifest cannot be read.
    """
    folders = [Path("mcp_envs"), *(Path(p) for p in os.environ.get(SEARCH_VARIABLE, "").split(os.pathsep) if p)]
    for path in (Path(name), *(folder / name for folder in folders)):
        if os.path.isfile(path / "environment.json"):  # False, too, for what can be no path
            return EnvironmentFolder(path, _manifest(path / "environment.json"))
    searched = ", ".join(str(f) for f in folders)
    shown = name.replace("\0", "\\0")
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    if os.path.exists(name):
        words = "give the folder of a compiled environment, or compile one with: autoforge-gen DOCS"
        raise BadInput(f"{shown}: no environment.json in it; {words}.")
    words = f"neither as a folder nor under {searched}; set ${SEARCH_VARIABLE} or give a path"
    raise BadInput(f"{shown}: no such environment, {words}.")


def _manifest(path: Path) -> Manifest:
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(str(p) for p in first["loc"])
        raise BadInput(f"{path}: /{where}: {first['msg']}; {_AGAIN}.") from None
    if manifest.format_version != FORMAT_VERSION:
        words = f"format {manifest.format_version}, this version reads {FORMAT_VERSION}"
        raise BadInput(f"{path}: {words}; {_AGAIN}.")
    return manifest
