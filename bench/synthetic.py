"""Documentation of any size, made by code: OpenAPI with five operations for each of up to 100 resources.

Invariant: the same number of tools gives the same document. Each resource refers to the one before it, so that the
schema is a chain of foreign keys and no part can be compiled alone.
"""

from __future__ import annotations

from typing import Any

__all__ = ["openapi_of"]

_NOUNS = """
customer order product invoice payment shipment supplier warehouse contract ticket agent project task milestone
report employee department office vehicle driver route station passenger booking flight hotel guest room meal
recipe ingredient garden plant tree farm animal clinic doctor patient prescription medicine laboratory sample
experiment student teacher course lesson exam grade library book author publisher article journal editor review
film actor studio scene song album concert ticketing museum painting gallery auction bid policy claim premium
account transfer card loan branch mortgage tenant lease building apartment elevator repair tool machine sensor
alarm camera network router server backup license domain certificate campaign banner survey answer donation charity
""".split()
_STATES = ["draft", "active", "closed"]


def openapi_of(tools: int) -> dict[str, Any]:
    """An OpenAPI 3.1 document of so many operations. Raises ValueError for more than there are nouns for."""
    resources = -(-tools // 5)
    if resources > len(_NOUNS):
        raise ValueError(f"at most {5 * len(_NOUNS)} tools, not {tools}")
    paths: dict[str, Any] = {}
    left = tools
    for index in range(resources):
        for path, method, operation in _operations(index)[:left]:
            paths.setdefault(path, {})[method] = operation
        left -= 5
    return {"openapi": "3.1.0", "info": {"title": f"Synthetic {tools}", "version": "1"}, "paths": paths}


def _operations(index: int) -> list[tuple[str, str, dict[str, Any]]]:
    noun = _NOUNS[index]
    title = noun.capitalize()
    fields = _fields(index)
    row = {"type": "object", "properties": {f"{noun}_id": {"type": "string"}, **fields}}
    key = {"name": f"{noun}_id", "in": "path", "required": True, "schema": {"type": "string"}}
    chosen = {"name": "status", "in": "query", "schema": fields["status"]}
    missing = {"404": {"description": f"The {noun} does not exist."}}
    one, many = f"/{noun}s/{{{noun}_id}}", f"/{noun}s"
    create = {**_body(fields, [n for n in fields if n != "status"]), "summary": f"Create a {noun}."}
    change = {**_body(fields, []), "summary": f"Update a {noun}.", "parameters": [key]}
    listing = {"type": "array", "items": row}
    find = {"summary": f"List {noun}s.", "parameters": [chosen], **_answers(listing, {})}
    get = {"summary": f"Get a {noun}.", "parameters": [key], **_answers(row, missing)}
    delete = {"summary": f"Delete a {noun}.", "parameters": [key], **_answers(row, missing)}
    return [
        (many, "get", {"operationId": f"list{title}s", **find}),
        (many, "post", {"operationId": f"create{title}", **create, **_answers(row, {})}),
        (one, "get", {"operationId": f"get{title}", **get}),
        (one, "patch", {"operationId": f"update{title}", **change, **_answers(row, missing)}),
        (one, "delete", {"operationId": f"delete{title}", **delete}),
    ]


def _fields(index: int) -> dict[str, Any]:
    parent = {f"{_NOUNS[index - 1]}_id": {"type": "string", "description": f"The {_NOUNS[index - 1]} it belongs to."}}
    return {
        **(parent if index else {}),
        "name": {"type": "string"},
        "price": {"type": "number", "minimum": 0},
        "quantity": {"type": "integer", "minimum": 0},
        "status": {"type": "string", "enum": _STATES},
    }


def _body(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _answers(schema: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    found = {"description": "OK", "content": {"application/json": {"schema": schema}}}
    return {"responses": {"200": found, **others}}
