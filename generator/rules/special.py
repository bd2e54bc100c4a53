"""Tools with fixed semantics of their own, found by what the whole document speaks of: file trees and carts.

Invariant: a tool in `Cast.special` is built here and by nothing else; every other tool is left to the general
rules. Not covered: how they are recognised and built (`filesystem`, `carts`).
"""

from __future__ import annotations

from autoforge.generator.rules.cart_roles import assign_cart_roles
from autoforge.generator.rules.cart_steps import build_cart
from autoforge.generator.rules.carts import cast_carts
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.file_reads import READERS
from autoforge.generator.rules.file_writes import WRITERS
from autoforge.generator.rules.filesystem import FileAct, assign_file_roles, cast_files
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene

__all__ = ["assign_special_roles", "build_special", "cast_special"]


def cast_special(cast: Cast, readings: list[Reading]) -> None:
    """Recognise the tools of trees and carts, give them entities, and note them in the cast."""
    cast_files(cast, readings)
    cast_carts(cast, readings)


def assign_special_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Roles of the parameters of a special tool."""
    if isinstance(cast.special[reading.tool.name], FileAct):
        return assign_file_roles(cast, reading)
    return assign_cart_roles(cast, reading)


def build_special(scene: Scene) -> None:
    """Build a special tool."""
    act = scene.cast.special[scene.reading.tool.name]
    if isinstance(act, FileAct):
        (READERS.get(act.act) or WRITERS[act.act])(scene)
    else:
        build_cart(scene)
