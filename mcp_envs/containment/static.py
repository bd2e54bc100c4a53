"""Checks the text of a `tools.py` before anything runs it: an allow-list of syntax, names, attributes and SQL.

Invariant: what passes names nothing outside `names`, reaches no attribute beginning with an underscore, keeps the fixed
shape of a module (docstring, imports, constants, `ToolError`, functions of `db`), swallows no deadline, and gives `db`
only SQL that the module spells out. Not covered: time and memory, and what a bug in this file lets through; for both
there is the worker's process.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from autoforge.mcp_envs.containment import names
from autoforge.mcp_envs.containment.literals import constant_faults, default_faults, operation_faults
from autoforge.mcp_envs.containment.scopes import Scopes
from autoforge.mcp_envs.containment.sql import FixedText, statement_fault
from autoforge.mcp_envs.errors import ContainmentError

__all__ = ["Finding", "check_file", "check_source"]

_MOST_CHARACTERS = 1_000_000
_DEEPEST = 120
_SHOWN = 5


class Finding(NamedTuple):
    """One reason not to run a module."""

    line: int
    column: int
    message: str


def check_source(source: str, filename: str = "tools.py") -> tuple[Finding, ...]:
    """Every reason not to run this text, in order; empty when there is none."""
    if len(source) > _MOST_CHARACTERS:
        return (Finding(1, 0, f"the module has {len(source)} characters; at most {_MOST_CHARACTERS} are allowed"),)
    try:
        module = ast.parse(source, filename)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = (getattr(error, "lineno", None) or 1), (getattr(error, "offset", None) or 0)
        return (
            Finding(line, column, f"not valid Python: {getattr(error, 'msg', None) or error or 'nested too deeply'}"),
        )
    if _too_deep(module):
        return (Finding(1, 0, f"nested more than {_DEEPEST} deep"),)
    return tuple(sorted(set(_Checker(module).findings())))


def check_file(path: Path) -> None:
    """Raise ContainmentError, naming the first findings, unless the file may be run."""
    findings = check_source(path.read_text(encoding="utf-8"), path.name)
    if findings:
        shown = "; ".join(f"line {f.line}: {f.message}" for f in findings[:_SHOWN])
        more = f" (and {len(findings) - _SHOWN} more)" if len(findings) > _SHOWN else ""
        raise ContainmentError(f"{path.name} is not allowed to run: {shown}{more}")


def _too_deep(module: ast.Module) -> bool:
    level: list[ast.AST] = [module]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


class _Checker:
    """All rules over one module. Each rule looks at one node and yields messages."""

    def __init__(self, module: ast.Module) -> None:
        self._module = module
        self._scopes = Scopes(module)
        self._fixed = FixedText(module, self._scopes)
        self._imported: dict[str, str] = {}
        """Name -> module it stands for."""
        self._members: dict[str, tuple[str, str]] = {}
        """Name -> (module, member)."""
        self._functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
        self._rules: dict[type[ast.AST], Callable[..., Iterator[str]]] = {
            ast.Import: self._import, ast.ImportFrom: self._import_from, ast.ClassDef: self._class, ast.Try: self._try,
            ast.FunctionDef: self._function, ast.Lambda: self._lambda, ast.ExceptHandler: self._handler,
            ast.Delete: self._delete, ast.Name: self._name, ast.arg: self._parameter, ast.keyword: self._keyword,
            ast.Attribute: self._attribute, ast.Call: self._call, ast.MatchAs: self._binding,
            ast.MatchStar: self._binding, ast.MatchMapping: self._rest, ast.BinOp: operation_faults,
            ast.Constant: constant_faults,
        }  # fmt: skip

    def findings(self) -> Iterator[Finding]:
        yield from self._shape()
        for node in ast.walk(self._module):
            messages = self._rules[type(node)](node) if type(node) in self._rules else iter(())
            if not isinstance(node, names.ALLOWED_NODES):
                messages = iter([f"{type(node).__name__} is not part of the language of tools"])
            for message in messages:
                yield Finding(getattr(node, "lineno", 1), getattr(node, "col_offset", 0), message)

    # --- the module ---

    def _shape(self) -> Iterator[Finding]:
        """Only docstring, imports, constants, ToolError and functions at the top, each name bound once, none of them a
        builtin's."""
        bound: set[str] = set()
        for node in self._module.body:
            if not isinstance(
                node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
            ):
                if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                    yield Finding(
                        node.lineno, node.col_offset, "a module holds only imports, constants, ToolError and functions"
                    )
                continue
            for name in _bound_by(node):
                if name in bound:
                    yield Finding(node.lineno, node.col_offset, f"{name!r} is bound twice")
                if name == "db" or name.startswith("__"):
                    yield Finding(node.lineno, node.col_offset, f"the name {name!r} is reserved")
                if name in vars(builtins):
                    yield Finding(node.lineno, node.col_offset, f"{name!r} is the name of a builtin")
                bound.add(name)
        if "ToolError" not in bound:
            yield Finding(1, 0, "the class ToolError is missing")

    def _import(self, node: ast.Import) -> Iterator[str]:
        if self._scopes.enclosing(node) is not self._module:
            yield "imports stand at the top of the module"
        for alias in node.names:
            if alias.name not in names.ALLOWED_MODULES or "." in alias.name or alias.name == "__future__":
                yield f"module {alias.name!r} may not be imported"
            self._imported[alias.asname or alias.name] = alias.name

    def _import_from(self, node: ast.ImportFrom) -> Iterator[str]:
        if self._scopes.enclosing(node) is not self._module:
            yield "imports stand at the top of the module"
        members = names.ALLOWED_MODULES.get(node.module or "") if not node.level else None
        if members is None:
            yield f"module {node.module!r} may not be imported"
            return
        for alias in node.names:
            if alias.name not in members:
                yield f"{alias.name!r} may not be imported from {node.module!r}"
            if "__" in (alias.asname or ""):
                yield "names with two underscores are reserved"
            self._members[alias.asname or alias.name] = (node.module or "", alias.name)

    def _class(self, node: ast.ClassDef) -> Iterator[str]:
        base = len(node.bases) == 1 and isinstance(node.bases[0], ast.Name) and node.bases[0].id == "Exception"
        empty = all(
            isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
            for s in node.body
        )
        plain = not (node.keywords or node.decorator_list or getattr(node, "type_params", None))
        if not (node.name == "ToolError" and base and empty and plain and node in self._module.body):
            yield "the only class is `class ToolError(Exception)`, with nothing but a docstring in it"

    def _function(self, node: ast.FunctionDef) -> Iterator[str]:
        if node.decorator_list or getattr(node, "type_params", None):
            yield "functions have no decorators and no type parameters"
        if node.name.startswith("__"):
            yield "names with two underscores are reserved"
        yield from default_faults(node.args)
        if self._scopes.enclosing(node) is not self._module or node.name[0] == "_":
            return
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if [a.arg for a in positional] != ["db"] or arguments.vararg or arguments.kwarg:
            yield f"a tool is `def {node.name}(db, *, …)` with named parameters only; helpers begin with an underscore"

    def _lambda(self, node: ast.Lambda) -> Iterator[str]:
        yield from default_faults(node.args)

    # --- statements ---

    def _try(self, node: ast.Try) -> Iterator[str]:
        if node.finalbody:
            yield "`finally` could swallow a deadline"

    def _handler(self, node: ast.ExceptHandler) -> Iterator[str]:
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        if not all(self._catchable(kind) for kind in kinds):
            yield "only named, narrow exceptions may be caught (ValueError, KeyError, ToolError, …)"
        yield from self._reserved(node.name)

    def _catchable(self, kind: ast.expr | None) -> bool:
        match kind:
            case ast.Name(id=name) if self._scopes.resolve(kind) is None:
                return name in names.CATCHABLE
            case ast.Name(id=name):
                return name == "ToolError" or self._members.get(name, ("", ""))[1] in (
                    "JSONDecodeError",
                    "InvalidOperation",
                    "error",
                )
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return module in self._imported and name in (
                    "JSONDecodeError",
                    "InvalidOperation",
                    "error",
                    "StatisticsError",
                )
            case _:
                return False

    def _delete(self, node: ast.Delete) -> Iterator[str]:
        if not all(isinstance(target, ast.Subscript) for target in node.targets):
            yield "only items of lists and dictionaries may be deleted"

    # --- names and attributes ---

    def _reserved(self, name: str | None) -> Iterator[str]:
        if name is not None and (name.startswith("__") or name == "db"):
            yield "`db` is bound by the parameter only" if name == "db" else "names with two underscores are reserved"

    def _binding(self, node: ast.MatchAs | ast.MatchStar) -> Iterator[str]:
        yield from self._reserved(node.name)

    def _rest(self, node: ast.MatchMapping) -> Iterator[str]:
        yield from self._reserved(node.rest)

    def _parameter(self, node: ast.arg) -> Iterator[str]:
        if node.arg.startswith("__"):
            yield "names with two underscores are reserved"

    def _name(self, node: ast.Name) -> Iterator[str]:
        if node.id.startswith("__"):
            yield f"name {node.id!r} is reserved"
        elif node.id == "db":
            yield from self._database(node)
        elif isinstance(node.ctx, ast.Load) and self._scopes.resolve(node) is None:
            base_of_error = node.id == "Exception" and isinstance(self._scopes.parents[node], ast.ClassDef)
            if node.id not in names.ALLOWED_BUILTINS and not base_of_error:
                yield f"name {node.id!r} is not known or not allowed"
        elif node.id in self._imported and self._scopes.resolve(node) is self._module:
            parent = self._scopes.parents[node]
            if not (isinstance(parent, ast.Attribute) and isinstance(node.ctx, ast.Load)):
                yield f"module {node.id!r} may only be used as `{node.id}.member`"

    def _database(self, node: ast.Name) -> Iterator[str]:
        """`db` may be asked, or handed to a function of the module whose parameter is also called `db`."""
        parent = self._scopes.parents[node]
        if not isinstance(node.ctx, ast.Load):
            yield "`db` is bound by the parameter only"
        elif isinstance(parent, ast.Attribute):
            call = self._scopes.parents[parent]
            if parent.attr not in names.DATABASE_METHODS or not (isinstance(call, ast.Call) and call.func is parent):
                yield f"`db.{parent.attr}` is not a method that may be called here"
        elif not (
            isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Name)
            and self._hands_on(parent.func.id, parent, node)
        ):
            yield "`db` may only be handed to a function of this module whose first parameter is `db`"

    def _hands_on(self, name: str, call: ast.Call, node: ast.Name) -> bool:
        function = self._functions.get(name)
        parameters = [] if function is None else [*function.args.posonlyargs, *function.args.args]
        return bool(parameters) and parameters[0].arg == "db" and bool(call.args) and call.args[0] is node

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        if not isinstance(node.ctx, ast.Load):
            yield "attributes may not be set or deleted"
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id == "db":
            return
        if isinstance(owner, ast.Name) and owner.id in self._imported and self._scopes.resolve(owner) is self._module:
            if node.attr not in names.ALLOWED_MODULES.get(self._imported[owner.id], ()):
                yield f"`{owner.id}.{node.attr}` is not allowed"
        elif node.attr in names.STATE_CLOCK:
            yield f"`.{node.attr}` would read the clock of the machine; use db.now() or db.today()"
        elif node.attr not in names.ALLOWED_ATTRIBUTES:
            yield f"attribute {node.attr!r} is not allowed"

    # --- expressions ---

    def _call(self, node: ast.Call) -> Iterator[str]:
        match node.func:
            case ast.Attribute(value=ast.Name(id="db"), attr=method) if method in names.SQL_METHODS:
                yield from self._sql(node, method)
            case ast.Attribute(value=ast.Name(id="db"), attr="next_id"):
                if not (len(node.args) == 1 and not node.keywords and self._fixed.fixed(node.args[0])):
                    yield "the counter of db.next_id must be a literal"

    def _sql(self, node: ast.Call, method: str) -> Iterator[str]:
        if not node.args or node.keywords or isinstance(node.args[0], ast.Starred):
            yield f"db.{method} takes SQL first, then the values, by position"
        elif not self._fixed.fixed(node.args[0]):
            yield f"the SQL of db.{method} must be spelled out in the module; give values as parameters (`?`)"
        elif fault := statement_fault(self._fixed.beginning(node.args[0]), self._fixed.texts(node.args[0])):
            yield fault

    def _keyword(self, node: ast.keyword) -> Iterator[str]:
        if node.arg is not None and node.arg.startswith("__"):
            yield "names with two underscores are reserved"


def _bound_by(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    else:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
