"""Tasks and dialogues written by hand, in three languages, as people and models talk: nothing here is made from
templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autoforge.gym.llm import ToolCall
from autoforge.gym.trajectory import End, Trajectory, Turn, UserToolCall
from autoforge.mcp_envs.task import (
    Answer,
    AnswerType,
    Blueprint,
    Difficulty,
    Gold,
    GoldCall,
    Literally,
    RowChange,
    Task,
)

Line = tuple[str, Any]
"""`("user", text)`, `("agent", text)`, `("call", tool)`, `("step", (tool, arguments))` for a call of the user's."""


def task(
    instruction: str,
    known: dict[str, Any],
    calls: Sequence[tuple[str, dict[str, Any]]],
    answers: Sequence[tuple[str, AnswerType, Any]] = (),
    *,
    language: str = "en",
    steps: Sequence[tuple[str, dict[str, Any]]] = (),
) -> Task:
    made = [GoldCall(node=f"n{n}", tool=tool, arguments=given) for n, (tool, given) in enumerate(calls)]
    made += [GoldCall(node=f"u{n}", actor="user", tool=t, arguments=a) for n, (t, a) in enumerate(steps)]
    told = tuple(Answer(name=n, type=t, value=v, source=Literally(literal=None)) for n, t, v in answers)
    diff = (RowChange(table="rows", key=(1,), before=None, after={"id": 1}),)
    return Task(
        id="t", environment="e", instruction=instruction, known=known, language=language, blueprint=Blueprint(nodes=()),
        gold=Gold(calls=tuple(made), state="", diff=diff, answers=told),
        difficulty=Difficulty(calls=len(made), writes=1, depth=1, reasoning=0),
    )  # fmt: skip


def talk(lines: Sequence[Line], end: End = "stop", **more: Any) -> Trajectory:
    return Trajectory(
        id="e/t/a/u/0", environment="e", task="t", agent="a", user="u", end=end,
        turns=tuple(turn for n, line in enumerate(lines) for turn in _turns(n, *line)), **more,
    )  # fmt: skip


def _turns(number: int, role: str, said: Any) -> list[Turn]:
    if role == "user":
        return [Turn(role="user", content=said)]
    if role == "agent":
        return [Turn(role="assistant", content=said)]
    if role == "step":
        tool, arguments, text = said
        return [
            Turn(role="user", content=text, user_calls=(UserToolCall(tool=tool, arguments=arguments, result="ok"),))
        ]
    name, arguments = said if isinstance(said, tuple) else (said, {})
    call = ToolCall(id=str(number), name=name, arguments=arguments)
    return [
        Turn(role="assistant", tool_calls=(call,)),
        Turn(role="tool", content='{"ok":true}', tool_call_id=str(number)),
    ]


def tool(name: str, side: str = "agent", **properties: dict[str, Any]) -> dict[str, Any]:
    document: dict[str, Any] = {"name": name, "inputSchema": {"type": "object", "properties": properties}}
    return document if side == "agent" else {**document, "_meta": {"autoforge/side": "user"}}


# A hotel, in English.

HOTEL = task(
    "Book the cheapest double room for Anna Keller from 2026-03-10 to 2026-03-13, with breakfast, with a nightly rate "
    "of at most 180. Her email is anna.keller@example.com. Then cancel reservation RES-0042 with reason illness. "
    "Finally, tell me the total price of the new reservation.",
    {
        "guest_name": "Anna Keller",
        "check_in_date": "2026-03-10",
        "check_out_date": "2026-03-13",
        "breakfast": True,
        "most_nightly_rate": 180,
        "room_type": "double",
        "email": "anna.keller@example.com",
        "reservation_id": "RES-0042",
        "reason": "illness",
    },
    [
        ("create_reservation", {"room_id": "R-17", "email": "anna.keller@example.com"}),
        ("cancel_reservation", {"reservation_id": "RES-0042", "reason": "illness"}),
    ],
    [("total price", "number", 465)],
)
HOTEL_TOOLS = [
    tool("search_rooms", room_type={"enum": ["single", "double", "suite"]}),
    tool("create_reservation", room_id={"type": "string"}, email={"type": "string"}, breakfast={"type": "boolean"}),
    tool(
        "cancel_reservation",
        reservation_id={"type": "string"},
        reason={"enum": ["illness", "weather", "change of plans"]},
    ),
    tool("order_taxi", destination={"type": "string"}),
]
HOTEL_TALK: list[Line] = [
    (
        "user",
        "Hi! I need a double room for Anna Keller, March 10 to March 13, the cheapest you have. Breakfast should be "
        "included, and I don't want to pay more than $180 a night.",
    ),
    ("agent", "Happy to help. May I have her email address?"),
    ("user", "Sure, it's anna.keller@example.com."),
    ("agent", "Thanks. That would be three nights in room R-17. Shall I book it?"),
    ("user", "Yes, go ahead please."),
    ("call", "create_reservation"),
    ("agent", "The room is booked. Is there anything else?"),
    ("user", "Great. Could you also cancel my reservation RES-0042? The reason is illness."),
    ("call", "cancel_reservation"),
    ("agent", "That reservation is cancelled now. Anything else I can do?"),
    ("user", "One last thing, what is the total price of the new reservation?"),
    ("agent", "The total price is 465."),
    ("user", "Perfect, thanks a lot. Bye!"),
]

# A library, in Spanish.

LIBRARY = task(
    "Registra una socia con nombre Lucía Ortega, correo lucia.ortega@example.org y fecha de nacimiento 4 de mayo de "
    "1990. Después presta el ejemplar EJE-0007 a la nueva socia, con dias 14. Luego registra una multa de 12.5 para la "
    "nueva socia con motivo retraso. Dime también la fecha limite del nuevo prestamo.",
    {
        "nombre": "Lucía Ortega",
        "correo": "lucia.ortega@example.org",
        "fecha_nacimiento": "1990-05-04",
        "id_ejemplar": "EJE-0007",
        "dias": 14,
        "importe": 12.5,
        "motivo": "retraso",
    },
    [("registrar_socio", {}), ("prestar_ejemplar", {"id_socio": "SOC-0031", "dias": 14}), ("registrar_multa", {})],
    [("fecha limite", "date", "2026-03-20")],
    language="es",
)
LIBRARY_TOOLS = [
    tool("registrar_multa", motivo={"enum": ["retraso", "deterioro", "perdida"]}),
    tool("prestar_ejemplar"),
]
LIBRARY_TALK: list[Line] = [
    (
        "user",
        "Buenas, quisiera dar de alta a una socia nueva: se llama Lucía Ortega, correo lucia.ortega@example.org.",
    ),
    ("agent", "Con mucho gusto. ¿Me puede indicar la fecha de nacimiento?"),
    ("user", "Claro, nació el 4 de mayo de 1990."),
    ("call", "registrar_socio"),
    ("agent", "Ya está registrada. ¿Desea algo más?"),
    ("user", "Sí, présteme para ella el ejemplar EJE-0007 durante catorce días, por favor."),
    ("call", "prestar_ejemplar"),
    ("agent", "Préstamo hecho. ¿Algo más?"),
    ("user", "También hay que registrar una multa de 12,50 euros para la nueva socia, por retraso."),
    ("call", "registrar_multa"),
    ("agent", "La multa queda registrada."),
    ("user", "Muy bien. ¿Y cuál es la fecha límite del préstamo?"),
    ("agent", "La fecha limite es 2026-03-20."),
    ("user", "Estupendo, muchas gracias. Adiós."),
]

# A bicycle rental, in German.

RENTAL = task(
    "Lege eine Buchung des günstigsten Lastenrads für Jana Köhler an, mit Beginn 2026-04-02 und 5 Tagen. Danach ändere "
    "ihre Telefonnummer auf +49 151 2345678. Storniere dann die Buchung BUC-0003 mit dem Grund Krankheit. Sag mir auch "
    "den Gesamtpreis der neuen Buchung.",
    {
        "name": "Jana Köhler",
        "beginn": "2026-04-02",
        "tage": 5,
        "telefonnummer": "+49 151 2345678",
        "buchung_id": "BUC-0003",
        "grund": "krankheit",
        "typ": "lastenrad",
    },
    [("buchung_anlegen", {"fahrrad_id": "FAH-0009"}), ("kunde_aendern", {}), ("buchung_stornieren", {})],
    [("gesamtpreis", "number", 210)],
    language="de",
)
RENTAL_TOOLS = [
    tool("buchung_stornieren", grund={"enum": ["krankheit", "wetter", "doppelbuchung"]}),
    tool("buchung_anlegen"),
]
RENTAL_TALK: list[Line] = [
    (
        "user",
        "Guten Tag, ich möchte für Jana Köhler eine Buchung anlegen, und zwar das günstigste Lastenrad, fünf Tage.",
    ),
    ("agent", "Sehr gerne. Wann ist der Beginn?"),
    ("user", "Am 2. April 2026."),
    ("call", "buchung_anlegen"),
    ("agent", "Die Buchung ist angelegt. Kann ich sonst noch etwas tun?"),
    ("user", "Ja, bitte ändern Sie ihre Telefonnummer auf +49 151 2345678."),
    ("call", "kunde_aendern"),
    ("agent", "Erledigt."),
    ("user", "Danke. Dann stornieren Sie bitte noch die Buchung BUC-0003, der Grund ist Krankheit."),
    ("call", "buchung_stornieren"),
    ("agent", "Die Buchung wurde storniert. Noch etwas?"),
    ("user", "Sagen Sie mir nur noch den Gesamtpreis der neuen Buchung."),
    ("agent", "Der Gesamtpreis ist 210."),
    ("user", "Wunderbar, vielen Dank!"),
]

# A phone, with steps of the user's own.

PHONE = task(
    "I can set the network mode to 5g_only myself, when you tell me to. Then suspend line L2003 with reason vacation.",
    {"network_mode": "5g_only", "line_id": "L2003", "reason": "vacation"},
    [("suspend_line", {"line_id": "L2003", "reason": "vacation"})],
    steps=[("set_network_mode", {"network_mode": "5g_only"})],
)  # fmt: skip
PHONE_TOOLS = [
    tool("suspend_line", reason={"enum": ["vacation", "fraud"]}),
    tool("set_network_mode", "user", network_mode={"enum": ["5g_only", "4g_only"]}),
    tool("reboot_phone", "user"),
    tool("get_status", "user"),
]
PHONE_TALK: list[Line] = [
    ("user", "Hello, my connection is slow. I can change the network mode on my phone."),
    ("agent", "Please set the network mode to 5g_only."),
    ("step", ("set_network_mode", {"network_mode": "5g_only"}, "Okay, I've set it.")),
    ("agent", "Good. What else?"),
    ("user", "Please suspend my line L2003, the reason is vacation."),
    ("call", "suspend_line"),
    ("agent", "The line is suspended."),
    ("user", "Thank you, goodbye."),
]  # fmt: skip
