"""The check of a GPU host: `just gpu-check`, or `python -m bench.gpu_check [--out FILE] [--device cpu --small]`.

    training    bf16 steps at 0.5, 1.7 and 3 B parameters: time against arithmetic, memory against --dry-run's estimate
    rollouts    the embedded sampler at several numbers of rows against the bandwidth of the memory
    learning    a small model on a bandit, with the trainer's advantages and loss
    mismatch    log-probabilities of sampler and learner for the same ids

It needs Python, torch and transformers, and for some parts a few packages more; what it could not test is said. Each
part runs in a process of its own with a deadline of its own, 8 minutes in all. Exit code 1 where something asked does
not hold or a part failed, 2 without a GPU. Invariant: what a part found before it was ended is in the table. Not
covered: DeepSpeed, vLLM, several GPUs; `autoforge-train` itself is the check of these.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import torch

from bench.gpu_check_machine import Line, Lines

__all__ = ["SECONDS", "main"]

ROOT = Path(__file__).resolve().parents[1]
SECONDS: Mapping[str, int] = {"training": 190, "rollouts": 110, "learning": 85, "mismatch": 85}
"""Deadlines: together less than 8 minutes."""
_SPARE = 40
"""Seconds of a part's deadline that its imports and its last measurement may take."""
_OTHERS = ("deepspeed", "vllm")


def main() -> int:
    """Check, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, or cpu")
    parser.add_argument("--small", action="store_true", help="tiny shapes, to see that everything runs")
    parser.add_argument("--out", type=Path, help="write the lines to this file as JSON, too")
    parser.add_argument("--part", choices=SECONDS, action="append", help="this part only; repeatable")
    parser.add_argument("--lines", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.device != "cpu" and not torch.cuda.is_available():
        print(
            "torch finds no GPU here; run this on a host with one, or try it with --device cpu --small.",
            file=sys.stderr,
        )
        return 2
    if options.lines is not None:
        return _one(options.part[0], options.lines, torch.device(options.device), options.small)
    with tempfile.TemporaryDirectory(prefix="autoforge-gpu-") as work:
        lines = _all(options.part or list(SECONDS), options.device, options.small, Path(work))
    if options.out is not None:
        options.out.write_text(json.dumps(_record(options.device, lines), indent=1) + "\n", encoding="utf-8")
        print(f"written to {options.out}")
    return 0 if all(line.holds is not False for line in lines) else 1


def _all(parts: list[str], device: str, small: bool, work: Path) -> list[Line]:
    """Part after part, each printed when it has ended."""
    print(f"{_device_name(device)}, torch {torch.__version__}, Python {sys.version.split()[0]}", flush=True)
    lines = [
        Line("host", name, None, note="is not installed; not tested") for name in _OTHERS if find_spec(name) is None
    ]
    _print(lines)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(_paths(work))}
    for part in parts:
        found = _part(part, device, small, work / f"{part}.jsonl", environment)
        _print(found)
        lines += found
    return lines


def _part(part: str, device: str, small: bool, file: Path, environment: Mapping[str, str]) -> list[Line]:
    """In a process of its own, until its deadline."""
    command = [sys.executable, "-W", "ignore", "-m", "bench.gpu_check", "--device", device, "--part", part]
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "--lines", str(file), *(["--small"] if small else [])], env=environment, cwd=ROOT, check=False,
            capture_output=True, text=True, errors="replace", timeout=SECONDS[part],
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return [*Lines.read(file), Line(part, part, None, note=f"ended after {SECONDS[part]} s", holds=False)]
    found = Lines.read(file)
    if done.returncode:
        last = next((text for text in reversed(done.stderr.splitlines()) if text.strip()), "")
        found.append(Line(part, part, None, note=f"failed with {done.returncode}: {last}", holds=False))
    return [*found, Line(part, "seconds in all", time.monotonic() - began, "s")]


def _one(part: str, file: Path, device: torch.device, small: bool) -> int:
    """The part, in this process."""
    from bench.gpu_check_learning import learning
    from bench.gpu_check_rollouts import mismatch, rollouts
    from bench.gpu_check_training import training

    lines = Lines(file, part)
    until = time.monotonic() + SECONDS[part] - _SPARE
    run = {"training": training, "rollouts": rollouts, "learning": learning, "mismatch": mismatch}[part]
    try:
        run(lines, device, small, until)
    except ModuleNotFoundError as error:
        lines.add(part, None, note=f"not tested: the package {error.name} is missing; pip install {error.name}")
    return 0


def _paths(work: Path) -> list[str]:
    """Where `bench` and `autoforge` are found: links to this checkout, where the package is not installed."""
    names = work / "names" / "autoforge"
    names.mkdir(parents=True)
    for folder in ("gym", "mcp_envs", "trainer"):
        (names / folder).symlink_to(ROOT / folder, target_is_directory=True)
    return [str(names.parent), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]


def _device_name(device: str) -> str:
    return torch.cuda.get_device_name(torch.device(device)) if device != "cpu" else f"CPU, {os.cpu_count()} cores"


def _print(lines: list[Line]) -> None:
    for line in lines:
        verdict = {None: "", True: "ok", False: "MISS"}[line.holds]
        value = "" if line.value is None else f"{line.value:12.4g} {line.unit}"
        share = "" if line.share is None else f"{line.share:.0%} of it"
        print(f"{verdict:4} {line.part:9} {line.what:44} {value:24} {share:12} {line.note}", flush=True)


def _record(device: str, lines: list[Line]) -> dict[str, object]:
    return {
        "device": _device_name(device), "torch": torch.__version__, "lines": [line._asdict() for line in lines],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
