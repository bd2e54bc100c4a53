"""What becomes of answers that are cut off, broken, late or useless, and of functions that fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.compile import compile_environment
from autoforge.generator.documents import Documentation
from autoforge.generator.llm_synthesis.desk import Caps
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure
from tests.generator.llm_synthesis.conftest import ADD, GOOD, LIST, Bench, Decide, functions, labels, notes_model
from tests.generator.llm_synthesis.recorded import label_of
from tests.gym.replay_server import Answer, Body, ReplayServer, Status, Step

Serve = Callable[[Decide], ReplayServer]
CRASHING = LIST.replace('{"notes":', '{"notes": 1 // 0,  "rest":')
IDLE = "def add_note(db, *, text, tag):\n    return {'number': db.value('SELECT count(*) FROM notes')}\n"


def _after(first: list[Step], then: Callable[[dict[str, Any]], str] = notes_model) -> Decide:
    """Begin with these steps, whatever is asked; then answer well."""
    rest = iter(first)
    return lambda body: next(rest, None) or Answer(then(body))


def test_faults_of_the_service_are_ridden_out(bench: Bench, serve: Serve, notes: Documentation) -> None:
    soon = {"retry-after": "0"}
    server = serve(
        _after([Status(429, headers=soon), Status(503, headers=soon), Body("<html>busy</html>", status=502)])
    )
    settings = bench.run(server, notes)
    assert settings.provenance["synthesizer"] == "llm"
    assert labels(server)[:4] == ["structure 0  1"] * 4


def test_a_function_that_comes_back_unchanged_is_not_asked_for_a_third_time(
    bench: Bench, serve: Serve, notes: Documentation
) -> None:
    server = serve(lambda body: Answer(notes_model(body, {**GOOD, "list_notes": CRASHING})))
    bench.run(server, notes)
    assert [label for label in labels(server) if label.startswith("repair")] == ["repair 1 list_notes 1"]


def test_the_best_version_is_kept_where_repair_makes_it_worse(bench: Bench, serve: Serve, notes: Documentation) -> None:
    """The first answer has one fault, the repaired one more, and then the model only repeats itself."""
    deaf = ADD.replace("text, tag)\n    return", "text, 'a')\n    return")
    crashing = "def add_note(db, *, text, tag):\n    return {'number': 1 // 0}\n"

    def decide(body: dict[str, Any]) -> Step:
        sources = {**GOOD, "add_note": crashing if label_of(body)["stage"] == "repair" else deaf}
        return Answer(notes_model(body, sources))

    server = serve(decide)
    settings = bench.run(server, notes)
    assert next(label for label in labels(server) if label.startswith("repair")) == "repair 1 add_note 1"
    assert "1 // 0" not in "".join(o.code or "" for o in settings.world.operations)  # type: ignore[union-attr]


def test_the_rules_version_is_kept_where_the_models_is_worse_and_the_manifest_says_so(
    bench: Bench, serve: Serve, notes: Documentation, tmp_path: Path
) -> None:
    def decide(body: dict[str, Any]) -> Step:
        # A table that the rules' functions cannot use, and functions that do nothing.
        answer = notes_model(body, {"add_note": IDLE, "list_notes": CRASHING})
        return Answer(answer.replace('"text", "kind"', '"body", "kind"').replace('"text": "Call', '"body": "Call'))

    settings = bench.run(serve(decide), notes)
    assert settings.provenance["synthesizer"] == "rules"
    compiled = compile_environment(notes, settings, tmp_path / "notes")
    assert all(o.code is None for o in compiled.world.operations)
    assert compiled.report.passed
    assert any(note.startswith("The rules' version is kept") for note in compiled.manifest.provenance.notes)
    assert compiled.manifest.provenance.model == "openai:relay"


def test_one_hopeless_function_is_left_to_the_rules_where_theirs_fits_the_tables(
    bench: Bench, serve: Serve, notes: Documentation
) -> None:
    sources = {
        "add_note": "def add_note(db):\n    return 1\n",
        "list_notes": LIST.replace("number, text, tag FROM", "* FROM").replace("BY number", "BY 1"),
    }

    def decide(body: dict[str, Any]) -> Step:
        # The rules' own tables, which their functions fit, and their rows.
        return Answer("no" if label_of(body)["stage"] in ("structure", "seed") else functions(body, sources))

    settings = bench.run(serve(decide), notes)
    assert settings.world is not None
    assert {o.tool: o.code is None for o in settings.world.operations} == {"add_note": True, "list_notes": False}
    assert "Functions kept from the rules: add_note." in settings.world.notes


def test_repair_ends_with_the_token_cap(bench: Bench, serve: Serve, notes: Documentation) -> None:
    server = serve(lambda body: Answer(notes_model(body, {**GOOD, "list_notes": CRASHING})))
    settings = bench.run(server, notes, caps=Caps(tokens=0, tokens_per_tool=0))
    assert not any(label.startswith("repair") for label in labels(server))
    assert any("Repair ended after 330 tokens" in note for note in settings.world.notes)  # type: ignore[union-attr]


def test_a_cost_limit_ends_with_what_to_do_and_a_higher_one_goes_on(
    bench: Bench, serve: Serve, notes: Documentation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"relay": [1, 1]}', encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(prices))
    server = serve(lambda body: Answer(notes_model(body), usage=(100_000, 100_000)))
    with pytest.raises(
        BudgetExceeded, match=r"raise --max-cost to go on\. Run the same command again to go on: 1 answer is kept"
    ):
        bench.run(server, notes, max_cost=0.21)
    assert labels(server) == ["structure 0  1"]
    settings = bench.run(server, notes, max_cost=5)
    assert labels(server) == ["structure 0  1", "functions 0 add_note list_notes 1", "seed 0 note 1"]
    assert settings.provenance["cost"] == 0.6


def test_a_service_that_does_not_answer_is_no_reason_to_fall_back_in_silence(
    bench: Bench, serve: Serve, notes: Documentation
) -> None:
    server = serve(
        lambda body: (
            Answer(notes_model(body)) if label_of(body)["stage"] == "structure" else Status(401, message="who are you")
        )
    )
    with pytest.raises(ModelFailure, match="1 answer is kept"):
        bench.run(server, notes)
