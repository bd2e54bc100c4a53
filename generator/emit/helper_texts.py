"""Source of the helper functions of generated code for texts; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["TEXTS"]

TEXTS = '''
def _text(value):
    """The value as a person writes it; None stays None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _contains_text(value, part):
    """Whether a text, or any member of a list or object, contains the part, ignoring case; False for None."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_contains_text(member, part) for member in value)
    return value is not None and part is not None and _text(part).casefold() in _text(value).casefold()


def _starts_with(value, prefix):
    """Whether a text begins with the prefix, ignoring case; False for None."""
    if value is None or prefix is None:
        return False
    return _text(value).casefold().startswith(_text(prefix).casefold())


def _equal_text(left, right):
    """Whether two texts are the same, ignoring case; False for None."""
    return left is not None and right is not None and _text(left).casefold() == _text(right).casefold()


def _matches_words(values, words):
    """Whether every word occurs in one of the values, ignoring case; True when there are no words."""
    return all(any(_contains_text(value, word) for value in values) for word in (_text(words) or "").split())


def _matches(value, pattern):
    """Whether a regular expression is found in a text; False for None and for patterns that are invalid or costly."""
    if not isinstance(value, str) or not isinstance(pattern, str) or len(value) > 10_000 or len(pattern) > 500:
        return False
    if re.search(r"[+*}?]\\)+[+*{]", pattern) or pattern.count("(") > 20:
        return False
    try:
        return re.search(pattern, value) is not None
    except (re.error, OverflowError):
        return False


def _lower(value):
    """The text in lower case; None stays None."""
    return None if value is None else _text(value).lower()


def _upper(value):
    """The text in upper case; None stays None."""
    return None if value is None else _text(value).upper()


def _concat(*values):
    """The values as one text; None counts as nothing."""
    return "".join(_text(value) for value in values if value is not None)


def _length(value):
    """The number of members, properties or characters; 0 for None."""
    return len(value if isinstance(value, (str, list, dict)) else _text(value) or "")


def _truncate(value, size):
    """The first characters of a text; all of them when no size is known."""
    if value is None or not _is_number(size):
        return _text(value)
    return _text(value)[: max(0, int(size))]


def _split(value, separator=None):
    """The parts of a text between separators, or its words; an empty list for None."""
    text = _text(value)
    return text.split(_text(separator) or None) if text else []


def _join(values, separator=", "):
    """The members of a list as one text; None counts as nothing."""
    return (_text(separator) or "").join(_text(value) for value in _as_list(values) if value is not None)


def _replace(value, old, new):
    """The text with every occurrence of a part replaced; unchanged when there is nothing to replace."""
    if value is None or old is None or old == "":
        return _text(value)
    return _text(value).replace(_text(old), _text(new) or "")


def _reverse(value):
    """A list or text in reverse order; None stays None."""
    if isinstance(value, (str, list)):
        return value[::-1]
    return None if value is None else _text(value)[::-1]


def _digest(value):
    """A fingerprint of a value that is the same everywhere, in 16 hexadecimal digits."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _as_json(value):
    """Any value as the text of a JSON column; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
'''
