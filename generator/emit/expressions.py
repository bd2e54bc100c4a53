"""Expressions of the intermediate representation as Python source.

Invariant: the source has the value that the IR describes, whatever the arguments are, and never raises: what is not
known to be safe goes through a helper. Names of the documentation appear as identifiers made for them or as string
literals only. Not covered: statements.
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from autoforge.generator.emit.functions import COMPARISON, OR, SUM, TERNARY, Code, apply_function, within
from autoforge.generator.emit.layout import Bracket, Doc, Joined, Sentence, Soft, call, flat
from autoforge.generator.emit.names import python_string
from autoforge.generator.emit.prepare import entity_of
from autoforge.generator.emit.scope import Scope
from autoforge.generator.emit.shapes import Shape, of_attribute, of_constant, of_schema
from autoforge.generator.emit.views import row_of
from autoforge.generator.ir import (
    Apply,
    Argument,
    Choose,
    Constant,
    Expression,
    Item,
    Listing,
    NextId,
    Now,
    Record,
    RowField,
    Today,
    Variable,
)
from autoforge.mcp_envs.errors import BadInput

__all__ = ["condition", "constant", "field", "fstring", "item_shape", "iterable", "write", "write_object"]

_OPPOSITES = {"equal": "not_equal", "not_equal": "equal", "is_null": "not_null", "not_null": "is_null"}
_QUOTED_SAFELY = re.compile(r"[\w\[\]'(), .-]*")


def write(scope: Scope, expression: Expression) -> Code:
    """The source of an expression. Raises BadInput for a name that nothing binds or a function applied wrongly."""
    code = _write(scope, expression)
    return code._replace(shape=code.shape.given()) if code.shape.nullable and expression in scope.given else code


def _write(scope: Scope, expression: Expression) -> Code:
    if isinstance(expression, Argument):
        name, shape = scope.argument(expression.name)
        return Code(name, shape=shape)
    if isinstance(expression, Variable):
        shape = scope.bound(expression.name)
        return Code(scope.name(expression.name), shape=shape)
    if isinstance(expression, RowField):
        return field(scope, expression.row, expression.column)
    if isinstance(expression, Constant):
        return Code(constant(expression.value), shape=of_constant(expression.value))
    if isinstance(expression, Item):
        return _item(scope, expression)
    if isinstance(expression, Now | Today):
        schema: dict[str, JsonValue] = {"format": "date-time" if isinstance(expression, Now) else "date"}
        return Code(
            call("db.now" if isinstance(expression, Now) else "db.today"),
            shape=Shape("text", nullable=False, schema=schema),
        )
    if isinstance(expression, NextId):
        entity = entity_of(scope.world, expression.entity)
        key = entity.attribute(entity.key[0])
        shape = Shape() if key is None else of_attribute(key).given()
        return Code(call(scope.library.id_maker(entity), "db"), shape=shape)
    if isinstance(expression, Apply):
        return _apply(scope, expression)
    if isinstance(expression, Choose):
        return _choose(scope, expression)
    return _record(scope, expression) if isinstance(expression, Record) else _listing(scope, expression)


def condition(scope: Scope, expression: Expression) -> Code:
    """The source of an expression where only its truth counts."""
    if not isinstance(expression, Apply) or expression.function not in ("and", "or", "not"):
        return write(scope, expression)
    parts = _junction_scopes(scope, expression)
    codes = [condition(inner, part) for inner, part in zip(parts, expression.arguments, strict=True)]
    if expression.function == "not" and len(codes) == 1:
        return _apply(scope, expression) if _flips(expression) else _not(codes[0])
    boolean = Shape("boolean", nullable=False)
    return apply_function(expression.function, tuple(c._replace(shape=boolean) for c in codes), scope.library.helper)


def _not(code: Code) -> Code:
    return Code(Joined(("not ", within(code, COMPARISON))), COMPARISON - 1, Shape("boolean", nullable=False))


def _junction_scopes(scope: Scope, expression: Apply) -> list[Scope]:
    """A scope for each operand: behind `and` what stands before holds, behind `or` it does not."""
    scopes = []
    inner = scope.branch()
    for part in expression.arguments:
        scopes.append(inner)
        inner = inner.branch()
        if expression.function in ("and", "or"):
            inner.learn(part, holds=expression.function == "and")
    return scopes


def constant(value: JsonValue) -> Doc:
    """A JSON value as a Python literal; numbers that JSON does not have become None."""
    if isinstance(value, str):
        return python_string(value)
    if isinstance(value, float) and not abs(value) <= 1.8e308:
        return "None"
    if isinstance(value, list):
        return Bracket("[", tuple(constant(v) for v in value), "]")
    if isinstance(value, dict):
        return Bracket("{", tuple(Joined((f"{python_string(k)}: ", constant(v))) for k, v in value.items()), "}")
    return repr(value)


def field(scope: Scope, row: str, column: str) -> Code:
    """A column of a bound row; None where the row is None."""
    shape, name = scope.bound(row), scope.name(row)
    if shape.kind != "row" or shape.entity is None:
        return _member(scope, Code(name, shape=shape), Code(python_string(column), shape=of_constant(column)), column)
    attribute = entity_of(scope.world, shape.entity).attribute(column)
    if attribute is None:
        raise BadInput(
            f"the tool {scope.operation.tool!r} reads the column {column!r}, which {shape.entity!r} does not have"
        )
    value = f"{name}[{python_string(column)}]"
    known = of_attribute(attribute)
    if shape.nullable:
        return Code(Soft((value, Joined((f"if {name}", " else None")))), TERNARY, known._replace(nullable=True))
    return Code(value, shape=known)


def _item(scope: Scope, expression: Item) -> Code:
    container = write(scope, expression.container)
    constant_key = expression.key.value if isinstance(expression.key, Constant) else None
    return _member(
        scope, container, write(scope, expression.key), constant_key if isinstance(constant_key, str) else None
    )


def _member(scope: Scope, container: Code, key: Code, name: str | None) -> Code:
    shape = _property_shape(scope, container.shape, name)
    if container.shape.kind in ("object", "row") and not container.shape.nullable and key.shape.kind == "text":
        if shape is not None and not shape.nullable and container.simple and isinstance(key.doc, str):
            return Code(f"{flat(container.doc)}[{key.doc}]", shape=shape)
        return Code(Joined((within(container, SUM + 1), ".get", Bracket("(", (key.doc,), ")"))), shape=shape or Shape())
    doc = call(scope.library.helper("_item"), container.doc, key.doc)
    return Code(doc, shape=shape._replace(nullable=True) if shape is not None else Shape())


def _property_shape(scope: Scope, container: Shape, name: str | None) -> Shape | None:
    if name is None:
        return None
    if container.kind == "row" and container.entity is not None:
        attribute = entity_of(scope.world, container.entity).attribute(name)
        return None if attribute is None else of_attribute(attribute)
    schema = container.schema or {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or name not in properties:
        return None
    return of_schema(properties[name], nullable=not (isinstance(required, list) and name in required))


def _flips(expression: Apply) -> bool:
    (inner,) = expression.arguments[:1] or (None,)
    return isinstance(inner, Apply) and (inner.function in _OPPOSITES or inner.function == "in")


def _apply(scope: Scope, expression: Apply) -> Code:
    if expression.function == "not" and len(expression.arguments) == 1:
        (inner,) = expression.arguments
        if isinstance(inner, Apply) and inner.function in _OPPOSITES:
            return _apply(scope, inner.model_copy(update={"function": _OPPOSITES[inner.function]}))
        if isinstance(inner, Apply) and inner.function == "in":
            return _not_in(_apply(scope, inner))
        return _not(condition(scope, inner))
    scopes = _junction_scopes(scope, expression)
    arguments = tuple(write(inner, a) for inner, a in zip(scopes, expression.arguments, strict=True))
    return apply_function(expression.function, arguments, scope.library.helper)


def _not_in(code: Code) -> Code:
    if isinstance(code.doc, Soft) and code.level == COMPARISON:
        value, test = code.doc.items
        if isinstance(test, Joined) and test.parts[0] == "== ":
            return code._replace(doc=Soft((value, Joined(("!= ", *test.parts[1:])))))
        if isinstance(test, Joined) and test.parts[0] == "in ":
            return code._replace(doc=Soft((value, Joined(("not in ", *test.parts[1:])))))
    return _not(code)


def _choose(scope: Scope, expression: Choose) -> Code:
    test = condition(scope, expression.condition)
    holds, fails = scope.branch(), scope.branch()
    holds.learn(expression.condition, holds=True)
    fails.learn(expression.condition, holds=False)
    then, otherwise = write(holds, expression.then), write(fails, expression.otherwise)
    doc = Soft((within(then, OR), Joined(("if ", within(test, OR))), Joined(("else ", within(otherwise, TERNARY)))))
    return Code(doc, TERNARY, then.shape.union(otherwise.shape))


def _record(scope: Scope, expression: Record) -> Code:
    row = row_of(expression)
    shape = scope.shapes.get(row) if row is not None else None
    if row is not None and shape is not None and shape.entity is not None and _is_row(scope.bound(row)):
        view = scope.library.views.find(shape.entity, row, expression)
        if view is not None:
            return Code(call(view.function, scope.name(row)), shape=Shape("object", nullable=False))
    return write_object(scope, expression)


def _is_row(shape: Shape) -> bool:
    return shape.kind == "row" and not shape.nullable


def write_object(scope: Scope, expression: Record) -> Code:
    """The source of an object, property by property."""
    codes = {name: write(scope, value) for name, value in expression.fields}
    doc: Doc = Bracket("{", tuple(Joined((f"{python_string(name)}: ", code.doc)) for name, code in codes.items()), "}")
    left_out = [name for name in dict.fromkeys(expression.omit_null) if name in codes and codes[name].shape.nullable]
    if left_out:
        names = Bracket("[", tuple(python_string(name) for name in left_out), "]")
        doc = call(scope.library.helper("_omit_null"), doc, names)
    return Code(doc, shape=Shape("object", nullable=False))


def _listing(scope: Scope, expression: Listing) -> Code:
    over = iterable(scope, expression.over)
    inner = scope.branch()
    name = inner.bind(expression.item, item_shape(over.shape))
    parts: list[Doc] = [Joined((f"for {name} in ", within(over, OR)))]
    if expression.condition is not None:
        parts.append(Joined(("if ", within(condition(inner, expression.condition), OR))))
        inner.learn(expression.condition, holds=True)
    value = write(inner, expression.value)
    return Code(Bracket("[", (value.doc, *parts), "]", commas=False), shape=Shape("list", nullable=False))


def iterable(scope: Scope, expression: Expression) -> Code:
    """The source of an expression as a list: None is an empty one, a single value a list of it."""
    code = write(scope, expression)
    if code.shape.kind == "list":
        if not code.shape.nullable:
            return code
        return Code(Soft((within(code, OR + 1), "or []")), OR, code.shape.given())
    return Code(call(scope.library.helper("_as_list"), code.doc), shape=Shape("list", nullable=False))


def item_shape(container: Shape) -> Shape:
    """What is known of the members of a list."""
    if container.entity is not None:
        return Shape("row", nullable=False, entity=container.entity)
    return of_schema((container.schema or {}).get("items"), nullable=False) if container.schema else Shape()


def fstring(scope: Scope, parts: list[str | Code]) -> Doc:
    """A sentence with values in it; an f-string where Python 3.11 can write it, else texts joined."""
    shown = [part if isinstance(part, str) else _shown(scope, part) for part in parts]
    if all(isinstance(part, str) for part in parts):
        words = [repr('"' + word)[2:-1] for word in re.split(r"(?<= )", "".join(map(str, shown)))]
        plain_words = tuple(w.replace("\\'", "'").replace('"', '\\"') for w in words)
        return (
            Sentence(plain_words)
            if not re.search(r"[{}]", "".join(plain_words))
            else python_string("".join(map(str, shown)))
        )
    bodies = []
    for part, source in zip(parts, shown, strict=True):
        if isinstance(part, str):
            for word in re.split(r"(?<= )", part):
                text = repr('"' + word)[2:-1].replace("\\'", "'").replace('"', '\\"')
                bodies.append(text.replace("{", "{{").replace("}", "}}"))
            continue
        single = flat(source) if "'" in flat(source) else flat(source).replace('"', "'")
        if not _QUOTED_SAFELY.fullmatch(single):
            return _joined_texts(parts, shown)
        bodies.append("{" + single + "}")
    return Sentence(tuple(_attached(bodies)))


def _attached(bodies: list[str]) -> list[str]:
    """Pieces of a sentence so that a line ends behind a space only."""
    words: list[str] = []
    for body in bodies:
        if words and not words[-1].endswith(" "):
            words[-1] += body
        else:
            words.append(body)
    return words


def _shown(scope: Scope, code: Code) -> Doc:
    plain_kind = code.shape.kind in ("text", "integer", "number") and not code.shape.nullable
    return code.doc if plain_kind and code.simple else call(scope.library.helper("_text"), code.doc)


def _joined_texts(parts: list[str | Code], shown: list[Doc]) -> Doc:
    pieces = [
        python_string(p) if isinstance(p, str) else call("str", s) for p, s in zip(parts, shown, strict=True) if p != ""
    ]
    return Soft((pieces[0], *(Joined(("+ ", piece)) for piece in pieces[1:])))
