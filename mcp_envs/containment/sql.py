"""Whether an expression can only ever be text that the module itself spells out.

SQL given to `db` must be *fixed*: a literal, or made from fixed parts by `+`, f-strings, `*`, `join`, choices and
look-ups in fixed lists and dictionaries; never from a parameter, a row or a result. Invariant (soundness): a name
counts as fixed only if every binding of it is fixed, and a list or dictionary only if besides it is nowhere handed on
under another name, so that nothing else can get into it. Whatever is not understood is not fixed. Not covered: what
fixed SQL does; there the authorizer of `runtime` has the last word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autoforge.mcp_envs.containment.scopes import Scope, Scopes

__all__ = ["FixedText", "statement_fault"]

_COPYING = frozenset(
    {
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "isinstance",
        "len",
        "list",
        "reversed",
        "set",
        "sorted",
        "str",
        "tuple",
        "zip",
    }
)
_READING = frozenset(
    {"clear", "copy", "count", "get", "index", "items", "join", "keys", "pop", "remove", "reverse", "values"}
)
_MERGING = frozenset({"extend", "update"})
_ADDING = _MERGING | {"add", "append", "insert"}
_STATEMENT = re.compile(r"\s*(select|insert|update|delete|replace|with|values)\b", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_FORBIDDEN = re.compile(
    r"\b(attach|detach|pragma\w*|vacuum|load_extension|sqlite_(?:master|schema|temp_\w+|sequence)|autoforge_calls)\b|;\s*\S",
    re.IGNORECASE,
)
_CLOCKS = re.compile(
    r"\b(random|randomblob|date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\(|\bcurrent_(?:timestamp|date|time)\b",
    re.IGNORECASE,
)


def statement_fault(first: str, texts: list[str]) -> str | None:
    """What is wrong with the fixed texts of one statement, of which `first` begins it; None when nothing is seen."""
    if first and not _STATEMENT.match(first):
        return "SQL must begin with SELECT, INSERT, UPDATE, DELETE, REPLACE, VALUES or WITH"
    for text in texts:
        bare = _QUOTED.sub("''", text)
        if found := _FORBIDDEN.search(bare):
            return f"SQL may not contain {found.group().split()[0]!r}"
        if found := _CLOCKS.search(bare):
            return f"SQL may not use {found.group()!r}: the time is db.now(), and nothing is left to chance"
    return None


class FixedText:
    """Answers for one module: the greatest set of fixed names and functions that agrees with itself, found by striking
    out."""

    def __init__(self, module: ast.Module, scopes: Scopes) -> None:
        self._module = module
        self._scopes = scopes
        self._functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
        self._bound_otherwise: dict[Scope, set[str]] = {scope: _bound_otherwise(scope) for scope in scopes.bound}
        self._names: set[tuple[Scope, str]] = {
            (s, n) for s, names in scopes.bound.items() for n in names - self._bound_otherwise[s]
        }
        self._calls = set(self._functions)
        while self._strike_out():
            pass

    def _strike_out(self) -> bool:
        names = {key for key in self._names if not self._decide(*key)}
        calls = {name for name in self._calls if not self._returns_fixed(name)}
        self._names -= names
        self._calls -= calls
        return bool(names or calls)

    def fixed(self, node: ast.expr) -> bool:
        """Whether the value has only texts and numbers spelled out in the module, at every depth."""
        match node:
            case ast.Constant():
                return True
            case ast.JoinedStr(values=parts):
                return all(self.fixed(part) for part in parts)
            case ast.FormattedValue(value=value, format_spec=spec):
                return spec is None and self.fixed(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.fixed(left) and self.fixed(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self._repeated(left) or self._repeated(right)
            case ast.UnaryOp(op=ast.USub() | ast.Not()):
                return isinstance(node.operand, ast.Constant)
            case ast.IfExp(body=body, orelse=other):
                return self.fixed(body) and self.fixed(other)
            case ast.BoolOp(values=values):
                return all(self.fixed(value) for value in values)
            case ast.NamedExpr(value=value):
                return self.fixed(value)
            case ast.Name():
                return self._name(node)
            case _:
                return self._container(node)

    def texts(self, node: ast.expr) -> list[str]:
        """The literals inside an expression and inside the names it uses directly."""
        found: list[str] = []
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found.append(part.value)
            elif isinstance(part, ast.Name) and (scope := self._scopes.resolve(part)) is not None:
                values = [v for use in self._scopes.uses(scope, part.id) for v in self._values_at(use)]
                found += [
                    c.value
                    for v in values
                    for c in ast.walk(v)
                    if isinstance(c, ast.Constant) and isinstance(c.value, str)
                ]
        return found

    def beginning(self, node: ast.expr) -> str:
        """The literal that an expression begins with; empty where it is not in sight."""
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.JoinedStr(values=[first, *_]):
                return self.beginning(first)
            case ast.BinOp(left=left, op=ast.Add()):
                return self.beginning(left)
            case _:
                return ""

    def _repeated(self, node: ast.expr) -> bool:
        """`"?" * n` and `["?"] * n`: whatever the number, nothing else gets in. Two numbers would not be text."""
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return text or (isinstance(node, ast.List | ast.Tuple) and self.fixed(node))

    def _container(self, node: ast.expr) -> bool:
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return all(self._immutable(part) for part in parts)
            case ast.Dict(keys=keys, values=values):
                return all(part is not None and self._immutable(part) for part in (*keys, *values))
            case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.SetComp(elt=part):
                return self._immutable(part)
            case ast.Subscript(value=value):
                return self.fixed(value)
            case ast.Call():
                return self._call(node)
            case _:
                return False

    def _immutable(self, node: ast.expr) -> bool:
        """Whether it can be an element: a list inside a list could be changed through the outer one, so it may not."""
        if isinstance(node, ast.Starred):
            return self.fixed(node.value)
        return self.fixed(node) and not self._mutable(node)

    def _call(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Attribute(value=value, attr="join"):
                return self.fixed(value) and len(node.args) == 1 and self.fixed(node.args[0])
            case ast.Attribute(value=ast.Name() | ast.Dict() as value, attr="get" | "items" | "keys" | "values"):
                return self.fixed(value) and all(self._immutable(default) for default in node.args[1:])
            case ast.Name(id="len") if self._scopes.resolve(node.func) is None:
                return True
            case ast.Name(id="list" | "tuple" | "sorted" | "reversed" | "enumerate" | "zip") if (
                self._scopes.resolve(node.func) is None
            ):
                return all(not isinstance(argument, ast.Starred) and self.fixed(argument) for argument in node.args)
            case ast.Name(id=name) if name in self._functions and self._scopes.resolve(node.func) is self._module:
                return name in self._calls
            case _:
                return False

    def _returns_fixed(self, name: str) -> bool:
        """Whether a function of the module returns fixed texts only, whatever it is given."""
        function = self._functions[name]
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return) and self._scopes.enclosing(n) is function]
        return all(r.value is None or self._immutable(r.value) for r in returns)

    def _name(self, node: ast.Name) -> bool:
        scope = self._scopes.resolve(node)
        return scope is not None and (scope, node.id) in self._names

    def _decide(self, scope: Scope, name: str) -> bool:
        uses = self._scopes.uses(scope, name)
        stores = [use for use in uses if isinstance(use.ctx, ast.Store)]
        if not stores or not all(self._values_fixed(use) for use in stores):
            return False
        return not self._mutable(stores[0]) or all(self._harmless(use) for use in uses)

    def _mutable(self, node: ast.expr) -> bool:
        """Whether a fixed value may be a list, set or dictionary. Elements of fixed containers never are."""
        todo, seen = [node], set[tuple[Scope, str]]()
        while todo:
            match todo.pop():
                case (
                    ast.Constant()
                    | ast.JoinedStr()
                    | ast.UnaryOp()
                    | ast.Tuple()
                    | ast.Subscript(slice=ast.Constant() | ast.Name())
                ):
                    pass
                case ast.BinOp(left=left, right=right, op=op):
                    todo += (
                        [left, right]
                        if isinstance(op, ast.Add)
                        else [p for p in (left, right) if isinstance(p, ast.List)]
                    )
                case ast.IfExp(body=left, orelse=right):
                    todo += [left, right]
                case ast.BoolOp(values=values):
                    todo += values
                case ast.Name() as name if (scope := self._scopes.resolve(name)) is not None:
                    if (scope, name.id) not in seen:
                        seen.add((scope, name.id))
                        stores = [use for use in self._scopes.uses(scope, name.id) if isinstance(use.ctx, ast.Store)]
                        if any(isinstance(self._scopes.parents[use], ast.Starred) for use in stores):
                            return True
                        todo += [v for use in stores if not self._iterates(use) for v in self._values_at(use)]
                case ast.Call(func=ast.Attribute(attr="join" | "get")) | ast.Call(func=ast.Name(id="len")):
                    pass
                case ast.Call(func=ast.Name(id=called)) if called in self._calls:
                    pass
                case _:
                    return True
        return False

    def _iterates(self, use: ast.Name) -> bool:
        """Whether the name takes elements, which are immutable."""
        parent: ast.AST = use
        while isinstance(parent := self._scopes.parents[parent], ast.Tuple | ast.List):
            pass
        return isinstance(parent, ast.For | ast.comprehension)

    def _values_fixed(self, use: ast.Name) -> bool:
        values = list(self._values_at(use))
        return bool(values) and all(self.fixed(value) for value in values)

    def _values_at(self, use: ast.Name) -> Iterator[ast.expr]:
        """The expressions that a binding takes its value from; none where that is not plain to see."""
        parent: ast.AST = use
        inside: ast.AST = use
        while isinstance(parent := self._scopes.parents[parent], ast.Tuple | ast.List | ast.Starred):
            inside = parent
        match parent:
            case ast.Assign(value=ast.Tuple(elts=parts)) if isinstance(inside, ast.Tuple) and _pairs(
                inside.elts, parts
            ):
                yield from (part for target, part in zip(inside.elts, parts, strict=True) if use in ast.walk(target))
            case ast.Assign(value=value) | ast.AugAssign(value=value, op=ast.Add()) | ast.NamedExpr(value=value):
                yield value
            case ast.AnnAssign(value=ast.expr() as value):
                yield value
            case ast.For(iter=value) | ast.comprehension(iter=value) if isinstance(use.ctx, ast.Store):
                yield value

    def _harmless(self, use: ast.Name) -> bool:
        """Whether nothing can be put into the container here, and no other name for it is made."""
        parents = self._scopes.parents
        parent = parents[use]
        match parent:
            case ast.Attribute(attr=method):
                call = parents[parent]
                return isinstance(call, ast.Call) and call.func is parent and self._method_harmless(method, call)
            case ast.Subscript():
                return parent.value is use and isinstance(parent.ctx, ast.Load)
            case ast.Call(func=ast.Name(id=name) as function, args=args):
                return use in args and name in _COPYING and self._scopes.resolve(function) is None
            case ast.Call(func=ast.Attribute(attr="join"), args=args):
                return use in args
            case ast.Assign(targets=targets):
                return use in targets and len(targets) == 1
            case ast.AugAssign() | ast.AnnAssign(target=ast.Name()):
                return parent.target is use or isinstance(parent, ast.AugAssign)
            case ast.For() | ast.comprehension() | ast.Starred() | ast.FormattedValue() | ast.BinOp():
                return True
            case ast.Tuple():
                return isinstance(use.ctx, ast.Store)
            case ast.Compare(ops=ops):
                return all(isinstance(op, ast.In | ast.NotIn | ast.Eq | ast.NotEq) for op in ops)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                return test is use
            case ast.UnaryOp(op=ast.Not()):
                return True
            case _:
                return False

    def _method_harmless(self, method: str, call: ast.Call) -> bool:
        if method in _READING:
            return True
        accepts = self.fixed if method in _MERGING else self._immutable
        return method in _ADDING and not call.keywords and all(accepts(argument) for argument in call.args)


def _pairs(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    return len(targets) == len(values) and not any(isinstance(part, ast.Starred) for part in (*targets, *values))


def _bound_otherwise(scope: Scope) -> set[str]:
    """Names bound by other means than assignment: parameters, imports, caught errors, patterns, functions."""
    names: set[str] = set()
    if isinstance(scope, ast.FunctionDef | ast.Lambda):
        names |= {node.arg for node in ast.walk(scope.args) if isinstance(node, ast.arg)}
    for node in ast.walk(scope):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar)
            and node.name
        ):
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
    return names
