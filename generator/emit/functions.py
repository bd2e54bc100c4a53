"""The Python of every pure function of the intermediate representation: inline where that is short and safe, a helper
elsewhere.

Invariant: a result never depends on which form was chosen, and no form raises (see `helpers` for what is null-safe
and how): `equal` and `not_equal` are Python's, so None equals None only; orderings with None or between kinds are
False; arithmetic with what is no number is None; lists of None are empty. `sum`, `average`, `min_of`, `max_of` and
`group_count` take a list and, optionally, the property of its members to use; `sort` a list, a property or None,
and a direction; `variance` and `standard_deviation` a list and whether it is a sample; angles are in radians, or in
degrees with a second argument that is true. Not covered: expressions that are no function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from autoforge.generator.emit.layout import Bracket, Doc, Joined, Soft, call, flat
from autoforge.generator.emit.shapes import Kind, Shape
from autoforge.mcp_envs.errors import BadInput

__all__ = [
    "AND",
    "ATOM",
    "COMPARISON",
    "FUNCTIONS",
    "NOT",
    "OR",
    "SUM",
    "TERNARY",
    "Code",
    "Helper",
    "apply_function",
    "truth",
    "within",
]

TERNARY, OR, AND, NOT, COMPARISON, SUM, ATOM = range(7)
"""How tightly a piece of source binds."""

Helper = Callable[[str], str]
"""Notes that a helper is used and gives its name."""


class Code(NamedTuple):
    """Source of an expression, how tightly it binds and what is known of its value."""

    doc: Doc
    level: int = ATOM
    shape: Shape = Shape()

    @property
    def simple(self) -> bool:
        """Whether it may be written twice: a name, a literal or a subscription of a name."""
        return self.level == ATOM and isinstance(self.doc, str)

    @property
    def literal(self) -> bool:
        """Whether it is a constant that can be compared by value only."""
        return isinstance(self.doc, str) and (self.doc in ("None", "True", "False") or self.doc[0] in "\"'-0123456789")


class Function(NamedTuple):
    """Arity, the shape of the result and how it is written."""

    least: int
    most: int
    kind: Kind
    nullable: bool
    write: Callable[[str, tuple[Code, ...], Helper], Code | None]
    """None where the helper has to do it."""


def within(code: Code, level: int) -> Doc:
    """The source, in parentheses where it binds less than `level`."""
    return code.doc if code.level >= level else Bracket("(", (code.doc,), ")", commas=False)


def truth(code: Code) -> Code:
    """The source of the truth of a value, as a boolean."""
    return (
        code
        if code.shape.kind == "boolean" and not code.shape.nullable
        else Code(call("bool", code.doc), shape=_BOOLEAN)
    )


_BOOLEAN = Shape("boolean", nullable=False)
_OPERATORS = {
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "add": "+",
    "subtract": "-",
}


def _infix(function: str, left: Code, right: Code, level: int, shape: Shape) -> Code:
    parts = (within(left, level), Joined((f"{_OPERATORS[function]} ", within(right, level + 1))))
    return Code(Soft(parts), level, shape)


def _arithmetic(function: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    result = arguments[0]
    for argument in arguments[1:]:
        if all(a.shape.kind == "integer" and not a.shape.nullable for a in (result, argument)):
            result = _infix(function, result, argument, SUM, Shape("integer", nullable=False))
        else:
            result = Code(call(helper(f"_{function}"), result.doc, argument.doc), shape=Shape("number"))
    return result


def _equality(function: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    left, right = arguments
    if right.doc == "None":
        return _nullness("is_null" if function == "equal" else "not_null", (left,), helper)
    parts = (within(left, SUM), Joined((f"{_OPERATORS[function]} ", within(right, SUM))))
    return Code(Soft(parts), COMPARISON, _BOOLEAN)


def _ordering(function: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    left, right = arguments
    known = not left.shape.nullable and not right.shape.nullable
    if known and ((left.shape.numeric and right.shape.numeric) or left.shape.kind == right.shape.kind == "text"):
        parts = (within(left, SUM), Joined((f"{_OPERATORS[function]} ", within(right, SUM))))
        return Code(Soft(parts), COMPARISON, _BOOLEAN)
    if function.startswith("greater"):
        left, right, function = right, left, function.replace("greater", "less")
    return Code(call(helper(f"_{function}"), left.doc, right.doc), shape=_BOOLEAN)


def _junction(function: str, arguments: tuple[Code, ...], _: Helper) -> Code:
    level = AND if function == "and" else OR
    docs = [within(truth(a), level + 1) for a in arguments]
    if not docs:
        return Code("True" if function == "and" else "False", shape=_BOOLEAN)
    if len(docs) == 1:
        return truth(arguments[0])
    return Code(Soft((docs[0], *(Joined((f"{function} ", d)) for d in docs[1:]))), level, _BOOLEAN)


def _negation(_: str, arguments: tuple[Code, ...], __: Helper) -> Code:
    return Code(Joined(("not ", within(arguments[0], COMPARISON))), NOT, _BOOLEAN)


def _nullness(function: str, arguments: tuple[Code, ...], _: Helper) -> Code:
    (value,) = arguments
    if value.literal:
        return Code(str((value.doc == "None") == (function == "is_null")), shape=_BOOLEAN)
    test = " is None" if function == "is_null" else " is not None"
    return Code(Joined((within(value, SUM), test)), COMPARISON, _BOOLEAN)


def _membership(_: str, arguments: tuple[Code, ...], __: Helper) -> Code | None:
    value, container = arguments
    if container.shape.kind != "list" or container.shape.nullable:
        return None
    items = container.doc
    if isinstance(items, Bracket) and items.opening == "[" and items.commas and len(items.items) == 1:
        return _equality("equal", (value, Code(items.items[0])), __)
    if isinstance(items, Bracket) and items.opening == "[" and items.commas:
        items = items._replace(opening="(", closing=",)" if len(items.items) == 1 else ")")
    return Code(Soft((within(value, SUM), Joined(("in ", items)))), COMPARISON, _BOOLEAN)


def _method(function: str, arguments: tuple[Code, ...], _: Helper) -> Code | None:
    (value,) = arguments
    if value.shape.kind != "text" or value.shape.nullable or not value.simple:
        return None
    return Code(Joined((value.doc, f".{function}()")), shape=Shape("text", nullable=False))


def _length(_: str, arguments: tuple[Code, ...], __: Helper) -> Code | None:
    (value,) = arguments
    if value.shape.nullable or value.shape.kind not in ("list", "object", "text"):
        return None
    return Code(call("len", value.doc), shape=Shape("integer", nullable=False))


def _count(function: str, arguments: tuple[Code, ...], helper: Helper) -> Code | None:
    return None if arguments[0].shape.kind == "text" else _length(function, arguments, helper)


def _as_text(_: str, arguments: tuple[Code, ...], __: Helper) -> Code | None:
    (value,) = arguments
    if value.shape.kind == "text":
        return value
    return None


def _coalesce(_: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    shape = arguments[0].shape
    for argument in arguments[1:]:
        shape = shape.union(argument.shape)._replace(nullable=shape.nullable and argument.shape.nullable)
    if not arguments[0].shape.nullable or len(arguments) == 1:
        return arguments[0]
    if len(arguments) == 2 and arguments[0].simple:
        first, second = arguments
        doc = Soft((first.doc, Joined(("if ", first.doc, " is not None")), Joined(("else ", within(second, TERNARY)))))
        return Code(doc, TERNARY, shape)
    return Code(call(helper("_coalesce"), *(a.doc for a in arguments)), shape=shape)


def _kept(name: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    """A text that is None only where its last argument (`path_join`), else its first, may be."""
    given = arguments[1 if name == "path_join" else 0].shape
    shape = Shape("text", nullable=given.nullable)
    return Code(call(helper(f"_{name}"), *(a.doc for a in arguments)), shape=shape)


def _plain(*_: object) -> None:
    return None


_MANY = 1000
FUNCTIONS: dict[str, Function] = {
    "add": Function(2, _MANY, "number", True, _arithmetic),
    "subtract": Function(2, 2, "number", True, _arithmetic),
    "multiply": Function(2, 2, "number", True, _plain),
    "divide": Function(2, 2, "number", True, _plain),
    "modulo": Function(2, 2, "number", True, _plain),
    "power": Function(2, 2, "number", True, _plain),
    "negate": Function(1, 1, "number", True, _plain),
    "absolute": Function(1, 1, "number", True, _plain),
    "round": Function(1, 2, "number", True, _plain),
    "minimum": Function(1, _MANY, "any", True, _plain),
    "maximum": Function(1, _MANY, "any", True, _plain),
    "equal": Function(2, 2, "boolean", False, _equality),
    "not_equal": Function(2, 2, "boolean", False, _equality),
    "less": Function(2, 2, "boolean", False, _ordering),
    "less_equal": Function(2, 2, "boolean", False, _ordering),
    "greater": Function(2, 2, "boolean", False, _ordering),
    "greater_equal": Function(2, 2, "boolean", False, _ordering),
    "and": Function(0, _MANY, "boolean", False, _junction),
    "or": Function(0, _MANY, "boolean", False, _junction),
    "not": Function(1, 1, "boolean", False, _negation),
    "is_null": Function(1, 1, "boolean", False, _nullness),
    "not_null": Function(1, 1, "boolean", False, _nullness),
    "in": Function(2, 2, "boolean", False, _membership),
    "contains_text": Function(2, 2, "boolean", False, _plain),
    "lower": Function(1, 1, "text", True, _method),
    "upper": Function(1, 1, "text", True, _method),
    "concat": Function(0, _MANY, "text", False, _plain),
    "text": Function(1, 1, "text", True, _as_text),
    "length": Function(1, 1, "integer", False, _length),
    "truncate": Function(2, 2, "text", True, _plain),
    "split": Function(1, 2, "list", False, _plain),
    "join": Function(1, 2, "text", False, _plain),
    "replace": Function(3, 3, "text", True, _plain),
    "reverse": Function(1, 1, "any", True, _plain),
    "append": Function(2, 2, "list", False, _plain),
    "without": Function(2, 2, "any", False, _plain),
    "at": Function(2, 2, "any", True, _plain),
    "insert_at": Function(3, 3, "list", False, _plain),
    "move_item": Function(3, 3, "list", False, _plain),
    "set_item": Function(3, 3, "any", True, _plain),
    "merge": Function(0, _MANY, "any", False, _plain),
    "unique": Function(1, 1, "list", False, _plain),
    "sort": Function(1, 3, "list", False, _plain),
    "slice": Function(2, 3, "any", True, _plain),
    "page": Function(2, 3, "any", True, _plain),
    "count": Function(1, 1, "integer", False, _count),
    "sum": Function(1, 2, "number", True, _plain),
    "average": Function(1, 2, "number", True, _plain),
    "min_of": Function(1, 2, "any", True, _plain),
    "max_of": Function(1, 2, "any", True, _plain),
    "group_count": Function(1, 2, "object", False, _plain),
    "coalesce": Function(1, _MANY, "any", True, _coalesce),
    "keys": Function(1, 1, "list", False, _plain),
    "values": Function(1, 1, "list", False, _plain),
    "add_days": Function(2, 2, "text", True, _plain),
    "add_minutes": Function(2, 2, "text", True, _plain),
    "days_between": Function(2, 2, "integer", True, _plain),
    "date_of": Function(1, 1, "text", True, _plain),
    "time_of": Function(1, 1, "text", True, _plain),
    "number": Function(1, 1, "number", True, _plain),
    "integer": Function(1, 1, "integer", True, _plain),
    "digest": Function(1, 1, "text", False, _plain),
    "matches": Function(2, 2, "boolean", False, _plain),
    "path_join": Function(2, 2, "text", True, _kept),
    "path_parent": Function(1, 1, "text", True, _plain),
    "path_name": Function(1, 1, "text", True, _kept),
    "path_ancestors": Function(1, 1, "list", False, _plain),
    "path_under": Function(2, 2, "boolean", False, _plain),
    "path_relative": Function(2, 2, "text", True, _kept),
    "path_tree": Function(2, 2, "list", False, _plain),
    "matches_glob": Function(2, 2, "boolean", False, _plain),
    "lines": Function(1, 1, "list", False, _plain),
    "head_lines": Function(2, 2, "text", True, _kept),
    "tail_lines": Function(2, 2, "text", True, _kept),
    "sort_lines": Function(1, 1, "text", True, _kept),
    "count_words": Function(1, 1, "integer", False, _plain),
    "byte_size": Function(1, 1, "integer", False, _plain),
    "readable_size": Function(1, 1, "text", True, _plain),
    "replace_first": Function(3, 3, "text", True, _kept),
    "diff_lines": Function(2, 2, "text", False, _plain),
    "logarithm": Function(1, 2, "number", True, _plain),
    "root": Function(1, 2, "number", True, _plain),
    "factorial": Function(1, 1, "integer", True, _plain),
    "greatest_common_divisor": Function(2, _MANY, "integer", True, _plain),
    "least_common_multiple": Function(2, _MANY, "integer", True, _plain),
    "floor": Function(1, 1, "integer", True, _plain),
    "ceiling": Function(1, 1, "integer", True, _plain),
    "is_prime": Function(1, 1, "boolean", True, _plain),
    "sine": Function(1, 2, "number", True, _plain),
    "cosine": Function(1, 2, "number", True, _plain),
    "tangent": Function(1, 2, "number", True, _plain),
    "arcsine": Function(1, 2, "number", True, _plain),
    "arccosine": Function(1, 2, "number", True, _plain),
    "arctangent": Function(1, 2, "number", True, _plain),
    "to_base": Function(2, 2, "text", True, _plain),
    "from_base": Function(2, 2, "integer", True, _plain),
    "evaluate": Function(1, 1, "number", True, _plain),
    "product_of": Function(1, 2, "number", True, _plain),
    "median": Function(1, 2, "number", True, _plain),
    "mode": Function(1, 2, "any", True, _plain),
    "variance": Function(1, 2, "number", True, _plain),
    "standard_deviation": Function(1, 2, "number", True, _plain),
    "convert_unit": Function(3, 3, "number", True, _plain),
    "great_circle": Function(4, 4, "number", True, _plain),
    "add_months": Function(2, 2, "text", True, _plain),
    "months_between": Function(2, 2, "integer", True, _plain),
    "years_between": Function(2, 2, "integer", True, _plain),
    "minutes_between": Function(2, 2, "number", True, _plain),
    "weekday": Function(1, 1, "text", True, _plain),
    "capitalize": Function(1, 1, "text", True, _plain),
    "title_case": Function(1, 1, "text", True, _plain),
    "trim": Function(1, 1, "text", True, _plain),
    "slug": Function(1, 1, "text", True, _plain),
    "occurrences": Function(2, 2, "integer", False, _plain),
    "find_matches": Function(2, 2, "list", False, _plain),
    "hash": Function(1, 2, "text", True, _plain),
    "base64_encode": Function(1, 1, "text", True, _plain),
    "base64_decode": Function(1, 1, "text", True, _plain),
}


def apply_function(name: str, arguments: tuple[Code, ...], helper: Helper) -> Code:
    """The source of one function applied to arguments. Raises BadInput for too few or too many."""
    function = FUNCTIONS[name]
    if not function.least <= len(arguments) <= function.most:
        shown = ", ".join(flat(a.doc) for a in arguments)
        raise BadInput(
            f"the function {name} cannot be applied to ({shown}); give it {function.least} to {function.most} arguments"
        )
    code = function.write(name, arguments, helper)
    if code is None:
        code = Code(
            call(helper(f"_{name}"), *(a.doc for a in arguments)), shape=Shape(function.kind, function.nullable)
        )
    return code
