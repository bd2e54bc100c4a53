"""Verbs of tool names and descriptions, and what they do, in several languages.

Invariant: pure functions of the text; a word belongs to the lexicon of every language that has it. Not covered: other
words of names (`words`).
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from autoforge.generator.rules.words import ascii_word

__all__ = ["STATES", "Verb", "VerbClass", "verb_in_prose", "verb_of"]


class VerbClass(StrEnum):
    GET = "get"
    LIST = "list"
    SEARCH = "search"
    COUNT = "count"
    CREATE = "create"
    SEND = "send"
    UPDATE = "update"
    SET = "set"
    DELETE = "delete"
    ADD = "add"
    REMOVE = "remove"
    MOVE = "move"
    TRANSFER = "transfer"
    STATE = "state"
    TOGGLE = "toggle"
    LOGIN = "login"
    LOGOUT = "logout"
    COMPUTE = "compute"
    CHECK = "check"
    RUN = "run"


class Verb(NamedTuple):
    word: str
    kind: VerbClass
    state: str | None = None
    """For STATE: the state the row is in afterwards."""


_WORDS: dict[VerbClass, str] = {
    VerbClass.GET: (
        "get fetch retrieve read view show describe lookup look obtain return load access display inspect "
        "open_details download export peek obtener consultar ver mostrar leer recuperar abrufen holen anzeigen "
        "lesen zeigen ansehen obtenir lire afficher consulter recuperer voir obter mostrar ler ottenere leggere "
        "mostrare visualizzare"
    ),
    VerbClass.LIST: "list browse enumerate index all scan listar enumerar auflisten lister enumerer elencare",
    VerbClass.SEARCH: (
        "search find query filter lookup_all match explore discover recommend suggest buscar encontrar filtrar "
        "suchen finden filtern chercher rechercher trouver filtrer procurar pesquisar cercare trovare"
    ),
    VerbClass.COUNT: "count tally contar zaehlen compter contare",
    VerbClass.CREATE: (
        "create new register book reserve place make insert open schedule issue post generate upload start_new "
        "build enroll enrol signup compose draft record log import duplicate clone copy write save store provision "
        "submit order buy purchase sell request report file raise init initialize plan crear registrar reservar "
        "abrir emitir solicitar prestar generar anlegen erstellen buchen reservieren anmelden_neu registrieren "
        "eintragen bestellen creer reserver enregistrer ajouter_nouveau emettre commander criar cadastrar registar "
        "creare prenotare registrare"
    ),
    VerbClass.SEND: (
        "send email reply respond message notify share publish_message forward tweet comment broadcast text call "
        "invite ping enviar responder notificar senden antworten benachrichtigen envoyer repondre notifier inviare "
        "rispondere"
    ),
    VerbClass.UPDATE: (
        "update edit modify change patch replace upsert adjust rename revise amend extend renew reschedule correct "
        "increase decrease put fill press turn rotate raise lower dim brighten tune arrange organize format_text "
        "resize crop draw paint color highlight alter configure customize sync refresh actualizar modificar editar "
        "cambiar renovar ampliar renombrar aendern bearbeiten aktualisieren verlaengern umbenennen modifier "
        "changer editer renouveler prolonger mettre atualizar alterar mudar renovar aggiornare modificare rinnovare"
    ),
    VerbClass.SET: "set assign_value establecer fijar ajustar setzen einstellen definir regler impostare",
    VerbClass.DELETE: (
        "delete destroy erase purge drop clear empty wipe reset unregister eliminar borrar suprimir loeschen "
        "entfernen_ganz supprimer effacer excluir apagar eliminare cancellare"
    ),
    VerbClass.ADD: (
        "add append attach link connect join associate assign include enqueue tag subscribe follow grant "
        "share_with like favorite bookmark enable_for anadir agregar asignar vincular hinzufuegen zuweisen "
        "verknuepfen ajouter associer attribuer lier adicionar associar atribuir aggiungere assegnare associare"
    ),
    VerbClass.REMOVE: (
        "remove detach unlink disconnect leave unassign untag unsubscribe unfollow revoke dissociate exclude "
        "unlike kick quitar retirar desvincular entfernen trennen retirer enlever dissocier detacher remover "
        "rimuovere togliere"
    ),
    VerbClass.MOVE: (
        "move reorder relocate shift reposition reassign mover trasladar verschieben umziehen deplacer spostare"
    ),
    VerbClass.TRANSFER: (
        "transfer pay withdraw deposit fund charge topup recharge refund_amount donate wire transferir pagar "
        "retirar_fondos depositar abonar ueberweisen zahlen bezahlen einzahlen abheben transferer payer verser "
        "retirer_argent depositar trasferire pagare versare"
    ),
    VerbClass.TOGGLE: "toggle switch flip alternar conmutar umschalten basculer alternare",
    VerbClass.LOGIN: (
        "login signin logon authenticate authorize auth iniciar_sesion identificar einloggen connecter_session "
        "entrar accedere"
    ),
    VerbClass.LOGOUT: "logout signout logoff cerrar_sesion abmelden ausloggen deconnecter sair",
    VerbClass.COMPUTE: (
        "calculate compute convert estimate quote evaluate solve sum multiply divide subtract average mean round "
        "translate encode decode compress hash analyze analyse compare summarize format parse predict calcular "
        "convertir estimar cotizar sumar berechnen umrechnen schaetzen calculer convertir estimer calcolare "
        "convertire stimare echo gzip"
    ),
    VerbClass.CHECK: (
        "check verify validate test confirm_exists is has can exists comprobar verificar pruefen verifier "
        "controllare diagnose track monitor measure determine"
    ),
    VerbClass.RUN: (
        "run execute trigger perform simulate process launch do invoke apply use play ejecutar ausfuehren executer "
        "eseguire request_run"
    ),
}


STATES: dict[str, str] = {
    "cancel": "cancelled", "close": "closed", "open": "open", "reopen": "open", "resolve": "resolved",
    "approve": "approved", "reject": "rejected", "decline": "declined", "deny": "denied", "accept": "accepted",
    "confirm": "confirmed", "complete": "completed", "finish": "finished", "start": "started", "begin": "started",
    "stop": "stopped", "end": "ended", "pause": "paused", "resume": "active", "suspend": "suspended",
    "unsuspend": "active", "activate": "active", "deactivate": "inactive", "enable": "enabled", "disable": "disabled",
    "archive": "archived", "unarchive": "active", "restore": "active", "lock": "locked", "unlock": "unlocked",
    "block": "blocked", "unblock": "active", "freeze": "frozen", "unfreeze": "active", "publish": "published",
    "unpublish": "draft", "ship": "shipped", "dispatch": "dispatched", "deliver": "delivered", "receive": "received",
    "return": "returned", "refund": "refunded", "checkin": "checked_in", "checkout": "checked_out",
    "escalate": "escalated", "mark": "marked", "ban": "banned", "unban": "active", "mute": "muted", "unmute": "unmuted",
    "pin": "pinned", "unpin": "unpinned", "star": "starred", "unstar": "unstarred", "terminate": "terminated",
    "expire": "expired", "redeem": "redeemed", "claim": "claimed", "acknowledge": "acknowledged",
    "dismiss": "dismissed", "merge": "merged", "abort": "aborted", "void": "void", "retire": "retired",
    "fulfill": "fulfilled", "pay": "paid", "pagar": "pagado", "bezahlen": "bezahlt", "payer": "paye", "darbaja": "baja",
    "entregado": "entregado", "reboot": "running", "restart": "running", "pick": "picked", "pack": "packed",
    "hold": "on_hold", "release": "released", "cancelar": "cancelado", "anular": "anulado", "cerrar": "cerrado",
    "aprobar": "aprobado", "rechazar": "rechazado", "confirmar": "confirmado", "completar": "completado",
    "devolver": "devuelto", "suspender": "suspendido", "reactivar": "activo", "activar": "activo",
    "desactivar": "inactivo", "bloquear": "bloqueado", "desbloquear": "activo", "archivar": "archivado",
    "entregar": "entregado", "stornieren": "storniert", "schliessen": "geschlossen", "genehmigen": "genehmigt",
    "ablehnen": "abgelehnt", "bestaetigen": "bestaetigt", "abschliessen": "abgeschlossen",
    "zurueckgeben": "zurueckgegeben", "sperren": "gesperrt", "entsperren": "aktiv", "aktivieren": "aktiv",
    "deaktivieren": "inaktiv", "annuler": "annule", "fermer": "ferme", "approuver": "approuve", "rejeter": "rejete",
    "confirmer": "confirme", "terminer": "termine", "rendre": "rendu", "suspendre": "suspendu", "activer": "actif",
    "desactiver": "inactif", "fechar": "fechado", "aprovar": "aprovado", "rejeitar": "rejeitado",
    "annullare": "annullato", "chiudere": "chiuso", "approvare": "approvato", "confermare": "confermato",
    "restituire": "restituito", "sospendere": "sospeso", "attivare": "attivo",
}  # fmt: skip


_CJK: tuple[tuple[str, VerbClass, str | None], ...] = (
    ("查询", VerbClass.GET, None), ("获取", VerbClass.GET, None), ("查看", VerbClass.GET, None),
    ("列出", VerbClass.LIST, None), ("搜索", VerbClass.SEARCH, None), ("查找", VerbClass.SEARCH, None),
    ("创建", VerbClass.CREATE, None), ("新建", VerbClass.CREATE, None), ("添加", VerbClass.ADD, None),
    ("预订", VerbClass.CREATE, None), ("预约", VerbClass.CREATE, None), ("下单", VerbClass.CREATE, None),
    ("更新", VerbClass.UPDATE, None), ("修改", VerbClass.UPDATE, None), ("删除", VerbClass.DELETE, None),
    ("移除", VerbClass.REMOVE, None), ("取消", VerbClass.STATE, "cancelled"), ("关闭", VerbClass.STATE, "closed"),
    ("发送", VerbClass.SEND, None), ("计算", VerbClass.COMPUTE, None), ("登录", VerbClass.LOGIN, None),
    ("登出", VerbClass.LOGOUT, None), ("转账", VerbClass.TRANSFER, None), ("支付", VerbClass.TRANSFER, None),
    ("取得", VerbClass.GET, None), ("一覧", VerbClass.LIST, None), ("検索", VerbClass.SEARCH, None),
    ("作成", VerbClass.CREATE, None), ("追加", VerbClass.ADD, None), ("変更", VerbClass.UPDATE, None),
    ("削除", VerbClass.DELETE, None), ("予約", VerbClass.CREATE, None), ("送信", VerbClass.SEND, None),
    ("设置", VerbClass.SET, None), ("设定", VerbClass.SET, None),
)  # fmt: skip


@cache
def _verbs() -> dict[str, Verb]:
    table: dict[str, Verb] = {}
    for kind, words in _WORDS.items():
        for word in words.split():
            table.setdefault(word, Verb(word, kind))
    for word, state in STATES.items():
        if word not in ("open", "return", "pay", "pagar", "bezahlen", "payer"):
            table[word] = Verb(word, VerbClass.STATE, state)
    return table


def verb_of(word: str) -> Verb | None:
    """The verb that a word of a *name* is, if any; `checks`, `searching` and `created` count as their verb only in
    prose.
    """
    return _verbs().get(ascii_word(word))


def verb_in_prose(text: str) -> Verb | None:
    """The first verb of a description: `Retrieves the …`, `Use this tool to send …`, `Fetch a list of …`; `取消订单`
    begins with one.
    """
    for prefix, kind, state in _CJK:
        if prefix in text[:24]:
            return Verb(prefix, kind, state)
    for word in re.findall(r"[^\W\d_]+", text.lower())[:14]:
        verb = _inflected(word)
        if verb is not None and word not in (
            "use",
            "used",
            "open",
            "new",
            "all",
            "text",
            "call",
            "file",
            "order",
            "request",
            "record",
            "index",
            "message",
            "email",
            "draft",
            "make",
            "tool",
            "is",
            "can",
            "has",
            "log",
            "report",
            "plan",
            "put",
            "return",
            "start",
            "do",
            "tag",
            "call",
            "book",
            "look",
        ):
            return verb
    return None


def _inflected(word: str) -> Verb | None:
    word = ascii_word(word)
    table = _verbs()
    candidates = [word]
    if word.endswith("s"):
        candidates += [
            word[:-1],
            word[:-2] if word.endswith("es") else word,
            word[:-3] + "y" if word.endswith("ies") else word,
        ]
    if word.endswith("ing"):
        candidates += [word[:-3], word[:-3] + "e", word[:-4] if word[-5:-4] == word[-4:-3] else word]  # `cancelling`
    if len(word) > 3 and word[-1] in "aeo" and word + "r" in table:  # Spanish third person: `busca`, `crea`
        candidates.append(word + "r")
    if len(word) > 3 and word.endswith("e") and word[:-1] + "er" in table:  # `devuelve` stays unknown, `cree` is French
        candidates.append(word[:-1] + "er")
    if len(word) > 4 and word.endswith("t") and word[:-1] + "en" in table:  # German third person: `sucht`
        candidates.append(word[:-1] + "en")
    return next((table[c] for c in candidates if c in table), None)
