"""What tells an answer, and what does not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autoforge.gym.reward import telling, told
from autoforge.gym.reward.answers import judge
from autoforge.gym.reward.reading import LONGEST_MESSAGE, Message
from autoforge.gym.reward.wanted import wanted
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Answer, AnswerType, Literally
from tests.gym.reward.desk_tasks import answer

TEN = answer("number", 10, 11, 12)
DUE = answer("date", "2026-03-05", "2026-03-06", name="due date")
VISIT = answer("date", "2026-03-05T10:00:00", "2026-03-05T11:00:00", name="appointment")
REFUNDABLE = answer("boolean", True, False, name="refundable")
NOT_REFUNDABLE = answer("boolean", False, True, name="refundable")
STATUS = answer("text", "in_progress", "open", "closed", name="status")
CODES = answer("list", ["a1", "b2"], "c3", ["a1", "d4"], name="codes")
NO_TICKETS = answer("list", [], "x", name="open tickets")
ORDERS = answer("number", 0, name="number of open orders")

TOLD: list[tuple[Answer, list[str]]] = [
    (TEN, ["The total price is 10.", "€10", "$10.00", "10 EUR", "10.0", "10kg", "ten", "Your ticket is #10.", "**10**",
           "total_price: 10", "a 10-night stay", "10, not 11", "Total: 10!", "EUR10", "not 11 but 10",
           "I found 10 in order ORD-11", "10 of them", '{"total": 1e1}', "In May 2026, 10 orders", "room 3, 10 nights",
           "the total price of the 3 orders is 10", "１０"]),
    (answer("number", 1234.5), ["€1,234.50", "1.234,50 €", "1'234.50", "1234,5", "1234.5", "1\u00a0234,50"]),
    (answer("number", 1234), ["1,234", "1234", "1'234", "1\u202f234 €"]),
    (answer("number", 1234567), ["1,234,567", "1.234.567", "12,34,567"]),
    (answer("number", 1_500_000), ["1.5 million", "1,500k", "1500 thousand"]),
    (answer("number", 1.234), ["1.234"]),
    (answer("number", 21), ["twenty-one", "twenty one"]),
    (answer("number", 120), ["one hundred and twenty"]),
    (answer("number", 1), ["There is one order", "the number is 1"]),
    (answer("number", 10 / 3), ["3.33", "3.3333333333"]),
    (answer("number", 0.1 + 0.2), ["0.3", ".3", "0,3"]),
    (answer("number", 0.1, name="discount rate"), ["10 %", "10 percent", "0.1"]),
    (answer("number", 10, name="discount rate"), ["10%", "10"]),
    (answer("number", -5, name="balance"), ["The balance is -5.", "The balance is -$5.", "−5"]),
    (ORDERS, ["You have no open orders.", "zero", "0"]),
    (DUE, ["2026-03-05", "5 March 2026", "March 5th, 2026", "Mar. 5 2026", "5th of March, 2026", "on March 5",
           "il 5 marzo 2026", "2026-03-05T10:00:00", "2026/3/5", "March 5, not March 6"]),
    (answer("date", "2026-03-13"), ["13/03/2026", "03/13/2026", "13.3.2026"]),
    (answer("date", "2026-03-03"), ["03/03/2026"]),
    (VISIT, ["2026-03-05T10:00:00Z", "March 5 at 10:00", "5 March 2026, 10:00", "10:00 on March 5",
             "March 5, 10:00 am"]),
    (REFUNDABLE, ["Yes.", "yes", "Yes, it is.", "Refundable: yes", "Your ticket is refundable: true.", "It is true.",
                  '{"refundable": true}', "Yes it is refundable", "Good news! Yes, it is."]),
    (NOT_REFUNDABLE, ["No.", "No, sorry.", "refundable: false", "Refundable: no."]),
    (STATUS, ["The status is In Progress.", "in-progress", "IN_PROGRESS", '"in progress"', "not open but in progress",
              "status:in_progress"]),
    (answer("text", "ann@x.com"), ["Ann@X.com.", "<ann@x.com>"]),
    (answer("text", "Junior Suite", "Suite"), ["a junior suite"]),
    (answer("text", "10"), ["room 10."]),
    (answer("text", "Müller"), ["Mu\u0308ller"]),
    (answer("text", "café", "thé"), ['{"x": "caf\\u00e9"}']),
    (answer("text", "𒀀a", "b"), ['"\\ud808\\udc00a"']),
    (answer("text", "O'Brien"), ["O’Brien’s"]),
    (CODES, ["a1 and b2", "B2, A1"]),
    (answer("list", [10, 11], 12), ["10 and 11", "10 or 11"]),
    (NO_TICKETS, ["There are none.", "You have no open tickets"]),
]  # fmt: skip

NOT_TOLD: list[tuple[Answer, list[str]]] = [
    (TEN, ["", "100", "10.5", "2010", "#10a", "1,010", "10 %", "-10", "A-10", "10-A", "10:30", "10k", "10 million",
           "v10", "10x", "10th", "1.10", "10.10.2020", "2026-10-05", "011", "010", "10.0.0.1", "x_10",
           "one hundred and ten", "not 10", "isn't 10", "rather than 10", "maybe 10", "more than 10", "at least 10",
           "10 or 11", "10/11", "10 - no, 11", "between 10 and 11"]),
    (TEN, ["10 or 13", "10/13", "10 - no, 13", "between 10 and 13", "10-13", "10–13", "10 to 13", "10? No, wait, 13",
           "10... actually 13", "10 euros or 13 euros", "10 or maybe 13", "ten or thirteen",
           "the total price is 13, for 10 nights", "8, 9, 10", "8 9 10 13", "It is 10. It is 13.",
           '[{"price": 10}, {"price": 13}]']),
    (answer("number", 1234), ["1.234", "1,2345"]),
    (answer("number", 1.234), ["1,234"]),
    (answer("number", 20), ["one hundred and twenty"]),
    (answer("number", 1), ["this one is the best", "one of them"]),
    (answer("number", 10 / 3, 3.333), ["3.33", "3.333"]),
    (answer("number", 10 / 3), ["3.3", "3"]),
    (answer("number", 0.1), ["10 %"]),
    (answer("number", 5), ["-5"]),
    (ORDERS, ["no problem", "No worries, your open orders are fine"]),
    (DUE, ["05/03/2026", "2026-03-06", "March 6", "5 April 2026", "2026-03-051", "March 5, 2025", "5 or 7 March 2026",
           "March 5 or March 9", "2026-03-05 or 2026-03-08", "2026-03-05 to 2026-03-08", "not March 5", "31 February"]),
    (VISIT, ["2026-03-05", "March 5 at 11:00", "2026-03-05T22:00", "10:00 pm on March 5"]),
    (REFUNDABLE, ["No.", "refundable: no", "It is refundable.", "There is no fee", "Yes and no", "yes or no",
                  '{"refundable": true, "insured": false}', "refundable: not true", "No problem!", "Yes. No."]),
    (NOT_REFUNDABLE, ["No problem, yes.", "No worries", "There is no refund", "Non-refundable.",
                      "It is not refundable."]),
    (STATUS, ["progress", "in progressive", "open", "in progress or open", "not in progress", "in; progress"]),
    (answer("text", "ann"), ["ann@x.com", "ann.lee", "anna"]),
    (answer("text", "Suite", "Junior Suite"), ["a junior suite"]),
    (answer("text", "10"), ["100", "10.5", "1,010", "#10a", "2026-10-05", "A-10", "10:30", "10%"]),
    (answer("text", "C"), ["C++", "C#"]),
    (answer("text", "refundable"), ["non-refundable", "not refundable"]),
    (CODES, ["a1", "a1, b2, c3", "a1 b2 d4", "a1, not b2"]),
    (answer("list", [10, 11], 12), ["10, 11 and 12", "10", "10 or 11 or 13"]),
    (NO_TICKETS, ["x", "none but x", "You have tickets"]),
]  # fmt: skip


def cases(table: list[tuple[Answer, list[str]]]) -> list[Any]:
    return [pytest.param(a, text, id=f"{a.value}: {text[:40]}") for a, texts in table for text in texts]


@pytest.mark.parametrize(("asked", "message"), cases(TOLD))
def test_a_usual_writing_tells_it(asked: Answer, message: str) -> None:
    assert told(asked, [message])


@pytest.mark.parametrize(("asked", "message"), cases(NOT_TOLD))
def test_another_value_or_one_that_is_left_open_does_not_tell_it(asked: Answer, message: str) -> None:
    assert not told(asked, [message])


@pytest.mark.parametrize(
    ("messages", "verdict"),
    [
        (["10, 11 or 12 are to choose from", "I take 10"], True),
        (["10", "Anything else?"], True),
        (["11", "10"], True),
        (["10", "It's not 11"], True),
        (["10", "11"], False),
        (["10", "not 10"], False),
        (["10", "maybe 10"], False),
        (["10", "x" * (LONGEST_MESSAGE + 1)], False),
        (["x" * (LONGEST_MESSAGE + 1), "10"], True),
        ([], False),
    ],
)
def test_the_last_message_that_mentions_a_candidate_decides(messages: list[str], verdict: bool) -> None:
    assert told(TEN, messages) == verdict


def test_the_verdict_says_why_and_quotes_the_message() -> None:
    verdict = judge(TEN, [Message("All right. The total is 11 EUR.")])
    assert verdict == ("total price", False, "the message also holds '11', which is not the total price",
                       "All right. The total is 11 EUR.")  # fmt: skip
    assert "contradicts itself on the total price: '10 or 13'" in judge(TEN, [Message("10 or 13")]).reason
    assert judge(TEN, [Message("Hello")]) == ("total price", False, "no message tells the total price, 10", "")
    assert judge(REFUNDABLE, [Message("Yes. No.")]).reason == "the message says both yes and no to refundable"


@pytest.mark.parametrize(
    ("first", "second", "message", "verdicts"),
    [
        (answer("number", 10, 11, name="price"), answer("number", 11, 10, name="total price"),
         "The price is 10. The total price is 11.", (True, True)),
        (answer("number", 10, 11, name="price"), answer("number", 11, 10, name="total price"),
         "The price is 11. The total price is 10.", (False, False)),
        (answer("boolean", True, False, name="paid"), answer("boolean", False, True, name="shipped"),
         "Paid: yes, shipped: no.", (True, True)),
        (answer("boolean", True, False, name="paid"), answer("boolean", False, True, name="shipped"),
         "Yes.", (False, False)),
        (answer("text", "open", "shut", name="door"), answer("text", "shut", "open", name="gate"),
         "The door is open, the gate is shut.", (True, True)),
    ],
)  # fmt: skip
def test_answers_of_one_task_may_be_told_together(
    first: Answer, second: Answer, message: str, verdicts: tuple[bool, bool]
) -> None:
    said = [Message(message)]
    assert (judge(first, said, [second]).told, judge(second, said, [first]).told) == verdicts


@pytest.mark.parametrize(
    "untellable",
    [answer("number", float("nan")), answer("number", float("inf")), answer("number", "NaN"), answer("text", " "),
     answer("text", None), answer("number", "ten"), answer("number", 10**400), answer("list", [{"a": 1}]),
     answer("boolean", "perhaps"), answer("list", [float("-inf")]), answer("number", 1, float("nan"))],
)  # fmt: skip
def test_what_nobody_could_tell_is_refused(untellable: Answer) -> None:
    with pytest.raises(BadInput, match="total price"):
        told(untellable, ["nan inf"])


HOSTILE = ["1", "1 ", "1,", "a-", " ", "is ", "one ", "10 or ", "total price ", "march 5 ", "\\u0031", "1.1.", "not ",
           "10:30 ", "(", "1-", "'", "1e1e", "twenty ", "no a ", "yes\n", "ß", "5 march 10:"]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_message_takes_bounded_time(unit: str) -> None:
    longest = unit * (LONGEST_MESSAGE // len(unit))
    wide = answer("number", 10, *range(11, 400))
    started = time.process_time()
    for asked in (TEN, wide, DUE, REFUNDABLE, STATUS, CODES):
        assert isinstance(told(asked, [longest]), bool)
    assert not told(TEN, [unit * 1_000_000])
    assert time.process_time() - started < 8


@pytest.mark.parametrize("other", ["\f1", "\b1", "1\n", 'say "1"', "1\\2", "\u00e9 1", "\U0001f600 1"])
def test_an_echo_in_json_says_what_it_escapes(other: str) -> None:
    asked = answer("text", "0", other)
    assert told(asked, ["0"]) and not told(asked, [json.dumps(["0", other])])
    assert not told(asked, [json.dumps(["0", other], ensure_ascii=False)])


def test_a_value_that_the_name_holds_is_not_told_by_naming() -> None:
    both = Answer(name="00", type="list", value=["0", "00"], source=Literally(literal=None), others=(["0"],))
    assert told(both, ["00: 0; 00."]) and not told(both, ["00: 0."])
    other = Answer(name="0", type="text", value="00", source=Literally(literal=None), others=("0",))
    assert told(other, ["00."]) and not told(other, ['{"result": ["00", "0"]}'])
    room = answer("number", 10, 11, name="price of room 11")
    assert told(room, ["The price of room 11 is 10."]) and not told(room, ["The price of room 11 is 11."])
    assert not told(answer("number", 11, 10, name="price of room 11"), ["The price of room 11 is unknown."])


NAMES = st.sampled_from(
    ["total price", "status", "x", "10", "open tickets", "is not", "the date: 5 March", "yes no"]
) | st.text(max_size=12)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.integers(-(10**20), 10**20) | FLOATS | st.integers(-20, 20) | st.decimals(-99, 99, places=2).map(float)
TEXTS = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["open", "not open", "closed", "New York", "York", "A-10", "10", "a;b"]
)
DATES = st.dates().map(str) | st.datetimes().map(lambda moment: moment.replace(microsecond=0).isoformat())


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    kinds: list[tuple[AnswerType, st.SearchStrategy[Any]]] = [
        ("number", NUMBERS), ("text", TEXTS), ("date", DATES), ("boolean", st.booleans()),
        ("list", st.lists(NUMBERS, max_size=4)), ("list", st.lists(TEXTS, max_size=4)),
    ]  # fmt: skip
    type, values = draw(st.sampled_from(kinds))
    made = answer(type, draw(values), *draw(st.lists(values, max_size=4)), name=draw(NAMES))
    try:
        wanted(made)
        for other in made.others:
            wanted(made.model_copy(update={"value": other}))
    except BadInput:
        assume(False)
    return made


@settings(deadline=None, max_examples=400)
@given(answers())
def test_telling_tells_and_telling_another_value_does_not(asked: Answer) -> None:
    assert told(asked, [telling(asked)]), telling(asked)
    for other in asked.others:
        instead = asked.model_copy(update={"value": other})
        if wanted(instead).values != wanted(asked).values:
            assert not told(asked, [telling(instead)]), telling(instead)


@settings(deadline=None, max_examples=200)
@given(answers(), st.text(max_size=60), st.text(max_size=60))
def test_any_message_gets_a_verdict_with_a_reason(asked: Answer, before: str, after: str) -> None:
    verdict = judge(asked, [Message(before), Message(telling(asked) + after)])
    assert verdict.told == (not verdict.reason)


@settings(deadline=None, max_examples=200)
@given(answers())
def test_echoing_all_values_fails_where_there_are_others(asked: Answer) -> None:
    assume(wanted(asked).others)
    echo = json.dumps({"result": [asked.value, *asked.others]})
    assert not told(asked, [echo])
