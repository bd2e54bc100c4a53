"""A run that is killed goes on where it was, and pays for nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.generator.llm_synthesis.conftest import ADD, GOOD, NOTES, labels, notes_model
from tests.generator.llm_synthesis.recorded import label_of
from tests.gym.replay_server import Answer, ReplayServer, Step


def _command(server: ReplayServer, folder: Path) -> list[str]:
    documents = folder / "notes.json"
    documents.write_text(json.dumps({"tools": NOTES}), encoding="utf-8")
    options = ["--llm", "anthropic:relay", "--base-url", server.anthropic_url, "--jobs", "1"]
    return [sys.executable, "-m", "autoforge.generator.cli", str(documents), *options, "-o", str(folder / "envs")]


DEAF = ADD.replace("text, tag)\n    return", "text, 'a')\n    return")
STAGES = ["structure", "functions", "seed", "repair"]


@pytest.mark.parametrize("killed_at", [1, 2, 4])
def test_no_answer_is_paid_twice_after_kill_9(killed_at: int, tmp_path: Path) -> None:
    victim: list[subprocess.Popen[bytes]] = []

    def decide(body: dict[str, Any]) -> Step:
        if victim and len(server.requests) == killed_at:
            victim[0].send_signal(signal.SIGKILL)
            victim[0].wait(timeout=60)
            victim.clear()
        deaf = label_of(body)["stage"] == "functions"
        return Answer(notes_model(body, {**GOOD, "add_note": DEAF} if deaf else GOOD))

    with ReplayServer(decide) as server:
        environment = {**os.environ, "COLUMNS": "200"}
        with subprocess.Popen(_command(server, tmp_path), stderr=subprocess.DEVNULL, env=environment) as process:
            victim.append(process)
            assert process.wait(timeout=300) == -signal.SIGKILL
        again = subprocess.run(
            _command(server, tmp_path), capture_output=True, env=environment, timeout=300, check=False
        )
        assert again.returncode == 0, again.stderr.decode()
        times = Counter(labels(server))
    assert [label.split()[0] for label in times] == STAGES
    assert [times[label] for label in times] == [2 if n == killed_at else 1 for n in range(1, 5)]
    assert (tmp_path / "envs" / "notes" / "environment.json").is_file()
