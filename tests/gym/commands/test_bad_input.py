"""Whatever is wrong with what was given: exit 2, a sentence that says it, nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.gym.commands.conftest import HOTEL, Run, files_of

AGENT = ["--agent", "oracle"]
MODEL = ["--agent", "openai:small", "--base-url", "http://127.0.0.1:1/v1"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], "ENV"),
        (["run", "", *AGENT], "empty argument"),
        (["run", "nowhere", *AGENT], "nowhere"),
        (["run", "folder", *AGENT], "environment.json"),
        (["run", "bank", *AGENT], "bank has no tasks"),
        (["run", "hotel", "hotel", *AGENT], "two environments are named 'hotel'"),
        (["run", "hotel"], "--agent"),
        (["run", "hotel", "--agent", ""], "empty argument"),
        (["run", "hotel", "--agent", "nobody"], "nobody"),
        (["run", "hotel", "--agent", "human"], "autoforge-gym play"),
        (["run", "hotel", "--agent", "mystery:model"], "mystery"),
        (["run", "hotel", "--agent", "openai:small"], "OPENAI_API_KEY"),
        (["run", "hotel", "--agent", "anthropic:small"], "ANTHROPIC_API_KEY"),
        (["run", "hotel", *AGENT, "--user", "nobody"], "nobody"),
        (["run", "hotel", *AGENT, "--user", ""], "empty argument"),
        (["run", "hotel", *AGENT, "--user", "human"], "autoforge-gym play"),
        (["run", "hotel", *AGENT, "--user", "openai:small"], "OPENAI_API_KEY"),
        (["run", "hotel", *AGENT, "--judge", "nobody"], "nobody"),
        (["run", "hotel", *AGENT, "--judge", "openai:small"], "OPENAI_API_KEY"),
        (["run", "hotel", *AGENT, "--trials", "0"], "--trials"),
        (["run", "hotel", *AGENT, "-o", ""], "empty argument"),
        (["run", "hotel", *AGENT, "-o", "folder"], "folder"),
        (["run", "hotel", *AGENT, "-o", "file.txt"], "file.txt"),
        (["run", "hotel", *AGENT, "-o", "file.txt/below"], "file.txt"),
        (["run", "hotel", *AGENT, "-o", "/proc/autoforge/run.jsonl"], "/proc/autoforge"),
        (["run", "hotel", *AGENT, "--split", "dev"], "--split"),
        (["run", "hotel", *AGENT, "--tasks", ""], "empty argument"),
        (["run", "hotel", *AGENT, "--tasks", "nowhere"], "--tasks 'nowhere'"),
        (["run", "hotel", *AGENT, "--limit", "0"], "--limit"),
        (["run", "hotel", *AGENT, "--concurrency", "0"], "--concurrency"),
        (["run", "hotel", *AGENT, "--retries", "-1"], "--retries"),
        (["run", "hotel", *AGENT, "--max-turns", "0"], "--max-turns"),
        (["run", "hotel", *AGENT, "--seed", "-1"], "--seed"),
        (["run", "hotel", *AGENT, "--max-cost", "1"], "--max-cost is for models"),
        (["run", "hotel", *AGENT, "--cache", "folder"], "--cache is for models"),
        (["run", "hotel", *AGENT, "--base-url", "http://h/v1"], "--base-url is for models"),
        (["run", "hotel", *AGENT, "--user-base-url", "http://h/v1"], "--user-base-url is for models"),
        (["run", "hotel", *AGENT, "--reasoning", "keep"], "--reasoning is for an agent that is a model"),
        (["run", "hotel", *MODEL, "--reasoning", "some"], "--reasoning"),
        (["run", "hotel", *MODEL, "--max-cost", "-1"], "--max-cost"),
        (["run", "hotel", *MODEL, "--max-cost", "1"], "price of openai:small"),
        (["run", "hotel", "--agent", "openai:small", "--base-url", "ftp://h"], "ftp://h"),
        (["run", "hotel", *AGENT, "--workers", "0"], "--workers"),
        (["run", "hotel", *AGENT, "--task-file", "nowhere.jsonl"], "nowhere.jsonl"),
        (["run", "hotel", *AGENT, "--task-file", "file.txt"], "file.txt, line 1"),
        (["run", "hotel", *AGENT, "--folder", "folder"], "no address"),
        (["run", "hotel", *AGENT, "--token-variable", "NOWHERE"], "no address"),
        (["run", "http://127.0.0.1:1/mcp", *AGENT, "--token-variable", "NOWHERE"], "NOWHERE"),
        (["run", "no-such-program --at-all", *AGENT], "no-such-program"),
        (["check", ""], "empty argument"),
        (["check", "hotel", "nowhere"], "nowhere"),
        (["check", "hotel", "--calls", "0"], "--calls"),
        (["check", "hotel", "--limit", "0"], "--limit"),
        (["play", "hotel"], "--as"),
        (["play", "hotel", "--as", "judge"], "--as"),
        (["play", "nowhere", "--as", "agent"], "nowhere"),
        (["play", "bank", "--as", "agent"], "has no tasks"),
        (["play", "hotel", "nowhere", "--as", "agent"], "'nowhere'"),
        (["play", "hotel", "--as", "agent", "--user", "nobody"], "nobody"),
        (["play", "hotel", "--as", "user", "--agent", "nobody"], "nobody"),
        (["play", "hotel", "--as", "agent", "-o", "file.txt"], "is there already"),
        (["play", "hotel", "--as", "agent", "--max-cost", "1"], "--max-cost is for models"),
    ],
    ids=lambda value: " ".join(value)[:70] if isinstance(value, list) else "",
)
def test_a_command_line_that_cannot_be_used_is_refused_before_anything_is_written(
    run: Run, arguments: list[str], words: str
) -> None:
    Path("folder").mkdir()
    Path("file.txt").write_text("mine", encoding="utf-8")
    before = files_of(Path())
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert words in " ".join(ran.err.split()), ran.err
    assert files_of(Path()) == before and Path("file.txt").read_text(encoding="utf-8") == "mine"


def test_with_json_bad_input_is_one_document_too(run: Run) -> None:
    ran = run("run", "nowhere", "--agent", "oracle", "--json")
    assert ran.code == 2 == ran.document["exit_code"]
    assert "nowhere" in ran.document["error"] and "nowhere" in ran.err


def test_a_file_of_settings_that_cannot_be_read_is_refused(run: Run) -> None:
    Path("run.jsonl.meta.json").write_text("{", encoding="utf-8")
    ran = run("run", HOTEL, *AGENT, "-o", "run.jsonl", "--judge", "none")
    assert ran.code == 2 and "run.jsonl.meta.json" in ran.err and "Invalid JSON" in ran.err


@pytest.mark.parametrize("output", [".", "..", "x" * 256, "x" * 250, "x" * 5000, "fifo", "link", "/dev/fd/0/x"])
@pytest.mark.parametrize(
    "line",
    [["run", "hotel", *AGENT], ["play", "hotel", "--as", "agent"], ["serve", "hotel"]],
    ids=lambda line: line[0],
)
def test_what_is_no_place_for_a_file_of_trajectories_is_refused_at_once(run: Run, line: list[str], output: str) -> None:
    os.mkfifo("fifo")
    Path("link").symlink_to("fifo")
    ran = run(*line, "-o", output)
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1 and len(ran.err) < 400, ran.err
    assert files_of(Path()) == ["fifo", "link"]
