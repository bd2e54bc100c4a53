"""`autoforge-gen compile`: read everything, compile, report.

Invariant: all inputs are read before anything is written; where a model took part, keys are out of this process's
environment before code is run. Not covered: options (`cli`), reading (`plan`), running (`jobs`), printing (`summary`).
"""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

from autoforge.generator.jobs import Outcome, compile_all
from autoforge.generator.plan import CompileOptions, Job, plan_jobs
from autoforge.generator.summary import print_summary
from autoforge.gym.commandline.terminal import messages, meter, waiting

__all__ = ["run_compile"]


def run_compile(options: CompileOptions) -> int:
    """Compile all documentation; 0 when every environment passed and was written, else 1.

    2 where input turned out to be unusable while compiling; raises BadInput where it did before.
    """
    console = messages()
    with waiting(console, "reading"):
        plan = plan_jobs(options)
    if options.llm is None:
        outcomes = _compile(plan, options, console)
    else:
        outcomes = _compile_with_model(plan, options, options.llm, console)
    print_summary(outcomes, console)
    added = _with_tasks(outcomes, options, console) if options.tasks else {}
    if options.as_json:
        listing = [o._asdict() | {"tasks": added.get(o.name)} for o in outcomes]
        click.echo(json.dumps({"environments": listing}, ensure_ascii=False, indent=1))
    return max([*(o.exit_code for o in outcomes), *(int(not tasks["enough"]) for tasks in added.values())])


def _with_tasks(outcomes: list[Outcome], options: CompileOptions, console: Console) -> dict[str, dict[str, Any]]:
    """Tasks for each environment that was written; what became of them, by its name."""
    from autoforge.generator.tasks_command import TaskOptions, add_to

    wanted = TaskOptions(count=options.tasks, seed=options.seed, jobs=options.jobs, policy=options.task_policy)
    return {o.name: add_to(o.written, wanted, console) for o in outcomes if o.written is not None}


def _compile(plan: list[Job], options: CompileOptions, console: Console) -> list[Outcome]:
    with meter(console, "compiling", len(plan)) as tell:
        return compile_all(plan, options.jobs, tell)


def _compile_with_model(plan: list[Job], options: CompileOptions, llm: str, console: Console) -> list[Outcome]:
    from autoforge.generator.llm_synthesis import keys_hidden, synthesize_with_model

    cache, ready = options.cache or options.output / ".cache", []
    for job in plan:
        settings = synthesize_with_model(
            job.documentation, job.settings, llm, options.base_url, options.max_cost, cache, console
        )
        ready.append(job._replace(settings=settings))
    with keys_hidden():
        return _compile(ready, options, console)
