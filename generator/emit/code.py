"""`tools.py`: one plain function per tool, as a person would write it.

Invariant: the same world gives the same bytes, whatever the hash seed; the module holds the functions, the helpers
that they use and nothing else; a refusal is a `ToolError`. A function that a model wrote is taken as it is: it may
use `json`, `math`, `re`, `date`, `datetime` and `timedelta` without importing them. Not covered: proof that model
code is harmless (`mcp_envs.containment`).
"""

from __future__ import annotations

import ast
import re

from autoforge.generator.emit.body import Body
from autoforge.generator.emit.expressions import constant, write_object
from autoforge.generator.emit.functions import Code
from autoforge.generator.emit.helpers import HELPERS, imports_of, with_dependencies
from autoforge.generator.emit.layout import WIDTH, Bracket, Doc, Joined, flat, statement
from autoforge.generator.emit.names import (
    MODULE_NAMES,
    NameTable,
    docstring,
    first_sentence,
    human,
    plain,
    python_string,
    quote,
)
from autoforge.generator.emit.prepare import entity_of, prepared
from autoforge.generator.emit.scope import Library, Scope, parameter_names
from autoforge.generator.emit.shapes import Shape
from autoforge.generator.emit.steps import write_steps
from autoforge.generator.emit.views import View, Views
from autoforge.generator.ir import ColumnType, Entity, Operation, OperationKind, Parameter, World
from autoforge.mcp_envs.errors import BadInput

__all__ = ["function_names", "function_source", "parameter_names", "tools_py"]

_TEMPLATE = re.compile(r"(?P<before>[^{}]*)\{(?P<spec>(?::0?\d{0,2}[dxX]?)?)\}(?P<after>[^{}]*)")
_ERROR = '''\
class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""
'''


def function_names(world: World) -> dict[str, str]:
    """Tool -> name of its function, unique and legal; what the world asks for wherever that is possible."""
    written = frozenset(o.function for o in world.operations if o.code is not None)
    table = NameTable(MODULE_NAMES | written)
    return {o.tool: o.function if o.code is not None else table.take(o.function, "tool") for o in world.operations}


def tools_py(world: World) -> str:
    """The source of the module. Raises BadInput for steps that name what does not exist."""
    world = prepared(world)
    names = function_names(world)
    counting = Library()
    for operation in world.operations:
        function_source(world, operation, names[operation.tool], counting)
    library = Library(Views(counting.views))
    functions = [function_source(world, operation, names[operation.tool], library) for operation in world.operations]
    functions += [_view(world, view, library) for view in library.views.chosen.values()]
    makers = [_id_maker(entity_of(world, name), function) for name, function in library.id_makers.items()]
    helpers = [HELPERS[name] for name in with_dependencies(library.helpers)]
    title = plain(world.title or human(world.name)).rstrip(".").replace("\\", "\\\\").replace('"', "'")
    head = f'"""Tools of {title}: one function per tool over the SQLite state.\n\n{_MODULE_TEXT}"""\n'
    imports = sorted(set(imports_of("\n".join(helpers))) | _imports_of_code(world))
    parts = [_ERROR, *functions, *makers, *(h + "\n" for h in helpers)]
    source = head + ("\n" + "\n".join(_merged(imports)) + "\n" if imports else "") + "\n\n" + "\n\n".join(parts)
    _must_parse(source, world)
    return source


_MODULE_TEXT = """\
A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""


def function_source(world: World, operation: Operation, name: str, library: Library) -> str:
    """The source of one function of a prepared world; `library` notes the helpers that it needs."""
    if operation.code is not None:
        return operation.code.strip("\n") + "\n"
    scope = Scope(world, operation, library)
    body = Body()
    for parameter in operation.parameters:
        if isinstance(parameter.default, list | dict):
            target = scope.parameters[parameter.name]
            with body.block(f"if {target} is None:"):
                body.assign(target, constant(parameter.default))
    write_steps(body, scope, operation.steps, frozenset())
    parameters = [_parameter(p, scope.parameters[p.name]) for p in operation.parameters]
    items: tuple[Doc, ...] = ("db", "*", *parameters) if parameters else ("db",)
    head = statement(Joined((f"def {name}", Bracket("(", items, ")"), ":")), 0)
    text = first_sentence(operation.summary) or human(operation.tool).capitalize() + "."
    return "\n".join([*head, *docstring(text, "    ", WIDTH), *body.lines]) + "\n"


def _view(world: World, view: View, library: Library) -> str:
    entity = entity_of(world, view.entity)
    scope = Scope(world, Operation(tool=entity.name, function=entity.name, kind=OperationKind.GET), library)
    row = scope.bind(entity.name, Shape("row", nullable=False, entity=entity.name))
    body = Body()
    body.add(Joined(("return ", write_object(scope, view.record).doc)))
    about = docstring(f"The {human(entity.title or entity.name)} as tools show it.", "    ", WIDTH)
    return "\n".join([f"def {view.function}({row}):", *about, *body.lines]) + "\n"


def _parameter(parameter: Parameter, name: str) -> Doc:
    if parameter.required and parameter.default is None:
        return name
    return (
        f"{name}=None" if isinstance(parameter.default, list | dict) else f"{name}={flat(constant(parameter.default))}"
    )


def _id_maker(entity: Entity, function: str) -> str:
    key = entity.key[0]
    attribute = entity.attribute(key)
    is_number = attribute is not None and attribute.type is ColumnType.INTEGER
    match = _TEMPLATE.fullmatch(entity.id_template or "{}")
    if match is None:
        raise BadInput(
            f"the id template {entity.id_template!r} of {entity.name!r} is no template; write one like 'ORD-{{:04d}}'"
        )
    before, spec, after = match.group("before", "spec", "after")
    code = Code(f"number{spec}", shape=Shape("integer", nullable=False))
    doc: Doc = "number" if is_number else fstring_with_spec(before, code, after)
    sql = python_string(f"SELECT 1 FROM {quote(entity.table)} WHERE {quote(key)} = ?")
    about = f"A fresh id for a new {human(entity.title or entity.name)}; ids that exist are passed over."
    number = [f"number = db.next_id({python_string(entity.table)})", f"fresh = {flat(doc)}"]
    lines = [f"def {function}(db):", *docstring(about, "    ", WIDTH), *("    " + line for line in number)]
    lines += statement(Joined((f"while db.one({sql}, fresh) is not None", ":")), 4)
    lines += ["        " + line for line in number] + ["    return fresh"]
    return "\n".join(lines) + "\n"


def fstring_with_spec(before: str, code: Code, after: str) -> Doc:
    """An f-string of a number between two texts; the format is part of `code`."""
    return "f" + python_string(before + "\0" + after).replace("\\x00", "{" + flat(code.doc) + "}")


def _imports_of_code(world: World) -> set[str]:
    """Import statements for the modules that functions written by a model use without importing them."""
    statements = {
        "json": "import json", "math": "import math", "re": "import re", "date": "from datetime import date",
        "datetime": "from datetime import datetime", "timedelta": "from datetime import timedelta",
    }  # fmt: skip
    needed: set[str] = set()
    for operation in world.operations:
        if operation.code is None:
            continue
        try:
            tree = ast.parse(operation.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BadInput(
                f"the code written for the tool {operation.tool!r} is not Python ({error}); write it again"
            ) from None
        nodes = list(ast.walk(tree))
        own = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
        own |= {
            (a.asname or a.name).split(".")[0]
            for n in nodes
            if isinstance(n, ast.Import | ast.ImportFrom)
            for a in n.names
        }
        needed |= {n.id for n in nodes if isinstance(n, ast.Name)} - own
    return {s for name, s in statements.items() if name in needed}


def _merged(imports: list[str]) -> list[str]:
    """Import lines, those of `datetime` as one."""
    prefix = "from datetime import "
    names = sorted({n for line in imports if line.startswith(prefix) for n in line[len(prefix) :].split(", ")})
    plain_lines = [line for line in imports if not line.startswith(prefix)]
    return plain_lines + ([prefix + ", ".join(names)] if names else [])


def _must_parse(source: str, world: World) -> None:
    try:
        ast.parse(source)
    except (RecursionError, MemoryError, SyntaxError) as error:
        raise BadInput(
            f"the tools of {world.name!r} cannot be written as Python ({error}); simplify their steps"
        ) from None
