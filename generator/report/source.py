"""The source of each tool's function, cut from `tools.py` and coloured.

Invariant: the text between the marks is the source, character for character, and the same on every Python version
(tokens are found by one expression, not by `tokenize`, whose tokens differ between versions). Not covered: whether the
code is valid; what cannot be parsed has no functions to show.
"""

from __future__ import annotations

import ast
import keyword
import re

from markupsafe import Markup, escape

from autoforge.generator.report.wording import clean

__all__ = ["function_sources", "highlighted"]

_TOKEN = re.compile(
    r"""(?P<c>\#[^\n]*)
    |(?P<s>[rbfRBF]{0,2}(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<f>(?<=def\ )\w+)
    |(?P<w>[^\W\d]\w*)
    |(?P<n>\d[\w.]*)""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = frozenset(keyword.kwlist) - {"None", "True", "False"}
_CONSTANTS = frozenset({"None", "True", "False"})


def function_sources(text: str) -> dict[str, str]:
    """Source of each top-level function by its name, with the comments that stand directly above it left out."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    lines = text.replace("\r\n", "\n").split("\n")
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: "\n".join(lines[_first(node) - 1 : node.end_lineno]).rstrip() for node in functions}


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def highlighted(source: str) -> Markup:
    """The source as HTML: escaped, with comments, texts, numbers, keywords and the function's name marked by class."""
    source = clean(source)
    parts: list[Markup] = []
    end = 0
    for token in _TOKEN.finditer(source):
        mark = _mark(token)
        if mark is None:
            continue
        parts += [escape(source[end : token.start()]), Markup('<span class="{}">{}</span>').format(mark, token.group())]
        end = token.end()
    return Markup("").join([*parts, escape(source[end:])])


def _mark(token: re.Match[str]) -> str | None:
    if token.lastgroup != "w":
        return token.lastgroup
    word = token.group()
    return "k" if word in _WORDS else "n" if word in _CONSTANTS else None
