"""Rows of a tree of files: directories, texts in them, a hidden file, a directory that is empty, and where one stands.

Invariant: every path but `/` lies in a directory that is a row too, names are the last parts of paths, only files
have content; paths that the documentation shows are there. Not covered: columns beside these, which are filled as
in given rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.setting import Row

__all__ = ["is_tree", "tree_rows"]

_TREE = (
    "home/",
    "home/.settings:theme=light\neditor=plain",
    "home/{topic}/",
    "home/{topic}/README.md:# {Topic}\n\nNotes and plans for {topic}.\n- collect ideas\n- ask the team\n- write the summary",  # noqa: E501
    "home/{topic}/plan.txt:week 1: research\nweek 2: draft\nweek 3: review\nweek 4: publish",
    "home/{topic}/plan_old.txt:week 1: research\nweek 2: review\nweek 3: publish",
    "home/{topic}/contacts.csv:name,city\n{person},{place}\nNoor Haddad,Lyon\nBen Okafor,Leeds",
    "home/{topic}/.hidden_notes:do not forget the {topic} meeting",
    "home/{topic}/drafts/",
    "home/{topic}/drafts/chapter_one.md:# Chapter one\n\nThe first draft about {topic}.\nStill to check: the figures",
    "home/{topic}/drafts/chapter_two.md:# Chapter two\n\nStill to write",
    "home/{topic}/archive/",
    "home/{topic}/data/",
    "home/{topic}/data/results.csv:month,value\njanuary,{low}\nfebruary,{high}\nmarch,{middle}",
    "home/{topic}/data/run.log:INFO start\nWARNING disk nearly full\nERROR no answer\nINFO end",
    "home/documents/",
    "home/documents/letter.txt:Dear {person},\n\nthank you for your visit to {place}.",
    "home/documents/shopping.txt:milk\nbread\napples\ncoffee\nbread",
    "home/documents/reports/",
    "home/documents/reports/summary.md:# Summary\n\n{Topic} went well.",
)
_TOPICS = ("garden", "workshop", "library", "festival", "bakery", "museum", "harvest")
_PEOPLE = ("Maria Lopez", "Jonas Weber", "Aiko Tanaka", "Samuel Reed")
_PLACES = ("Porto", "Bergen", "Graz", "Halifax")


def is_tree(entity: Entity) -> bool:
    """Whether rows of the entity are entries of a tree by path."""
    kind = entity.attribute("kind")
    names = {a.name for a in entity.attributes}
    return (
        entity.key == ("path",)
        and {"parent", "name", "content"} <= names
        and kind is not None
        and "directory" in kind.enum
    )


def tree_rows(world: World, seed: int, given: Mapping[str, Sequence[Row]] | None) -> dict[str, Sequence[Row]]:
    """The rows that are given, and those of trees and of the working directory, by entity name."""
    found: dict[str, Sequence[Row]] = dict(given or {})
    for entity in world.entities:
        if is_tree(entity) and entity.name not in found:
            found[entity.name] = _rows(world, entity, seed)
            here = next((e for e in world.entities if e.singleton and e.name == "working_directory"), None)
            if here is not None and here.name not in found:
                found[here.name] = [
                    {
                        "id": 1,
                        "path": next(
                            str(r["path"])
                            for r in found[entity.name]
                            if str(r["path"]).count("/") == 2 and r["kind"] == "directory"
                        ),
                    }
                ]
    return found


def _rows(world: World, entity: Entity, seed: int) -> list[Row]:
    draw = Draw(seed, entity.name, "@tree", language="en")
    topic = draw.one(_TOPICS)
    words: dict[str, object] = {
        "topic": topic,
        "Topic": topic.capitalize(),
        "person": draw.one(_PEOPLE),
        "place": draw.one(_PLACES),
        "low": draw.integer(10, 30),
        "middle": draw.integer(31, 60),
        "high": draw.integer(61, 99),
    }
    lines = [line.format(**words) for line in _TREE]
    if not any(e.name == "working_directory" for e in world.entities):
        lines = [line.removeprefix("home/") for line in lines if line != "home/"]
    if entity.name != "file":
        lines = [line.replace(".txt", ".md") for line in lines if not line.partition(":")[0].endswith((".csv", ".log"))]
    contents: dict[str, str | None] = {"/": None}
    for line in lines:
        path, _, text = line.partition(":")
        contents["/" + path.rstrip("/")] = None if path.endswith("/") else text
    attribute = entity.attribute("path")
    for example in attribute.examples if attribute is not None else ():
        _plant(contents, str(example))
    return [_row(entity, path, contents[path], world, i) for i, path in enumerate(sorted(contents))]


def _plant(contents: dict[str, str | None], example: str) -> None:
    """A path that the documentation shows, with the directories above it."""
    parts = [p for p in example.split("/") if p not in ("", ".", "..")]
    if not parts or example.startswith("~") or any(c in example for c in "*\\:?"):
        return
    for i in range(1, len(parts)):
        path = "/" + "/".join(parts[:i])
        if contents.setdefault(path, None) is not None:
            return
    file = "." in parts[-1][1:]
    contents.setdefault("/" + "/".join(parts), f"Text of {parts[-1]}.\nSecond line." if file else None)


def _row(entity: Entity, path: str, content: str | None, world: World, number: int) -> Row:
    parent: JsonValue = None if path == "/" else path.rpartition("/")[0] or "/"
    name = path.rpartition("/")[2] or "/"
    row: Row = {
        "path": path,
        "parent": parent,
        "name": name,
        "kind": "file" if content is not None else "directory",
        "content": content,
    }
    made = datetime.fromisoformat(world.clock).replace(microsecond=0, tzinfo=None) - timedelta(
        days=40 - number, hours=number % 7
    )
    for column, moment in (
        ("created_at", made),
        ("modified_at", made + timedelta(days=number % 5, minutes=7 * number)),
    ):
        if entity.attribute(column) is not None:
            row[column] = moment.isoformat()
    row.update(
        {
            a.name: value
            for a in entity.attributes
            if a.name not in row and content is not None and (value := _further(a, number)) is not None
        }
    )
    return row


def _further(attribute: Attribute, number: int) -> JsonValue:
    """A value for a column that only some tools know: every other file has one."""
    if attribute.examples:
        return attribute.examples[number % len(attribute.examples)]
    if attribute.default is not None or number % 2:
        return attribute.default
    if attribute.enum:
        return attribute.enum[number % len(attribute.enum)]
    if attribute.type is ColumnType.JSON:
        many = (attribute.item_schema or {}).get("type") == "array"
        words: list[JsonValue] = ["draft", "team"]
        return words[: 1 + number // 2 % 2] if many else {}
    plain: dict[ColumnType, JsonValue] = {
        ColumnType.INTEGER: 1,
        ColumnType.REAL: 1.0,
        ColumnType.BOOLEAN: True,
        ColumnType.TEXT: "draft",
    }
    return plain.get(attribute.type)
