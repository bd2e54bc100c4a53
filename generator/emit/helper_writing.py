"""Source of the helper functions of generated code that rewrite or encode texts; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["WRITING"]

WRITING = '''
def _capitalize(value):
    """The text with its first letter in upper case; None stays None."""
    text = _text(value)
    return text if text is None else text[:1].upper() + text[1:]


def _title_case(value):
    """The text with each word beginning in upper case; None stays None."""
    text = _text(value)
    return text if text is None else " ".join(word[:1].upper() + word[1:].lower() for word in text.split(" "))


def _trim(value):
    """The text without space at its ends; None stays None."""
    text = _text(value)
    return text if text is None else text.strip()


def _slug(value):
    """The text in lower-case ASCII letters and digits, its words joined by hyphens; None stays None."""
    if value is None:
        return None
    plain = unicodedata.normalize("NFKD", _text(value)).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def _occurrences(value, part):
    """How often a text holds a part, ignoring case; 0 for None and for an empty part."""
    sought = (_text(part) or "").casefold()
    return (_text(value) or "").casefold().count(sought) if sought else 0


def _find_matches(value, pattern):
    """Every part of a text that a regular expression matches; none for patterns that are invalid or costly."""
    if not _matches(value, pattern):
        return []
    return [match.group(0) for match in re.finditer(pattern, value)][:1000]


def _octets(value):
    """The text as bytes in UTF-8."""
    return _text(value).encode("utf-8", "replace")


def _hash(value, algorithm="sha256"):
    """The digest of a text in hexadecimal digits; None for None and for an algorithm that is not known."""
    makers = {"sha256": hashlib.sha256, "md5": hashlib.md5, "sha1": hashlib.sha1, "sha512": hashlib.sha512}
    maker = makers.get(re.sub(r"[^a-z0-9]", "", (_text(algorithm) or "").lower()))
    return None if value is None or maker is None else maker(_octets(value)).hexdigest()


def _base64_encode(value):
    """The text in base64; None stays None."""
    if value is None:
        return None
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = "".join(f"{octet:08b}" for octet in _octets(value))
    encoded = "".join(letters[int(bits[i : i + 6].ljust(6, "0"), 2)] for i in range(0, len(bits), 6))
    return encoded + "=" * (-len(encoded) % 4)


def _base64_decode(value):
    """The text that base64 spells, padded or not; None when it spells none."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    spelled = value.rstrip("=") if isinstance(value, str) else "?"
    if len(spelled) % 4 == 1 or not re.fullmatch(r"[A-Za-z0-9+/]*", spelled):
        return None
    bits = "".join(f"{letters.index(letter):06b}" for letter in spelled)
    return bytes([int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8)]).decode("utf-8", "replace")
'''
