"""The README of an environment."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from autoforge.generator.emit.readme import readme_md
from autoforge.mcp_envs.manifest import Column, ColumnKind, Effects, Manifest, Provenance, Table, ToolRecord

EFFECTS = Effects(reads=("items",), creates=("orders",), updates={"items": ("stock", "price")}, deletes=("holds",))


def manifest(**more: Any) -> Manifest:
    column = Column(name="id", type="INTEGER", kind=ColumnKind.KEY)
    tools = (ToolRecord(name="buy", function="buy", kind="create", effects=EFFECTS), *more.pop("tools", ()))
    provenance = Provenance(generator="autoforge-rl 0.1.0", docs_digest="sha256:0", model=more.pop("model", None))
    table = Table(name="items", entity="item", key=("id",), columns=(column,))
    return Manifest(name="shop", tables=(table,), tools=tools, provenance=provenance, **more)


def test_the_readme_says_what_each_tool_changes() -> None:
    text = readme_md(manifest(title="A shop", description="Sells\nthings."))
    assert text.startswith("# A shop\n\nSells things.\n") and text.endswith("wrote it.\n")
    assert (
        "| `buy` | agent | `items` | adds to `orders`; sets `stock`, `price` of `items`; deletes from `holds` |" in text
    )


def test_the_client_configuration_is_json_with_a_place_for_the_path() -> None:
    found = re.search(r"```json\n(.*?)```", readme_md(manifest()), re.S)
    assert found is not None
    assert json.loads(found[1])["mcpServers"]["shop"]["args"] == ["run", "/path/to/shop/server.py"]


@pytest.mark.parametrize(
    "words",
    [
        "python server.py",
        "uv run server.py",
        "--http 8000",
        "--db",
        "inspector",
        "/episodes/{id}/mcp",
        "container",
        "static check",
    ],
)
def test_the_readme_covers_what_a_reader_needs(words: str) -> None:
    assert words in readme_md(manifest())


def test_users_tools_and_the_writing_model_are_named_only_where_there_are_any() -> None:
    pay = ToolRecord(name="pay", function="pay", kind="action", side="user")
    assert "--side" not in readme_md(manifest()) and ", written by" not in readme_md(manifest())
    text = readme_md(manifest(tools=(pay,), model="openai:m"))
    assert "`pay` are the user's" in text and "`tools.py`, written by openai:m, had" in text


def test_the_same_manifest_gives_the_same_text() -> None:
    assert readme_md(manifest()) == readme_md(Manifest.model_validate_json(manifest().model_dump_json()))
