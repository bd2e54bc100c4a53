"""Every figure in one run: `python -m bench.run [DOCS…]`; DOCS are files or folders of documentation (default:
examples).

It prints a table and writes the same as JSON to bench/results/latest.json. Exit code 1 where a bound does not hold.
Times are those of this machine and its load; where a bound is a ratio, both sides were measured in turns in this run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.compiling import corpus_figures, growth_figures, single_figures
from bench.drill import drill_figures
from bench.figures import Figure, print_figures
from bench.gym import gym_figures
from bench.judge import judge_figures
from bench.scoring import scoring_figures
from bench.tasks import task_figures

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "latest.json"
SIZES = (50, 100, 200, 500)
SECTIONS = ("corpus", "single", "growth", "server", "scoring", "tasks", "gym", "drill", "judge", "training")


def server_figures(environment: Path) -> list[Figure]:
    """Call rates, start and episodes of a generated server beside servers written by hand."""
    command = [sys.executable, str(ROOT / "bench" / "server.py"), str(environment), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    return [Figure(**figure) for figure in json.loads(done.stdout)["figures"]]


def training_section(work: Path) -> list[Figure]:
    """Of the trainer, whose packages the other sections do without."""
    from bench.training import training_figures

    return training_figures(work)


def main() -> int:
    """Measure, print, write; 1 where a bound does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("docs", nargs="*", default=[str(ROOT / "examples")], metavar="DOCS")
    parser.add_argument("--only", choices=SECTIONS, action="append", help="measure this section only; repeatable")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of tools for the growth")
    options = parser.parse_args()
    docs = [str(Path(d).resolve()) for d in options.docs]
    load, python = os.getloadavg()[0], platform.python_version()
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, Python {python}")
    with tempfile.TemporaryDirectory(prefix="autoforge-bench-") as temporary:
        figures = measure_all(docs, options.only or SECTIONS, options.sizes, Path(temporary))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(
        json.dumps([f._asdict() for f in figures], indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(f"written to {RESULTS.relative_to(ROOT)}")
    return 0 if all(figure.holds for figure in figures) else 1


def measure_all(docs: Sequence[str], only: Sequence[str], sizes: Sequence[int], work: Path) -> list[Figure]:
    """The sections, each printed as soon as it is measured."""
    environment = work / "single" / "mcp_envs" / "single"
    sections: dict[str, Callable[[], list[Figure]]] = {
        "corpus": lambda: corpus_figures(docs, work),
        "single": lambda: single_figures(work),
        "growth": lambda: growth_figures(sizes, work),
        "server": lambda: server_figures(environment),
        "scoring": scoring_figures,
        "tasks": lambda: task_figures(docs, work),
        "gym": gym_figures,
        "drill": lambda: drill_figures(work),
        "judge": lambda: judge_figures(docs, work),
        "training": lambda: training_section(work),
    }
    figures: list[Figure] = []
    for name, section in sections.items():
        if name == "server" and name in only and not environment.exists():
            single_figures(work)
        if name in only:
            found = section()
            print_figures(found)
            figures += found
    return figures


if __name__ == "__main__":
    sys.exit(main())
