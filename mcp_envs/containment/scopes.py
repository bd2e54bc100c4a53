"""Which scope each name of a module belongs to, by Python's own rules.

Invariant: a name is `resolved` to the innermost function, lambda, comprehension or module that binds it, else to None
(a builtin), just as the compiler does; so a parameter called `type` never makes the builtin `type` usable elsewhere.
Not covered: class scopes (the only class has no names), `global` and `nonlocal` (refused).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

__all__ = ["Scope", "Scopes"]

Scope: TypeAlias = (
    ast.Module | ast.FunctionDef | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
)
_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scopes:
    """Parents, scopes and bindings of one parsed module."""

    def __init__(self, module: ast.Module) -> None:
        self.parents: dict[ast.AST, ast.AST] = {}
        self.bound: dict[Scope, set[str]] = {module: set()}
        self._scope_of: dict[ast.AST, Scope] = {}
        self._outer: dict[Scope, Scope | None] = {module: None}
        self._walk(module)
        self._uses: dict[tuple[Scope, str], list[ast.Name]] = {}
        for node in self._scope_of:
            if isinstance(node, ast.Name) and (scope := self.resolve(node)) is not None:
                self._uses.setdefault((scope, node.id), []).append(node)

    def resolve(self, name: ast.Name) -> Scope | None:
        """The scope that binds a name; None where it is a builtin or unknown."""
        scope: Scope | None = self._scope_of[name]
        while scope is not None and name.id not in self.bound[scope]:
            scope = self._outer[scope]
        return scope

    def uses(self, scope: Scope, name: str) -> list[ast.Name]:
        """Every place, inner functions included, where this name means that of this scope."""
        return self._uses.get((scope, name), [])

    def enclosing(self, node: ast.AST) -> Scope:
        return self._scope_of[node]

    def _walk(self, module: ast.Module) -> None:
        """Not recursive, so that deep nesting cannot end it."""
        outside: dict[ast.AST, Scope] = {}
        todo: list[tuple[ast.AST, Scope]] = [(module, module)]
        while todo:
            node, scope = todo.pop()
            self._scope_of[node] = scope
            self._bind(node, scope)
            inner = scope
            if isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS)):
                inner, self._outer[node] = node, scope
                self.bound.setdefault(node, set())
                outside.update((part, scope) for part in _outside(node))
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                todo.append((child, outside.get(child, inner)))

    def _bind(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            self._target_scope(node, scope).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.bound[scope].add(node.name)
        elif isinstance(node, ast.arg):
            self.bound[scope].add(node.arg)
        elif isinstance(node, ast.alias):
            self.bound[scope].add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name is not None:
            self.bound[scope].add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            self.bound[scope].add(node.rest)

    def _target_scope(self, name: ast.Name, scope: Scope) -> set[str]:
        """A walrus inside a comprehension binds in the function around it."""
        if isinstance(self.parents.get(name), ast.NamedExpr):
            while isinstance(scope, _COMPREHENSIONS):
                scope = self._outer[scope] or scope
        return self.bound[scope]


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a scope's node that are evaluated in the scope around it: defaults, annotations, the first iterable."""
    if isinstance(node, _COMPREHENSIONS):
        yield node.generators[0].iter
    elif isinstance(node, _FUNCTIONS):
        arguments = node.args
        yield from (default for default in (*arguments.defaults, *arguments.kw_defaults) if default is not None)
        named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        yield from (
            argument.annotation for argument in named if argument is not None and argument.annotation is not None
        )
        if isinstance(node, ast.FunctionDef):
            yield from (*node.decorator_list, *(() if node.returns is None else (node.returns,)))
