"""The templates of the page, and what every part of it is rendered with.

Invariant: what a template prints is escaped and free of characters that HTML cannot hold or that disguise text. Not
covered: which templates there are.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autoforge.generator.report.geometry import pixel
from autoforge.generator.report.markdown import prose
from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.wording import clean

__all__ = ["part", "script_digest", "templates"]


def templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autoforge.generator.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(px=pixel, value=value_words, prose=prose, fragment=_fragment)
    return environment


def _finalize(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else clean(value)


def _fragment(text: str) -> str:
    """A text as part of an address."""
    return quote(clean(text), safe="")


def part(environment: Environment, name: str) -> Markup:
    """A file of the page that is no template."""
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0].strip())


def script_digest(script: str) -> str:
    """The source expression by which the page's policy knows a script of its own (CSP level 2, hash-source)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
