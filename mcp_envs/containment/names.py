"""What generated code may name: modules and their members, builtins, methods, syntax.

Everything here is an allow-list. Invariant: nothing listed leads to code objects, frames, globals, files, processes,
the network, the wall clock or chance. The methods are those of the plain value types, read from the types themselves.
Not covered: how much time or memory a listed function takes; that is the worker's deadline and limit.
"""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import hashlib
import math
import re
from typing import Final

__all__ = [
    "ALLOWED_ATTRIBUTES", "ALLOWED_BUILTINS", "ALLOWED_MODULES", "ALLOWED_NODES", "CATCHABLE", "DATABASE_METHODS",
    "SQL_METHODS", "STATE_CLOCK",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALLOWED_MODULES: Final[dict[str, frozenset[str]]] = {
    "__future__": _words("annotations"),
    "collections": _words("Counter OrderedDict defaultdict deque"),
    "collections.abc": _words("Callable Iterable Iterator Mapping Sequence"),
    "datetime": _words("UTC date datetime time timedelta timezone"),
    "decimal": _words(
        "Decimal InvalidOperation ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN "
        "ROUND_HALF_UP ROUND_UP"
    ),
    "functools": _words("reduce"),
    "hashlib": _words("md5 sha1 sha256 sha512 blake2b"),
    "itertools": _words(
        "accumulate chain combinations dropwhile groupby islice pairwise permutations product "
        "starmap takewhile zip_longest"
    ),
    "json": _words("JSONDecodeError dumps loads"),
    "math": frozenset(name for name in dir(math) if name[0] != "_"),
    "operator": _words("add itemgetter mul sub"),
    "re": _words(
        "ASCII DOTALL I IGNORECASE M MULTILINE S VERBOSE compile error escape findall finditer fullmatch match "
        "search split sub"
    ),
    "statistics": _words(
        "fmean geometric_mean harmonic_mean mean median median_high median_low mode multimode "
        "pstdev pvariance quantiles stdev variance"
    ),
    "string": _words("ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace"),
    "typing": _words("Any Callable Final Iterable Literal Mapping Sequence"),
    "unicodedata": _words("category combining normalize"),
}
"""Module -> members that may be imported or used from it."""

CATCHABLE: Final = _words(
    "ArithmeticError AttributeError IndexError KeyError LookupError OverflowError StopIteration TypeError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError"
)
"""Exceptions that may be caught, beside `ToolError` and those of allowed modules: none that a deadline or a limit
raises."""

ALLOWED_BUILTINS: Final = CATCHABLE | _words(
    "AssertionError NotImplementedError RuntimeError abs all any ascii bin bool bytes chr dict divmod enumerate filter "
    "float frozenset hex int isinstance iter len list map max min next oct ord pow range repr reversed round set slice "
    "sorted str sum tuple zip"
)
"""Builtins that generated code may load. `Exception` is only the base of `ToolError`."""

SQL_METHODS: Final = _words("all one run value")
"""Methods of `db` whose first argument is SQL."""
DATABASE_METHODS: Final = SQL_METHODS | _words("log next_id now today")
STATE_CLOCK: Final = _words("astimezone fromtimestamp now timestamp today utcfromtimestamp utcnow")
"""Attributes that would read the wall clock or the machine's time zone; `now` and `today` exist on `db`."""

_VALUE_TYPES = (
    *(str, bytes, int, float, list, tuple, dict, set, frozenset, range, decimal.Decimal, re.Pattern, re.Match),
    *(collections.Counter, collections.deque, collections.defaultdict, collections.OrderedDict, type(hashlib.sha256())),
    *(datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
)
_OF_ERRORS = _words("args msg pos doc start end reason")
ALLOWED_ATTRIBUTES: Final = (
    (frozenset(name for kind in _VALUE_TYPES for name in dir(kind) if name[0] != "_") | _OF_ERRORS)
    - STATE_CLOCK
    - _words("format format_map mro")
)
"""Attributes of plain values. `format` walks attributes by text, which no check of the syntax sees."""

ALLOWED_NODES: Final[tuple[type[ast.AST], ...]] = (
    *(ast.Module, ast.FunctionDef, ast.ClassDef, ast.arguments, ast.arg, ast.Return, ast.Delete, ast.Assign),
    *(ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert),
    *(ast.Import, ast.ImportFrom, ast.alias, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.NamedExpr),
    *(ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.GeneratorExp, ast.comprehension, ast.Compare, ast.Call, ast.keyword, ast.FormattedValue, ast.JoinedStr),
    *(ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Slice),
    *(ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
    *(
        ast.Match,
        ast.match_case,
        ast.MatchValue,
        ast.MatchSingleton,
        ast.MatchSequence,
        ast.MatchMapping,
        ast.MatchStar,
    ),
    *(ast.MatchAs, ast.MatchOr),
)
"""No `with`, `async`, `yield`, `global`, `nonlocal`, nested class, or class pattern (which reads attributes by
name)."""
