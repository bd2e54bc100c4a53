"""Files, folders and standard input: what is read, and how each kind of bad input is refused."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.documents import load, read_documents
from autoforge.mcp_envs.errors import BadInput

from .conftest import Read, Refuse

_TOOL = {"name": "t", "description": "für", "input_schema": {"type": "object", "properties": {}}}
_TEXT = json.dumps([_TOOL], ensure_ascii=False)
_YAML = "- name: t\n  description: für\n  input_schema: {type: object, properties: {}}\n"


@pytest.mark.parametrize(
    "data",
    [_TEXT.encode("utf-8"), _TEXT.encode("utf-8-sig"), _TEXT.encode("utf-16"), b"\xfe\xff" + _TEXT.encode("utf-16-be")],
)
def test_utf_8_and_marked_utf_16_are_read(data: bytes, read: Read) -> None:
    assert read(data).tools[0].description == "für"


@pytest.mark.parametrize("name", ["docs.yaml", "docs.yml", "docs.txt", "docs"])
def test_yaml_is_read_whatever_the_file_is_called(name: str, read: Read) -> None:
    assert read(_YAML, name).tools[0].description == "für"


def test_json_in_a_yaml_file_is_read(read: Read) -> None:
    assert read(_TEXT, "docs.yaml").digest == read(_TEXT).digest


@pytest.mark.parametrize("stream", [io.StringIO(_TEXT), io.BytesIO(_TEXT.encode()), io.StringIO(_YAML)])
def test_standard_input_is_read(stream: Any) -> None:
    (tool,) = read_documents(["-"], stdin=stream).tools
    assert (tool.name, tool.source) == ("t", "-#/0")


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name, tool in (("b.json", "two"), ("a.yaml", "one"), ("c.jsonl", "three"), ("ignored.md", "no")):
        (tmp_path / name).write_text(json.dumps({**_TOOL, "name": tool}), encoding="utf-8")
    documentation = read_documents([tmp_path])
    assert [tool.name for tool in documentation.tools] == ["one", "two", "three"]
    assert [count.source for count in documentation.formats] == [
        str(tmp_path / name) for name in ("a.yaml", "b.json", "c.jsonl")
    ]


def test_one_name_in_two_files_is_refused_with_both(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.json", "b.json")]
    for path in paths:
        path.write_text(_TEXT, encoding="utf-8")
    with pytest.raises(BadInput, match=r"b\.json#/0: the tool 't' is described already at .*a\.json#/0") as caught:
        read_documents(paths)
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("value", "name", "words"),
    [
        ("", "docs.json", "is empty"),
        ("  \n", "docs.yaml", "is empty"),
        ("# nothing\n", "docs.yaml", "is empty"),
        ('[{"name": "t",}]', "docs.json", "line 1, column 15"),
        ('{"a": 1}\n{"a": }\n', "docs.jsonl", "line 2, column 7"),
        ("a: [1\nb: 2", "docs.yaml", "line 2, column"),
        ("a: 1\n\tb: 2", "docs.yaml", "line 2, column 1"),
        (b"[\xff]", "docs.json", "byte offset 1"),
        (b"\xef\xbb\xbf[\xff]", "docs.json", "byte offset 4"),
        (b"\xff\xfe[", "docs.json", "UTF-16 at byte offset"),
        ("[]".encode("utf-32"), "docs.json", "UTF-32"),
        ('[{"name": "t", "x": NaN}]', "docs.json", "docs.json#/0/x: is NaN"),
        ('[{"x": -Infinity}]', "docs.json", "docs.json#/0/x: is NaN or infinite"),
        ('[{"x": 1e999}]', "docs.json", "docs.json#/0/x: is NaN or infinite"),
        ("x: .inf", "docs.yaml", "line 1, column 4 is NaN"),
        ('[{"a": {"b": 1, "b": 2}}]', "docs.json", 'docs.json#/0/a: holds the key "b" twice'),
        ("a: 1\na: 2", "docs.yaml", 'line 2, column 4 holds the key "a" twice'),
        ('["\\ud800"]', "docs.json", "surrogate"),
        ('[{"\\ud800": 1}]', "docs.json", "surrogate"),
        ("[" * 300 + "]" * 300, "docs.json", "nested more than 200 levels"),
        ("[" * 200_000, "docs.json", "nested too deeply"),
        ("[" * 100_000, "docs.yaml", "maximum nesting depth"),
        ("- " * 5_000, "docs.yaml", "levels deep"),
        ("[" + "9" * 5_000 + "]", "docs.json", "too many digits"),
        ("? [a, b]\n: 1", "docs.yaml", "line 1, column 3 uses a list or mapping as a key"),
        ("a: &a [*a]", "docs.yaml", "before its anchor is complete"),
        ("a: !!python/object:os.system x", "docs.yaml", "has the tag"),
        ("a: !mine {b: 1}", "docs.yaml", "has the tag"),
        ("a: \x00", "docs.yaml", "character"),
        ("just some words", "docs.txt", "no object"),
    ],
)
def test_what_is_no_json_or_yaml_is_refused_with_its_place(value: Any, name: str, words: str, refuse: Refuse) -> None:
    message = refuse(value, name)
    assert words in message
    assert message.startswith(name)
    assert message.endswith(".")
    assert "\n" not in message


def test_an_alias_bomb_is_refused_before_it_expands(refuse: Refuse) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12)]
    assert "expands to more than" in refuse("\n".join(lines), "docs.yaml")


def test_yaml_merge_keys_and_quoted_scalars_are_read(read: Read) -> None:
    text = """
base: &base {name: t, description: d}
tools:
  - <<: *base
    description: '1.0'
    input_schema: {type: object, properties: {on: {type: string, enum: [yes, no, "null", 010, 0x1f]}}}
"""
    (tool,) = read(text, "docs.yaml").tools
    assert (tool.name, tool.description) == ("t", "1.0")
    assert tool.input_schema["properties"]["on"]["enum"] == ["yes", "no", "null", "010", "31"]


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.json: cannot be read \(No such file or directory\)"):
        read_documents([tmp_path / "nowhere.json"])


def test_an_empty_folder_and_no_source_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"is a folder without \.json"):
        read_documents([tmp_path])
    with pytest.raises(BadInput, match="No documentation was given"):
        read_documents([])


def test_an_address_and_an_impossible_path_are_refused() -> None:
    with pytest.raises(BadInput, match="is an address, not a file"):
        read_documents(["https://example.org/openapi.json"])
    with pytest.raises(BadInput, match="cannot be read"):
        read_documents(["a\0b"])


class _Unreadable(type(Path())):  # type: ignore[misc]
    """A folder that the user may not list: root may list all, so the refusal is made here."""

    def iterdir(self) -> Any:
        raise PermissionError(13, os.strerror(13), str(self))


def test_a_folder_that_may_not_be_listed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoforge.generator.documents.read.Path", _Unreadable)
    with pytest.raises(BadInput, match=r"cannot be read \(Permission denied\)"):
        read_documents([str(tmp_path)])


def test_a_file_that_is_too_large_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(load.MAXIMUM_BYTES + 1)
    with pytest.raises(BadInput, match=r"large\.json: is larger than 100 MB"):
        read_documents([path])


def test_standard_input_without_end_is_refused() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert size > 0
            return bytes(size)

    with pytest.raises(BadInput, match="standard input is larger than 100 MB"):
        read_documents(["-"], stdin=Endless())  # type: ignore[arg-type]


def test_a_message_is_one_line_whatever_keys_and_files_are_called(tmp_path: Path) -> None:
    path = tmp_path / "do\ncs.json"
    path.write_text('[{"name": "t", "parameters": {"a\\u0085\\n": NaN}}]', encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_documents([path])
    assert str(caught.value).splitlines() == [str(caught.value)]
    assert "a\\x85\\n: is NaN" in str(caught.value)
