"""An environment or one of its tools on the terminal.

Invariant: shows what the files say, nothing inferred anew. Not covered: tasks, the HTML report.
"""

from __future__ import annotations

import ast

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Effects, ToolRecord

__all__ = ["show_environment", "show_tool"]


def show_environment(folder: EnvironmentFolder, console: Console) -> None:
    """Tables with their columns, then tools with their effects and verdicts."""
    manifest = folder.manifest
    console.print(f"[bold]{escape(manifest.title or manifest.name)}[/]  {folder.path}", highlight=False)
    tables = Table("table", "key", "columns", header_style="bold")
    for table in manifest.tables:
        columns = ", ".join(c.name + (f" → {c.references}" if c.references else "") for c in table.columns if c.name not in table.key)
        tables.add_row(table.name, ", ".join(table.key), columns)
    console.print(tables)
    tools = Table("tool", "kind", "side", "effects", "proof", header_style="bold")
    for tool in manifest.tools:
        tools.add_row(tool.name, "weak" if tool.weak else tool.kind, tool.side, _effects(tool.effects), _verdict(tool))
    console.print(tools)


def _effects(effects: Effects) -> str:
    parts = [("reads", effects.reads), ("creates", effects.creates), ("changes", tuple(effects.updates)), ("deletes", effects.deletes)]
    return "; ".join(f"{word} {', '.join(tables)}" for word, tables in parts if tables)


def _verdict(tool: ToolRecord) -> str:
    if tool.verdict is None:
        return "not proved"
    return "[green]passed[/]" if tool.verdict.passed else f"[red]{escape('; '.join(tool.verdict.failures))}[/]"


def show_tool(folder: EnvironmentFolder, name: str, console: Console) -> None:
    """One tool: what it does, why it was read so, its refusals, its verdict, its code."""
    tool = next((t for t in folder.manifest.tools if t.name == name), None)
    if tool is None:
        raise BadInput(f"{folder.name} has no tool {name!r}; autoforge-gen show {folder.path} lists them.")
    document = next((d for d in folder.documents() if d.get("name") == name), {})
    console.print(f"[bold]{escape(name)}[/]  {'weak' if tool.weak else tool.kind}  {_effects(tool.effects)}", highlight=False)
    console.print(escape(str(document.get("description", ""))), highlight=False)
    for title, lines in (("read as", tool.evidence), ("assumed", tool.guesses), ("refuses", tool.refusals)):
        for line in lines:
            console.print(f"  {title}: {escape(line)}", highlight=False)
    console.print(f"  proof: {_verdict(tool)}", highlight=False)
    console.print(Syntax(_source(folder.text("tools.py"), tool.function), "python", background_color="default"))


def _source(text: str, function: str) -> str:
    node = next((n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == function), None)
    return (ast.get_source_segment(text, node) or "") if node is not None else "(no such function in tools.py)"
