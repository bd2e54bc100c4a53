"""The parts of an OpenAPI operation: its parameters, its request body and its successful response.

OpenAPI 3 puts the schema under `schema` or `content` and the body under `requestBody`; Swagger 2.0 puts the keywords of
a schema on the parameter itself and the body among the parameters.

Invariant: both generations of OpenAPI give the same parts. Not covered: paths and operations (`format_openapi`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from autoforge.generator.documents.names import PATH_PARAMETER
from autoforge.generator.documents.raw import Argument, Body, Notes, Place, Response
from autoforge.generator.documents.references import resolve
from autoforge.generator.documents.text import clean

__all__ = ["Parts", "dereferenced"]

_LONGEST_CHAIN = 20
_LOCATIONS = ("path", "query", "header", "cookie", "formData")
_NOT_ARGUMENTS = ("accept", "content-type", "authorization")
"""Header parameters that OpenAPI 3 says are to be ignored."""
_NOT_SCHEMA = (
    "name",
    "in",
    "schema",
    "content",
    "style",
    "explode",
    "allowReserved",
    "allowEmptyValue",
    "collectionFormat",
    "required",
    "examples",
)
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class _Located(NamedTuple):
    value: dict[str, Any]
    place: Place


def dereferenced(value: Any, document: Any, place: Place) -> tuple[Any, Place]:
    """`value`, or what it refers to, and where that stands."""
    for _ in range(_LONGEST_CHAIN):
        if not isinstance(value, dict) or "$ref" not in value:
            return value, place
        value, place = resolve(value["$ref"], document, place)
    return place.refuse("refers to itself; put the definition there")


class Parts:
    """Reads the parts of the operations of one document."""

    def __init__(self, document: Any, notes: Notes, is_swagger: bool) -> None:
        self._document = document
        self._notes = notes
        self._is_swagger = is_swagger

    # Parameters

    def parameters(
        self, item: tuple[dict[str, Any], Place], operation: tuple[dict[str, Any], Place], path: str
    ) -> tuple[Argument, ...]:
        """All parameters but the body; those of the operation replace those of its path."""
        located = self._located(item, operation)
        found = []
        for (name, location), (value, place) in located.items():
            if location == "body" or (location == "header" and name.lower() in _NOT_ARGUMENTS):
                continue
            found.append(self._argument(name, location, value, place))
        found.extend(self._undeclared(path, found, operation[1]))
        return tuple(found)

    def _located(self, *owners: tuple[dict[str, Any], Place]) -> dict[tuple[str, str], _Located]:
        located: dict[tuple[str, str], _Located] = {}
        for owner, place in owners:
            listed = owner.get("parameters")
            if listed is None:
                continue
            if not isinstance(listed, list):
                (place / "parameters").refuse("is no list; write […]")
            own: set[tuple[str, str]] = set()
            for index, parameter in enumerate(listed):
                value, here = dereferenced(parameter, self._document, place / "parameters" / index)
                key = self._key(value, here)
                if key in own:
                    self._notes.add(here, f"the {key[1]} parameter {key[0]!r} is listed twice; the last is kept")
                own.add(key)
                located[key] = _Located(value, here)
        return located

    def _key(self, value: Any, place: Place) -> tuple[str, str]:
        if not isinstance(value, dict):
            place.refuse('is no parameter; write {"name": …, "in": …}')
        name, location = value.get("name"), value.get("in")
        if not isinstance(name, str) or not name:
            place.refuse('is a parameter without a name; add "name"')
        if location not in (*_LOCATIONS, "body"):
            place.refuse(f'is a parameter in {location!r}; write "in": one of path, query, header, cookie')
        return name, location

    def _argument(self, name: str, location: str, value: dict[str, Any], place: Place) -> Argument:
        return Argument(
            name=name,
            schema=self._schema(value, place),
            place=place / "schema" if "schema" in value else place,
            required=location == "path" or value.get("required") in (True, "true"),
            location="form" if location == "formData" else location,
        )

    def _schema(self, value: dict[str, Any], place: Place) -> Any:
        """The schema of a parameter, with the prose of the parameter around it."""
        schema = value.get("schema")
        if schema is None and isinstance(value.get("content"), dict):
            _, media, _ = self._media(value["content"], place)
            schema = media.get("schema")
        outer = {key: child for key, child in value.items() if key not in _NOT_SCHEMA}
        if schema is None:
            return outer
        if not isinstance(schema, dict):
            (place / "schema").refuse('is no JSON Schema; write an object such as {"type": "string"}')
        prose = {
            key: child for key, child in outer.items() if key in ("description", "example", "deprecated") and child
        }
        return {**schema, **prose}

    def _undeclared(self, path: str, found: list[Argument], place: Place) -> Iterator[Argument]:
        declared = {argument.name for argument in found if argument.location == "path"}
        for match in PATH_PARAMETER.finditer(path):
            name = match[1]
            if name and name not in declared:
                self._notes.add(place, f"the path parameter {name!r} is not described; read as a required string")
                declared.add(name)
                yield Argument(name=name, schema={"type": "string"}, place=place, required=True, location="path")

    # Bodies

    def body(self, operation: dict[str, Any], place: Place, item: tuple[dict[str, Any], Place]) -> Body | None:
        """The request body; Swagger's form parameters are among the parameters already."""
        if self._is_swagger:
            return self._swagger_body(operation, place, item)
        request, here = dereferenced(operation.get("requestBody"), self._document, place / "requestBody")
        if not isinstance(request, dict) or not isinstance(request.get("content"), dict) or not request["content"]:
            return None
        name, media, media_place = self._media(request["content"], here)
        if not name.startswith("application/json"):
            self._notes.add(media_place, f"the request body is read from its {name} form")
        if "schema" not in media:
            return None
        named = operation.get("x-body-name")
        return Body(
            name=named if isinstance(named, str) and named else "body",
            schema=self._described(media["schema"], request),
            place=media_place / "schema",
            required=self._is_required(request, here),
        )

    def _swagger_body(self, operation: dict[str, Any], place: Place, item: tuple[dict[str, Any], Place]) -> Body | None:
        for (name, location), (value, here) in self._located(item, (operation, place)).items():
            if location == "body":
                schema = self._described(value.get("schema", {}), value)
                return Body(name=name, schema=schema, place=here / "schema", required=self._is_required(value, here))
        return None

    def _is_required(self, owner: dict[str, Any], place: Place) -> bool:
        """A body is needed unless the documentation says that it is not: few writers know that the default is false."""
        if "required" not in owner:
            self._notes.add(place, "does not say whether the body is required; read as required")
        return owner.get("required") is not False

    def _described(self, schema: Any, owner: dict[str, Any]) -> Any:
        """A body that stays one argument is described by its owner."""
        text = clean(owner.get("description"))
        has_own = not isinstance(schema, dict) or schema.get("description")
        return schema if has_own or not text else {**schema, "description": text}

    def _media(self, content: dict[str, Any], place: Place) -> tuple[str, dict[str, Any], Place]:
        """The media type to read: JSON before forms before whatever is first."""
        names = list(content)
        bare = {name: name.split(";")[0].strip().lower() for name in names}
        preferred = [name for name in names if bare[name] == "application/json"]
        preferred += [name for name in names if bare[name].endswith(("+json", "/json"))]
        preferred += [name for form in _FORMS for name in names if bare[name] == form]
        name = (preferred or names or [""])[0]
        media, here = dereferenced(content.get(name), self._document, place / "content" / name)
        return bare.get(name, ""), media if isinstance(media, dict) else {}, here

    # Responses

    def response(self, operation: dict[str, Any], place: Place) -> Response | None:
        """The first successful response that has a schema."""
        for code, value, here in self._responses(operation, place):
            if not (code.startswith("2") and len(code) == 3):
                continue
            schema, schema_place = value.get("schema"), here / "schema"
            if not self._is_swagger and isinstance(value.get("content"), dict):
                _, media, media_place = self._media(value["content"], here)
                schema, schema_place = media.get("schema"), media_place / "schema"
            if schema is not None:
                return Response(schema=schema, place=schema_place, description=clean(value.get("description")))
        return None

    def _responses(self, operation: dict[str, Any], place: Place) -> Iterator[tuple[str, dict[str, Any], Place]]:
        responses = operation.get("responses")
        for code, response in (responses if isinstance(responses, dict) else {}).items():
            value, here = dereferenced(response, self._document, place / "responses" / code)
            if isinstance(value, dict) and not code.startswith("x-"):
                yield code, value, here
