"""`autoforge-gen show`: an environment, one of its tools or one of its tasks on the terminal.

Invariant: shows what the files say, nothing inferred anew. Not covered: how a task is printed (`show_task`), the HTML
report.
"""

from __future__ import annotations

import ast
import json

import click
from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from autoforge.gym.commandline.terminal import output
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Column, Effects, ToolRecord
from autoforge.mcp_envs.task import read_tasks

__all__ = ["run_show", "show_environment", "show_tool"]


def run_show(environment: str, name: str | None, *, as_json: bool) -> int:
    """Print an environment's tables, tools and tasks, or one tool or task, to stdout; a name that both have is the
    tool's. Raises BadInput for what there is not.
    """
    folder = find_environment(environment)
    if name is not None and name not in {tool.name for tool in folder.manifest.tools}:
        _show_task(folder, name, as_json=as_json)
    elif as_json:
        click.echo((folder.manifest if name is None else _record(folder, name)).model_dump_json(indent=1))
    elif name is None:
        show_environment(folder, output())
    else:
        show_tool(folder, name, output())
    return 0


def _show_task(folder: EnvironmentFolder, name: str, *, as_json: bool) -> None:
    from autoforge.generator.show_task import run_show_task  # the worker and the operators take a while to import

    found = run_show_task(folder, name, None if as_json else output())
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))


def _record(folder: EnvironmentFolder, tool: str) -> ToolRecord:
    record = next((t for t in folder.manifest.tools if t.name == tool), None)
    if record is None:
        raise BadInput(f"{folder.name} has no tool {tool!r}; autoforge-gen show {folder.path} lists them.")
    return record


def show_environment(folder: EnvironmentFolder, console: Console) -> None:
    """Tables with their columns, tools with their effects and verdicts, tasks, then what was inferred."""
    manifest = folder.manifest
    console.print(f"[bold]{escape(manifest.title or manifest.name)}[/]  {escape(str(folder.path))}", soft_wrap=True)
    tables = Table("table", "key", "columns", header_style="bold")
    for table in manifest.tables:
        columns = ", ".join(_column(c) for c in table.columns if c.name not in table.key)
        tables.add_row(escape(table.name), escape(", ".join(table.key)), escape(columns))
    console.print(tables)
    tools = Table("tool", "kind", "side", "effects", "proof", header_style="bold")
    for tool in manifest.tools:
        kind = "weak" if tool.weak else tool.kind
        tools.add_row(escape(tool.name), kind, tool.side, escape(_effects(tool.effects)), _verdict(tool))
    console.print(tools)
    _show_tasks(folder, console)
    for name, documented in manifest.provenance.renamed.items():
        console.print(f"note: {escape(documented)} is called {escape(name)}, which MCP allows", soft_wrap=True)
    for note in manifest.provenance.notes:
        console.print(f"note: {escape(note)}", soft_wrap=True)


def _show_tasks(folder: EnvironmentFolder, console: Console) -> None:
    tasks = read_tasks(folder.path)
    if tasks:
        from autoforge.generator.show_task import show_tasks

        show_tasks(tasks, console)


def _column(column: Column) -> str:
    return f"{column.name} → {column.references}" if column.references else column.name


def _effects(effects: Effects) -> str:
    parts = [
        ("reads", effects.reads),
        ("creates", effects.creates),
        ("changes", tuple(effects.updates)),
        ("deletes", effects.deletes),
    ]
    return "; ".join(f"{word} {', '.join(tables)}" for word, tables in parts if tables)


def _verdict(tool: ToolRecord) -> str:
    if tool.verdict is None:
        return "not proved"
    return "[green]passed[/]" if tool.verdict.passed else f"[red]{escape('; '.join(tool.verdict.failures))}[/]"


def show_tool(folder: EnvironmentFolder, name: str, console: Console) -> None:
    """One tool: what it does, why it was read so, its refusals, its verdict, its code.

    Raises BadInput for an unknown name.
    """
    tool = _record(folder, name)
    document = next((d for d in folder.documents() if d.get("name") == name), {})
    kind = "weak" if tool.weak else tool.kind
    console.print(f"[bold]{escape(name)}[/]  {kind}  {escape(_effects(tool.effects))}", soft_wrap=True)
    console.print(escape(str(document.get("description", ""))))
    for title, lines in (("read as", tool.evidence), ("assumed", tool.guesses), ("refuses", tool.refusals)):
        for line in lines:
            console.print(f"  {title}: {escape(line)}")
    console.print(f"  proof: {_verdict(tool)}")
    console.print(Syntax(_source(folder.text("tools.py"), tool.function), "python", background_color="default"))


def _source(text: str, function: str) -> str:
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError):
        return "(tools.py is not Python any more; autoforge-gen check says where)"
    node = next((n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == function), None)
    return (ast.get_source_segment(text, node) or "") if node is not None else "(no such function in tools.py)"
