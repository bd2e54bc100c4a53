"""Login, logout and whoever is logged in, as state: one row of an entity `session`.

Invariant: when the documentation has no login or logout there is no session, and no tool refuses for want of one.
Not covered: passwords as secrets: in a simulated world they are values like others, never shown by rules-made outputs.
"""

from __future__ import annotations

from autoforge.generator.ir import (
    ColumnType,
    Constant,
    Entity,
    Expression,
    Filter,
    Find,
    OperationKind,
    Record,
    Return,
    RowField,
    Update,
    Variable,
)
from autoforge.generator.rules.cast import PERSONS, Cast, id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.returns import return_row
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, negate
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import snake, split_words

__all__ = ["assign_session_roles", "build_session", "cast_session", "is_session_tool"]

_FLAG = Shape(ColumnType.BOOLEAN, False, {"type": "boolean"}, False)
_TEXT = Shape(ColumnType.TEXT, True, {"type": "string"}, False)


def is_session_tool(reading: Reading) -> bool:
    """Login, logout, and the question whether one is logged in."""
    if reading.verb.kind is VerbClass.LOGOUT:
        return True
    if reading.verb.kind is VerbClass.LOGIN:
        return (
            bool(
                {"login", "signin", "logon", "log", "sign", "authenticate", "auth", "session"}
                & set(split_words(reading.tool.original_name))
            )
            or reading.verb.word in ("iniciar_sesion", "einloggen")
            or "log" in reading.tool.description.lower()[:60]
        )
    words = set(reading.nouns) | set(split_words(reading.tool.original_name))
    return ("login" in words and bool(words & {"status", "state", "check"})) or reading.nouns == ("session",)


def cast_session(cast: Cast, readings: list[Reading]) -> None:
    """Give session tools the entity `session`, and make sure that there is someone who can log in."""
    mine = [r for r in readings if is_session_tool(r)]
    if not any(r.verb.kind in (VerbClass.LOGIN, VerbClass.LOGOUT) or r.nouns == ("session",) for r in mine):
        return
    for reading in mine:
        before = cast.of_tool[reading.tool.name]
        cast.of_tool[reading.tool.name] = "session"
        cast.attribute_of_tool.pop(reading.tool.name, None)
        if (
            before
            and before != "session"
            and before not in cast.of_tool.values()
            and before not in PERSONS
            and not cast.entities[before].attributes
        ):
            cast.entities.pop(before, None)
    session = cast.add("session")
    session.evidence.append("login")
    session.singleton, session.key = True, ("id",)
    session.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
    logged_in = session.column("logged_in", _FLAG, "Whether somebody is logged in")
    logged_in.default, logged_in.nullable = True, False  # the seed begins with somebody logged in
    names = [n for r in mine for n in properties_of(r.tool.input_schema)]
    if not names and cast.person() is None and not any("user" in r.tool.description.lower() for r in mine):
        return
    known = cast.person()
    if known in ("account", "agent") and (known in cast.identified or known not in cast.loners):
        known = None  # a person may hold several accounts
    person = cast.add(known or "user")
    column = session.column("user_id", _TEXT, "Who is logged in")
    column.references = person.name


def assign_session_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Credentials are looked up among the people; other parameters are kept in the session."""
    roles: list[Role] = []
    required = set(reading.tool.input_schema.get("required", []))
    session = cast.entities["session"]
    person = next((cast.entities[a.references] for a in session.attributes.values() if a.references), None)
    for name, schema in properties_of(reading.tool.input_schema).items():
        role = Role(
            name,
            (name,),
            schema,
            shape_of(schema),
            name in required,
            "value",
            description=str(schema.get("description", "")),
        )
        _credential(role, person, session, reading)
        roles.append(role)
    return roles


def _credential(role: Role, person: EntityDraft | None, session: EntityDraft, reading: Reading) -> None:
    word = snake(role.name)
    last = word.rsplit("_", 1)[-1]
    where = f"{reading.tool.name}.{role.name}"
    if reading.verb.kind is VerbClass.LOGIN or reading.verb.kind is VerbClass.CREATE:
        if person is not None and last in (
            "password",
            "passwd",
            "pin",
            "secret",
            "passcode",
            "contrasena",
            "clave",
            "passwort",
            "code",
            "otp",
        ):
            role.role, role.column = "password", word
            person.column(word, role.shape._replace(nullable=False), role.description, where).nullable = False
            return
        if (
            person is not None
            and role.shape.type in (ColumnType.TEXT, ColumnType.INTEGER)
            and (
                id_stem(role.name) is not None
                or last
                in (
                    "username",
                    "name",
                    "user",
                    "email",
                    "login",
                    "phone",
                    "usuario",
                    "number",
                    "benutzername",
                    "account",
                )
            )
        ):
            role.role, role.entity = "key", person.name
            if id_stem(role.name) is None:
                role.column = "username" if word in ("user", "login", "username", "user_name") else word
                person.column(role.column, role.shape, role.description, where).unique = True
            return
    role.column = word
    session.column(word, role.shape._replace(nullable=True), role.description, where)


def build_session(scene: Scene) -> None:
    """Build login, logout or the login status."""
    scene.kind = OperationKind.SESSION
    session = scene.entities["session"]
    user = next((a for a in session.attributes if a.references), None)
    kind = scene.reading.verb.kind
    method = scene.reading.tool.http.method if scene.reading.tool.http else ""
    if kind is VerbClass.LOGOUT or kind is VerbClass.DELETE or method == "DELETE":
        _logout(scene, session, user.name if user else None)
    elif kind is VerbClass.LOGIN or kind is VerbClass.CREATE or method == "POST":
        _login(scene, session, user.name if user else None)
    else:
        _status(scene, session)


def _flag(scene: Scene) -> str:
    return scene.cast.entities["session"].flag


def _login(scene: Scene, session: Entity, column: str | None) -> None:
    values: dict[str, Expression] = {_flag(scene): Constant(value=True)}
    key = scene.first("key")
    actor = session.attribute(column) if column is not None else None
    if actor is not None and column is not None and key is not None:
        person = scene.entities[str(actor.references)]
        where = Filter(column=key.column or person.key[-1], value=scene.argument(key))
        scene.add(Find(row="person", entity=person.name, where=(where,), missing="The name or password is wrong."))
        scene.bound["person"] = person.name
        for role in scene.roles_of("password"):
            if role.column and person.attribute(role.column):
                wrong = call("not_equal", RowField(row="person", column=role.column), scene.argument(role))
                scene.refuse(
                    wrong if role.required else call("and", call("not_null", scene.argument(role)), wrong),
                    "The name or password is wrong.",
                    "session",
                )
        values[column] = RowField(row="person", column=person.key[-1])
    row = scene.find(session, None, row="session")
    for role in scene.roles_of("value", "token"):
        if role.column and session.attribute(role.column):
            values[role.column] = scene.argument(role)
    given = tuple(r.column for r in scene.roles_of("value", "token") if r.column and not r.required)
    scene.add(Update(row=row, entity=session.name, values=tuple(values.items()), when_given=given))
    _finish(scene, session, row)


def _logout(scene: Scene, session: Entity, column: str | None) -> None:
    row = scene.find(session, None, row="session")
    scene.refuse(negate(RowField(row=row, column=_flag(scene))), "Nobody is logged in.", "session")
    values: list[tuple[str, Expression]] = [(_flag(scene), Constant(value=False))]
    if column is not None:
        values.append((column, Constant(value=None)))
    for role in scene.roles_of("value"):
        if role.column and session.attribute(role.column):
            values.append((role.column, scene.argument(role)))
    scene.add(Update(row=row, entity=session.name, values=tuple(values)))
    _finish(scene, session, row)


def _status(scene: Scene, session: Entity) -> None:
    row = scene.find(session, None, row="session")
    for role in scene.roles_of("value"):
        attribute = session.attribute(role.column or "")
        if attribute is not None:
            wrong = call(
                "and",
                call("not_null", scene.argument(role)),
                call("not_equal", RowField(row=row, column=attribute.name), scene.argument(role)),
            )
            scene.refuse(wrong, f"There is no session with this {attribute.name}.", "session")
    _finish(scene, session, row)


def _finish(scene: Scene, session: Entity, row: str) -> None:
    """Booleans of the output say whether somebody is logged in; a user's columns come from who is."""
    if not properties_of(scene.reading.tool.output_schema):
        return_row(scene, session, row)
        return
    logged_in = RowField(row=row, column=_flag(scene))
    writes = any(isinstance(s, Update) for s in scene.steps)
    fields: list[tuple[str, Expression]] = []
    user = _user_row(scene, session, row)
    for name, schema in properties_of(scene.reading.tool.output_schema).items():
        boolean = shape_of(schema).type is ColumnType.BOOLEAN
        attribute = scene.entities[scene.bound[user]].attribute(snake(name)) if user else None
        if attribute is not None and user is not None and "password" not in attribute.name:
            value: Expression = RowField(row=user, column=attribute.name)
        elif (boolean and (not writes or "status" in snake(name))) or (
            boolean
            and snake(name) in ("logged_in", "login_status", "authenticated", "is_logged_in", "is_authenticated")
        ):
            value = logged_in
        elif boolean:
            value = Constant(value=True)
        elif shape_of(schema).type is ColumnType.TEXT and not schema.get("enum"):
            value = Constant(value="Logged in." if scene.reading.verb.kind is VerbClass.LOGIN else "Done.")
        else:
            value = Constant(value=least_value(schema))
        fields.append((name, value))
    required = set((scene.reading.tool.output_schema or {}).get("required", ()))
    scene.add(Return(value=Record(fields=tuple(fields), omit_null=tuple(n for n, _ in fields if n not in required))))


def _user_row(scene: Scene, session: Entity, row: str) -> str | None:
    column = next((a for a in session.attributes if a.references), None)
    if column is None or "person" in scene.bound:
        return "person" if "person" in scene.bound else None
    if scene.reading.verb.kind is VerbClass.LOGOUT:
        return None
    person = scene.entities[str(column.references)]
    wanted = {snake(n) for n in properties_of(scene.reading.tool.output_schema)}
    if not wanted & {a.name for a in person.attributes if a.name not in ("id",)}:
        return None
    name = scene.find(person, RowField(row=row, column=column.name), row="user", optional=True)
    scene.refuse(call("is_null", Variable(name=name)), "Nobody is logged in.", "session")
    return name
