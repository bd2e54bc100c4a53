"""The steps of an operation as Python statements.

Invariant: a name is bound on every path that reads it, and nothing is written behind a statement that leaves the
function. Not covered: the function around them (`code`), what single steps that read or write rows look like
(`reading`, `writing`).
"""

from __future__ import annotations

from autoforge.generator.emit.bindings import bound_directly, names_in, names_read, rebound
from autoforge.generator.emit.body import Body, raise_when, sentence
from autoforge.generator.emit.expressions import condition, item_shape, iterable, write
from autoforge.generator.emit.layout import Bracket, Joined, call
from autoforge.generator.emit.names import python_string
from autoforge.generator.emit.reading import write_find, write_select
from autoforge.generator.emit.scope import Scope
from autoforge.generator.emit.shapes import Shape
from autoforge.generator.emit.writing import write_delete, write_insert, write_update
from autoforge.generator.ir import (
    Apply,
    Assign,
    Constant,
    Delete,
    Each,
    Expression,
    Find,
    Insert,
    Refuse,
    Return,
    Select,
    Step,
    Update,
    Variable,
    When,
    walk_steps,
)

__all__ = ["write_steps"]


def write_steps(body: Body, scope: Scope, steps: tuple[Step, ...], later: frozenset[str]) -> bool:
    """Write steps; `later` are the names that are read after them. Whether the last of them leaves the function."""
    for i, step in enumerate(steps):
        rest = later | names_read(steps[i + 1 :])
        if _write_step(body, scope, step, rest):
            return True
    return False


def _write_step(body: Body, scope: Scope, step: Step, later: frozenset[str]) -> bool:
    if isinstance(step, Return):
        body.add(Joined(("return ", write(scope, step.value).doc)))
        return True
    if isinstance(step, Refuse):
        return _refuse(body, scope, step)
    if isinstance(step, When):
        return _when(body, scope, step, later)
    if isinstance(step, Find):
        write_find(body, scope, step)
    elif isinstance(step, Select):
        write_select(body, scope, step)
    elif isinstance(step, Insert):
        write_insert(body, scope, step, later)
    elif isinstance(step, Update):
        write_update(body, scope, step, later)
    elif isinstance(step, Delete):
        write_delete(body, scope, step)
    elif isinstance(step, Assign):
        code = write(scope, step.value)
        body.assign(scope.bind(step.name, code.shape), code.doc)
    elif isinstance(step, Each):
        _each(body, scope, step, later)
    else:
        _log(body, scope)
    return False


def _refuse(body: Body, scope: Scope, step: Refuse) -> bool:
    message_scope = scope.branch()
    message_scope.learn(step.when, holds=True)
    message = sentence(message_scope, step.message)
    if isinstance(step.when, Constant):
        if step.when.value:
            body.add(Joined(("raise ", call("ToolError", message))))
        return bool(step.when.value)
    raise_when(body, condition(scope, step.when).doc, message)
    scope.learn(step.when, holds=False)
    _learn_absence(scope, step.when)
    return False


def _learn_absence(scope: Scope, refused: Expression) -> None:
    """Refusing when a row was found makes sure that there is none."""
    if isinstance(refused, Variable):
        refused = Apply(function="not_null", arguments=(refused,))
    if isinstance(refused, Apply) and refused.function == "not_null" and isinstance(refused.arguments[0], Variable):
        fact = scope.seeking.get(refused.arguments[0].name)
        if fact is not None:
            scope.facts.append(fact)


def _when(body: Body, scope: Scope, step: When, later: frozenset[str]) -> bool:
    always = bound_directly(step.steps) & bound_directly(step.otherwise)
    _prebind(body, scope, (*step.steps, *step.otherwise), later, always)
    test = condition(scope, step.condition)
    holds, fails = scope.branch(), scope.branch()
    holds.learn(step.condition, holds=True)
    fails.learn(step.condition, holds=False)
    with body.block(Joined(("if ", test.doc, ":"))):
        leaves = write_steps(body, holds, step.steps, later)
    other_leaves = False
    if step.otherwise:
        with body.block("else:"):
            other_leaves = write_steps(body, fails, step.otherwise, later)
    scope.join([s for s, left in ((holds, leaves), (fails, other_leaves)) if not left])
    return leaves and other_leaves


def _each(body: Body, scope: Scope, step: Each, later: frozenset[str]) -> None:
    over = iterable(scope, step.over)
    read = names_read((step,))
    inside = later | (read & scope.shapes.keys()) | (names_in(step.result) if step.result is not None else frozenset())
    _prebind(body, scope, step.steps, later)
    if step.collect is not None:
        body.assign(scope.bind(step.collect, Shape("list", nullable=False)), "[]")
    before = scope.branch()
    scope.widen(rebound(step.steps))
    _forget_writes(scope, step.steps)
    inner = scope.branch()
    name = inner.bind(step.item, item_shape(over.shape))
    with body.block(Joined((f"for {name} in ", over.doc, ":"))):
        leaves = write_steps(body, inner, step.steps, inside)
        if step.collect is not None and step.result is not None and not leaves:
            body.add(
                Joined((f"{scope.name(step.collect)}.append", Bracket("(", (write(inner, step.result).doc,), ")")))
            )
    scope.join([before] if leaves else [before, inner])


def _forget_writes(scope: Scope, steps: tuple[Step, ...]) -> None:
    """What earlier rounds of a loop write may contradict what was known before it."""
    for step in walk_steps(steps):
        if isinstance(step, Delete | Update):
            scope.deleted()
        if isinstance(step, Insert | Update):
            scope.inserted(step.entity)


def _prebind(
    body: Body, scope: Scope, steps: tuple[Step, ...], later: frozenset[str], always: frozenset[str] = frozenset()
) -> None:
    """A name that only some paths bind and that is read afterwards starts as None."""
    for name in rebound(steps):
        if name in later and name not in scope.shapes and name not in always:
            body.assign(scope.bind(name, Shape()), "None")


def _log(body: Body, scope: Scope) -> None:
    items = tuple(f"{python_string(documented)}: {name}" for documented, name in scope.parameters.items())
    body.add(call("db.log", python_string(scope.operation.tool), Bracket("{", items, "}")))
