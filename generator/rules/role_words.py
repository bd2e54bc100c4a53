"""Names of parameters by what they are for: pages, sorting, searching, ranges, projections, envelopes.

Invariant: patterns of snake-case names only; what else must hold (verb, type) is decided where they are used
(`role_assignment`). Not covered: ids and references (`role_identity`).
"""

from __future__ import annotations

import re

from autoforge.generator.vocabulary import word_set

__all__ = [
    "AFTER",
    "BEFORE",
    "DIRECTION",
    "HIGH",
    "LIMIT",
    "LOW",
    "OFFSET",
    "OPEN_OBJECTS",
    "PAGE",
    "PROJECT",
    "RECENT",
    "SEARCH",
    "SORT",
]

LIMIT = re.compile(
    r"^(?:limit|max_?(?:results|records|items|count|rows|entries|hits)|(?:page|per)_?(?:size|page)|count"
    r"|top(?:_?[kn])?|num(?:ber)?_?(?:of_?)?(?:results|items)|n|first|size|limite|maximo|anzahl|(?:por"
    r"|tamano(?:_de)?)_?pagina|pro_?seite|par_?page)$"
)


OFFSET = re.compile(
    r"^(?:offset|skip|start(?:_?(?:index|at))?|cursor|page_?token|next_?token|after_?cursor|starting_?after"
    r"|desplazamiento|marker|continuation_?token)$"
)


PAGE = re.compile(r"^(?:page(?:_?(?:number|num|no|index))?|pagina|seite)$")


SORT = re.compile(
    r"^(?:sort(?:_?(?:by|field|key|column|on))?|order_?by|orden(?:ar_?por)?|sortieren?(?:_?nach)?|tri(?:er_?par)?"
    r"|ordering|order)$"
)


DIRECTION = re.compile(
    r"^(?:(?:sort_?)?(?:order|direction|dir)|order_?direction|sort_?dir|asc(?:ending)?|desc(?:ending)?|reverse"
    r"|direccion|richtung|sentido|sens|reihenfolge|verso)$"
)


SEARCH = re.compile(
    r"^(?:q|query|keywords?|search(?:_?(?:term|text|query|string|phrase|keyword))?|term|text|phrase|texto|consulta"
    r"|palabra_?clave|busqueda|suchbegriff|begriff|recherche|requete|termo|termine|contains|match)$"
)


PROJECT = re.compile(
    r"^(?:(?:field|property|attribute|column)_?name|fields?|columns|properties|select|detail_?level|verbosity"
    r"|verbose|detailed|truncate|format|output_?format|response_?format|output_?type|projection|view_?mode"
    r"|attributes|full|compact|brief|raw)$"
)


AFTER = "from|since|after|desde|despues_de|nach|seit|ab|depuis|apres|depois|dopo"
BEFORE = "to|until|till|before|hasta|antes_de|bis|vor|jusqu_a|avant|ate|antes|fino_a|prima"
"""Endings of names of bounds: `placed_after`, `bestellt_vor`."""


LOW = re.compile(
    r"^(?:min(?:imum)?|from|since|last_knowledge_of|after|start(?:ing)?|begin|lower|over|above|older|earliest|desde"
    rf"|von|ab|depuis|gt|gte)_|_(?:min(?:imum)?|minimo|start|gte?|{AFTER})$|^(?:from"
    r"|since|after|start|desde|von|ab|start_?(?:date|time|datetime)?|date_?from|begin)$|(?:Min|From|After)$"
)


HIGH = re.compile(
    r"^(?:max(?:imum)?|to|until|till|before|end(?:ing)?|upper|under|below|newer|latest|hasta|bis|jusqu|lt|lte)_"
    rf"|_(?:max(?:imum)?|maximo|end|lte?|{BEFORE})$|^(?:to|until|before|end|hasta|bis"
    r"|end_?(?:date|time|datetime)?|date_?to)$"
)


RECENT = re.compile(
    r"^(?:days?_?back|(?:last|past|within|since|recent)_?(?:n_?)?(?:days|hours)|(?:look_?back|history|period"
    r"|window)_?(?:days|hours)?|(?:days|hours)_?ago|max_?age_?(?:days|hours)?)$"
)


OPEN_OBJECTS = word_set(
    "updates body data fields payload values attributes input changes properties params details request patch "
    "update nested item object record metadata"
)
