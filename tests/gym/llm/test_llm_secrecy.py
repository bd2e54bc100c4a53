"""A key reaches the server in its header, and nothing else: no file, log, message, traceback, repr or child."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from autoforge.gym.llm import Limits, Message, ModelClient, Request, scrubbed_environment
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from tests.gym.llm.conftest import CANARY, MODELS, Connect
from tests.gym.replay_server import Answer, Body, Cut, Drop, ReplayServer, Slow, Status, Step

pytestmark = pytest.mark.anyio

HELLO = Request(messages=(Message(role="user", content="hello"),))


def written_below(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "step",
    [
        Answer("fine"),
        Answer(f"your key is {CANARY}"),
        Status(401, message=f"Incorrect API key provided: {CANARY}"),
        Status(500, message=CANARY),
        Body(f"<html>{CANARY}</html>", "text/html"),
        Body(f'{{"type": "message", "content": "{CANARY}", "choices": "{CANARY}"}}'),
        Drop(),
        Cut(),
        Slow(),
    ],
)
async def test_the_key_is_in_the_header_and_nowhere_else(
    connect: Connect,
    step: Step,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    said = ""
    limits = Limits(attempts=2, attempt_timeout=0.3)
    with ReplayServer([step]) as server:
        async with connect(server, limits=limits) as client:
            said += repr(client) + str(vars(client))
            try:
                said += repr(await client.complete(HELLO))
            except AutoForgeError as error:
                assert error.__traceback__ is not None
                # This test's own frame knows the key; no frame below it may.
                below = traceback.StackSummary.extract(
                    traceback.walk_tb(error.__traceback__.tb_next), capture_locals=True
                )
                said += str(error) + "".join(below.format())
                said += repr(error.__context__) + repr(error.__cause__)
    carriers = [value for value in server.requests[0].headers.values() if CANARY in value]
    assert [value.removeprefix("Bearer ") for value in carriers] == [CANARY]
    assert CANARY not in str(server.requests[0].body)
    assert caplog.records, "the SDKs do log at this level"
    shown = capfd.readouterr()
    for text in (said, caplog.text, shown.out, shown.err, written_below(tmp_path)):
        assert CANARY not in text


async def test_a_mangled_key_is_refused_without_repeating_it(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "sk-secret\u2026copied")
    with pytest.raises(BadInput, match="characters that no key has") as caught:
        ModelClient(MODELS[provider])
    assert "sk-secret" not in str(caught.value)


def test_a_child_gets_no_variable_that_looks_like_a_secret() -> None:
    secrets = {
        "OPENAI_API_KEY": CANARY,
        "HF_TOKEN": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "DB_PASSWORD": "x",
        "PGPASSWORD": "x",
        "MYSQL_PWD": "x",
        "GITHUB_PAT": "x",
        "SENTRY_DSN": "x",
        "GOOGLE_APPLICATION_CREDENTIALS": "/x.json",
        "SSH_AUTH_SOCK": "/tmp/agent",
        "ANTHROPIC_CUSTOM_HEADERS": "authorization: x",
        "session_cookie": "x",
        "HTTPS_PROXY": "http://me:secret@proxy:3128",
        "DATABASE_URL": "postgres://me:secret@db/x",
        "INNOCENT": f"--key={CANARY}",
        "ALSO_INNOCENT": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    }
    plain = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/home/me",
        "PWD": "/home/me",
        "OLDPWD": "/",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
        "HTTP_PROXY": "http://proxy:3128",
        "VIRTUAL_ENV": "/venv",
        "OMP_NUM_THREADS": "1",
    }
    assert scrubbed_environment({**secrets, **plain}) == plain


def test_the_scrubbed_environment_of_this_process_starts_a_child_that_knows_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INNOCENT", f"prefix {CANARY}")
    assert CANARY in os.environ["OPENAI_API_KEY"]
    code = "import os; print(dict(os.environ))"
    child = subprocess.run(
        [sys.executable, "-c", code], env=scrubbed_environment(), capture_output=True, text=True, timeout=60, check=True
    )
    assert "PATH" in child.stdout
    assert CANARY not in child.stdout
