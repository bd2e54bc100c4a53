"""A function is checked before anything runs it."""

from __future__ import annotations

import pytest

from autoforge.generator.documents import Documentation
from autoforge.generator.ir import OperationKind, World
from autoforge.generator.llm_synthesis.answers import FunctionAnswer, StructureAnswer
from autoforge.generator.llm_synthesis.drafts import Draft, Frame, drafted, frames_of
from autoforge.generator.llm_synthesis.structure import world_of
from autoforge.generator.rules.synthesize import synthesize
from tests.generator.llm_synthesis.conftest import ADD, LIST, STRUCTURE


@pytest.fixture
def frames(notes: Documentation) -> dict[str, Frame]:
    return frames_of(synthesize(notes, name="notes"))


def _draft(frames: dict[str, Frame], tool: str, source: str, kind: str = "get") -> Draft:
    tables = world_of(World(name="notes", entities=(), operations=()), StructureAnswer.model_validate(STRUCTURE))
    return drafted(tables, frames[tool], FunctionAnswer(tool=tool, kind=kind, source=source), "openai:relay")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def list_notes(db, *, tag=None)\n    return {}", "it is not Python"),
        ("import os\n" + LIST, "exactly one function"),
        (LIST + "\ndef helper(db):\n    return 1\n", "exactly one function"),
        (LIST.replace("tag=None", "label=None"), "the signature must be `def list_notes(db, *, tag=None):`"),
        (LIST.replace("tag=None", "tag"), "the signature must be"),
        ("def list_notes(db, *, tag=None):\n    return open('/etc/passwd')\n", "'open' is not known or not allowed"),
        ("def list_notes(db, *, tag=None):\n    return db.all(f'SELECT {tag} FROM notes')\n", "must be spelled out"),
        ("def list_notes(db, *, tag=None):\n    return db.all('SELECT label FROM notes')\n", "no such column: label"),
        ("def list_notes(db, *, tag=None):\n    return {}.__class__\n", "attribute '__class__' is not allowed"),
    ],
)
def test_what_must_not_or_cannot_run_is_a_fault(frames: dict[str, Frame], source: str, fault: str) -> None:
    draft = _draft(frames, "list_notes", source)
    assert draft.operation is None
    assert any(fault in sentence for sentence in draft.faults), draft.faults


def test_annotations_do_not_spoil_a_signature(frames: dict[str, Frame]) -> None:
    assert not _draft(frames, "list_notes", LIST.replace("tag=None", "tag: str | None=None")).faults


def test_kind_and_effects_are_measured_not_believed(frames: dict[str, Frame]) -> None:
    writing = _draft(frames, "add_note", ADD, kind="get").operation
    assert writing is not None and writing.kind is OperationKind.CREATE and writing.entity == "note"
    idle = _draft(
        frames,
        "add_note",
        "def add_note(db, *, text, tag):\n    db.log('add_note', {})\n    return {}\n",
        kind="create",
    ).operation
    assert idle is not None and idle.kind is OperationKind.WEAK


def test_refusals_are_read_from_the_source(frames: dict[str, Frame]) -> None:
    source = ADD.replace(
        "    number", '    if not tag:\n        raise ToolError(f"No note with {tag}.")\n    number', 1
    )
    operation = _draft(frames, "add_note", source).operation
    assert operation is not None
    assert "No note with {tag}." in [getattr(step, "message", "") for step in operation.steps]
