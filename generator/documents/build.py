"""From raw tools to `ToolDocument`s: names mended and made unique, schemas finished, prose cleaned.

Invariant: every name is legal in MCP and unique, and each change of one is noted. Not covered: reading the formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from autoforge.generator.documents.arguments import Inputs, read_inputs, read_output
from autoforge.generator.documents.containers import Recursion
from autoforge.generator.documents.merge import Schema, TooLarge
from autoforge.generator.documents.model import HttpOperation, ToolDocument
from autoforge.generator.documents.names import free_name, is_legal, legal_name, route_name
from autoforge.generator.documents.normalise import MAXIMUM_NESTING, MAXIMUM_NODES, Detail, Normaliser
from autoforge.generator.documents.raw import Notes, Place, RawTool
from autoforge.generator.documents.text import clean
from autoforge.generator.emit.server_tools import SIDE_KEY
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Names", "Schemas", "build"]

SIDES = ("agent", "user")
_DETAILS = (Detail(1, None), Detail(0, None), Detail(0, 2), Detail(0, 1))


class Names:
    """Gives every tool of all sources its name."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._documented: dict[tuple[str | None, str], Place] = {}
        self._legal: set[str] = set()
        self._taken: set[str] = set()
        self.renamed: dict[str, str] = {}

    def reserve(self, tools: Iterable[RawTool]) -> None:
        """Refuse names that stand twice, and keep legal names for the tools that have them."""
        for tool in tools:
            name = self._documented_name(tool)
            first = self._documented.setdefault((tool.group, name), tool.place)
            if first is not tool.place:
                raise BadInput(
                    f"{tool.place}: the tool {name!r} is described already at {first}; rename or remove one of the two."
                )
        self._legal = {name for _, name in self._documented if is_legal(name)}

    def give(self, tool: RawTool) -> str:
        """The unique legal name of `tool`."""
        original = self._documented_name(tool)
        is_route = tool.http is not None and original == f"{tool.http.method} {tool.http.path}"
        wanted = legal_name(route_name(tool.http.method, tool.http.path) if tool.http and is_route else original)
        name = free_name(
            wanted, original, tool.group, lambda name: name in self._taken or (name in self._legal and name != original)
        )
        self._taken.add(name)
        if name != original:
            self.renamed[name] = original
            if not is_route:
                self._notes.add(
                    tool.place, f"the tool {original!r} is called {name!r}, which MCP allows and no other tool has"
                )
        return name

    @staticmethod
    def _documented_name(tool: RawTool) -> str:
        if tool.name is None or tool.name == "":
            tool.place.refuse('is a tool without a name; add "name"')
        if not isinstance(tool.name, str):
            (tool.place / "name").refuse(
                f"is no string but {json.dumps(tool.name)[:40]}; write the tool's name as a string"
            )
        if not tool.name.strip():
            (tool.place / "name").refuse("is blank; write the tool's name")
        return tool.name


class Schemas:
    """Reads the schemas of the tools of one document, in as much detail as fits."""

    def __init__(self, document: Any, notes: Notes) -> None:
        self._document = document
        self._notes = notes
        self._step = 0
        self._normaliser = Normaliser(document, notes, _DETAILS[0])

    def read(self, tool: RawTool) -> tuple[Schema, Inputs, Schema | None]:
        """Input schema, arguments and output schema. Raises `BadInput` for endless or enormous schemas."""
        while True:
            try:
                return self._read(tool)
            except Recursion as recursion:
                recursion.place.refuse(
                    f"refers to #{recursion.reference}, which contains itself with no optional property between; "
                    "make a property on the way optional or describe it without recursion"
                )
            except TooLarge:
                self._step += 1
                if self._step == len(_DETAILS):
                    tool.place.refuse(
                        f"has a schema of more than {MAXIMUM_NODES} nodes or {MAXIMUM_NESTING} levels "
                        "when its references are written out; simplify it"
                    )
                self._normaliser = Normaliser(self._document, self._notes, _DETAILS[self._step])

    def _read(self, tool: RawTool) -> tuple[Schema, Inputs, Schema | None]:
        self._normaliser.start()
        schema, inputs = read_inputs(tool, self._normaliser, self._notes)
        self._normaliser.start()
        output = read_output(tool, tool.response, self._normaliser, self._notes) if tool.response else None
        return schema, inputs, output


def build(tool: RawTool, name: str, schemas: Schemas, notes: Notes) -> ToolDocument:
    """The finished document of `tool`."""
    schema, inputs, output = schemas.read(tool)
    description = clean(tool.description)
    if not description:
        notes.add(tool.place, "has no description")
    prose = [text for text in inputs.prose if text not in description]
    return ToolDocument(
        name=name,
        original_name=tool.name,
        title=clean(tool.title) or None,
        description="\n\n".join([description, *prose]).strip(),
        input_schema=schema,
        output_schema=output,
        annotations=_object(tool.annotations),
        meta=_meta(tool),
        format=tool.format,
        source=str(tool.place),
        http=_http(tool, inputs),
        group=tool.group,
        examples=tool.examples,
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _meta(tool: RawTool) -> dict[str, Any]:
    """The documented `_meta`. Raises `BadInput` for a side that there is not."""
    meta = _object(tool.meta)
    side = meta.get(SIDE_KEY, SIDES[0])
    if side not in SIDES:
        (tool.place / "_meta" / SIDE_KEY).refuse(
            f"is {json.dumps(side)[:40]}; write {' or '.join(map(json.dumps, SIDES))}, for whose tool it is"
        )
    return meta


def _http(tool: RawTool, inputs: Inputs) -> HttpOperation | None:
    """The HTTP side with parameters named as in the input schema."""
    if tool.http is None or not tool.arguments:
        return tool.http and tool.http.model_copy(update={"body_title": inputs.body_title})
    changed: dict[str, list[str]] = {"path": [], "query": []}
    for index, argument in enumerate(tool.arguments):
        if argument.location in changed:
            changed[argument.location].append(inputs.names[index])
    update: dict[str, Any] = {"body_title": inputs.body_title}
    if any(argument.location for argument in tool.arguments):
        update |= {"path_parameters": tuple(changed["path"]), "query_parameters": tuple(changed["query"])}
    return tool.http.model_copy(update=update)
