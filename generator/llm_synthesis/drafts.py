"""A function as a model wrote it: checked without running it, and made an operation of the world.

Invariant: a draft without faults has the given name and parameters, passes the static check of contained code, and
its SQL fits the tables; its kind and effects are measured, never taken from the model. Not covered: whether it does
what the documentation means (`versions`).
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from autoforge.generator.emit import tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.ir import Constant, Operation, OperationKind, Refuse, Step, World
from autoforge.generator.llm_synthesis.answers import FunctionAnswer
from autoforge.generator.llm_synthesis.effects import Measured, effect_steps, measure
from autoforge.mcp_envs.containment.static import check_source
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Draft", "Frame", "drafted", "fits", "frames_of", "unwritten"]

_READING = frozenset(
    (OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH, OperationKind.COUNT, OperationKind.COMPUTE)
)
_MOST_FAULTS = 8


class Frame(NamedTuple):
    """What is fixed of a tool's function, and how the rules wrote it."""

    operation: Operation
    """Of the rules; with the names that the emitter gives."""
    signature: str
    """`def name(db, *, a, b=None):`"""
    source: str


class Draft(NamedTuple):
    """One function of a model."""

    source: str
    operation: Operation | None
    """None where it has faults."""
    faults: tuple[str, ...] = ()
    """Sentences for the model."""


def frames_of(world: World) -> dict[str, Frame]:
    """Tool -> frame, from the rules' world."""
    text = tools_py(world)
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    names = function_names(world)
    return {o.tool: _frame(o, functions[names[o.tool]], text) for o in world.operations}


def _frame(operation: Operation, node: ast.FunctionDef, text: str) -> Frame:
    identifiers = parameter_names(operation)
    parameters = tuple(p.model_copy(update={"identifier": identifiers[p.name]}) for p in operation.parameters)
    named = operation.model_copy(update={"function": node.name, "parameters": parameters})
    return Frame(named, f"def {node.name}({ast.unparse(node.args)}):", ast.get_source_segment(text, node) or "")


def drafted(world: World, frame: Frame, answer: FunctionAnswer, author: str) -> Draft:
    """Check what a model wrote for the tables of `world`, whose operations are left aside."""
    source = answer.source.strip("\n") + "\n"
    if faults := _form_faults(source, frame):
        return Draft(source, None, faults)
    operation = frame.operation.model_copy(update={"code": source, "steps": ()})
    try:
        module = tools_py(world.model_copy(update={"operations": (operation,)}))
    except BadInput as error:
        return Draft(source, None, (str(error),))
    lines = module.splitlines()
    found = [f"`{lines[f.line - 1].strip()}`: {f.message}" for f in check_source(module)]
    measured = measure(world, module, operation.function) if not found else None
    faults = tuple(dict.fromkeys([*found, *(measured.faults if measured is not None else ())]))
    if faults or measured is None:
        return Draft(source, None, faults[:_MOST_FAULTS])
    return Draft(source, _operation(world, operation, answer, measured, author))


def unwritten(frame: Frame) -> Operation:
    """A function that refuses every call, so that the others can be proved while this one is missing."""
    code = f'{frame.signature}\n    raise ToolError("This function has not been written yet.")\n'
    return frame.operation.model_copy(update={"code": code, "steps": (), "kind": OperationKind.WEAK, "entity": None})


def fits(world: World, operation: Operation) -> bool:
    """Whether the rules' operation can be written for the tables of `world`, which may be others than those it was
    made for."""
    alone = world.model_copy(update={"operations": (operation,)})
    try:
        module = tools_py(alone)
        functions = [n.name for n in ast.parse(module).body if isinstance(n, ast.FunctionDef)]
        return not any(measure(alone, module, name).faults for name in functions)
    except BadInput:
        return False


def _form_faults(source: str, frame: Frame) -> tuple[str, ...]:
    """What is wrong before anything else can be looked at."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return (f"it is not Python: {error}",)
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        return ("the source must be exactly one function, without imports, constants or further functions beside it",)
    for argument in ast.walk(body[0].args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    written = f"def {body[0].name}({ast.unparse(body[0].args)}):"
    return () if written == frame.signature else (f"the signature must be `{frame.signature}`, not `{written}`",)


def _operation(
    world: World, operation: Operation, answer: FunctionAnswer, measured: Measured, author: str
) -> Operation:
    steps = (*effect_steps(world, measured), *_refusals(answer.source))
    return operation.model_copy(
        update={
            "kind": _kind(OperationKind(answer.kind), operation.kind, measured, answer.source),
            "entity": _entity(world, answer.entity, measured),
            "steps": steps,
            "evidence": (f"Written by {author}.",),
            "guesses": answer.assumptions,
        }
    )


def _kind(told: OperationKind, ruled: OperationKind, measured: Measured, source: str) -> OperationKind:
    """What the model calls it, unless that contradicts what the function does."""
    if measured.touches_nothing:
        return (
            OperationKind.COMPUTE if told is OperationKind.COMPUTE and "db.log(" not in source else OperationKind.WEAK
        )
    writes = bool(measured.creates or measured.updates or measured.deletes)
    if writes == (told not in _READING):
        return told
    if not writes:
        return ruled if ruled in _READING else OperationKind.GET
    return (
        OperationKind.CREATE if measured.creates else OperationKind.DELETE if measured.deletes else OperationKind.UPDATE
    )


def _entity(world: World, told: str | None, measured: Measured) -> str | None:
    names = {e.table: e.name for e in world.entities}
    updated = {table for table, _ in measured.updates}
    touched = [
        names[t] for group in (measured.creates, updated, measured.deletes, measured.reads) for t in sorted(group)
    ]
    return told if told in touched else next(iter(touched), None)


def _refusals(source: str) -> tuple[Step, ...]:
    """The sentences of its refusals, what is filled in written as `{expression}`; they are shown, not run."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            sentence = _sentence(node.exc.args[0])
            if sentence and sentence not in found:
                found.append(sentence)
    return tuple(Refuse(when=Constant(value=False), message=sentence) for sentence in found)


def _sentence(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_sentence(part) for part in parts)
        case ast.FormattedValue(value=value):
            return "{" + ast.unparse(value) + "}"
        case _:
            return ""
