"""A tool as a function: the words of its name, its operands, and the formula that answers it.

Invariant: everything here follows from one tool's own text; an operand is one documented parameter at the top level.
Not covered: which formula a signature means (`arithmetic`, `units`, `calendar`, `texts`, `formulas`, `rates`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from autoforge.generator.ir import Apply, Argument, Choose, ColumnType, Constant, Expression, Refuse
from autoforge.generator.rules.prose import enum_in_prose
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import ascii_word, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = [
    "Binary",
    "Formula",
    "Operand",
    "Signature",
    "Unary",
    "apply",
    "choose_by",
    "constant",
    "is_null",
    "refusal",
    "replaced",
    "signature_of",
    "unknown_choice",
]

Unary = Callable[[Expression], Expression]
Binary = Callable[[Expression, Expression], Expression]
_DECIMALS = word_set(
    "precision decimals decimal_places digits places number_of_decimals num_decimals round_to rounding decimales "
    "precision_digits ndigits nachkommastellen significant_digits max_decimals"
)
_DATED = word_set("date day birthday birthdate dob fecha datum when until since nacimiento moment timestamp datetime")
_FILLER = word_set(
    "calculate calculates calculator calculation compute computes computation get find evaluate "
    "determine perform do run "
    "value values number numbers num nums of a an the and in for from with list lists array series "
    "dataset data set two "
    "math maths mathematics arithmetic result tool function operation simple basic calc is to given by my s on "
    "calcular calcula calculo obtener numero numeros valor valores de la el los las un una dos lista del en es "
    "berechnen berechne berechnung der die das von zahl zahlen wert liste calculer le les nombre nombres des"
)


class Operand(NamedTuple):
    """One parameter."""

    name: str
    words: tuple[str, ...]
    schema: dict[str, Any]
    required: bool
    type: ColumnType
    many: bool

    @property
    def argument(self) -> Argument:
        return Argument(name=self.name)

    @property
    def enum(self) -> tuple[Any, ...]:
        return tuple(v for v in self.schema.get("enum") or () if v is not None)

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of an enum, also of one that only the description lists."""
        text = str(self.schema.get("description", ""))
        return tuple(map(str, self.enum)) or tuple(enum_in_prose(text)) or _listed(text)

    @property
    def is_number(self) -> bool:
        return not self.many and not self.enum and self.type in (ColumnType.INTEGER, ColumnType.REAL)

    @property
    def is_numbers(self) -> bool:
        item = shape_of(self.schema.get("items") or {}) if self.many else None
        return item is not None and item.type in (ColumnType.INTEGER, ColumnType.REAL)

    @property
    def is_text(self) -> bool:
        return not self.many and self.type is ColumnType.TEXT

    @property
    def is_date(self) -> bool:
        dated = bool(_DATED & set(self.words)) or bool(
            re.search(r"\bYYYY-MM-DD\b|\bISO 8601\b", str(self.schema.get("description", "")))
        )
        return not self.many and (
            self.type in (ColumnType.DATE, ColumnType.DATETIME)
            or (self.type is ColumnType.TEXT and not self.enum and dated)
        )

    @property
    def is_optional(self) -> bool:
        return not self.required and self.schema.get("default") is None

    def or_else(self, value: Expression) -> Expression:
        """The argument; the value where it is not given."""
        return apply("coalesce", self.argument, value) if self.is_optional else self.argument


class Formula(NamedTuple):
    """What a tool answers, worked out from its arguments alone."""

    value: Expression
    refusals: tuple[Refuse, ...] = ()
    others: tuple[tuple[str, Expression], ...] = ()
    """Further results, by the name that a documented property may have."""
    rounded: bool = True
    """Whether decimals asked for apply to it."""
    kind: str = "number"
    """What the value is: number, text, boolean, list."""


class Signature(NamedTuple):
    """Name and operands."""

    words: tuple[str, ...]
    """Words of the name, without accents."""
    operands: tuple[Operand, ...]
    text: str
    decimals: Operand | None = None
    """The operand that says to how many decimals the result is rounded."""

    @property
    def phrase(self) -> str:
        """The words of the name that say something, joined by spaces."""
        return " ".join(w for w in self.words if w not in _FILLER)

    def of(self, kind: str) -> list[Operand]:
        """Operands of a kind: number, numbers, text, date."""
        return [o for o in self.operands if getattr(o, f"is_{kind}")]


def signature_of(reading: Reading) -> Signature:
    """The signature of a tool, the operand for decimals set apart unless it is what the tool is about."""
    tool = reading.tool
    required = set(tool.input_schema.get("required", []))
    operands = []
    for name, schema in properties_of(tool.input_schema).items():
        shape = shape_of(schema)
        words = tuple(ascii_word(w) for w in split_words(name))
        operands.append(Operand(name, words, shape.schema, name in required, shape.type, shape.many))
    words = tuple(ascii_word(w) for w in split_words(tool.original_name))
    decimals = next((o for o in operands if snake(o.name) in _DECIMALS and o.is_number and len(operands) > 1), None)
    rest = tuple(o for o in operands if o is not decimals)
    return Signature(words, rest, tool.description, decimals)


def _listed(text: str) -> tuple[str, ...]:
    """`[Enum]: USD, RMB, EUR`, `Options are: add, subtract.`: values after a colon, each one word."""
    found = re.search(
        r"(?:\[enum\]|options? are|one of|values?|supported[\w ]*|allowed[\w ]*)\s*:\s*([^.;\n]+)", text, re.IGNORECASE
    )
    values = [v.strip(" '\"`") for v in re.split(r",|\bor\b|\band\b|\|", found.group(1))] if found else []
    values = [v for v in values if v]
    return tuple(values) if len(values) > 1 and all(re.fullmatch(r"[\w°/^*+-]{1,24}", v) for v in values) else ()


def apply(function: Any, *arguments: Expression) -> Apply:
    return Apply(function=function, arguments=arguments)


def constant(value: Any) -> Constant:
    return Constant(value=value)


def is_null(value: Expression) -> Apply:
    return apply("is_null", value)


def refusal(when: Expression, message: str) -> Refuse:
    return Refuse(when=when, message=message, reason="range")


def choose_by(operand: Operand, cases: Iterable[tuple[str, Expression]], *, fold: bool = False) -> Expression:
    """The case of an operand's value; null for one that is no case."""
    subject: Expression = apply("lower", operand.argument) if fold else operand.argument
    result: Expression = constant(None)
    for value, expression in reversed(list(cases)):
        result = Choose(
            condition=apply("equal", subject, constant(value.lower() if fold else value)),
            then=expression,
            otherwise=result,
        )
    return result


def replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with every occurrence of a part replaced."""
    if expression == old:
        return new
    if isinstance(expression, Apply):
        return expression.model_copy(update={"arguments": tuple(replaced(a, old, new) for a in expression.arguments)})
    if isinstance(expression, Choose):
        parts = {n: replaced(getattr(expression, n), old, new) for n in ("condition", "then", "otherwise")}
        return expression.model_copy(update=parts)
    return expression


def unknown_choice(operand: Operand) -> tuple[Refuse, ...]:
    """A refusal of a choice that is none, where the schema does not make sure of it."""
    if operand.enum:
        return ()
    known = [c.lower() for c in operand.choices]
    wrong = apply("not", apply("in", apply("lower", operand.argument), constant(known)))
    return (refusal(wrong, f"{{{operand.name}}} is not known; it is one of {', '.join(known)}."),)
