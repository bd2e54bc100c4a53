"""What is refused, in one sentence that says where and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import autoforge.generator.data.read as reading
from autoforge.generator.data import read_data
from autoforge.mcp_envs.errors import BadInput


def write(folder: Path, content: bytes, name: str = "data.json") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "data.json is empty"),
        (b" \n", "data.json is empty"),
        (b'{"a": 1,}', "line 1, column"),
        (b'{"a": [1,\n 2', "line 2"),
        (b'{"a": [1, NaN]}', "/a/1: nan is no JSON number"),
        (b'{"a": {"b/c": 1e999}}', "/a/b~1c: inf is no JSON number"),
        (b'{"a": [{"x": 1, "y": 2, "x": 3}]}', "/a/0: the key 'x' occurs twice"),
        (b'{"a": "\\ud800"}', "/a: the text holds half a surrogate pair"),
        (b'{"\\ud800": 1}', "the top: a key holds half a surrogate pair"),
        ('{"a": "é"}'.encode("latin-1"), "line 1: byte 0xe9 is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        (b"[" + b"9" * 5000 + b"]", "holds a number that cannot be read"),
        (b"[" * 300 + b"]" * 300, "nested deeper than 200 levels"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
        (b"{}", "nothing that could be a table"),
        (b"[]", "nothing that could be a table"),
        (b'{"a": [], "b": {}}', "nothing that could be a table"),
        (b"3", "nothing that could be a table"),
    ],
)
def test_a_json_file_that_cannot_be_used(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_data([write(tmp_path, content)])
    assert message in str(raised.value)
    assert "data.json" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        read_data([tmp_path / "none.json"])
    with pytest.raises(BadInput, match="cannot be read"):
        read_data([tmp_path])
    with pytest.raises(BadInput, match="No data file"):
        read_data([])


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 10)
    with pytest.raises(BadInput, match="give a smaller sample"):
        read_data([write(tmp_path, b'{"a": [1, 2, 3]}')])


def test_two_files_of_one_name_and_two_tables_of_one_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    first = write(tmp_path / "a", b'[{"id": 1}]', "users.json")
    with pytest.raises(BadInput, match=r"Two data files are called users\.json"):
        read_data([first, write(tmp_path / "b", b'[{"id": 2}]', "users.json")])
    with pytest.raises(BadInput, match=r"users\.json and users\.csv both hold a table 'users'"):
        read_data([first, write(tmp_path / "b", b"id,name\n2,x\n", "users.csv")])


def test_loose_scalars_of_two_files_do_not_clash(tmp_path: Path) -> None:
    first = write(tmp_path, b'{"a": [1, 2], "on": true}', "one.json")
    second = write(tmp_path, b'{"b": [1, 2], "on": false}', "two.json")
    assert {"settings", "two_settings"} <= set(read_data([first, second]).rows)
