"""What the rules find in dialogues written by hand, in three languages, and what they leave alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from autoforge.gym.judge import judge_trajectory
from autoforge.gym.trajectory import Judgement
from autoforge.mcp_envs.task import Task
from tests.gym.judge.talks import (
    HOTEL,
    HOTEL_TALK,
    HOTEL_TOOLS,
    LIBRARY,
    LIBRARY_TALK,
    LIBRARY_TOOLS,
    PHONE,
    PHONE_TALK,
    PHONE_TOOLS,
    RENTAL,
    RENTAL_TALK,
    RENTAL_TOOLS,
    Line,
    talk,
)

CASES: Mapping[str, tuple[Task, Sequence[Mapping[str, Any]], list[Line]]] = {
    "hotel": (HOTEL, HOTEL_TOOLS, HOTEL_TALK),
    "library": (LIBRARY, LIBRARY_TOOLS, LIBRARY_TALK),
    "rental": (RENTAL, RENTAL_TOOLS, RENTAL_TALK),
    "phone": (PHONE, PHONE_TOOLS, PHONE_TALK),
}

# Each block: the case and the line that is replaced, counted from 0; then the lines in its place: `user` or `agent`
# first, `call` for a tool of the agent, `step` for one of the user's. A line that begins with a dash goes on.
NEAR_MISSES = """
hotel 0
user Hello, could you book a double room for Anna Keller? It's for three nights from 10/03/2026, with breakfast, the
- cheapest one, and not over 180 per night.

hotel 0
user I've got two requests today and about 5 minutes. First, the cheapest double room for Anna Keller from the 10th of
- March 2026 until the 13th of March, 180 a night at the very most, breakfast included.

hotel 4
user Yes, please.
agent And what is her loyalty number?
user She doesn't have one, as far as I know. I'm not sure what that is.

hotel 4
user What rooms do you have?
agent There is R-17 for 155 a night and R-21 for 170.
user Then take R-17 for 155, please.

hotel 4
user Yes! Could you please hurry up a bit, I have to catch my train.

hotel 9
agent Done. Let me know if there's anything else.

hotel 5
agent What was the check-in date again?
user As I said, March 10.
call create_reservation

hotel 5
agent What was her email again?
user I already told you her email.
call create_reservation

hotel 8
agent Sorry, that did not work.
user Please try again to cancel RES-0042, the reason is illness.
call cancel_reservation

hotel 12
user Perfect, thank you!
agent You're welcome!
user Bye.

hotel 0
user Good evening! My colleague said you're great. I'd like the cheapest double room, for Anna Keller. She arrives on
- 2026-03-10 and leaves on 2026-03-13, wants breakfast, and $180 per night is the maximum.

library 0
user Hola, necesito registrar una socia nueva, Lucía Ortega. Su correo: lucia.ortega@example.org

library 5
user Perfecto. Préstele el ejemplar EJE-0007 por dos semanas, es decir, 14 días.

library 2
user El 04/05/1990. Perdone la prisa, ¿puede ir un poco más rápido?

rental 2
user Der Beginn ist am 02.04.2026.

rental 2
user Am 2. April. Und beeilen Sie sich bitte, ich muss gleich los.

rental 5
user Ihre Telefonnummer soll jetzt +49 151 2345678 sein, bitte passen Sie das an.

phone 0
user Hi. I'm able to switch the network mode to 5G only myself whenever you say so.

phone 3
agent Could you check the status on your phone?
step get_status It looks fine to me.

phone 3
agent Now please reboot the phone, too.
step reboot_phone Rebooted.
"""

# The same, with kind, turn and what it touches behind the case and the line.
ERRORS = """
hotel 0 altered 0 required
user I need a double room for Anna Keller, March 10 to March 14, the cheapest you have, with breakfast, and not more
- than $180 a night.

hotel 0 altered 0 required
user I need a double room for Anna Kellner, March 10 to March 13, the cheapest you have, with breakfast, and not more
- than $180 a night.

hotel 0 altered 0 required
user I need a double room for Anna Keller, March 10 to March 13, the cheapest you have, with breakfast, and it should
- cost at least $180 a night.

hotel 0 altered 0 required
user I need a double room for Anna Keller, March 10 to March 13, the most expensive you have, with breakfast, and not
- more than $180 a night.

hotel 0 altered 0 required
user I need a double room for Anna Keller, March 10 to March 13, the cheapest you have, without breakfast, and not
- more than $180 a night.

hotel 2 altered 2 required
user Sure, it's anna.keler@example.com.

hotel 7 altered 8 required
user Could you also cancel my reservation RES-0024? The reason is illness.

hotel 7 altered 8 required
user Could you also cancel my reservation RES-0042? The reason is the weather.

hotel 2 withheld 2 required
user I don't know her email, sorry.

hotel 2 withheld 2 required
user Does that matter? Just book it.

hotel 4 invented 4 nothing
user Yes. My loyalty number is HT-99817, by the way.

hotel 10 invented 12 answer
user And what's the total price of the new reservation? I think it is 465.

hotel 4 out_of_scope 4 nothing
user Yes. Could you also recommend a nice Italian restaurant nearby?

hotel 4 out_of_scope 4 nothing
user Yes. I'd also like you to order a taxi to the airport for me.

library 2 altered 2 required
user Claro, nació el 4 de marzo de 1990.

library 5 altered 6 required
user Sí, présteme para ella el ejemplar EJE-0007 durante quince días, por favor.

library 8 altered 10 required
user También hay que registrar una multa de 12,50 euros para la nueva socia, por deterioro, ese es el motivo.

library 2 withheld 2 required
user Lo siento, no lo sé.

library 5 out_of_scope 6 nothing
user Sí, présteme para ella el ejemplar EJE-0007 durante catorce días, por favor. ¿Me puede recomendar también un buen
- restaurante del barrio?

library 2 invented 2 nothing
user El 4 de mayo de 1990. Su teléfono es +34 600 111 222.

rental 2 altered 2 required
user Am 12. April 2026.

rental 5 altered 6 required
user Ja, bitte ändern Sie ihre Telefonnummer auf +49 151 2354678.

rental 8 altered 10 required
user Dann stornieren Sie bitte noch die Buchung BUC-0003, der Grund ist eine Doppelbuchung.

rental 0 altered 0 required
user Guten Tag, ich möchte für Jana Köhler eine Buchung anlegen, und zwar das teuerste Lastenrad, fünf Tage.

rental 2 withheld 2 required
user Das weiß ich leider nicht.

rental 5 out_of_scope 6 nothing
user Ja, bitte ändern Sie ihre Telefonnummer auf +49 151 2345678. Können Sie mir außerdem einen Tisch im Restaurant
- reservieren?

phone 2 wrong_tool 2 compared
step set_network_mode network_mode=4g_only Done.

phone 4 wrong_tool 4 compared
step reboot_phone Please suspend my line L2003, the reason is vacation.

phone 4 wrong_tool 4 compared
step set_network_mode network_mode=5g_only Please suspend my line L2003, the reason is vacation.
"""


class Block(NamedTuple):
    case: str
    head: tuple[str, ...]
    lines: list[Line]

    def __str__(self) -> str:
        return f"{self.case}: {self.lines[-1][1]}"


def blocks(text: str) -> Iterator[Block]:
    for block in text.strip().replace("\n- ", " ").split("\n\n"):
        first, *rest = block.splitlines()
        case, place, *head = first.split()
        before, after = CASES[case][2][: int(place)], CASES[case][2][int(place) + 1 :]
        yield Block(case, tuple(head), [*before, *map(_line, rest), *after])


def _line(text: str) -> Line:
    role, said = text.split(" ", 1)
    if role != "step":
        return role, said
    tool, *words = said.split(" ")
    given = dict(word.split("=") for word in words if "=" in word)
    return role, (tool, given, " ".join(w for w in words if "=" not in w))


def found(case: str, lines: list[Line], **more: Any) -> tuple[Judgement, ...]:
    task, tools, _ = CASES[case]
    return judge_trajectory(talk(lines, **more), task, tools)


@pytest.mark.parametrize("case", CASES)
def test_a_dialogue_without_an_error_is_clean(case: str) -> None:
    assert found(case, CASES[case][2]) == ()


@pytest.mark.parametrize("block", list(blocks(NEAR_MISSES)), ids=str)
def test_what_only_looks_like_an_error_is_left_alone(block: Block) -> None:
    assert found(block.case, block.lines) == ()


@pytest.mark.parametrize("block", list(blocks(ERRORS)), ids=str)
def test_an_error_is_found_where_it_is_with_what_it_touches(block: Block) -> None:
    [one] = found(block.case, block.lines)
    assert [one.kind, str(one.turn), one.touches] == list(block.head), one
    assert one.quote in talk(block.lines).turns[one.turn].content
