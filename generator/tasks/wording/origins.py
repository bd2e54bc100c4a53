"""Where an output comes from: which row of which table, or which plain value.

Two outputs that show the same row (a ticket from a list, chosen by its date, looked up again by its number) have the
same key. Invariant: no words are made here. Not covered: values of the user.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.rules.words import singular
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, RowSet
from autoforge.generator.tasks.wording.leaves import Leaf, leaves_of
from autoforge.generator.tasks.wording.names import english_name, last_name
from autoforge.mcp_envs.paths import join, parse
from autoforge.mcp_envs.task import Blueprint, Output, Reasoning, ToolStep, UserValue

__all__ = ["CHOOSES_ITEM", "CHOOSES_ITEMS", "Origin", "Origins", "Row"]

CHOOSES_ITEM = frozenset({"argmin", "argmax", "nth_lowest", "nth_highest", "only", "only_where"})
CHOOSES_ITEMS = frozenset({"filter", "union", "intersection", "difference", "distinct"})


class Row(NamedTuple):
    """A row, or rows, that somebody can speak of."""

    key: tuple[str, ...]
    node: str
    """The node that shows, makes or chooses it."""
    noun: str
    many: bool
    shown: RowSet | None
    """How it is shown."""
    leaf: Leaf | None = None
    """The argument by which the user names it."""
    made: bool = False


class Origin(NamedTuple):
    row: Row | None
    """None for what is no row."""
    field: str
    """Path inside the row, or the whole path; empty for the row itself."""
    type: str


class Origins:
    """Of one blueprint."""

    def __init__(self, blueprint: Blueprint, catalogue: Catalogue) -> None:
        self._blueprint = blueprint
        self._catalogue = catalogue

    def of(self, output: Output) -> Origin:
        node = self._blueprint.node(output.node)
        if isinstance(node, Reasoning):
            return self._derived(node, output.path)
        return self._shown(node, output.path)

    def _derived(self, node: Reasoning, path: str) -> Origin:
        inner = self.items(node)
        steps = parse(path)
        if inner is None or inner.row is None or not self.gives_rows(node):
            return Origin(None, path, inner.type if inner is not None else "")
        many = node.reason in CHOOSES_ITEMS and not (steps and isinstance(steps[0], int))
        inside = steps[1:] if steps and not isinstance(steps[0], str) else steps
        field = join(inside, "").removeprefix(".")
        row = inner.row._replace(key=(node.id,), node=node.id, many=many, leaf=None, made=False)
        return Origin(row, field, self._type(row.shown, field))

    def gives_rows(self, node: Reasoning) -> bool:
        """Whether what it derives is an item or items, not a plain value."""
        if node.reason in ("choose", "coalesce"):
            inner = self.items(node)
            return inner is not None and inner.row is not None and inner.field == ""
        if node.reason not in CHOOSES_ITEM | CHOOSES_ITEMS:
            return False
        inner = self.items(node)
        return (
            inner is not None
            and inner.row is not None
            and inner.field == ""
            and (node.reason != "distinct" or not node.by)
        )

    def items(self, node: Reasoning) -> Origin | None:
        """What a reasoning node works on, where that is an output."""
        sources = [node.over, *node.inputs.values()]
        output = next((s for s in sources if isinstance(s, Output)), None)
        return self.of(output) if output is not None else None

    def _shown(self, step: ToolStep, path: str) -> Origin:
        tool = self._catalogue.tools[step.tool]
        steps = parse(path)
        best: tuple[int, RowSet] | None = None
        for shown in tool.rows:
            if tool.record.kind == "compute" and not shown.many:
                continue  # a quote shows the keys of what it is about, but is no row
            wanted = parse(shown.path)
            fits = len(wanted) <= len(steps) and all(
                (w is None and not isinstance(s, str)) or w == s for w, s in zip(wanted, steps, strict=False)
            )
            if fits and (best is None or len(wanted) > best[0]):
                best = len(wanted), shown
        if best is not None:
            return self._row(step, steps, *best)
        kind = next((f.type for f in tool.fields if f.path == path), "")
        if None in steps or (steps and kind == "list"):
            noun = singular(english_name(last_name(path)))
            row = Row((step.id, path), step.id, noun, True, None)
            place = max((i for i, s in enumerate(steps) if s is None), default=len(steps) - 1) + 1
            return Origin(row, join(steps[place:], "").removeprefix("."), "")
        return Origin(None, path, kind)

    def _row(self, step: ToolStep, steps: tuple[str | int | None, ...], length: int, shown: RowSet) -> Origin:
        tool = self._catalogue.tools[step.tool]
        field = join(steps[length:], "").removeprefix(".")
        many = None in steps[:length]
        made = shown.table in tool.record.effects.creates
        row = Row(
            (step.id, "made" if made else join(steps[:length])),
            step.id,
            self.entity(shown.table),
            many,
            shown,
            None,
            made,
        )
        if not shown.many and not made:
            row = self._same(step, row)
        return Origin(row, field, self._type(shown, field))

    def _same(self, step: ToolStep, row: Row) -> Row:
        """The row that the step was asked for, where an argument names it."""
        leaf = self.asked_for(step, row)
        if leaf is None:
            return row
        if isinstance(leaf.source, UserValue):
            return self.named(leaf)._replace(shown=row.shown)
        assert isinstance(leaf.source, Output)
        origin = self.of(leaf.source)
        if origin.row is not None and not origin.row.many and self.is_key(origin, leaf.column):
            return origin.row
        return row

    def asked_for(self, step: ToolStep, row: Row) -> Leaf | None:
        """The argument that names the very row that the step shows."""
        for leaf in leaves_of(step, self._catalogue.tools[step.tool]):
            if leaf.role != "reference" or leaf.column is None or row.shown is None:
                continue
            if row.shown.table in (self._catalogue.domain(leaf.column).table, leaf.column.table) and isinstance(
                leaf.source, UserValue | Output
            ):
                return leaf
        return None

    def echo(self, output: Output) -> Leaf | None:
        """The argument of the same name that a read only repeats in its output."""
        node = self._blueprint.node(output.node)
        if not isinstance(node, ToolStep) or not self._catalogue.tools[node.tool].reads_only:
            return None
        leaves = leaves_of(node, self._catalogue.tools[node.tool])
        return next((leaf for leaf in leaves if output.path == f"$.{leaf.key}"), None)

    def named(self, leaf: Leaf) -> Row:
        """The row that the user names by a value."""
        assert isinstance(leaf.source, UserValue)
        column = self._catalogue.domain(leaf.column) if leaf.column is not None else None
        table = column.table if column is not None else ""
        noun = self.entity(table) if table in self._catalogue.tables else (leaf.nouns or (leaf.words,))[0]
        return Row(("known", table, leaf.source.user), "", noun, False, None, leaf)

    def is_key(self, origin: Origin, column: ColumnName | None = None) -> bool:
        """Whether the field stands for the row itself: its key, or the `column` that a reference goes by."""
        row = origin.row
        if row is None or origin.field == "" or row.shown is None:
            return row is not None and origin.field == ""
        table = self._catalogue.tables.get(row.shown.table)
        keys = [row.shown.fields.get(k) for k in table.key] if table is not None else []
        if origin.field in keys:
            return True
        return (
            column is not None
            and row.shown.fields.get(column.column) == origin.field
            and (column.table == row.shown.table)
        )

    def parent(self, origin: Origin) -> str | None:
        """The table that a field refers to."""
        if origin.row is None or origin.row.shown is None:
            return None
        shown = origin.row.shown
        name = next((c for c, path in shown.fields.items() if path == origin.field), None)
        column = self._catalogue.column(ColumnName(shown.table, name)) if name is not None else None
        return column.references if column is not None else None

    def entity(self, table: str) -> str:
        """What a row of a table is called."""
        known = self._catalogue.tables.get(table)
        return english_name(known.entity if known is not None else singular(table))

    @staticmethod
    def _type(shown: RowSet | None, field: str) -> str:
        return shown.types.get(field, "") if shown is not None else ""
