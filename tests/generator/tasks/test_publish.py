"""Tasks written into an environment, with figures that are counted on them."""

from __future__ import annotations

import errno
import io
import json
import os
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.kept_tasks import GRAPH_FILE
from autoforge.generator.tasks.publish import publish, with_distractors
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import Task, read_tasks, task_line
from tests.generator.tasks.conftest import REQUEST, Made, desk_copy


@pytest.fixture(scope="module")
def written(made: Made, tmp_path_factory: pytest.TempPathFactory) -> EnvironmentFolder:
    folder = desk_copy(tmp_path_factory.mktemp("published"))
    publish(folder, made.campaign.tasks, made.campaign, REQUEST)
    return find_environment(str(folder.path))


@pytest.fixture
def admission(written: EnvironmentFolder) -> dict[str, Any]:
    assert written.manifest.admission is not None
    return dict(written.manifest.admission)


def test_the_tasks_are_read_again_as_they_were(written: EnvironmentFolder, made: Made) -> None:
    assert read_tasks(written.path) == made.campaign.tasks
    assert (written.path / "tasks.jsonl").read_text(encoding="utf-8").count("\n") == len(made.campaign.tasks)


@given(st.text(), st.text(max_size=3))
def test_any_text_survives_its_line(made: Made, tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    try:
        text.encode(), name.encode()
    except UnicodeEncodeError:  # half a pair of surrogates is no text
        return
    folder = tmp_path_factory.getbasetemp() / "lines"
    folder.mkdir(exist_ok=True)
    task = made.campaign.tasks[0].model_copy(update={"instruction": text, "known": {name: text}})
    (folder / "tasks.jsonl").write_text(task_line(task) + "\n" + task_line(made.campaign.tasks[1]), encoding="utf-8")
    assert read_tasks(folder) == (task, made.campaign.tasks[1])


def test_everything_else_of_the_environment_stays(written: EnvironmentFolder, made: Made) -> None:
    new = {"tasks.jsonl", GRAPH_FILE}
    assert {p.name for p in written.path.iterdir()} == {p.name for p in made.folder.path.iterdir()} | new
    for name in ("tools.py", "seed.sql", "schema.sql", "docs.json", "policy.md", "README.md"):
        assert (written.path / name).read_bytes() == (made.folder.path / name).read_bytes()
    assert written.manifest.model_copy(update={"admission": None}) == made.folder.manifest
    assert [p.name for p in written.path.parent.iterdir() if p.suffix != ".lock"] == ["desk"]


def test_the_figures_are_those_of_a_recount(admission: dict[str, Any], made: Made) -> None:
    tasks = made.campaign.tasks
    share = {name: admission["hardness"][name] for name in ("merged", "reasoning", "branches", "answers")}
    assert (admission["tasks"], admission["admitted"], admission["proposals"]) == (8, 8, made.campaign.proposals)
    assert admission["rejections"] == dict(made.campaign.rejections)
    assert admission["levels"] == dict(Counter(t.difficulty.level for t in tasks))
    assert admission["splits"] == dict(Counter(t.split for t in tasks))
    assert admission["languages"] == {"en": 8}
    assert admission["hardness"]["median_calls"] == statistics.median(len(t.gold.calls) for t in tasks)
    assert admission["hardness"]["median_writes"] == statistics.median(t.difficulty.writes for t in tasks)
    assert share == {
        "merged": sum(t.difficulty.walks > 1 for t in tasks) / 8,
        "reasoning": sum(bool(t.blueprint.reasons) for t in tasks) / 8,
        "branches": sum(any(n.when for n in t.blueprint.nodes) for t in tasks) / 8,
        "answers": sum(bool(t.gold.answers) for t in tasks) / 8,
    }
    for name in ("mutants_killed", "reorders_accepted"):
        counted = [tuple(map(int, str(t.verdicts[name]).split("/"))) for t in tasks]
        assert admission[name] == f"{sum(k for k, _ in counted)}/{sum(n for _, n in counted)}"
    assert int(admission["mutants_killed"].split("/")[1]) > 8
    assert admission["request"]["count"] == 8 and admission["request"]["policy"]["least_calls"] == 3


def test_the_oracle_wins_and_the_other_baselines_lose(admission: dict[str, Any]) -> None:
    rates = dict(admission["baselines"])
    assert rates.pop("oracle") == 1.0
    assert len(rates) == 3 and set(rates.values()) == {0.0}


def test_the_graph_is_written_as_graphml(written: EnvironmentFolder, made: Made) -> None:
    graph = nx.read_graphml(io.BytesIO((written.path / GRAPH_FILE).read_bytes()), force_multigraph=True)
    assert set(graph.nodes) == set(made.campaign.knowledge.catalogue.tools)
    assert graph.number_of_edges() == len(made.campaign.knowledge.graph.edges)


def test_the_report_shows_the_tasks(written: EnvironmentFolder, made: Made) -> None:
    report = written.text("report.html")
    assert '<section id="tasks"' in report and '<section id="dependencies"' in report
    assert all(task.id in report for task in made.campaign.tasks)
    assert "<!-- /tasks -->" in report


def test_writing_again_gives_the_same_files(written: EnvironmentFolder, made: Made) -> None:
    before = {p.name: p.read_bytes() for p in written.path.iterdir()}
    manifest = publish(written, made.campaign.tasks, made.campaign, REQUEST)
    assert {p.name: p.read_bytes() for p in written.path.iterdir()} == before
    assert manifest == written.manifest == Manifest.model_validate_json(before["environment.json"])


def test_a_disk_that_is_full_leaves_the_environment_as_it_was(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk_copy(tmp_path)
    before = {p.name: p.read_bytes() for p in folder.path.iterdir()}

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=r"No space left.*same command"):
        publish(folder, made.campaign.tasks, made.campaign, REQUEST)
    assert {p.name: p.read_bytes() for p in folder.path.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".lock"] == ["desk"]


def test_without_tasks_there_are_no_rates(made: Made, tmp_path: Path) -> None:
    folder = desk_copy(tmp_path)
    nothing = made.campaign._replace(tasks=())
    admission = publish(folder, (), nothing, REQUEST).admission
    assert admission is not None and admission["tasks"] == 0 and admission["baselines"] == {}
    assert json.loads((folder.path / "environment.json").read_text(encoding="utf-8"))["admission"] == admission
    assert read_tasks(folder.path) == ()


@pytest.fixture
def names(made: Made) -> list[str]:
    return list(made.campaign.knowledge.catalogue.tools)


Drawn = Callable[[int | None], list[Task]]


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_distractors_are_tools_that_gold_does_not_need(made: Made, names: list[str], count: int) -> None:
    drawn = with_distractors(made.campaign.tasks, names, count)
    for task in drawn:
        called = {step.tool for step in task.blueprint.steps}
        assert task.distractors is not None and not called & set(task.distractors)
        assert len(set(task.distractors)) == min(count, len(set(names) - called))
    assert drawn == with_distractors(made.campaign.tasks, names, count)


def test_all_tools_are_offered_where_nothing_is_said(made: Made, names: list[str]) -> None:
    assert with_distractors(made.campaign.tasks, names, None) == list(made.campaign.tasks)
    assert all(task.distractors is None for task in made.campaign.tasks)
