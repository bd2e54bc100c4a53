"""Tool names: legal ones stay, others are mended, and collisions are told apart the same way every time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.documents.names import legal_name

from .conftest import Read


@pytest.mark.parametrize(
    "name", ["find", "API-get-user", "get-36kr-trending", "tasks.tasks.clear", "x" * 128, "9lives"]
)
def test_a_legal_name_is_kept(name: str) -> None:
    assert legal_name(name) == name


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("/cities/:id", "cities_by_id"),
        ("/offices/:city/:street/rooms", "offices_by_city_street_rooms"),
        ("Get Tracking Data", "Get_Tracking_Data"),
        ("café search!", "cafe_search"),
        ("1 two", "tool_1_two"),
        ("a/b", "a_b"),
        ("what?", "what"),
    ],
)
def test_an_illegal_name_becomes_a_readable_identifier(name: str, legal: str) -> None:
    assert legal_name(name) == legal


@given(st.text(min_size=1))
def test_any_name_becomes_legal_and_mending_twice_equals_once(name: str) -> None:
    legal = legal_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", legal)
    assert legal_name(legal) == legal


def test_names_in_another_script_stay_apart() -> None:
    assert legal_name("查询天气") != legal_name("查询股票")


def test_names_that_collide_after_mending_are_told_apart_whatever_their_order(read: Read) -> None:
    names = ["get user", "get_user", "get/user", "get!user"]
    documentation = read([{"name": name} for name in names])
    given = {tool.original_name: tool.name for tool in documentation.tools}
    assert given["get_user"] == "get_user"
    assert len(set(given.values())) == 4
    assert {new: old for old, new in given.items() if old != "get_user"} == documentation.renamed
    assert read([{"name": name} for name in names]).to_mcp() == documentation.to_mcp()


def test_hundreds_of_tools_that_mend_to_one_name_are_all_kept(read: Read) -> None:
    names = ["a" + "!" * number for number in range(1, 301)]
    assert len({tool.name for tool in read([{"name": name} for name in names]).tools}) == 300


def test_a_long_name_is_cut_and_marked(read: Read) -> None:
    first, second = (tool.name for tool in read([{"name": "x" * 200 + end} for end in "ab"]).tools)
    assert len(first) == len(second) == 128
    assert first != second
