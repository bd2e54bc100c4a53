"""What becomes of tasks when their environment is compiled again."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.generator.kept_tasks import kept, meaning_of
from autoforge.generator.tasks.publish import publish, recount
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import ColumnKind
from tests.generator.tasks.conftest import PAGE, REQUEST, Made, desk_copy


@pytest.fixture(scope="module")
def written(made: Made, tmp_path_factory: pytest.TempPathFactory) -> EnvironmentFolder:
    folder = desk_copy(tmp_path_factory.mktemp("kept"))
    publish(folder, made.campaign.tasks, made.campaign, REQUEST)
    return find_environment(str(folder.path))


def files_of(folder: EnvironmentFolder) -> dict[str, str]:
    names = ("docs.json", "schema.sql", "seed.sql", "tools.py", "policy.md")
    return {**{name: folder.text(name) for name in names}, "report.html": PAGE}


def test_tasks_stay_where_nothing_that_they_were_proved_on_changes(written: EnvironmentFolder) -> None:
    bare = written.manifest.model_copy(update={"admission": None})
    files, manifest = kept(files_of(written), bare, written.path, drop=False)
    assert files["tasks.jsonl"] == written.text("tasks.jsonl")
    assert manifest.admission == written.manifest.admission
    assert files["report.html"] == written.text("report.html")


@pytest.mark.parametrize("name", ["seed.sql", "tools.py", "policy.md"])
def test_another_state_code_or_policy_refuses_to_lose_them(written: EnvironmentFolder, name: str) -> None:
    files = files_of(written)
    files[name] += "\n"
    with pytest.raises(BadInput, match=rf"proved on another {name}.*--drop-tasks"):
        kept(files, written.manifest, written.path, drop=False)
    lost, _ = kept(files, written.manifest, written.path, drop=True)
    assert "tasks.jsonl" not in lost


def test_another_kind_of_a_column_refuses_to_lose_them(written: EnvironmentFolder) -> None:
    table = written.manifest.tables[0]
    column = table.columns[1].model_copy(update={"kind": ColumnKind.FREE_TEXT})
    other = table.model_copy(update={"columns": (table.columns[0], column, *table.columns[2:])})
    manifest = written.manifest.model_copy(update={"tables": (other, *written.manifest.tables[1:])})
    assert meaning_of(manifest) != meaning_of(written.manifest)
    with pytest.raises(BadInput, match=r"environment\.json"):
        kept(files_of(written), manifest, written.path, drop=False)


def test_a_first_compilation_has_nothing_to_keep(written: EnvironmentFolder, tmp_path: Path) -> None:
    files = files_of(written)
    assert kept(files, written.manifest, tmp_path / "new", drop=False) == (files, written.manifest)


def test_a_second_campaign_adds_to_what_is_told(written: EnvironmentFolder, made: Made, tmp_path: Path) -> None:
    folder = desk_copy(tmp_path)
    half = made.campaign._replace(tasks=made.campaign.tasks[:4])
    publish(folder, half.tasks, half, REQUEST)
    again = find_environment(str(folder.path))
    rest = made.campaign._replace(tasks=made.campaign.tasks[4:])
    told = publish(again, made.campaign.tasks, rest, REQUEST).admission
    assert told is not None and told["proposals"] == 2 * made.campaign.proposals
    assert told["admitted"] == told["tasks"] == len(made.campaign.tasks)
    assert {name: told[name] for name in recount(made.campaign.tasks)} == recount(made.campaign.tasks)
