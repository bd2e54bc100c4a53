"""The little Markdown that tool descriptions use, as safe HTML: `code`, **strong**, paragraphs broken by hand.

Invariant: the text is escaped before any mark is added, and only `code` and `b` elements are added. Not covered: links,
headings, tables, nested marks; they stay as written.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from autoforge.generator.report.wording import clean

__all__ = ["plain", "prose"]

_BREAK = re.compile(r"(?<=\S)[ \t]*\n(?![\s*+#|>•-]|\d+[.)])")
"""A line break inside a paragraph: not before an empty line, a list item, a heading, a table or a quotation."""
_MARK = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def prose(text: str) -> Markup:
    """HTML for an element that keeps line breaks."""
    text = _BREAK.sub(" ", clean(text).strip())
    parts: list[Markup] = []
    end = 0
    for mark in _MARK.finditer(text):
        element = "<code>{}</code>" if mark.group(1) else "<b>{}</b>"
        parts += [escape(text[end : mark.start()]), Markup(element).format(mark.group(1) or mark.group(2))]
        end = mark.end()
    return Markup("").join([*parts, escape(text[end:])])


def plain(text: str) -> str:
    """The text without the marks."""
    return _MARK.sub(lambda mark: mark.group(1) or mark.group(2), text)
