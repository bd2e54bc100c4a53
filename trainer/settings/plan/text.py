"""The plan as a person reads it.

Invariant: every estimate stands beside its unit, and what was assumed is said. Not covered: the settings themselves
(`toml_text`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autoforge.trainer.settings.plan.fit import Device
from autoforge.trainer.settings.plan.plan import Plan
from autoforge.trainer.settings.plan.sampler_memory import GIB

__all__ = ["duration", "print_plan"]


def print_plan(console: Console, plan: Plan) -> None:
    """All of it."""
    console.print(_table("A step", _step(plan)))
    for device in plan.devices:
        console.print(_device(device))
    console.print(_table("Seconds of a step", _seconds(plan)))
    assumed = plan.settings.assumptions
    words = (
        f"Assumed: {assumed.teraflops:g} TFLOP/s and {assumed.bandwidth:g} GB/s a device, of which training reaches"
        f" {assumed.learner_share:.0%} and sampling {assumed.sampler_share:.0%}; episodes of {plan.work.turns} turns of"
        f" {assumed.turn_tokens} tokens; {assumed.user_turns} turns of a user who takes {assumed.user_seconds:g} s."
        " See [assumptions]."
    )
    console.print(escape(words), soft_wrap=True)
    for note in plan.notes:
        console.print(f"[yellow]Note:[/yellow] {escape(note)}", soft_wrap=True)
    for problem in plan.problems:
        console.print(f"[red]Stands in the way:[/red] {escape(problem)}", soft_wrap=True)
    if not plan.problems:
        console.print("[green]It fits.[/green]")


def duration(seconds: float) -> str:
    """In the unit that fits."""
    if seconds < 1:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _step(plan: Plan) -> Iterator[tuple[str, str]]:
    shape, work, rollouts = plan.shape, plan.work, plan.settings.rollouts
    active = f", {shape.active:,} active for a token" if shape.experts else ""
    yield "model", f"{shape.parameters:,} parameters{active}, {plan.trained:,} trained"
    for tasks in plan.tasks:
        here = "not found here" if tasks.missing else f"{tasks.training} to train on, {tasks.measured} to measure on"
        yield f"{tasks.name} ({tasks.use})", here
    yield (
        "episodes trained on",
        f"{plan.settings.erpo.selection.tasks} tasks × {rollouts.group} rollouts = {work.trained:,}",
    )
    yield "episodes played", f"{work.played:,.0f}, those for groups that are drawn again included"
    yield "an episode", f"{work.length:,} tokens, {work.sampled:,} of them sampled, in {work.turns} turns"
    yield "tokens sampled", f"{work.sampled_tokens:,.0f}"
    yield (
        "tokens trained on",
        f"{work.trained_tokens:,}, in micro-batches of {plan.settings.learner.micro_batch_tokens:,} a rank",
    )


def _seconds(plan: Plan) -> Iterator[tuple[str, str]]:
    seconds, replicas, steps = plan.seconds, plan.replicas, plan.settings.run.steps
    yield (
        "one token of an episode",
        f"{duration(seconds.token)}, {replicas.number} × {replicas.sequences} episodes at a time",
    )
    waits = f"user {duration(seconds.user)}, tools {duration(seconds.calls)}"
    yield "one episode", f"{duration(seconds.episode)}, of which {waits}"
    yield "rollouts", f"{duration(seconds.rollouts)} (sampling alone {duration(seconds.sampling)})"
    yield "training", duration(seconds.training)
    yield "sync", duration(seconds.sync)
    yield "step", f"{duration(seconds.step)}; {steps:,} steps: {duration(steps * seconds.step)}"


def _device(device: Device) -> Table:
    which = f"the {device.name}" if device.number == 1 else f"each of {device.number} {device.name}s"
    title = f"Memory of {which}"
    rows = [(name, f"{value / GIB:.2f} GiB") for name, value in device.parts.items() if value]
    share = f"{device.needed / GIB:.2f} of {device.capacity / GIB:.2f} GiB ({device.needed / device.capacity:.0%})"
    return _table(title, [*rows, ("all", share)])


def _table(title: str, rows: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    for name, value in rows:
        table.add_row(escape(name), escape(value))
    return table
