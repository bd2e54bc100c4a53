"""`autoforge-train`: help without an extra, the plan without torch, mistakes as sentences, exit codes."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autoforge.mcp_envs.version import VERSION
from autoforge.trainer.cli import commands, main
from autoforge.trainer.metrics.metrics_file import MetricsFile
from tests.gym.commands.conftest import Ran, Run
from tests.gym.conftest import ENVIRONMENTS
from tests.trainer.metrics.runs import step

EXTRAS = ("torch", "transformers", "deepspeed", "vllm", "peft", "tensorboard")
HEAVY = ("mcp", "networkx", "pydantic", "anthropic", "openai", "hypothesis", "faker", "inflect", "jinja2")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Run]:
    """Run the command in this process, in an empty folder."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUTOFORGE_ENVS", str(ENVIRONMENTS))
    for name in ("COLUMNS", "AUTOFORGE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)

    def here(*arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO())
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Ran(int(ended.value.code or 0), out, err)

    yield here
    signal.signal(signal.SIGTERM, before)


def without(names: tuple[str, ...], arguments: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """The program, where importing any of these ends it."""
    script = (
        "import sys\n"
        f"for name in {names!r}: sys.modules[name] = None\n"
        "from autoforge.trainer.cli import main\n"
        f"main({arguments!r})\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script], cwd=cwd, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], [], ["train", "--help"], ["report", "--help"], ["tiny", "--help"]]
)
def test_help_is_printed_without_an_extra_and_without_a_heavy_import(arguments: list[str], tmp_path: Path) -> None:
    done = without((*EXTRAS, *HEAVY), arguments, tmp_path)
    assert "Usage: autoforge-train" in done.stdout + done.stderr, done.stderr
    assert done.returncode == (0 if arguments else 2)


@pytest.mark.parametrize(
    "arguments",
    [["--help-settings"], ["train", "--help-settings"], ["tiny", "--dry-run"], ["tiny", "--dry-run", "--json"]],
)
def test_settings_and_plan_need_no_extra(arguments: list[str], tmp_path: Path) -> None:
    done = without(EXTRAS, arguments, tmp_path)
    assert "zero" in done.stdout and "Traceback" not in done.stderr, done.stderr


def test_a_run_that_lacks_an_extra_says_which_and_how_to_get_it(tmp_path: Path) -> None:
    done = without(EXTRAS, ["tiny"], tmp_path)
    assert done.returncode == 2 and "needs torch, transformers, deepspeed" in done.stderr
    assert "pip install 'autoforge-rl[train]'" in done.stderr and list(tmp_path.iterdir()) == []
    done = without(("vllm",), ["tiny", "--set", "sampler.engine=vllm"], tmp_path)
    assert done.returncode == 2 and "pip install 'autoforge-rl[vllm]'" in done.stderr
    done = without(("peft",), ["tiny", "--set", "learner.lora.rank=4"], tmp_path)
    assert done.returncode == 2 and "learner.lora needs peft" in done.stderr


def test_every_option_and_command_has_a_line_of_help() -> None:
    for name, command in commands.commands.items():
        assert command.help, name
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_the_version_is_that_of_the_code(run: Run) -> None:
    assert run("--version").out.split()[-1] == VERSION


def test_a_plan_that_fits_exits_0_and_prints_settings_that_can_be_read_again(run: Run, tmp_path: Path) -> None:
    ran = run("tiny", "--dry-run", "--set", "run.seed=9")
    assert ran.code == 0 and "It fits." in ran.out and "seed = 9" in ran.out
    (tmp_path / "resolved.toml").write_text(ran.out.partition("\n\nA step")[0], encoding="utf-8")
    again = run("resolved.toml", "--dry-run")
    assert again.code == 0 and again.out == ran.out


def test_a_plan_that_does_not_fit_exits_1_and_says_what_to_change(run: Run) -> None:
    ran = run("one-gpu", "--dry-run", "--set", "learner.checkpointing=false")
    words = " ".join(ran.out.split())
    assert ran.code == 1 and "Stands in the way: The GPU needs" in words and "set learner.checkpointing=true" in words


def test_the_plan_as_json_is_one_document_and_the_text_goes_to_stderr(run: Run) -> None:
    ran = run("tiny", "--dry-run", "--json")
    assert ran.code == 0 and ran.document["model"]["parameters"] == 984_448 and ran.document["problems"] == []
    assert "It fits." in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tniy"], "did you mean 'tiny'?"),
        (["reprot"], "did you mean 'report'?"),
        (["none.toml"], "none.toml cannot be read"),
        (["tiny", "--set", "learner.zeor=1", "--dry-run"], "did you mean 'learner.zero'?"),
        (["tiny", "--dry-run", "--resume"], "leave out --resume"),
        (["tiny", "--dry-run", "--set", "model.path=nobody/nothing"], "--set model.config=FILE"),
        (["report", "nowhere"], "nowhere cannot be read"),
        ([""], "is an empty argument"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_2(run: Run, arguments: list[str], words: str) -> None:
    ran = run(*arguments)
    assert ran.code == 2 and words in ran.err and ran.out == ""


def test_bad_input_with_json_is_a_document(run: Run) -> None:
    assert run("tniy", "--json").document["exit_code"] == 2


def test_a_run_is_given_its_settings_and_whether_it_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    module = types.ModuleType("autoforge.trainer.run")
    module.run_training = lambda settings, resume: told.append((settings, resume))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "autoforge.trainer.run", module)
    ran = run("tiny", "--set", "run.folder=there", "--resume", "--json")
    [(settings, resume)] = told
    assert (
        ran.code == 0 and ran.document == {"folder": "there"} and resume is True and str(settings.run.folder) == "there"
    )


def test_the_report_of_a_run_is_written_from_its_folder_or_file_while_it_runs(run: Run, tmp_path: Path) -> None:
    with MetricsFile(tmp_path / "run" / "metrics.jsonl") as file:
        file.append(step(1))
        ran = run("report", "run", "--json")
    assert ran.code == 0 and ran.document == {"output": "run/report.html", "records": {"erpo": 1}}
    assert "<h1>run</h1>" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    ran = run("report", "run/metrics.jsonl", "-o", "page.html")
    assert ran.code == 0 and "Open page.html in a browser." in ran.err and (tmp_path / "page.html").is_file()
