"""Words of file tools: what is done (`read_file`, `cat`, `Ordner anlegen`) and what each parameter is for.

Invariant: a name is understood only when every word of it is; a tool that takes an id is no file tool. Not covered:
which documents are about files at all (`filesystem`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["DIRECTORIES", "FILES", "act_of", "meaning_of_parameter", "name_words"]

FILES = word_set("file filename archivo fichero datei fichier arquivo")
DIRECTORIES = word_set("directory dir folder directorio carpeta ordner verzeichnis dossier repertoire pasta cartella")
_COMMANDS = {
    "pwd": "where", "cwd": "where", "getcwd": "where", "cd": "go", "chdir": "go", "ls": "list", "dir": "list",
    "tree": "tree", "mkdir": "mkdir", "touch": "create", "echo": "write", "cat": "read", "head": "head", "tail": "tail",
    "find": "find", "glob": "find", "grep": "grep", "wc": "count", "sort": "sort", "diff": "diff", "du": "usage",
    "mv": "move", "cp": "copy", "rm": "remove", "rmdir": "rmdir", "stat": "info",
}  # fmt: skip
_VERBS = {
    verb: act
    for act, verbs in {
        "read": (
            "read view show open load get print display leer ver mostrar abrir lesen anzeigen lire afficher ler "
            "leggere cat"
        ),
        "write": "write save overwrite put escribir guardar schreiben speichern ecrire enregistrer escrever scrivere",
        "append": "append anexar anadir agregar anhaengen ajouter",
        "create": "create make new touch crear anlegen erstellen creer criar creare mkdir",
        "list": "list ls browse listar auflisten lister elencare",
        "move": "move rename relocate mv mover renombrar verschieben umbenennen deplacer renommer renomear spostare",
        "copy": "copy duplicate cp copiar duplicar kopieren copier copiare",
        "remove": (
            "delete remove erase unlink rm rmdir eliminar borrar loeschen entfernen supprimer effacer apagar cancellare"
        ),
        "find": (
            "search find locate glob buscar encontrar suchen finden durchsuchen chercher rechercher trouver "
            "procurar cercare"
        ),
        "grep": "grep",
        "edit": "edit editar bearbeiten modifier patch",
        "go": "change switch go navigate enter set cambiar wechseln changer mudar",
        "count": "count wc contar zaehlen compter",
        "sort": "sort ordenar sortieren trier",
        "diff": "compare diff comparar vergleichen comparer",
        "exists": "exists exist check existe",
        "head": "head",
        "tail": "tail",
    }.items()
    for verb in verbs.split()
}
_ABOUT = word_set("info information informacion informationen metadata stat stats details properties size")
_HERE = word_set("current working actual aktuelles aktuell courant atual cwd")
_FILLERS = word_set(
    "text multiple many content inhalt contenido contenu to in a an the of from with all into and or new by line "
    "zeile linea path ruta pfad media under within de en la el del un una nuevo nueva neue neuen im das die der "
    "den le les du recursive recursively complete full str replace"
)
_TREES = word_set("tree arbol baum arborescence")
_CONTENTS = re.compile(
    r"\b(?:contents?|text|lines?|full[- ]text|containing|contain|within files|inhalt|contenido|texto|zeilen|lineas)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\b(?:file ?names?|names?|titles?|titel|nombres?|pattern|glob|dateinamen?|noms?)\b", re.IGNORECASE)
_SPEAKS = re.compile(
    r"\b(?:files?|director(?:y|ies)|folders?|archivos?|ficheros?|directorios?|carpetas?|datei(?:en)?"
    r"|verzeichnis(?:se)?|ordner|fichiers?|dossiers?)\b",
    re.IGNORECASE,
)


def name_words(reading: Reading, prefix: Collection[str] = ()) -> list[str]:
    words = ["size" if w == "sizes" else singular(ascii_word(w)) for w in split_words(reading.tool.original_name)]
    return [w for w in words if w not in prefix] or words


def act_of(reading: Reading, nouns: Collection[str], prefix: Collection[str]) -> str | None:
    """What a tool does to files, None where the name says something else. `nouns` are words for what has a path
    here.
    """
    if any(id_stem(p) is not None for p in properties_of(reading.tool.input_schema)):
        return None
    words = name_words(reading, prefix)
    last = words[-1]
    if (
        last in _COMMANDS
        and (len(words) == 1 or (len(words) == 2 and words[0] in ("run", "fs", "file", "shell", "bash")))
        and (_SPEAKS.search(reading.text) or _COMMANDS[last] in ("where", "go"))
    ):
        return _COMMANDS[last]
    files, directories = set(words) & (FILES | set(nouns)), set(words) & DIRECTORIES
    if not files and not directories:
        return "where" if set(words) & {"cwd"} and len(words) <= 2 else None
    rest = [w for w in words if w not in files and w not in directories]
    known = (*_VERBS, *_ABOUT, *_HERE, *_FILLERS, *_TREES, "allowed")
    if any(w not in known for w in rest):
        return None
    return _meant(reading, words, set(rest), bool(files), bool(directories))


def _meant(reading: Reading, words: list[str], rest: set[str], files: bool, directories: bool) -> str | None:
    acts = {_VERBS[w] for w in rest if w in _VERBS}
    if rest & _TREES:
        return "tree"
    if "allowed" in rest:
        return "roots" if directories else None
    if "exists" in acts and not acts - {"exists", "read"}:
        return "exists"
    if directories and not files and "go" in acts:
        return "go"
    if "go" in acts:
        return None
    if rest & _HERE and directories and not files:
        return "list" if "list" in acts else "where"
    if rest & _ABOUT:
        return "list" if "list" in acts else "info"
    if "find" in acts or "grep" in acts:
        return _search(reading, acts, words)
    for act in (
        "copy",
        "move",
        "remove",
        "append",
        "edit",
        "write",
        "create",
        "count",
        "sort",
        "diff",
        "head",
        "tail",
        "list",
        "read",
    ):
        if act in acts:
            break
    else:
        return None
    if act == "read" and ((directories and not files) or singular(words[-1]) != words[-1]):
        return "list"
    if act == "create" and directories and not files:
        return "mkdir"
    if act == "remove" and directories and not files:
        return "rmdir"
    return act


def _search(reading: Reading, acts: set[str], words: list[str]) -> str:
    """By content, by name, or by either, as the sentences say."""
    texts = [
        reading.text,
        *(
            str(s.get("description", ""))
            for n, s in properties_of(reading.tool.input_schema).items()
            if meaning_of_parameter(n, s, "find", ()) == "pattern"
        ),
    ]
    inside = "grep" in acts or any(_CONTENTS.search(t) for t in texts) or words[-2:-1] == ["in"]
    by_name = any(_NAMES.search(t) for t in texts)
    return "search" if inside and by_name and "grep" not in acts else "grep" if inside else "find"


_PARAMETERS: tuple[tuple[str, str], ...] = (
    (
        "source",
        (
            r"(?:source|src|from|old|origin|origen|origem|quelle|quell)(?:_?(?:path|file|file_?name|name|dir"
            r"|directory|folder|ruta|pfad|archivo|datei))?|(?:ruta|pfad|path)_(?:origen|quelle|source)"
        ),
    ),
    (
        "destination",
        (
            r"(?:destination|dest|dst|target|to|new|destino|ziel|nuevo|nueva|neuer|neue)(?:_?(?:path|file"
            r"|file_?name|name|dir|directory|folder|ruta|pfad|nombre|carpeta|ordner|archivo))?|(?:ruta|pfad|path"
            r"|nombre)_(?:destino|ziel|destination|nuevo|nueva)|(?:ziel|neuer)\w*"
        ),
    ),
    ("edits", r"edits|changes|replacements|ediciones|aenderungen"),
    ("old_text", r"(?:old|search|find|original)_?(?:text|str|string|content|value)?"),
    ("new_text", r"(?:new|replace(?:ment)?|replace_with|updated)_?(?:text|str|string|content|value)?"),
    ("paths", r"(?:file_?)?(?:paths|files|file_?names)|rutas|pfade|archivos|dateien"),
    (
        "content",
        (
            r"(?:(?:file|text|new|note)_?)?(?:content|contents|text|data|body|markdown|contenido|inhalt|texto"
            r"|contenu|conteudo|contenuto)"
        ),
    ),
    ("exclude", r"(?:exclude|ignore|skip)(?:_?patterns?)?"),
    (
        "pattern",
        (
            r"(?:search_?)?(?:patterns?|query|regex|regexp|glob|keyword|term|search|search_?term|patron|muster"
            r"|suchbegriff|consulta|busqueda|texto|motif|name_?pattern|q|needle|phrase)"
        ),
    ),
    (
        "hidden",
        r"a|all|hidden|(?:show|include)_?(?:hidden|all)|ocultos|(?:mostrar|incluir)_ocultos|versteckte(?:_anzeigen)?",
    ),
    ("recursive", r"r|recursive|recursively|recursivo|rekursiv|recursif"),
    ("human", r"h|human|human_?readable|readable|legible"),
    ("head", r"head|first"),
    ("tail", r"tail|last"),
    ("start", r"offset|start|start_?line|from_?line|line_?start|view_start"),
    ("end", r"end|end_?line|to_?line|line_?end"),
    ("limit", r"limit|max_?(?:results|lines|matches|entries|count)|limite"),
    ("lines", r"n|lines|num_?lines|line_?count|number_?of_?lines|lineas|zeilen|count"),
    ("mode", r"mode|unit|units|option|modo|modus"),
    ("overwrite", r"overwrite|force|replace_?existing|sobrescribir|ueberschreiben"),
    ("parents", r"parents|create_?(?:parents|dirs|directories|folders)|make_?parents|p"),
    ("exist_ok", r"exist_?ok"),
    ("append", r"append|anexar|anhaengen"),
    ("dry", r"dry_?run|preview"),
    ("depth", r"max_?depth|depth|profundidad|tiefe"),
    ("sort", r"sort(?:_?by)?|order_?by|ordenar_?por"),
    ("case", r"case_?sensitive|match_?case"),
    ("ignore_case", r"ignore_?case|case_?insensitive|i"),
    ("kind", r"type|kind|entry_?type|tipo|typ|art"),
    ("extension", r"extension|ext|file_?(?:extension|type)|suffix"),
    ("name", r"name|nombre|nom|titulo|titel"),
)
_PATHS = re.compile(
    r"(?:^|_)(?:path|paths|ruta|pfad|chemin|caminho|filepath|filename|file_name|dir_name|folder_name|file_?\d?"
    r"|file_name_?\d|archivo_?\d?|fichero|datei_?\d?|fichier|directory|dir|folder|directorio|carpeta|ordner"
    r"|verzeichnis|dossier|root|dirname|location)$|^(?:dateiname|dateipfad|ordnerpfad|verzeichnispfad"
    r"|filename\d?|filepath\d?|file_name\d?)$|^path\d$"
)


def meaning_of_parameter(name: str, schema: dict[str, object], act: str, nouns: Collection[str]) -> str:
    """What a parameter of a file tool is for; empty where that is not known."""
    word = "_".join(ascii_word(w) for w in split_words(name))
    shape = shape_of(schema)
    kinds = {
        "edits": row_schema(schema) is not None, "paths": shape.many and row_schema(schema) is None,
        "exclude": shape.many or shape.type is ColumnType.TEXT,
        **dict.fromkeys(("hidden", "recursive", "human", "overwrite", "parents", "exist_ok", "append", "dry", "case",
        "ignore_case"), shape.type is ColumnType.BOOLEAN),
        **dict.fromkeys(("head", "tail", "start", "end", "limit", "lines", "depth"),
        shape.type in (ColumnType.INTEGER, ColumnType.REAL)),
    }  # fmt: skip
    only = {
        "source": ("move", "copy"), "destination": ("move", "copy"), "old_text": ("edit",), "new_text": ("edit",),
        "lines": ("head", "tail", "read"), "head": ("read",), "tail": ("read",), "human": ("usage", "info", "list"),
        "paths": ("read", "remove"), "depth": ("tree", "find", "list", "search", "grep"), "sort": ("list",),
        "content": ("write", "append", "create"), "hidden": ("list", "tree", "find"), "kind": ("find", "list"),
        "name": ("find", "create", "mkdir", "search"), "mode": ("count", "write"),
        "extension": ("find", "list", "search"), "limit": ("find", "grep", "list", "search", "read"),
    }  # fmt: skip
    for meaning, form in _PARAMETERS:
        if (
            re.fullmatch(form, word)
            and kinds.get(meaning, shape.type is ColumnType.TEXT)
            and act in only.get(meaning, (act,))
        ):
            if meaning == "name":
                return "pattern" if act in ("find", "search") else "path"
            return meaning
    if shape.type is ColumnType.TEXT and (
        _PATHS.search(word)
        or singular(word) in (*nouns, *FILES, *DIRECTORIES)
        or (split_words(word)[-1] == "name" and set(split_words(word)) & {*nouns, *FILES, *DIRECTORIES})
    ):
        return "path"
    return ""
