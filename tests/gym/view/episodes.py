"""Episodes made by hand: one with everything that a trajectory can hold, and short ones of every outcome."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from autoforge.gym.failures import Failure
from autoforge.gym.llm import ReasoningBlock, ToolCall, Usage
from autoforge.gym.trajectory import AnswerMark, Judgement, Trajectory, Turn, UserToolCall
from autoforge.gym.turns import SampledTokens
from autoforge.mcp_envs.task import RowChange

__all__ = ["HOSTILE", "full", "hostile", "short"]

HOSTILE = (
    "</script><script>document.documentElement.dataset.stolen='yes'</script></noscript></style>-->"
    '<img src="http://canary.invalid/x" onerror="document.documentElement.dataset.stolen=1">'
    '\'" onload="alert(3)\u202e\u2028\x00 &lt;b&gt; {{ 7 * 7 }}'
)


def short(number: int = 0, **given: Any) -> Trajectory:
    """A conversation of three messages."""
    turns = (
        Turn(role="user", content=f"Hello, I am customer number {number}."),
        Turn(role="assistant", content="How can I help you?", seconds=0.5),
        Turn(role="user", content="Thank you, goodbye."),
    )
    fixed = {"environment": "shop", "task": f"task-{number}", "agent": "a", "user": "scripted", "reward": 1.0}
    return Trajectory(**{"id": f"e/{number}", "turns": turns, "end": "stop", **fixed, **given})


_LINES = '{"id":"ORD-1","total":1.0,"lines":[' + '{"sku":"S"},' * 60 + "{}]}"


def full() -> Trajectory:
    """One failed order with thinking, a refused call, a change of the state, a user's own call and a judged user."""
    schema: JsonValue = {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}
    return Trajectory(
        id="shop/full/anthropic:m/llm/2",
        environment="shop",
        task="full",
        agent="anthropic:m",
        user="llm",
        trial=2,
        tools=({"name": "find_order", "description": "Finds an order.\nBy id.", "inputSchema": schema},),
        instructions="Be kind.\nNever cancel shipped orders.",
        turns=_turns(),
        end="stop",
        reward=0.0,
        state_reached=False,
        answers=(
            AnswerMark(name="refund", told=True),
            AnswerMark(name="order number", told=False, reason="nobody said ORD-1"),
        ),
        explanation=("state (expected / found): orders ORD-1: note None / 'late'",),
        judgements=_judgements(),
        masked=True,
        seconds=2.5,
        cost=0.0123,
    )


def _turns() -> tuple[Turn, ...]:
    changed = RowChange(
        table="orders",
        key=("ORD-1", 12345678901234567890),
        before={"id": "ORD-1", "status": "open", "price": 1.0, "note": None},
        after={"id": "ORD-1", "status": "cancelled", "price": 1.0, "note": "late"},
    )
    created = RowChange(table="refunds", key=("REF-1",), before=None, after={"id": "REF-1", "amount": 12.50})
    answers = (
        Turn(role="tool", tool_call_id="1", content=_LINES, seconds=0.02),
        Turn(role="tool", tool_call_id="2", content="The order has been shipped.", is_error=True),
        Turn(
            role="tool", tool_call_id="3", content="The arguments were no JSON object.", is_error=True,
            diff=(changed, created), progress=0.5,
        ),
    )  # fmt: skip
    confirmed = UserToolCall(tool="confirm", arguments={"ok": True}, result='{"done":true}')
    return (
        Turn(role="user", content="Please cancel my order; it is two weeks late."),
        _calling(),
        *answers,
        Turn(role="assistant", content="It is cancelled; you get 12.50 back.", seconds=0.7),
        Turn(
            role="user",
            content="Great, I have confirmed it. My order was three weeks late.",
            user_calls=(confirmed,),
            progress=0.75,
        ),
    )


def _calling() -> Turn:
    why = {"reason": "late", "days": [1, 2]}
    return Turn(
        role="assistant",
        content="Let me look.",
        tool_calls=(
            ToolCall(id="1", name="find_order", arguments={"order": 12345678901234567890, "exact": 1.0}),
            ToolCall(id="2", name="cancel_order", arguments={"order_id": "ORD-1", "why": why}),
            ToolCall(id="3", name="cancel_order", malformed='{"order_id": '),
        ),
        reasoning=(
            ReasoningBlock(provider="anthropic", data={"thinking": "The customer wants a refund."}),
            ReasoningBlock(provider="anthropic", data={"data": "sealed-bytes"}),
        ),
        usage=Usage(input_tokens=1200, output_tokens=34),
        tokens=SampledTokens(
            prompt_ids=tuple(range(90)), ids=(7_654_321, 2, 3), logprobs=(-0.5, -1.0, -1.5), versions=(4, 4, 5)
        ),
        seconds=1.25,
    )


def _judgements() -> tuple[Judgement, ...]:
    altered = Judgement(
        kind="altered_constraint",
        turn=6,
        quote="three weeks late",
        touches="required",
        effect="spoiled",
        explanation="The task says two weeks.",
    )
    return altered, Judgement(kind="stop_too_early", turn=99, quote="", touches="stop")


def hostile() -> Trajectory:
    """The hostile text wherever a trajectory has a text."""
    call = ToolCall(id=HOSTILE, name=HOSTILE, arguments={HOSTILE: HOSTILE, "n": float("nan")})
    own = UserToolCall(tool=HOSTILE, arguments={HOSTILE: [HOSTILE]}, result=HOSTILE)
    change = RowChange(table=HOSTILE, key=(HOSTILE,), before={HOSTILE: HOSTILE}, after={HOSTILE: "x"})
    thinking = (
        ReasoningBlock(provider=HOSTILE, data={"thinking": HOSTILE}),
        ReasoningBlock(provider=HOSTILE, data={}),
    )
    turns = (
        Turn(role="user", content=HOSTILE, user_calls=(own,)),
        Turn(
            role="assistant",
            content=HOSTILE,
            tool_calls=(call, call.model_copy(update={"malformed": HOSTILE})),
            reasoning=thinking,
        ),
        Turn(role="tool", tool_call_id=HOSTILE, content=HOSTILE * 9, diff=(change,)),
        Turn(role="tool", tool_call_id="stray", content="{" + HOSTILE),
    )
    schema: JsonValue = {"properties": {HOSTILE: {"description": HOSTILE}}}
    return Trajectory(
        id=HOSTILE, environment=HOSTILE, task=HOSTILE, agent=HOSTILE, user=HOSTILE, end="failed", why=HOSTILE,
        tools=({"name": HOSTILE, "description": HOSTILE, "inputSchema": schema}, {}),
        instructions=HOSTILE, turns=turns, answers=(AnswerMark(name=HOSTILE, told=False, reason=HOSTILE),),
        explanation=(HOSTILE,), failure=Failure(blame="environment", where=HOSTILE, message=HOSTILE),
        judgements=(Judgement(kind=HOSTILE, turn=0, quote=HOSTILE[:30], by=HOSTILE, explanation=HOSTILE),),
    )  # fmt: skip
