"""Fixtures: the hand-written environment `desk`, and workers for hostile modules."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from autoforge.mcp_envs.containment import Limits, Source, SyncWorker

DESK = Path(__file__).parents[2] / "fixtures" / "desk"
HEAD = '"""Tools."""\n\nfrom __future__ import annotations\n\n\nclass ToolError(Exception):\n    """A refusal."""\n\n\n'
TABLE = (
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'one'), (2, 'two');"
    "CREATE TABLE autoforge_clock (now TEXT); INSERT INTO autoforge_clock VALUES ('2026-03-02T09:00:00');"
    "CREATE TABLE autoforge_counters (name TEXT PRIMARY KEY, value INTEGER);"
    "CREATE TABLE autoforge_log (id INTEGER PRIMARY KEY, tool TEXT, arguments JSON);"
)
SAFE = (
    "def add(db, *, name):\n"
    "    return {'id': db.next_id('item'), 'rows': db.run('INSERT INTO item(name) VALUES (?)', name)}\n\n\n"
    "def names(db):\n    return [row['name'] for row in db.all('SELECT name FROM item ORDER BY id')]\n\n\n"
)

Start = Callable[..., SyncWorker]


def module_of(code: str) -> str:
    """A whole module: `code` itself where it defines the tool `attempt`, else `code` as the body of that tool."""
    code = textwrap.dedent(code).strip("\n")
    if "def attempt(" not in code and "def tool(" not in code:
        code = "def attempt(db, *, path='', port=0, pid=0):\n" + textwrap.indent(code, "    ")
    return HEAD + SAFE + code + "\n"


@pytest.fixture
def desk() -> Path:
    return DESK


@pytest.fixture
def module() -> Callable[[str], str]:
    return module_of


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts workers for the text of a module, checked unless `unchecked`; ends them afterwards."""
    from autoforge.mcp_envs.containment import check_source

    folder = tmp_path / "states"
    folder.mkdir()
    with ExitStack() as stack:

        def begin(
            code: str, *, unchecked: bool = False, without: tuple[str, ...] = (), limits: Limits | None = None
        ) -> SyncWorker:
            text = module_of(code)
            if not unchecked:
                assert check_source(text) == ()
            source = Source(text, (TABLE,), {}, unchecked, without)
            worker = stack.enter_context(SyncWorker.of(source, folder, limits or Limits(seconds=1.0, grace=0.4)))
            worker.open("e")
            return worker

        yield begin
