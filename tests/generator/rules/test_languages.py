"""Documentation in other languages: the same desk of a library, in six of them, does the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import DATE, TEXT, Desk, Open, maybe, tool


class Library(NamedTuple):
    """Words of one language."""

    create: tuple[str, str]
    get: tuple[str, str]
    search: tuple[str, str]
    update: tuple[str, str]
    delete: tuple[str, str]
    cancel: tuple[str, str]
    identifier: str
    name: str
    query: str
    date: str

    @property
    def tools(self) -> list[dict[str, Any]]:
        key = {self.identifier: TEXT}
        return [
            tool(*self.create, None, **{self.name: TEXT, self.date: DATE}),
            tool(*self.get, None, **key),
            tool(*self.search, None, **{self.query: TEXT}),
            tool(*self.update, None, **key, **{self.name: maybe(TEXT), self.date: maybe(DATE)}),
            tool(*self.delete, None, **key),
            tool(*self.cancel, None, **key),
        ]


LIBRARIES = {
    "Spanish": Library(
        ("crear_reserva", "Crea una reserva."),
        ("obtener_reserva", "Devuelve una reserva."),
        ("buscar_reservas", "Busca reservas."),
        ("actualizar_reserva", "Actualiza una reserva."),
        ("eliminar_reserva", "Elimina una reserva."),
        ("cancelar_reserva", "Cancela una reserva."),
        "id_reserva",
        "nombre",
        "texto",
        "fecha",
    ),
    "German": Library(
        ("termin_erstellen", "Erstellt einen Termin."),
        ("termin_abrufen", "Ruft einen Termin ab."),
        ("termine_suchen", "Sucht Termine."),
        ("termin_aktualisieren", "Aktualisiert einen Termin."),
        ("termin_löschen", "Löscht einen Termin."),
        ("termin_stornieren", "Storniert einen Termin."),
        "termin_id",
        "titel",
        "suchbegriff",
        "datum",
    ),
    "French": Library(
        ("creer_commande", "Crée une commande."),
        ("obtenir_commande", "Renvoie une commande."),
        ("rechercher_commandes", "Recherche des commandes."),
        ("modifier_commande", "Modifie une commande."),
        ("supprimer_commande", "Supprime une commande."),
        ("annuler_commande", "Annule une commande."),
        "commande_id",
        "nom",
        "recherche",
        "date_livraison",
    ),
    "Portuguese": Library(
        ("criar_pedido", "Cria um pedido."),
        ("obter_pedido", "Obtém um pedido."),
        ("pesquisar_pedidos", "Pesquisa pedidos."),
        ("atualizar_pedido", "Atualiza um pedido."),
        ("excluir_pedido", "Exclui um pedido."),
        ("cancelar_pedido", "Cancela um pedido."),
        "pedido_id",
        "nome",
        "termo",
        "data_entrega",
    ),
    "Italian": Library(
        ("creare_prenotazione", "Crea una prenotazione."),
        ("ottenere_prenotazione", "Restituisce una prenotazione."),
        ("cercare_prenotazioni", "Cerca prenotazioni."),
        ("aggiornare_prenotazione", "Aggiorna una prenotazione."),
        ("eliminare_prenotazione", "Elimina una prenotazione."),
        ("annullare_prenotazione", "Annulla una prenotazione."),
        "prenotazione_id",
        "titolo",
        "termine",
        "data_inizio",
    ),
    "Chinese": Library(
        ("create_booking", "创建预订。"),
        ("get_booking", "查询预订详情。"),
        ("search_bookings", "搜索预订。"),
        ("update_booking", "更新预订。"),
        ("delete_booking", "删除预订。"),
        ("cancel_booking", "取消预订。"),
        "booking_id",
        "name",
        "query",
        "date",
    ),
}
KINDS = (
    OperationKind.CREATE,
    OperationKind.GET,
    OperationKind.SEARCH,
    OperationKind.UPDATE,
    OperationKind.DELETE,
    OperationKind.SET_STATUS,
)


@pytest.fixture(params=list(LIBRARIES))
def library(request: pytest.FixtureRequest) -> Library:
    return LIBRARIES[request.param]


def test_no_tool_stays_without_a_meaning(world: Open, library: Library) -> None:
    assert world(library.tools).weak() == []


def test_all_tools_are_about_one_thing(world: Open, library: Library) -> None:
    assert len(world(library.tools).tables) == 1


def test_verbs_are_understood(world: Open, library: Library) -> None:
    desk = world(library.tools)
    assert tuple(o.kind for o in desk.world.operations) == KINDS


def _made(desk: Desk, library: Library) -> tuple[str, dict[str, Any]]:
    """A new row: its id and what is stored."""
    names = [o.tool for o in desk.world.operations]
    desk.answer(names[0], **{library.name: "Zanzibar", library.date: "2031-05-01"})
    (table,) = desk.tables
    row = desk.rows(table)[-1]
    return str(row[desk.entity(table).key[0]]), row


def test_a_row_lives_and_dies(world: Open, library: Library) -> None:
    desk = world(library.tools)
    names = [o.tool for o in desk.world.operations]
    key, row = _made(desk, library)
    assert {"Zanzibar", "2031-05-01"} <= set(row.values())
    given = {library.identifier: key}
    assert "Zanzibar" in str(desk.answer(names[1], **given))
    assert key in str(desk.answer(names[2], **{library.query: "zanzi"}))
    desk.answer(names[3], **given, **{library.name: "Lima"})
    assert "Lima" in str(desk.answer(names[1], **given))
    desk.answer(names[4], **given)
    assert key in desk.refusal(names[1], **given)


def test_cancelling_is_done_once(world: Open, library: Library) -> None:
    desk = world(library.tools)
    names = [o.tool for o in desk.world.operations]
    key, before = _made(desk, library)
    desk.answer(names[5], **{library.identifier: key})
    (table,) = desk.tables
    assert desk.rows(table)[-1] != before
    desk.refusal(names[5], **{library.identifier: key})


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("reserva_nueva", "Registra una nueva reserva para un socio.", OperationKind.CREATE),
        ("socio_info", "Consulta los datos de un socio.", OperationKind.GET),
        ("kundeninfo", "Zeigt einen Kunden.", OperationKind.GET),
        ("client_infos", "Affiche un client.", OperationKind.GET),
    ],
)
def test_the_description_gives_the_verb_where_the_name_has_none(
    world: Open, name: str, description: str, kind: OperationKind
) -> None:
    desk = world(
        [tool(name, description, None, **({"nombre": TEXT} if kind is OperationKind.CREATE else {"id": TEXT}))]
    )
    assert desk.operation(name).kind is kind
