"""Values as JSON inside a `script` element, exact and harmless.

Invariant: a line of data has no `<` and no line break, so it cannot end its element or its line; numbers that a browser
would round are text already. Not covered: how the page shows them.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from markupsafe import Markup

__all__ = ["clean", "data_line", "exact"]

_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, halves of pairs, and overrides of the reading direction, which disguise text."""


def clean(text: str) -> str:
    """The text without what UTF-8 or HTML cannot hold or what would disguise it; each such character becomes U+FFFD."""
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))


def data_line(value: Any) -> Markup:
    """JSON of texts, whole numbers, finite numbers, lists and objects."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # JSON has these in texts only; U+2028 and U+2029 would break a line for some readers.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def exact(value: Any) -> str | list[str]:
    """A value of JSON as the page shows it: a text as it is, anything else as its JSON in a list of one, because
    JavaScript makes 1 of 1.0 and rounds long ids."""
    if isinstance(value, str):
        return clean(value)
    return [clean(json.dumps(_spoken(value), ensure_ascii=False))]


def _spoken(value: Any) -> Any:
    """What is no number in JSON by its name."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(name): _spoken(inner) for name, inner in value.items()}
    return [_spoken(inner) for inner in value] if isinstance(value, list | tuple) else value
