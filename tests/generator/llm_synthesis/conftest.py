"""What the tests of the model synthesizer share: a server that answers from recordings or a script, over real HTTP."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from rich.console import Console

from autoforge.generator.compile import Settings
from autoforge.generator.data import DataSample
from autoforge.generator.documents import Documentation, read_documents
from autoforge.generator.llm_synthesis import synthesize_with_model
from autoforge.generator.llm_synthesis.desk import Desk, Scribe
from autoforge.generator.llm_synthesis.drafts import frames_of
from autoforge.generator.rules.synthesize import synthesize
from tests.generator.llm_synthesis.recorded import answer_to, label_of
from tests.gym.replay_server import Answer, ReplayServer, Status, Step

HERE = Path(__file__).parent
CANARY = "sk-canary-0b5d2f7a91c34e68-do-not-leak"
NOTES = [
    {
        "name": "add_note",
        "description": "Adds a note and returns its number.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "tag": {"type": "string", "description": "One word."}},
            "required": ["text", "tag"],
        },
    },
    {
        "name": "list_notes",
        "description": "Lists the notes with a tag, or all notes.",
        "inputSchema": {"type": "object", "properties": {"tag": {"type": "string"}}},
    },
]
STRUCTURE = {
    "entities": [
        {
            "name": "note",
            "table": "notes",
            "key": ["number"],
            "id_template": "{}",
            "columns": [
                {"name": "number", "type": "integer", "kind": "surrogate"},
                {"name": "text", "kind": "free_text", "nullable": False},
                {"name": "tag", "nullable": False, "meaning": "tag"},
            ],
        }
    ]
}
SEED = {
    "tables": [
        {"entity": "note", "rows": [{"number": n, "text": f"Call number {n}", "tag": "ab"[n % 2]} for n in range(1, 7)]}
    ]
}
ADD = """def add_note(db, *, text, tag):
    number = db.next_id("notes")
    db.run("INSERT INTO notes (number, text, tag) VALUES (?, ?, ?)", number, text, tag)
    return {"number": number}
"""
LIST = """def list_notes(db, *, tag=None):
    return {"notes": db.all("SELECT number, text, tag FROM notes WHERE ? IS NULL OR tag = ? ORDER BY number", tag, tag)}
"""
GOOD = {"add_note": ADD, "list_notes": LIST}

Decide = Callable[[dict[str, Any]], Step]


def functions(body: dict[str, Any], sources: Mapping[str, str], kinds: Mapping[str, str] | None = None) -> str:
    """An answer with the sources of the tools that a request asks for."""
    kinds = {"add_note": "create", "list_notes": "list", **(kinds or {})}
    about = label_of(body)["about"]
    return json.dumps(
        {"functions": [{"tool": t, "kind": kinds[t], "entity": "note", "source": sources[t]} for t in about]}
    )


def notes_model(body: dict[str, Any], sources: Mapping[str, str] = GOOD) -> str:
    """What a model that makes no mistakes, but for those in `sources`, answers about the notes."""
    stage = label_of(body)["stage"]
    return (
        json.dumps({"structure": STRUCTURE, "seed": SEED}[stage])
        if stage in ("structure", "seed")
        else functions(body, sources)
    )


def recordings(body: dict[str, Any]) -> Step:
    """The recorded answer to a request."""
    folder = HERE / "recordings" / str(label_of(body)["service"]).lower().replace(" ", "_")
    try:
        return Answer(answer_to(folder, body))
    except FileNotFoundError as missing:
        return Status(404, message=f"not recorded: {missing.filename}")


def labels(server: ReplayServer) -> list[str]:
    """What a server was asked, in order: stage, round, subjects, attempt."""
    found = [label_of(request.body) for request in server.requests]
    return [f"{x['stage']} {x['round']} {' '.join(x['about'])} {x['attempt']}" for x in found]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AUTOFORGE_PRICES", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, CANARY)


@pytest.fixture
def notes(tmp_path: Path) -> Documentation:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps({"tools": NOTES}), encoding="utf-8")
    return read_documents([path])


class Bench:
    """Runs the synthesizer against one server."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.output = io.StringIO()

    def run(
        self,
        server: ReplayServer,
        documentation: Documentation,
        name: str = "notes",
        provider: str = "openai",
        **options: Any,
    ) -> Settings:
        options = {"max_cost": None, "caps": None, "data": None, **options}
        console = Console(file=self.output, width=200, color_system=None)
        return synthesize_with_model(
            documentation,
            Settings(name=name, data=options["data"]),
            f"{provider}:relay",
            server.url(provider),
            options["max_cost"],
            self.cache,
            console,
            options["caps"],
        )

    @contextmanager
    def desk(
        self, server: ReplayServer, documentation: Documentation, name: str = "notes", data: DataSample | None = None
    ) -> Iterator[Desk]:
        """For single stages, without the proofs around them."""
        rules = synthesize(documentation, name=name, data=data)
        console = Console(file=self.output, width=200, color_system=None)
        with start_blocking_portal() as portal:
            opened = portal.call(
                lambda: Scribe("openai:relay", base_url=server.openai_url, cache=self.cache, max_cost=None)
            )
            with portal.wrap_async_context_manager(opened) as client:
                settings = Settings(name=name, data=data)
                yield Desk(client, portal, console, documentation, settings, rules, frames_of(rules))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def serve() -> Iterator[Callable[[Decide], ReplayServer]]:
    """Start servers that answer by a function; they end with the test."""
    running: list[ReplayServer] = []

    def start(decide: Decide) -> ReplayServer:
        server = ReplayServer(decide)
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__(None, None, None)
