"""A run that is killed goes on where it was, and pays for nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.generator.llm_synthesis.conftest import HERE, labels, recordings
from tests.gym.replay_server import ReplayServer, Step


def _command(server: ReplayServer, folder: Path) -> list[str]:
    documents = str(HERE / "documents" / "plant_nursery.json")
    options = ["--llm", "anthropic:relay", "--base-url", server.anthropic_url, "--jobs", "1"]
    return [sys.executable, "-m", "autoforge.generator.cli", documents, *options, "-o", str(folder / "envs")]


@pytest.mark.parametrize("killed_at", [1, 3, 5])
def test_no_answer_is_paid_twice_after_kill_9(killed_at: int, tmp_path: Path) -> None:
    victim: list[subprocess.Popen[bytes]] = []

    def decide(body: dict[str, Any]) -> Step:
        if victim and len(server.requests) == killed_at:
            victim[0].send_signal(signal.SIGKILL)
            victim[0].wait(timeout=60)
            victim.clear()
        return recordings(body)

    with ReplayServer(decide) as server:
        environment = {**os.environ, "COLUMNS": "200"}
        with subprocess.Popen(_command(server, tmp_path), stderr=subprocess.DEVNULL, env=environment) as process:
            victim.append(process)
            assert process.wait(timeout=300) == -signal.SIGKILL
        before = labels(server)
        again = subprocess.run(
            _command(server, tmp_path), capture_output=True, env=environment, timeout=300, check=False
        )
        assert again.returncode == 0, again.stderr.decode()
        times = Counter(labels(server))
    unanswered = before[-1]
    # Requests that were on their way together are not all answered when the kill comes.
    together = {label for label in before if label.split()[0] == unanswered.split()[0]}
    assert {label for label, count in times.items() if count > 1} <= together
    assert times[unanswered] == 2
    assert (tmp_path / "envs" / "plant_nursery" / "environment.json").is_file()
