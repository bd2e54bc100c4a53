"""What the static check lets through: what tools are made of. The refusals are in `test_escapes.py`."""

# ruff: noqa: E501 (a table of small modules)
from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.mcp_envs.containment import check_file, check_source
from autoforge.mcp_envs.containment.scopes import Scopes
from autoforge.mcp_envs.containment.sql import FixedText
from autoforge.mcp_envs.errors import ContainmentError

ACCEPTED = {
    "optional filters": "return db.all('SELECT * FROM item WHERE (? IS NULL OR \"name\" = ?)', path, path)",
    "assembled clauses": """
        clauses, values = [], []
        if path:
            clauses.append("name = ?")
            values.append(path)
        where = "WHERE " + " AND ".join(clauses) if clauses else ""
        return db.all(f"SELECT * FROM item {where} ORDER BY id LIMIT ?", *values, port)
    """,
    "order from a table": """
        _ORDER = {"name": "name COLLATE NOCASE", "id": "id"}


        def attempt(db, *, path, pid):
            order = _ORDER.get(path, "id")
            direction = "DESC" if pid else "ASC"
            return db.all("SELECT * FROM item ORDER BY " + order + " " + direction + ", id")
    """,
    "placeholders": "return db.all('SELECT * FROM item WHERE id IN (' + ', '.join(['?'] * len(path)) + ')', *path)",
    "repeated placeholder": "marks = ','.join('?' for _ in path)\nreturn db.all(f'SELECT * FROM item WHERE id IN ({marks})', *path)",
    "sets of an update": """
        sets = {"name": path, "id": pid}
        given = [column for column in ("name", "id") if sets[column]]
        assignments = ", ".join(f"{column} = ?" for column in given)
        return db.run(f"UPDATE item SET {assignments} WHERE id = ?", *[sets[c] for c in given], pid)
    """,
    "growing text": "sql = 'SELECT * FROM item'\nif path:\n    sql += ' WHERE name = ?'\nsql = sql + ' ORDER BY id'\nreturn db.all(sql, path)",
    "helper that chooses": """
        def _direction(text):
            if text == "desc":
                return "DESC"
            return "ASC"


        def attempt(db, *, path):
            return db.all(f"SELECT * FROM item ORDER BY id {_direction(path)}")
    """,
    "returning": "return db.one('INSERT INTO item(name) VALUES (?) RETURNING *', path)",
    "parameters called like builtins": "def attempt(db, *, type, id, filter=None, input='', open=False):\n    return [type, id, filter, input, open]",
    "value types": """
        import json
        import math
        import re
        import statistics
        from collections import Counter
        from datetime import date, datetime, timedelta
        from decimal import ROUND_HALF_UP, Decimal


        def attempt(db, *, path):
            found = re.fullmatch(r"([A-Z]+)-(\\d+)", path)
            day = date.fromisoformat(db.today()) + timedelta(days=3)
            late = datetime.fromisoformat(db.now()) > datetime(2026, 1, 1)
            price = Decimal("1.005").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
            try:
                data = json.loads(path)
            except json.JSONDecodeError as error:
                raise ToolError(f"not JSON: {error.msg}") from error
            return [found.group(1) if found else None, day.isoformat(), late, float(price), data, math.floor(2.5),
                    statistics.mean([1, 2]), Counter(path).most_common(1), sorted([3, 1], key=lambda n: -n)]
    """,
    "match": "match path:\n    case {'kind': 'a', **rest}:\n        return rest\n    case [first, *_]:\n        return first\n    case 'x' | None:\n        return 1",
    "nested function": "def attempt(db, *, path):\n    def key(row):\n        return row['name']\n    return sorted(db.all('SELECT * FROM item'), key=key)",
    "walrus": "if (row := db.one('SELECT * FROM item WHERE id = ?', pid)) is None:\n    raise ToolError('none')\nreturn row",
    "quoted semicolon": "return db.value(\"SELECT count(*) FROM item WHERE name = 'a; drop table b'\")",
    "power": "return [path ** 2, 2 ** 10, pid ** 0.5]",
    "repeat": "return ['-' * 20, [0] * 5, 3 * 1000000]",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_ordinary_tools_pass(name: str, module: Callable[[str], str]) -> None:
    assert check_source(module(ACCEPTED[name])) == ()


def test_the_hand_written_environment_passes(desk: Path) -> None:
    check_file(desk / "tools.py")


def test_a_refused_file_is_named_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "tools.py"
    path.write_text(
        "import os\n\nclass ToolError(Exception):\n    pass\n\ndef a(db):\n    return eval('1')\n", encoding="utf-8"
    )
    with pytest.raises(ContainmentError, match=r"tools\.py.*line 1: module 'os'.*line 7: name 'eval'"):
        check_file(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "ToolError is missing"),
        ("class ToolError(Exception):\n    pass\n\nprint(1)\n", "only imports, constants"),
        ("class ToolError(Exception):\n    pass\n\ndef list(db):\n    return 1\n", "name of a builtin"),
        ("class ToolError(Exception):\n    pass\n\ndef a(db):\n    return 1\n\na = 2\n", "bound twice"),
        ("class ToolError(Exception):\n    pass\n\ndef a(db, b):\n    return b\n", "named parameters only"),
        ("class ToolError(Exception):\n    pass\n\ndef a(*, b):\n    return b\n", "named parameters only"),
        ("class ToolError(Exception):\n    pass\n\ndef a(db, **b):\n    return b\n", "named parameters only"),
        ("from json import loads as db\n\nclass ToolError(Exception):\n    pass\n", "reserved"),
        ("class ToolError(Exception)\n", "not valid Python"),
        ("x = '\0'\n", "not valid Python"),
        ("#" * 1_000_001, "characters"),
    ],
)
def test_the_shape_of_a_module_is_fixed(text: str, words: str) -> None:
    assert any(words in finding.message for finding in check_source(text))


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    for finding in check_source(text):
        assert finding.line >= 1


@given(st.text(min_size=1, max_size=30).filter(lambda s: "\0" not in s))
def test_only_what_the_module_spells_out_is_fixed(nasty: str) -> None:
    """The same text is fixed as a literal and not fixed as a parameter, whatever it holds."""
    source = f"def f(db, given):\n    a = {nasty!a}\n    b = given\n    g(a, b, 'x' + a, 'x' + b, f'{{a}}', f'{{b}}', ','.join([a]), ','.join([b]))\n"
    tree = ast.parse(source)
    fixed = FixedText(tree, Scopes(tree))
    call = tree.body[0].body[-1].value  # type: ignore[attr-defined]
    assert [fixed.fixed(argument) for argument in call.args] == [True, False] * 4
