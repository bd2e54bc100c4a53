"""From the intermediate representation to the files of an environment."""

from __future__ import annotations

from autoforge.generator.emit.code import tools_py
from autoforge.generator.emit.manifest import manifest_tables, manifest_tools
from autoforge.generator.emit.schema import schema_sql

__all__ = ["manifest_tables", "manifest_tools", "schema_sql", "tools_py"]
