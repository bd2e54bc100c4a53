"""What all parts of one seeding share: the world, its language and clock, the rows so far, and the hidden facts of
each row.

Invariant: hidden facts (the person, place and history behind a row) are drawn once per entity and role, each from a
stream of its own, so that columns which show them agree and a new column changes none of them. Not covered: drawing the
values (`values`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Entity, World
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.goods import Article, draw_articles
from autoforge.generator.seed.people import Person, draw_people
from autoforge.generator.seed.places import Place, draw_places
from autoforge.generator.seed.times import History, Phase, draw_histories, phase_of, side_of
from autoforge.generator.vocabulary import word_set

__all__ = ["Facts", "Row", "Setting"]

Row = dict[str, JsonValue]

_DAILY = word_set(
    "hotel room reservation booking stay rental rent trip travel vacation absence leave project "
    "subscription policy contract campaign "
    "membership lease loan sprint reserva buchung sejour"
)


@dataclass(slots=True)
class Setting:
    """One run of the seed."""

    world: World
    seed: int
    language: str
    currency: str
    clock: datetime
    counts: dict[str, int]
    lookups: set[tuple[str, str]]
    """(entity, column) pairs whose values should tell rows apart."""
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """By entity name; keys first, the other columns as they are filled."""
    given: frozenset[str] = frozenset()
    """Entities whose rows the user gave; they stay as they are."""
    made: dict[tuple[str, str], datetime] = field(default_factory=dict)
    """When a row was made, by entity name and `repr` of its key; rows that refer to it are younger."""
    untouched: dict[str, frozenset[str]] = field(default_factory=dict)
    """By entity name, the `repr` of the keys that no reference may hold."""
    pinned: set[tuple[str, int, str]] = field(default_factory=set)
    """(entity, row, column) cells that show a value of the documentation."""

    @property
    def today(self) -> date:
        return self.clock.date()

    def draw(self, *purpose: str) -> Draw:
        """The stream of chance for a purpose."""
        return Draw(self.seed, *purpose, language=self.language)

    def keys(self, entity: Entity) -> list[JsonValue]:
        """The keys of an entity whose key is one column, in row order."""
        return [row[entity.key[0]] for row in self.rows[entity.name]]

    def tells_apart(self, entity: Entity, attribute: Attribute) -> bool:
        """Whether no two rows may share a value of this column."""
        return attribute.unique or entity.key == (attribute.name,) or (entity.name, attribute.name) in self.lookups


class Facts:
    """The hidden facts of the rows of one entity."""

    def __init__(self, setting: Setting, entity: Entity, statuses: list[JsonValue]) -> None:
        self._setting, self._entity, self._statuses = setting, entity, statuses
        self._people: dict[str, list[Person]] = {}
        self._places: dict[str, list[Place]] = {}
        self._histories: list[History] | None = None
        self._articles: list[Article] | None = None

    def people(self, role: str) -> list[Person]:
        """The person of each row; those in a role (author, driver) occur in several rows."""
        if role not in self._people:
            draw, count = self._setting.draw(self._entity.name, "@people", role), len(self._statuses)
            many = max(2, -(-count * 3 // 5)) if role else count
            apart = (
                any(a.name in ("name", "full_name", "nombre") or a.name == self._entity.label for a in self._apart())
                and not role
            )
            people = draw_people(draw, many, self._setting.language, self._setting.today, namesakes=not apart)
            self._people[role] = [*people, *(draw.one(people) for _ in range(count - many))]
        return self._people[role]

    def _apart(self) -> list[Attribute]:
        return [a for a in self._entity.attributes if self._setting.tells_apart(self._entity, a)]

    def places(self, role: str) -> list[Place]:
        if role not in self._places:
            draw = self._setting.draw(self._entity.name, "@places", role)
            self._places[role] = draw_places(draw, len(self._statuses), self._setting.language)
        return self._places[role]

    def articles(self) -> list[Article]:
        if self._articles is None:
            draw = self._setting.draw(self._entity.name, "@articles")
            self._articles = draw_articles(draw, len(self._statuses), self._setting.language)
        return self._articles

    def histories(self) -> list[History]:
        if self._histories is None:
            phases: list[Phase] = [phase_of(status) for status in self._statuses]
            draw = self._setting.draw(self._entity.name, "@histories")
            settled, after = self._settled(), self._parents_made()
            self._histories = draw_histories(
                draw, phases, after, self._setting.clock, daily=self._daily(), settled=settled
            )
        return self._histories

    def _settled(self) -> bool:
        """Whether rows were made long ago: what others refer to and itself refers to nothing."""
        world = self._setting.world
        own = any(a.references is not None for a in self._entity.attributes)
        return not own and any(a.references == self._entity.name for e in world.entities for a in e.attributes)

    def _parents_made(self) -> list[datetime | None]:
        """When the last of the rows that each row refers to was made."""
        made = self._setting.made
        rows = self._setting.rows.get(self._entity.name, [])
        found: list[datetime | None] = []
        for i in range(len(self._statuses)):
            row = rows[i] if i < len(rows) else {}
            pairs = ((a.references, row.get(a.name)) for a in self._entity.attributes if a.references is not None)
            known = [made[name, repr(key)] for name, key in pairs if name is not None and (name, repr(key)) in made]
            found.append(max(known, default=None))
        return found

    def _daily(self) -> bool:
        words = set(self._entity.name.split("_"))
        dated = any(a.type.value == "date" and side_of(split_name(a.name)) for a in self._entity.attributes)
        return dated or bool(words & _DAILY)
