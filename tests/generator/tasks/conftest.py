"""The desk, found out once: its workshop, proposals of it, and tasks that a campaign made of a copy of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.campaign import Campaign, Request, run_campaign
from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.graph import Graph
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.propose import propose
from autoforge.generator.tasks.workshop import Knowledge, Workshop, open_workshop
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment

DESK = Path(__file__).parents[2] / "fixtures" / "desk"
PAGE = """<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-none'">
<!-- tasks:links --><!-- /tasks:links -->
<!-- tasks --><!-- /tasks -->
"""
"""A report that keeps a place for tasks; the fixture has none."""
VARIED = TaskPolicy(branches=0.4, fall_backs=0.4, questions=0.5, least_calls=2, least_writes=0)
REQUEST = Request(count=8, policy=TaskPolicy(least_calls=3, least_writes=1, walk_length=2))
"""Eight short tasks."""


class Made(NamedTuple):
    """A campaign's outcome, and the copy of the desk that it was made for."""

    folder: EnvironmentFolder
    campaign: Campaign
    progress: bytes
    """What the campaign kept of itself."""


def desk_copy(parent: Path) -> EnvironmentFolder:
    """A desk that may be changed, with a report."""
    folder = Path(shutil.copytree(DESK, parent / "desk"))
    (folder / "report.html").write_text(PAGE, encoding="utf-8")
    return find_environment(str(folder))


def quiet(what: str, done: int, total: int) -> None:
    """Progress that nobody looks at."""


@pytest.fixture(scope="session")
def workshop() -> Iterator[Workshop]:
    with open_workshop(find_environment(str(DESK)), seed=0, walk_length=4) as workshop:
        yield workshop


@pytest.fixture(scope="session")
def knowledge(workshop: Workshop) -> Knowledge:
    return workshop.knowledge


@pytest.fixture(scope="session")
def setting(workshop: Workshop) -> Setting:
    return workshop.setting


@pytest.fixture(scope="session")
def catalogue(knowledge: Knowledge) -> Catalogue:
    return knowledge.catalogue


@pytest.fixture(scope="session")
def graph(knowledge: Knowledge) -> Graph:
    return knowledge.graph


def proposals(workshop: Workshop, numbers: range, policy: TaskPolicy) -> list[Draft]:
    """The drafts of those numbers for which there is one."""
    found = []
    for number in numbers:
        try:
            found.append(propose(workshop.setting, workshop.knowledge.walks, number, seed=3, policy=policy))
        except Rejection:
            continue
    return found


@pytest.fixture(scope="session")
def drafts(workshop: Workshop) -> list[Draft]:
    found = proposals(workshop, range(15), VARIED)
    assert len(found) >= 10
    return found


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = desk_copy(tmp_path_factory.mktemp("campaign"))
    campaign = run_campaign(folder, REQUEST, jobs=1, have=(), progress=quiet)
    progress = folder.path.with_name(".desk.tasks.jsonl")
    return Made(folder, campaign, progress.read_bytes())
