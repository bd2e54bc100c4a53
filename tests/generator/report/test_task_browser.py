"""The tasks of the page in a real Chromium: drawn, filtered, chosen with the keyboard, under the page's own policy."""

from __future__ import annotations

import re
from typing import Any

import pytest

from autoforge.generator.report import tasks_section, with_tasks
from autoforge.generator.tasks.stage import Stage
from tests.generator.report.desk_tasks import desk, desk_tasks, replayed
from tests.generator.report.test_browser import Open, _data, browse, chromium
from tests.generator.report.test_task_section import graph

__all__ = ["browse", "chromium"]


@pytest.fixture(scope="module")
def section() -> str:
    with Stage(desk()) as stage:
        tasks = desk_tasks(stage)
        outputs, refusals = replayed(stage, tasks)
    return tasks_section(tasks, desk().manifest, outputs, graph(12), refusals)


@pytest.fixture
def page(shop: Any, section: str) -> str:
    return with_tasks(shop.page(), section)


def driven(page: str, script: str) -> tuple[str, str]:
    """The page without its policy, and a script that runs once everything is drawn."""
    return re.sub(r"script-src [^;]*", "script-src 'unsafe-inline'", page), (
        f"addEventListener('load', () => {{ const root = document.documentElement; {script} }});"
    )


def opened(browse: Open, page: str, script: str, fragment: str = "") -> str:
    free, runs = driven(page, script)
    return browse(free.replace("</body>", f"<script>{runs}</script></body>"), fragment)


def test_the_tasks_are_drawn_under_the_page_s_own_policy_without_errors(page: str, browse: Open) -> None:
    document = browse(page)
    assert _data(document, "errors") is None
    assert (_data(document, "tasks"), _data(document, "task"), _data(document, "ready")) == (
        "3",
        "desk-fall-back",
        "yes",
    )
    assert document.count('class="step reason done"') == 6
    assert "if n6 was refused" in document and "Chiara Lombardi is not on duty" in document


def test_a_link_to_a_task_shows_it_and_an_unknown_one_does_no_harm(page: str, browse: Open) -> None:
    assert _data(browse(page, "#task=desk-user-acts"), "task") == "desk-user-acts"
    document = browse(page, "#task=%E0%A4")
    assert (_data(document, "task"), _data(document, "errors")) == ("desk-fall-back", None)


def test_filters_narrow_the_list_and_show_the_first_that_is_left(page: str, browse: Open) -> None:
    script = """
    const set = (id, value) => {
      const field = document.querySelector(id);
      field.value = value;
      field.dispatchEvent(new Event("input"));
    };
    const said = () => root.dataset.tasks + " " + root.dataset.task;
    const found = [];
    set("#task-level", "easy"); found.push(said());
    set("#task-split", "validation"); found.push(said());
    document.querySelector("#task-reset").click(); found.push(said());
    set("#task-user", "yes"); found.push(said()); set("#task-user", "");
    set("#task-branch", "yes"); found.push(said()); set("#task-branch", "");
    set("#task-query", "invoice TAG"); found.push(said());
    set("#task-query", "nothing at all"); found.push(root.dataset.tasks);
    root.dataset.found = found.join(", ");
    """
    assert _data(opened(browse, page, script), "found") == (
        "2 desk-user-acts, 1 desk-only-reads, 3 desk-only-reads, "
        "1 desk-user-acts, 1 desk-fall-back, 1 desk-only-reads, 0"
    )


def test_the_list_and_the_picture_work_by_keyboard(page: str, browse: Open) -> None:
    script = """
    const press = (element, key) =>
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const reached = [...document.querySelectorAll("#task-list button")].filter(button => button.tabIndex === 0);
    reached[0].focus();
    press(reached[0], "ArrowDown"); const second = root.dataset.task + location.hash;
    press(document.activeElement, "End"); press(document.activeElement, "Home");
    const step = document.querySelector('[data-mark="n8"]');
    step.focus(); const read = document.querySelector("#task-readout").textContent;
    const traced = document.querySelectorAll(".dag .link.traced").length;
    press(step, "Enter");
    root.dataset.found = [reached.length, second, root.dataset.task, traced, document.activeElement.id].join(" ");
    root.dataset.read = read;
    """
    document = opened(browse, page, script)
    assert _data(document, "found") == "1 desk-user-acts#task=desk-user-acts desk-fall-back 5 step-n8"
    assert "ticket_id ← n3 $.id" in str(_data(document, "read"))


def test_a_chosen_tool_shows_what_it_takes_and_gives(page: str, browse: Open) -> None:
    script = """
    const tool = document.querySelector('#dependency-picture .gives[data-tool="tool_03"]');
    tool.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    const count = selector => document.querySelectorAll(selector).length;
    root.dataset.found = count(".pair.traced") + " " + count("#neighbourhood tr");
    """
    assert _data(opened(browse, page, script), "found") == "6 6"


def test_texts_stay_inside_their_boxes_and_the_page_inside_the_window(page: str, browse: Open) -> None:
    script = """
    const over = [...document.querySelectorAll(".dag .step")].flatMap(step => {
      const box = step.querySelector(".body").getBBox();
      return [...step.querySelectorAll("text")].filter(text => {
        const at = text.getBBox();
        return at.x < box.x || at.x + at.width > box.x + box.width;
      }).map(text => text.textContent);
    });
    root.dataset.over = over.join("|");
    root.dataset.wide = root.scrollWidth > innerWidth ? "yes" : "no";
    """
    document = opened(browse, page, script)
    assert (_data(document, "over"), _data(document, "wide")) == ("", "no")


def test_a_thousand_tasks_open(shop: Any, browse: Open) -> None:
    with Stage(desk()) as stage:
        task = desk_tasks(stage)[2]
    many = [task.model_copy(update={"id": f"task-{n}"}) for n in range(1000)]
    page = with_tasks(shop.page(), tasks_section(many, desk().manifest, {}, None))
    document = browse(page, "#task=task-999")
    assert (_data(document, "tasks"), _data(document, "task"), _data(document, "errors")) == ("1000", "task-999", None)
