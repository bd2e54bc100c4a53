"""The reward of finished episodes on the desk."""

from __future__ import annotations

import pytest

from autoforge.gym.baselines import Episodes
from autoforge.gym.reward import score, telling
from autoforge.gym.reward.generated import GeneratedIds
from autoforge.gym.reward.reward import Reward
from tests.gym.reward.desk_tasks import BILL, RENT, Solved, Step, answer, solved


def played(episodes: Episodes, one: Solved, steps: list[Step], messages: list[str]) -> Reward:
    episode = episodes.of(one.task)
    for tool, arguments in steps:
        episode.call(tool, arguments)
    return score(one.task, episode.initial, episode.state(), episodes.folder.manifest, messages)


def gold_steps(one: Solved) -> list[Step]:
    return [(call.tool, dict(call.arguments)) for call in one.task.gold.calls]


def test_gold_with_its_answers_scores_one_and_says_nothing_more(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    for one in tasks.values():
        reward = played(episodes, one, gold_steps(one), [telling(a) for a in one.task.gold.answers])
        assert (reward.value, reward.state, reward.explanation) == (1.0, True, ()), one.task.id
        assert all(verdict.told for verdict in reward.answers)


def test_answers_told_in_one_message_score_one(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["off-duty"]
    told = " ".join(telling(a) for a in one.task.gold.answers)
    assert played(episodes, one, [], [told]).value == 1.0
    assert played(episodes, one, [], [told + " Bruno Keller is on duty."]).value == 0.0


def test_doing_nothing_scores_zero_and_says_what_is_missing(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    reward = played(episodes, tasks["assign"], [], ["All done."])
    assert reward.value == 0.0 and not reward.state
    assert "state (expected / found): tickets 6: status 'assigned' / 'open', agent_id 5 / None" in reward.explanation
    assert reward.explanation[-1] == "answer: no message tells the due date, '2026-03-04'"


def test_a_wrong_answer_on_the_right_state_is_told_apart(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["assign"]
    reward = played(episodes, one, gold_steps(one), ["It is due on 2 March 2026."])
    assert (reward.value, reward.state) == (0.0, True)
    assert reward.explanation == (
        "answer: the message also holds '2 march 2026', which is not the due date; "
        'the agent said: "It is due on 2 March 2026."',
    )


def test_one_more_write_scores_zero(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["resolve"]
    reward = played(episodes, one, [*gold_steps(one), ("add_note", {"ticket_id": 1, "text": "Hi."})], [])
    assert reward.value == 0.0
    assert reward.explanation[0].startswith("state (expected / found): notes: only in the second {id: 5, ticket_id: 1")


@pytest.mark.parametrize(
    ("steps", "message", "value"),
    [
        ([RENT, BILL], "The rent ticket is 9.", 1.0),
        ([RENT, BILL], "The rent ticket is 10.", 0.0),
        ([BILL, RENT], "The rent ticket is 10.", 1.0),
        ([BILL, RENT], "The rent ticket is 9.", 0.0),
        ([BILL, RENT], "The rent ticket is 9 or 10.", 0.0),
        ([RENT, ("open_ticket", {"customer_email": "b@x.example", "subject": "Other"})], "The rent ticket is 9.", 0.0),
    ],
)
def test_an_id_that_was_generated_is_told_as_the_episode_has_it(
    episodes: Episodes, tasks: dict[str, Solved], steps: list[Step], message: str, value: float
) -> None:
    assert played(episodes, tasks["open-two"], steps, [message]).value == value


def test_a_count_that_happens_to_equal_a_generated_id_stays_itself(episodes: Episodes) -> None:
    count = answer("number", 9, name="notes in all", path="$.total")
    one = solved(episodes, "coincidence", [RENT, BILL], (count,))
    reward = played(episodes, one, [BILL, RENT], ["There are 9 notes in all."])
    assert reward.value == 1.0


def test_ids_inside_texts_and_lists_are_renamed_too(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["open-two"]
    ids = GeneratedIds(one.initial, one.final, episodes.folder.manifest)
    renaming: dict[tuple[str, object], object] = {("tickets", 9): 10, ("tickets", 10): 9}
    asked = answer("list", [9, 3], 10, name="ids", path="$.items[*].ticket_id")
    renamed = ids.renamed(asked, renaming)
    assert (renamed.value, renamed.others) == ([10, 3], (9,))
    assert ids.matter(asked) and not ids.matter(answer("number", 9, name="total", path="$.total"))
    assert not ids.matter(answer("number", 3, name="id", path="$.id"))
    assert ids.renamed(asked, {}) == asked


def test_scoring_again_gives_the_same(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["assign"]
    assert played(episodes, one, [], ["5"]) == played(episodes, one, [], ["5"])
