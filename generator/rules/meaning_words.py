"""The vocabulary behind `meaning`: the words that people write for every meaning, in eight languages.

Invariant: words are stored as `meaning.split_name` normalises them (lower case, no accents, one space), so that a
lookup is a plain dictionary access. Not covered: how a name is matched (`meaning`), what a value looks like
(`autoforge.generator.seed`).
"""

from __future__ import annotations

from autoforge.generator.rules.meaning_facts import FACT_WORDS
from autoforge.generator.rules.meaning_things import THING_WORDS

__all__ = ["NOUNS", "WORDS"]

WORDS: dict[str, str] = {**FACT_WORDS, **THING_WORDS}
NOUNS: dict[str, str] = {
    "person_name": (
        "entity|node|person|people|user|customer|client|guest|patient|doctor|nurse|physician|employee|staff|"
        "student|teacher|professor|instructor|member|passenger|driver|agent|author|contact|manager|owner|tenant|"
        "landlord|candidate|applicant|visitor|lead|assignee|reporter|reviewer|sender|recipient|receiver|buyer|"
        "seller|trainer|coach|player|director|actor|speaker|attendee|participant|subscriber|technician|operator|"
        "admin|administrator|resident|volunteer|donor|host|organizer|caller|friend|child|parent name|beneficiary|"
        "cardholder|cliente|usuario|huesped|paciente|medico|empleado|alumno|estudiante|profesor|pasajero|conductor|"
        "autor|contacto|socio|kunde|kunden|benutzer|gast|patientin|arzt|mitarbeiter|schuler|lehrer|fahrer|mitglied|"
        "kontakt|utilisateur|invite|medecin|employe|eleve|etudiant|professeur|passager|auteur|membre|hospede|"
        "funcionario|aluno|professor|passageiro|utente|ospite|paziente|dottore|dipendente|studente|insegnante|"
        "passeggero|autista|autore|socio|客户|用户|顾客|员工|学生|老师|医生|病人|顧客|利用者|社員|生徒|先生|医師|患者"
    ),
    "company": (
        "organization|vendor|supplier|merchant|payee|partner|provider|carrier company|proveedor|lieferant|"
        "fournisseur|fornecedor|fornitore|empresa|firma|entreprise|azienda|供应商|仕入先"
    ),
    "product_name": (
        "product|item|article|good|merchandise|inventory item|order item|line item|producto|articulo|produkt|"
        "artikel|produit|produto|prodotto|产品|商品"
    ),
    "site_name": (
        "location|site|depot|facility|pharmacy|clinic|hospital|library|gym|station|almacen|entrepot|armazem|magazzino"
    ),
    "category": "genre|topic|category group",
    "label": "attribute|field|setting|view|table|base|record",
    "device_name": "sensor|computer|printer|phone|laptop|machine|line",
    "pet_name": "dog|cat|animal",
    "play_title": "performance|show",
    "article_title": "article|blog",
    "document_title": "note|page|draft|file document|contract|invoice|form",
    "meeting_title": "appointment|calendar event|session|booking",
    "event_name": "conference|workshop|festival|match|game",
    "task_title": "todo item|checklist item|reminder|step|chore|subtask|milestone|goal",
    "ticket_title": "complaint|request|case|defect|alert|error",
    "dish": "food|drink|menu",
    "list_name": "checklist|collection|board",
    "team_name": "squad|crew",
    "account_name": "wallet|budget|bank account",
    "vehicle_model": "truck|van|bike|motorcycle|aircraft|ship",
    "subject": "email|mail|message|thread|conversation",
    "folder_name": "directory|drive",
    "skill": "competency",
    "location": "address|destination|stop|geofence|zone",
    "role": "permission group",
}
"""What the name of a thing looks like, by the noun for the thing (looked up before WORDS for `X_name` and for
entities).
"""
