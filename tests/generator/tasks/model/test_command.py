"""`--llm` of the tasks command: options, keys, what the manifest says, and opinions."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autoforge.generator.tasks.model.advice import Advice
from autoforge.generator.tasks.model.adviser import Adviser
from autoforge.generator.tasks.model.command import ModelOptions, check_model_options, with_model
from autoforge.generator.tasks.model.opinions import with_opinions
from autoforge.generator.tasks.model.reword import Prover
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.workshop import Workshop
from autoforge.gym.llm import Message, Request
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.mcp_envs.task import Task
from tests.generator.tasks.model.conftest import CANARY, DESK, Connect, Decide, livelier, prompt, wording
from tests.gym.replay_server import Answer, ReplayServer, Status, Step

Serve = Callable[[Decide], ReplayServer]
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


@pytest.fixture
def folder(tmp_path: Path) -> EnvironmentFolder:
    shutil.copytree(DESK, tmp_path / "envs" / "desk")
    return find_environment(str(tmp_path / "envs" / "desk"))


def _model(body: dict[str, Any]) -> Step:
    """Answers whatever is asked."""
    text = prompt(body)
    if "## Pairs" in text:
        return Answer('{"sensible": [1, 2, 3]}')
    if "## Rows" in text:
        return Answer('{"fields": []}')
    if "## Task 1" in text:
        return Answer('{"tasks": [{"task": 1, "redundant": [1, 99], "why": "' + "nobody asked " * 40 + '"}]}')
    return wording(livelier(body))


def _options(server: ReplayServer, **more: Any) -> ModelOptions:
    return ModelOptions(llm="openai:relay", base_url=server.openai_url, **more)


@pytest.mark.parametrize(("given", "flag"), [
    ({"base_url": "http://127.0.0.1:1"}, "--base-url"), ({"max_cost": 0.0}, "--max-cost"),
    ({"cache": Path("x")}, "--cache"), ({"opinions": True}, "--opinions"),
])  # fmt: skip
def test_what_goes_with_a_model_is_refused_without_one(given: dict[str, Any], flag: str) -> None:
    with pytest.raises(BadInput, match=f"^{flag} goes with --llm"):
        check_model_options(ModelOptions(**given))
    check_model_options(ModelOptions(llm="openai:relay", **given))


def test_without_a_model_nothing_of_one_is_there(folder: EnvironmentFolder) -> None:
    with with_model(ModelOptions(), folder, Console(file=io.StringIO())) as model:
        assert model is None
        assert os.environ["OPENAI_API_KEY"] == CANARY
    text = "import autoforge.generator.tasks.model.command, sys; print('autoforge.gym.llm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_child_inherits_a_key_while_the_model_still_has_it(folder: EnvironmentFolder, serve: Serve) -> None:
    server = serve(_model)
    with with_model(_options(server), folder, Console(file=io.StringIO())) as model:
        assert model is not None
        child = subprocess.run(
            [sys.executable, "-c", "import os; print(dict(os.environ))"], capture_output=True, check=True
        )
        assert CANARY.encode() not in child.stdout
        assert not any(name in os.environ for name in KEYS)
        model.adviser.portal.call(_once, model.adviser)
        assert server.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert all(os.environ[name] == CANARY for name in KEYS)


async def _once(adviser: Adviser) -> None:
    await adviser.client.complete(Request(messages=(Message(role="user", content="## Pairs"),)), stage="desk: edges")


def test_keys_are_back_after_an_error_which_says_how_to_go_on(folder: EnvironmentFolder, serve: Serve) -> None:
    server = serve(lambda body: Status(401, message="who are you"))
    again = r"Run the same command again to go on: 0 answers are kept in .*\.cache"
    opened = with_model(_options(server), folder, Console(file=io.StringIO()))
    with pytest.raises(ModelFailure, match=again), opened as model:
        assert model is not None
        model.adviser.portal.call(_once, model.adviser)
    assert all(os.environ[name] == CANARY for name in KEYS)


def test_the_whole_course_before_and_after_tasks_are_made(
    folder: EnvironmentFolder, workshop: Workshop, tasks: list[Task], serve: Serve
) -> None:
    output, steps = io.StringIO(), []
    options = _options(serve(_model), opinions=True)
    with with_model(options, folder, Console(file=output, width=200, color_system=None)) as model:
        assert model is not None
        with Stage(folder) as stage:
            advice = model.advise(stage, workshop.catalogue, workshop.knowledge.graph)
        made = model.finished(tasks[:1], have=(), jobs=1, progress=lambda *told: steps.append(told))
        record = model.record()
    assert all(task.instruction.startswith("Good morning") for task in made)
    assert record["model"] == "openai:relay"
    assert record["wordings"] == {"reworded": 1}
    assert set(record["prompt_digests"]) == {"edges", "fields", "opinions", "wording"}  # type: ignore[arg-type]
    assert record["input_tokens"] == 100 * sum(s["answers"] for s in record["stages"].values())  # type: ignore
    json.dumps(record)
    assert advice.digest != Advice(workshop.knowledge.graph, ()).digest
    assert "desk wording: 1 of 1 tasks in the model's words" in output.getvalue()
    assert steps[-1] == ("prove tasks", 1, 1)
    assert (folder.path.parent / ".cache" / "answers").is_dir()


def test_an_opinion_is_kept_and_changes_nothing_else(
    tasks: list[Task], proves: Prover, connect: Connect, serve: Serve
) -> None:
    with connect(serve(_model)) as adviser:
        found = with_opinions(tasks, adviser)
    merged = next(n for n, task in enumerate(tasks) if task.difficulty.walks > 1)
    opinion = found[merged].provenance["opinion"]
    assert isinstance(opinion, dict)
    assert opinion["redundant"] == [tasks[merged].gold.calls[0].node], "a call that there is not is no opinion"
    assert len(str(opinion["why"])) == 200
    for before, after in zip(tasks, found, strict=True):
        rest = {name: value for name, value in after.provenance.items() if name != "opinion"}
        assert after.model_copy(update={"provenance": rest}) == before
        assert ("opinion" in after.provenance) == (before.difficulty.walks > 1)
    assert all(proof.holds for proof in proves(found[:1]))
