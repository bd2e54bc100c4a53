"""The files in `examples/serving` are what they say: they parse, and every option in them is one that there is."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from autoforge.gym.cli import commands

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "serving"
SERVER = ROOT / "mcp_envs" / "hotel" / "server.py"


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8")))


def manifests() -> dict[str, dict[str, Any]]:
    text = (FOLDER / "kubernetes.yaml").read_text(encoding="utf-8")
    return {document["kind"]: document for document in yaml.safe_load_all(text)}


def compose_command() -> list[str]:
    """The words after `exec` in the shell's line."""
    _, _, line = compose()["services"]["hotel"]["command"]
    return shlex.split(line.partition(" exec ")[2])


def pod() -> dict[str, Any]:
    return dict(manifests()["StatefulSet"]["spec"]["template"]["spec"])


def container() -> dict[str, Any]:
    (found,) = pod()["containers"]
    return dict(found)


def pod_command() -> list[str]:
    return [*container()["command"], *container()["args"]]


@pytest.fixture(scope="module")
def known_options() -> set[str]:
    done = subprocess.run(
        [sys.executable, str(SERVER), "--help"], capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    return set(re.findall(r"--[a-z-]+", done.stdout))


@pytest.mark.parametrize("words", [compose_command(), pod_command()], ids=["compose", "kubernetes"])
def test_every_option_of_the_server_is_one_that_it_has(words: list[str], known_options: set[str]) -> None:
    assert words[:2] == ["python", "/environment/server.py"]
    used = {word for word in words if word.startswith("--")}
    assert used >= {"--http", "--host", "--allowed-host", "--control-token-env"}
    assert used <= known_options


def test_the_options_start_a_server_whose_control_route_wants_the_token() -> None:
    words = compose_command()
    words[0:2] = [sys.executable, str(SERVER)]
    words[words.index("--http") + 1] = "0"
    words[words.index("--host") + 1] = "127.0.0.1"
    environment = {**os.environ, words[words.index("--control-token-env") + 1]: "secret"}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://[0-9.:]+", process.stderr.readline())
            assert found is not None
            url = f"{found[0]}/episodes/a"
            named = {"host": words[words.index("--allowed-host") + 1]}
            assert httpx2.get(url, headers=named).status_code == 401
            assert httpx2.get(url, headers={**named, "authorization": "Bearer secret"}).status_code == 404
            assert httpx2.get(url, headers={"host": "evil.example"}).status_code == 421
        finally:
            process.terminate()


def test_the_balancer_sends_all_paths_of_an_episode_by_its_id() -> None:
    conf = compose()["configs"]["balancer"]["content"].replace("$$", "$")
    rule = re.search(r'"~(\^\S+)" \$id;', conf)
    assert rule is not None and "hash $episode consistent;" in conf and "map $uri $episode" in conf
    pattern = re.compile(rule[1].replace("(?<", "(?P<"))
    paths = ("/episodes/a-1", "/episodes/a-1/mcp", "/user/episodes/a-1/mcp", "/episodes/a-2/mcp")
    assert [found["id"] for found in map(pattern.match, paths) if found] == ["a-1", "a-1", "a-1", "a-2"]
    assert pattern.match("/mcp") is None


def test_the_parts_of_the_compose_file_fit_together() -> None:
    whole = compose()
    hotel, balancer = whole["services"]["hotel"], whole["services"]["balancer"]
    command = compose_command()
    assert set(hotel["secrets"]) == set(whole["secrets"]) and {c["source"] for c in balancer["configs"]} == set(
        whole["configs"]
    )
    assert set(hotel["networks"]) | set(balancer["networks"]) == set(whole["networks"])
    assert whole["networks"]["inside"]["internal"] and hotel["networks"] == ["inside"]
    assert f"server hotel:{command[command.index('--http') + 1]};" in whole["configs"]["balancer"]["content"]
    assert (hotel["read_only"], hotel["cap_drop"], hotel["tmpfs"]) == (True, ["ALL"], ["/tmp"])


def test_the_parts_of_the_kubernetes_file_fit_together() -> None:
    found = manifests()
    assert set(found) == {"Service", "StatefulSet", "NetworkPolicy"}
    service, replicas, policy = found["Service"], found["StatefulSet"], found["NetworkPolicy"]
    labels = replicas["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == replicas["spec"]["selector"]["matchLabels"] == labels
    assert policy["spec"]["podSelector"]["matchLabels"] == labels and policy["spec"]["egress"] == []
    assert replicas["spec"]["serviceName"] == service["metadata"]["name"] and service["spec"]["clusterIP"] == "None"
    (port,) = container()["ports"]
    words = pod_command()
    assert str(port["containerPort"]) == words[words.index("--http") + 1]
    assert {p["targetPort"] for p in service["spec"]["ports"]} == {port["name"]}
    assert {m["name"] for m in container()["volumeMounts"]} == {v["name"] for v in pod()["volumes"]}


def test_the_token_comes_from_a_secret_in_both() -> None:
    words = pod_command()
    variables = {one["name"]: one for one in container()["env"]}
    token = variables[words[words.index("--control-token-env") + 1]]
    assert set(token["valueFrom"]) == {"secretKeyRef"}
    assert "environment" not in compose()["services"]["hotel"]
    assert all(f"$({name})" in " ".join(words) or name == token["name"] for name in variables)


def test_the_commands_of_the_readme_are_ones_that_there_are() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"autoforge-gym (run|serve) ([^`\n]+)", text)
    assert {name for name, _ in lines} == {"run", "serve"}
    for name, rest in lines:
        options = {option for parameter in commands.commands[name].params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options
    for file in re.findall(r"`([a-z]+\.yaml)`", text):
        assert (FOLDER / file).is_file()
