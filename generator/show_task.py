"""A task on the terminal: what is asked, its DAG as a list, the gold calls with what they gave, the diff, the proof.

Invariant: outputs come from carrying the task out again, not from the file; where that fails or differs from the gold,
it is said and the rest is shown. Not covered: the picture (`report`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.task_steps import Step, steps, writing_tools
from autoforge.generator.report.task_view import verdict_tone
from autoforge.generator.report.task_words import short
from autoforge.generator.report.wording import clean
from autoforge.generator.tasks.replay import Replay, replay
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.mcp_envs.task import RowChange, Task, read_tasks

__all__ = ["find_task", "run_show_task", "show_task", "show_tasks"]

_STYLES = {"known": "dim", "read": "blue", "write": "yellow", "user": "cyan", "reason": "magenta", "answer": "green"}
_TONES = {"good": "green", "bad": "red", "": "default"}
_FATES = {"done": "", "refused": " [red]refused[/]", "skipped": " [dim]skipped[/]"}
_NEAR = 5


def find_task(folder: EnvironmentFolder, tasks: Sequence[Task], name: str) -> Task:
    """The task of that id, of the only id that begins so, or of that number (`#3`, from 1).

    Raises BadInput, naming what is nearest.
    """
    exact = [task for task in tasks if task.id == name]
    if not exact and name.startswith("#") and name[1:].isdecimal():
        return _numbered(folder, tasks, int(name[1:]))
    found = exact or [task for task in tasks if name and task.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        told = ", ".join([*(task.id for task in found[:_NEAR]), *("…" for _ in found[_NEAR : _NEAR + 1])])
        raise BadInput(f"{name!r} begins {len(found)} tasks of {folder.name} ({told}); say more of it.")
    raise BadInput(_unknown(folder, tasks, name))


def _numbered(folder: EnvironmentFolder, tasks: Sequence[Task], number: int) -> Task:
    if 0 < number <= len(tasks):
        return tasks[number - 1]
    words = f"they are #1 to #{len(tasks)}" if tasks else f"it has none, autoforge-gen tasks {folder.path} adds some"
    raise BadInput(f"{folder.name} has no task #{number}: {words}.")


def _unknown(folder: EnvironmentFolder, tasks: Sequence[Task], name: str) -> str:
    names = [*(tool.name for tool in folder.manifest.tools), *(task.id for task in tasks)]
    near = difflib.get_close_matches(name, names, 3, 0.5)
    meant = f"the nearest are {', '.join(near)}; " if near else ""
    what = "tool or task" if tasks else "tool"
    return f"{folder.name} has no {what} {name!r}; {meant}autoforge-gen show {folder.path} lists them."


def run_show_task(folder: EnvironmentFolder, name: str, console: Console | None) -> dict[str, Any]:
    """Carry a task out again and print it; without a console nothing is printed. Returns the task with its outputs.

    Raises BadInput for a task there is not.
    """
    task = find_task(folder, read_tasks(folder.path), name)
    again, problems = _again(folder, task)
    outputs = again.outputs if again else {}
    if console is not None:
        for problem in problems:
            console.print(f"[red]{escape(clean(problem))}[/]", soft_wrap=True)
        show_task(folder, task, outputs, console, again.refusals if again else {})
    found = task.model_dump(mode="json", by_alias=True)
    return {**found, "outputs": outputs, "refusals": again.refusals if again else {}, "problems": list(problems)}


def _again(folder: EnvironmentFolder, task: Task) -> tuple[Replay | None, tuple[str, ...]]:
    try:
        with Stage(folder) as stage:
            done = replay(stage, task)
    except AutoForgeError as error:
        return None, (str(error),)
    return done, tuple(
        f"Carried out again, {words}; autoforge-gen check {folder.path} says more." for words in done.differences
    )


def show_tasks(tasks: Sequence[Task], console: Console) -> None:
    """The tasks in a table; nothing where there are none."""
    if not tasks:
        return
    table = Table("#", "task", "level", "split", "calls", "writes", "instruction", header_style="bold")
    for number, task in enumerate(tasks, 1):
        difficulty = task.difficulty
        words = Text(" ".join(clean(task.instruction).split()), no_wrap=True, overflow="ellipsis")
        table.add_row(
            str(number),
            escape(clean(task.id)),
            difficulty.level,
            task.split,
            str(difficulty.calls),
            str(difficulty.writes),
            words,
        )
    console.print(table)


def show_task(
    folder: EnvironmentFolder,
    task: Task,
    outputs: Mapping[str, Any],
    console: Console,
    refusals: Mapping[str, str] | None = None,
) -> None:
    """Print one task. `outputs` are values by node, `refusals` why attempts were refused; both may be empty."""
    found = steps(task, writing_tools(folder.manifest), outputs)
    told = {**{node: _gave(value, console) for node, value in outputs.items()}}
    told |= {node: f"[red]{escape(clean(words))}[/]" for node, words in (refusals or {}).items()}
    difficulty = task.difficulty.model_dump()
    level = difficulty.pop("level")
    console.print(
        f"[bold]{escape(clean(task.id))}[/]  {level}, {task.split}, {escape(task.language)}  {escape(folder.name)}",
        soft_wrap=True,
    )
    console.print(", ".join(f"{name} {value}" for name, value in difficulty.items()), style="dim")
    console.print()
    console.print(Text(clean(task.instruction)))
    if task.persona:
        console.print(Text(f"persona: {clean(task.persona)}", style="italic"))
    for title, lines in _sections(task, found, told, console):
        console.print(f"\n[bold]{title}[/]")
        console.print(lines)


def _sections(
    task: Task, found: Sequence[Step], told: Mapping[str, str], console: Console
) -> Iterator[tuple[str, Any]]:
    width = max(console.width - 30, 30)
    if task.known:
        yield "The user knows", _pairs((name, escape(short(value, width))) for name, value in task.known.items())
    if task.initial or task.setup:
        calls = [f"{escape(call.tool)} {escape(short(call.arguments, width))}" for call in task.setup]
        yield "Before the user speaks", Group(*(escape(clean(sql)) for sql in task.initial), *calls)
    yield "Blueprint", _blueprint(task, found)
    yield "Gold calls and derivations", _calls(task, found, told, console)
    yield "State diff", _diff(task.gold.diff, width)
    if task.gold.answers:
        answers = ((a.name, f"[green]{escape(short(a.value, width))}[/] ({a.type})") for a in task.gold.answers)
        yield "The user must be told", _pairs(answers)
    verdicts = (
        (n.replace("_", " "), _toned(verdict_tone(n, v), escape(clean(value_words(v, width)))))
        for n, v in task.verdicts.items()
    )
    yield "Verdicts", _pairs(verdicts) if task.verdicts else "none yet"


def _toned(tone: str, words: str) -> str:
    return f"[{_TONES[tone]}]{words}[/]"


def _pairs(pairs: Iterator[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, words in pairs:
        table.add_row(f"  [dim]{escape(clean(name))}[/]", words)
    return table


def _blueprint(task: Task, found: Sequence[Step]) -> Tree:
    """The nodes in their order, each with what fills it; what only orders writes is named too."""
    tree = Tree("", hide_root=True)
    after: dict[str, list[str]] = {}
    for origin, end in task.blueprint.edges:
        after.setdefault(end, []).append(origin)
    for step in found:
        if step.kind == "known":
            continue
        branch = tree.add(_title(step))
        for given in step.inputs:
            name = f"{escape(clean(given.name))} ← " if given.name else ""
            branch.add(f"{name}[dim]{escape(clean(given.full))}[/]")
        rest = [node for node in after.get(step.id, ()) if node not in {given.origin for given in step.inputs}]
        if rest:
            branch.add(f"[dim]after {', '.join(map(escape, rest))}[/]")
    return tree


def _title(step: Step) -> str:
    style = _STYLES[step.kind]
    id = "told" if step.kind == "answer" else step.id
    detail = f" {escape(clean(step.detail))}" if step.detail and step.kind != "answer" else ""
    notes = (" by the user" if step.kind == "user" else "") + (" attempt" if step.attempt else "")
    return f"[dim]{escape(id)}[/] [{style}]{escape(clean(step.title))}[/]{detail}[dim]{notes}[/]{_FATES[step.fate]}"


def _gave(value: Any, console: Console) -> str:
    return escape(short(value, max(3 * (console.width - 8), 60)))


def _calls(task: Task, found: Sequence[Step], told: Mapping[str, str], console: Console) -> Tree:
    tree = Tree("", hide_root=True)
    made = {call.node: call.arguments for call in task.gold.calls}
    for step in found:
        if step.kind in ("known", "answer") or step.fate == "skipped":
            continue
        arguments = f" {escape(short(made[step.id], console.width))}" if step.id in made else ""
        branch = tree.add(_title(step) + arguments)
        if step.id in told:
            branch.add(told[step.id])
    return tree


def _diff(diff: Sequence[RowChange], width: int) -> Any:
    if not diff:
        return "  the state stays as it is"
    return Group(*(line for change in diff for line in _changed(change, width)))


def _changed(change: RowChange, width: int) -> Iterator[str]:
    key = ", ".join(short(part, 40) for part in change.key)
    where = f"{escape(clean(change.table))} {escape(key)}"
    if change.before is None:
        yield f"  [green]+ {where}[/] {escape(short(change.after, 2 * width))}"
    elif change.after is None:
        yield f"  [red]- {where}[/] {escape(short(change.before, 2 * width))}"
    else:
        yield f"  [yellow]~ {where}[/]"
        for name in dict.fromkeys((*change.before, *change.after)):
            was, now = (short(row.get(name), width) for row in (change.before, change.after))
            yield f"      {escape(clean(name))}: [red]{escape(was)}[/] → [green]{escape(now)}[/]"
