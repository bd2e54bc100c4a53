"""Formats of text values in prose, as JSON Schema names them.

Invariant: only formats that JSON Schema has; a choice between two of them, or one with a 12-hour clock, is none. Not
covered: patterns.
"""

from __future__ import annotations

import re

__all__ = ["format_in_prose"]

_YEAR, _MONTH, _DAY = r"(?:YYYY|AAAA|JJJJ)", r"MM", r"(?:DD|TT|JJ|GG)"
_ALTERNATIVE = re.compile(
    r"\b(?:or|o|oder|ou) (?:a )?(?:duration|relative|natural language|unix|epoch|file path|path|"
    r"id\b|name|local|now\b)|\bAM/PM\b|\bpath or url\b",
    re.IGNORECASE,
)
_TABLE: tuple[tuple[str, str], ...] = (
    (rf"\b{_YEAR}-{_MONTH}-{_DAY}[T ]['\"]?(?:HH|hh)", "date-time"),
    (rf"\b{_YEAR}-{_MONTH}-{_DAY}\b", "date"),
    (r"\bISO[- ]?8601[- ](?:calendar )?dates?\b(?![- ]?time)|\b(?:fecha|datum|date|data) (?:en formato |im |"
     r"au )?ISO[- ]?8601\b(?! \w*time)", "date"),
    (r"\bISO[- ]?8601\b|\bRFC[- ]?3339\b|\bISO (?:date[- ]?time|timestamp)\b", "date-time"),
    (r"\bISO[- ](?:formatted )?date\b|\bdate in ISO format\b", "date"),
    (r"\b(?:HH|hh):(?:MM|mm)\b", "time"),
    (r"\bUUIDs?\b|\bGUIDs?\b", "uuid"),
    (r"\be-?mail addresses\b", ""),
    (r"\be-?mail[- ]address\b|\b(?:dirección de )?correo electrónico\b|\be-?mail-adresse\b|\badresse (?:e-?mail|"
     r"électronique)\b|\bendereço de e-?mail\b|"
     r"\bindirizzo e-?mail\b|^(?:the |new |exact |customer |user )*e-?mail(?: of| for|$|[.,;])", "email"),
    (r"^(?:the |a |full |public |new )*(?:URL|URI)\b", "uri"),
    (r"\bIPv4 address\b", "ipv4"),
)  # fmt: skip


def format_in_prose(text: str) -> str | None:
    """`date`, `date-time`, `time`, `email`, `uri`, `uuid` or `ipv4` where the text names the form of one value."""
    if _ALTERNATIVE.search(text):
        return None
    for pattern, name in _TABLE:
        flags = 0 if "YYYY" in pattern or "HH" in pattern else re.IGNORECASE
        if re.search(pattern, text.strip(), flags):
            return name or None
    return None
