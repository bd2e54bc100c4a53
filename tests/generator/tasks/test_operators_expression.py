"""The operator `expression`: what it may say, what it means, and what it must never be able to do."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.operators import Ambiguous, OperatorFault, derive
from autoforge.generator.tasks.operators.grammar import FUNCTIONS, check_expression
from autoforge.mcp_envs.task import ListOf, Literally, Output, Reasoning

ITEMS = [{"id": "a", "price": 0.1, "qty": 3, "ok": True}, {"id": "b", "price": 0.2, "qty": 1, "ok": False}]
OUTPUT = Output.model_validate({"from": "n1", "path": "$.items[*]"})


def run(text: str, over: Any = None, **inputs: Any) -> Any:
    node = Reasoning(id="n", reason="expression", expression=text, over=OUTPUT if over is not None else None)
    return derive(node, over, inputs)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sum(o['price'] * o['qty'] for o in over)", 0.5),
        ("[o['id'] for o in over if o['price'] == min(p['price'] for p in over)][0]", "a"),
        ("sorted((o['price'], o['id']) for o in over)[-1][1]", "b"),
        ("sum(o['ok'] for o in over)", 1),
        ("len({o['id'] for o in over} | {'z'})", 3),
        ("{o['id']: o['qty'] for o in over}", {"a": 3, "b": 1}),
        ("sum(o['price'] for o in over) == 0.3", True),
        ("any(o['qty'] > 2 for o in over) and not all(o['ok'] for o in over)", True),
        ("'big' if len(over) > 5 else 'small'", "small"),
        ("max(o['qty'] for o in over) / 7 * 7", 3),
        ("round(sum(o['price'] for o in over) / 7, 2)", 0.04),
        ("sum(x * y for x, y in zip([1, 2], [3, 4])) + len(over)", 13),
        ("[o['id'] + ':' + str(o['price']) for o in over]", ["a:0.1", "b:0.2"]),
        ("sorted([o['qty'] for o in over], reverse=True)", [3, 1]),
        ("min([o['qty'] for o in over if o['qty'] > 9], default=0)", 0),
        ("[o.get for o in over] if False else 1", None),
        ("[o['id'] for o in over if 'missing' not in o and o is not None]", ["a", "b"]),
        ("len(over) ** 2 % 3 // 1", 1),
        ("0 < len(over) <= 2", True),
        ("sum(i for i in range(len(over)))", 1),
        ("float('2.50') + int('3') + abs(-len(over))", 7.5),
        ("sorted(set(o['id'] for o in over))[:1]", ["a"]),
    ],
)
def test_means_what_python_means(text: str, value: Any) -> None:
    if value is None:
        assert check_expression(text, ["over"]) == "Attribute is not allowed"
    else:
        assert check_expression(text, ["over"]) is None
        assert run(text, ITEMS) == value


ATTACKS = [
    "over.__class__",
    "over.append(1)",
    "''.join(over)",
    "().__class__.__bases__[0].__subclasses__()",
    "__import__('os').system('true')",
    "__builtins__",
    "open('/etc/passwd')",
    "eval('over')",
    "exec('x = 1')",
    "compile('over', '', 'eval')",
    "getattr(over, 'x')",
    "globals()",
    "vars(over)",
    "type(over)",
    "print(over)",
    "input(over)",
    "(lambda: over)()",
    "[f for f in (lambda x: x, over)]",
    "(x := over)",
    "f'{over!r:>1000000}'",
    "len(*over)",
    "sum(**over)",
    "{**over}",
    "[*over]",
    "sorted(over, key=len)",
    "over[0](1)",
    "(len if over else sum)(over)",
    "len",
    "[len for len in over]",
    "[over for over in over]",
    "[_ for _ in over]",
    "[x for x.y in over]",
    "[x async for x in over]",
    "await over",
    "(yield over)",
    "import os",
    "x = over",
    "over; over",
    "over\nover",
    "~over",
    "over << 1000000",
    "over ^ over",
    "over @ over",
    "b'x' + over",
    "over + 1j",
    "over + ...",
    "over + 1e999",
    "over + 1" + "0" * 40,
    "over is 5",
    "secret + over",
    "'\\N{DIGIT ONE}' + over",
    "over\0",
    "-" * 600 + "over",
    "(" * 250 + "over" + ")" * 250,
    "[" * 300 + "over" + "]" * 300,
    "over" + " + over" * 200,
    "[1 for a in over for b in over for c in over for d in over]",
    "[[[[1 for a in over] for b in over] for c in over] for d in over]",
    "1or over",
    "",
    "42",
    "'the answer'",
    "[x for x in [1, 2]]",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_attack_is_refused_before_anything_is_calculated(text: str) -> None:
    assert check_expression(text, ["over"])
    with pytest.raises(OperatorFault, match="refused"):
        run(text, [1, 2])


EXHAUSTING = [
    "9 ** 9 ** 9 + over",
    "over ** over ** over",
    "'x' * 1000000000 if over else ''",
    "[0] * 1000000000 if over else []",
    "over * [0]",
    "range(10 ** 9) if over else 0",
    "len(range(0, 9000, 0)) + over",
    "[[a + b for b in range(9000)] for a in range(9000)][over]",
    "'%1000000d' % over",
    "sum(a for a in range(9999) for b in range(9999)) + over",
    "[[[range(over * 100) for a in range(99)] for b in range(99)] for c in range(99)]",
    "10 ** 16 * 10 ** 16 * over",
    "int('9' + str(over) + '0000000000000000000000000000000')",
]


@pytest.mark.parametrize("text", EXHAUSTING)
def test_exhausting_work_is_stopped(text: str) -> None:
    with pytest.raises(OperatorFault):
        run(text, 9)


def test_doubling_does_not_exhaust_memory() -> None:
    text = "[[[" + "over + over + over + over" + " for a in over] for b in over] for c in over]"
    with pytest.raises(OperatorFault, match="too many steps"):
        run(text, list(range(500)))


def test_shared_parts_are_paid_for_when_they_are_written_out() -> None:
    with pytest.raises(OperatorFault, match="steps"):
        run("[[over for a in over] for b in over]", list(range(200)))


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("over['x']", {"y": 1}),
        ("over[3]", [1]),
        ("over[True]", [1]),
        ("over / 0", 1),
        ("over // 0", 1),
        ("over + 'x'", 1),
        ("over < 'x'", 1),
        ("min(over)", []),
        ("sorted(over)", [1, "a"]),
        ("sum(over)", ["a"]),
        ("len(over)", 5),
        ("len(over, over)", [1]),
        ("[x for x in over]", 3),
        ("[a + b for a, b in over]", [[1]]),
        ("set(over)", [[1], {}]),
        ("int(over)", "1e5"),
        ("{over: 1}", 5),
        ("str(over)", [1]),
        ("over[::0]", [1]),
        ("over | 1", 1),
        ("over ** 0.5", 2),
        ("0 ** -over", 1),
        ("over['__class__']", {}),
        ("over in '123'", 1),
    ],
)
def test_wrong_values_are_faults(text: str, over: Any) -> None:
    assert check_expression(text, ["over"]) is None
    with pytest.raises(OperatorFault):
        run(text, over)


def test_value_that_depends_on_the_order_of_an_output_is_ambiguous() -> None:
    with pytest.raises(Ambiguous, match="order"):
        run("over[0]['id']", ITEMS)
    assert run("[o['id'] for o in over]", ITEMS) == ["a", "b"]


def test_list_that_the_blueprint_makes_has_its_order() -> None:
    pair = ListOf.model_validate({"list": [{"literal": 8}, {"literal": 5}]})
    node = Reasoning(id="n", reason="expression", expression="over[0] - over[1]", over=pair)
    assert derive(node, [8, 5], {}) == 3


def test_reads_inputs_by_name() -> None:
    assert run("budget - sum(o['qty'] for o in over)", ITEMS, budget=10) == 6
    node = Reasoning(id="n", reason="expression", expression="a + b", inputs={"a": Literally(literal=1)})
    assert derive(node, None, {"a": 0.1, "b": 0.2}) == 0.3
    assert check_expression("len + 1", ["len"]) is not None


def test_says_what_is_wrong() -> None:
    assert check_expression("total + over", ["over", "budget"]) == "the name total is not known; there are budget, over"
    assert check_expression("open(over)", ["over"]) == "open may not be called"


def test_sets_are_gone_through_in_the_same_order_in_every_process() -> None:
    program = (
        "from autoforge.generator.tasks.operators.evaluator import evaluate\n"
        "from autoforge.generator.tasks.operators.grammar import parsed\n"
        "print(evaluate(parsed('[x for x in set(over)]'), {'over': list('qwertyuiop')}))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {"['e', 'i', 'o', 'p', 'q', 'r', 't', 'u', 'w', 'y']\n"}


_texts = st.recursive(
    st.sampled_from(["over", "1", "0", "2.5", "'a'", "None", "True", "[]", "{}"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+ - * / // % ** | & < == in and or is".split()), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, inner).map(lambda parts: f"[{parts[0]} for x in {parts[1]} if x]"),
        st.tuples(inner, inner).map(lambda parts: f"{parts[0]}[{parts[1]}]"),
    ),
    max_leaves=8,
)
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=2), inner, max_size=3)),
    max_leaves=6,
)


@given(_texts, _values)
def test_any_expression_over_any_value_gives_json_or_a_fault(text: str, over: Any) -> None:
    try:
        value = run(text, over)
    except OperatorFault:
        return
    _assert_json(value)


def _assert_json(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _assert_json(item)
    elif isinstance(value, dict):
        for name, inner in value.items():
            assert isinstance(name, str)
            _assert_json(inner)
    else:
        assert value is None or type(value) in (bool, int, float, str)
