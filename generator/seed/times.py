"""Moments of one row that follow each other: made, moved through its states, changed; begins, ends, due, expires.

Invariant: made <= changed <= clock; made <= begin <= end and made <= due; all are relative to the world's clock, on
whole minutes. Each column takes its moment from the same hidden history by the words of its name, so columns agree
without knowing each other. Not covered: the clock itself (`setting`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from autoforge.generator.seed.draw import Draw
from autoforge.generator.vocabulary import word_set

__all__ = ["History", "Phase", "draw_histories", "phase_of", "side_of"]

Phase = Literal["past", "present", "future", ""]

_PAST = word_set(
    "completed complete done finished ended past delivered returned expired closed resolved departed "
    "landed checked_out "
    "archived fulfilled settled completado entregado abgeschlossen geliefert termine livre concluido completato"
)
_PRESENT = word_set(
    "checked_in in_progress ongoing active occupied running started boarding live current rented borrowed "
    "in_use activo aktiv actif ativo attivo"
)
_FUTURE = word_set(
    "confirmed scheduled booked pending upcoming planned requested reserved new draft tentative pendiente "
    "offen reservado"
)
_STARTS = word_set(
    "start starts begin begins from since in checkin arrival departure depart pickup opens open valid "
    "inicio entrada beginn anreise debut inizio arrivo von desde"
)
_ENDS = word_set(
    "end ends finish until to out checkout return dropoff closes close through last fin fim salida ende "
    "abreise fine partenza bis hasta"
)
_DUE = word_set(
    "due deadline expected reminder delivery vencimiento limite falligkeit lieferdatum echeance prazo "
    "scadenza entrega remind"
)
_DELIVERY = word_set("delivery expected lieferdatum livraison entrega consegna")
_EXPIRES = word_set("expires expiry expiration expire renewal renews warranty valid_until vence caducidad ablauf")
_RANKS = (
    (
        "created",
        "registered",
        "joined",
        "opened",
        "ordered",
        "placed",
        "submitted",
        "issued",
        "requested",
        "booked",
        "added",
        "order",
        "purchase",
        "hire",
    ),
    ("confirmed", "approved", "assigned", "verified", "published", "accepted"),
    ("paid", "payment", "started", "activated"),
    ("sent", "shipped", "ship", "dispatched", "scheduled"),
    ("delivered", "received", "read"),
    (
        "completed",
        "finished",
        "resolved",
        "closed",
        "done",
        "returned",
        "refunded",
        "cancelled",
        "canceled",
        "suspended",
        "rejected",
        "failed",
    ),
    (
        "seen",
        "login",
        "activity",
        "used",
        "modified",
        "updated",
        "changed",
        "edited",
        "reconciled",
        "archived",
        "deleted",
        "update",
    ),
)


class History(NamedTuple):
    made: datetime
    begin: datetime
    end: datetime
    due: datetime
    expires: datetime
    clock: datetime
    over: bool
    """The row's state says that it is done."""
    pace: timedelta
    """Time from the first to the last state."""

    def passed(self, words: tuple[str, ...]) -> datetime:
        """A moment up to now for a column with these words in its name; later states later."""
        rank = next((r for r, names in enumerate(_RANKS) if set(names) & set(words)), 0)
        span = min(self.clock - self.made, self.pace)
        share = 0.0 if rank == 0 else (rank - 0.4) / len(_RANKS)
        return _whole(self.made + span * share)

    def ahead(self, words: tuple[str, ...]) -> datetime:
        """A moment around or after now for a column with these words in its name."""
        found = set(words)
        if found & _EXPIRES:
            return self.expires
        if words == ("date",):
            return self.begin
        if self.over and found & _DELIVERY:
            return min(self.due, self.passed(("delivered",)))
        if found & _DUE and not found & (_STARTS | _ENDS):
            return self.due
        return {"end": self.end, "start": self.begin, "": self.due}[side_of(words)]


def side_of(words: tuple[str, ...]) -> str:
    """`start` or `end` of a period, by the last such word of a name; empty for neither.

    Beside the word `date`, arrival begins a stay; without, departure begins a journey.
    """
    if {"departure", "arrival", "depart", "arrive"} & set(words) and not {"date", "day", "datum", "fecha"} & set(words):
        return "start" if {"departure", "depart"} & set(words) else "end"
    for word in reversed(words):
        if word in _ENDS or (word in ("departure", "depart") and "date" in words):
            return "end"
        if word in _STARTS:
            return "start"
    return ""


def phase_of(status: object) -> Phase:
    """Where the period of a row with this status lies, seen from the clock; empty where the word does not say."""
    word = str(status).strip().lower().replace(" ", "_").replace("-", "_")
    return "past" if word in _PAST else "present" if word in _PRESENT else "future" if word in _FUTURE else ""


def _whole(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def draw_histories(
    draw: Draw, phases: list[Phase], after: list[datetime | None], clock: datetime, *, daily: bool, settled: bool
) -> list[History]:
    """One history per phase, made after the given moments as far as its period allows.

    `daily`: periods last days and begin at three in the afternoon; else they last up to two hours of one day.
    `settled`: made months ago.
    """
    histories = [_history(draw, phase, clock, daily=daily, settled=settled) for phase in phases]
    shares = [draw.real(0.05, 0.8) for _ in phases]
    return [_later(history, moment, share) for history, moment, share in zip(histories, after, shares, strict=True)]


def _later(history: History, after: datetime | None, share: float) -> History:
    """The same history, made when that share of the time from `after` to now had passed."""
    if after is None or after < history.made:
        return history
    made = min(after + (history.clock - after) * share, history.begin, history.clock)
    made = max(history.made, _whole(made))
    return history._replace(
        made=made,
        due=max(history.due, made + timedelta(days=1)),
        expires=max(history.expires, made + timedelta(days=30)),
    )


def _history(draw: Draw, phase: Phase, clock: datetime, *, daily: bool, settled: bool) -> History:
    kind = phase or draw.one(("past", "future", "future"))
    nights, quarters, hour, minute = (
        draw.integer(1, 7),
        draw.integer(2, 8),
        draw.integer(8, 17),
        draw.one((0, 15, 30, 45)),
    )
    days, overdue, grace, age = draw.integer(2, 30), draw.integer(-10, 30), draw.integer(30, 400), draw.integer(1, 60)
    age = age + draw.integer(100, 400) if settled else age
    length = timedelta(days=nights) if daily else timedelta(minutes=15 * quarters)
    day = clock + timedelta(days={"future": days, "past": -days - 8}.get(kind, 0))
    begin = day.replace(hour=15 if daily else hour, minute=0 if daily else minute, second=0, microsecond=0)
    if kind == "present":
        begin = _whole(clock - timedelta(days=days % nights, hours=1) if daily else clock - length / 2)
    made = (min(day, clock - timedelta(days=7)) - timedelta(days=age)).replace(
        hour=draw.integer(7, 20), minute=draw.integer(0, 59), second=0, microsecond=0
    )
    due = _whole(max(made + timedelta(days=1), clock + timedelta(days=overdue)).replace(hour=17, minute=0))
    return History(
        made,
        begin,
        begin + length,
        due,
        _whole(made + timedelta(days=grace + 60)),
        clock,
        phase == "past",
        timedelta(hours=draw.integer(20, 240)),
    )
