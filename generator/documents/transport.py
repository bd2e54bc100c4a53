"""Parameters of an HTTP API that belong to the transport: keys, response encoding, quotas.

Invariant: only a query or header parameter that *every* operation of a document has, under a name known for transport,
is left out, and the note says so. Not covered: a parameter of some operations only, whatever its name: that is part of
a tool.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from autoforge.generator.documents.model import ToolDocument

__all__ = ["WithoutTransport", "without_transport"]

_FEWEST = 3
"""Operations a document needs before what they share says anything."""
_NAMES = frozenset(
    "alt callback prettyprint quotauser userip uploadprotocol uploadtype xgafv accesstoken oauthtoken key apikey "
    "xapikey authorization apiversion fields format jsonp pp bearertoken clientid acceptlanguage useragent "
    "xrequestid".split()
)
_KEPT = frozenset({"fields", "format"})
"""They shape what is returned, which a tool can do."""


class WithoutTransport(NamedTuple):
    """The tools, and a sentence for each document that lost parameters."""

    tools: tuple[ToolDocument, ...]
    notes: tuple[str, ...]


def without_transport(tools: Sequence[ToolDocument]) -> WithoutTransport:
    """Leave out of each HTTP document what all its operations share for the sake of HTTP."""
    by_source: dict[str, list[ToolDocument]] = defaultdict(list)
    for tool in tools:
        if tool.http is not None:
            by_source[tool.source.partition("#")[0]].append(tool)
    shared = {source: _shared(group) for source, group in by_source.items() if len(group) >= _FEWEST}
    notes = [
        f"{source}: left out {', '.join(sorted(names))}, which every operation has for the transport."
        for source, names in shared.items()
        if names
    ]
    kept = tuple(_without(tool, shared.get(tool.source.partition("#")[0], frozenset())) for tool in tools)
    return WithoutTransport(kept, tuple(notes))


def _shared(tools: list[ToolDocument]) -> frozenset[str]:
    paths = [t.http.path_parameters if t.http else () for t in tools]
    names = set.intersection(*(set(t.input_schema["properties"]) - set(p) for t, p in zip(tools, paths, strict=True)))
    return frozenset(n for n in names if re.sub(r"\W|_", "", n).lower() in _NAMES - _KEPT)


def _without(tool: ToolDocument, names: frozenset[str]) -> ToolDocument:
    if not names or tool.http is None:
        return tool
    schema = {
        **tool.input_schema,
        "properties": {n: s for n, s in tool.input_schema["properties"].items() if n not in names},
        "required": [n for n in tool.input_schema.get("required", []) if n not in names],
    }
    query = tuple(q for q in tool.http.query_parameters if q not in names)
    http = tool.http.model_copy(update={"query_parameters": query})
    return tool.model_copy(update={"input_schema": schema, "http": http})
