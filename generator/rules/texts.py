"""Functions of texts: counting, changing case, encoding, hashing, matching.

Invariant: exact functions only; `translate` or `summarize` are none. Not covered: texts that the state holds.
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Expression, Refuse
from autoforge.generator.rules.signature import (
    Formula,
    Operand,
    Signature,
    Unary,
    apply,
    choose_by,
    constant,
    is_null,
    refusal,
)
from autoforge.generator.vocabulary import word_set

__all__ = ["text_function"]

_NOISE = word_set(
    "text texts string strings str input message texto cadena to into convert case number of the a "
    "an in get generate make create calculate compute value is check whether contar de format tool "
    "transform"
)
_KEEP = word_set("upper lower title")


def _words(text: Expression) -> Expression:
    return apply("length", apply("split", text))


_FUNCTIONS: dict[str, tuple[str, Unary]] = {
    "word count|count words|words|palabras|contar palabras|count word": ("number", _words),
    "character count|count characters|char count|count chars|characters|length|count letters|caracteres|longitud": (
        "number",
        lambda t: apply("length", t),
    ),
    "line count|count lines|lines": ("number", lambda t: apply("length", apply("split", t, constant("\n")))),
    "reverse|reversed|invertir|umkehren": ("text", lambda t: apply("reverse", t)),
    "upper|uppercase|upper case|mayusculas": ("text", lambda t: apply("upper", t)),
    "lower|lowercase|lower case|minusculas": ("text", lambda t: apply("lower", t)),
    "title|titlecase": ("text", lambda t: apply("title_case", t)),
    "capitalize|capitalise": ("text", lambda t: apply("capitalize", t)),
    "trim|strip|trim whitespace|strip whitespace": ("text", lambda t: apply("trim", t)),
    "slug|slugify|url slug": ("text", lambda t: apply("slug", t)),
    "palindrome|palindromo": ("boolean", lambda t: apply("equal", _letters(t), apply("reverse", _letters(t)))),
    "base64 encode|encode base64|base64|encode": ("text", lambda t: apply("base64_encode", t)),
    "base64 decode|decode base64|decode": ("text", lambda t: apply("base64_decode", t)),
    "hash|sha256|sha256 hash|hash sha256": ("text", lambda t: apply("hash", t)),
    "md5|md5 hash|hash md5": ("text", lambda t: apply("hash", t, constant("md5"))),
    "sha1|sha1 hash|hash sha1": ("text", lambda t: apply("hash", t, constant("sha1"))),
    "sha512|sha512 hash|hash sha512": ("text", lambda t: apply("hash", t, constant("sha512"))),
    "echo": ("text", lambda t: apply("text", t)),
    "split|split words": ("list", lambda t: apply("split", t)),
}
_BY_PHRASE = {phrase: entry for phrases, entry in _FUNCTIONS.items() for phrase in phrases.split("|")}
_PATTERN = word_set("pattern regex regexp expression patron expresion muster")
_PART = word_set(
    "substring sub word search find needle old from target separator delimiter sep term keyword "
    "character char pattern palabra subcadena"
)
_NEW = word_set("new replacement replace with to nueva reemplazo by")


def _letters(text: Expression) -> Expression:
    return apply("replace", apply("slug", text), constant("-"), constant(""))


def text_function(signature: Signature) -> Formula | None:
    """The formula of a function of texts; None where the tool is none."""
    texts = [o for o in signature.operands if o.is_text]
    if not texts or any({"id", "path", "file", "url", "key"} & set(o.words) for o in signature.operands):
        return None
    phrase = " ".join(w for w in signature.words if w not in _NOISE) or " ".join(
        w for w in signature.words if w in _KEEP
    )
    if len(signature.operands) == 1:
        return _of_one(signature, phrase, texts[0])
    if len(signature.operands) == 2 and len(texts) == 2:
        return _of_two(signature, phrase, texts)
    if (
        len(texts) == 3
        and len(signature.operands) == 3
        and set(signature.words) & {"replace", "reemplazar", "substitute"}
    ):
        return _replaced(texts)
    if len(signature.operands) == 2 and set(signature.words) & {"truncate", "shorten", "truncar"}:
        size = next((o for o in signature.operands if o.is_number), None)
        return Formula(apply("truncate", texts[0].argument, size.argument), kind="text") if size is not None else None
    lists = [o for o in signature.operands if o.many]
    if (
        len(lists) == 1
        and len(signature.operands) == 2
        and set(signature.words) & {"join", "concatenate", "concat", "unir"}
    ):
        return Formula(apply("join", lists[0].argument, texts[0].or_else(constant(""))), kind="text")
    return None


def _of_one(signature: Signature, phrase: str, text: Operand) -> Formula | None:
    counted = {"count", "number", "contar", "get"} & set(signature.words)
    if (phrase == "title" and "case" not in signature.words) or (
        phrase in ("words", "characters", "lines") and not counted
    ):
        return None
    found = _BY_PHRASE.get(phrase)
    if found is None or (phrase in ("encode", "decode") and not re.search(r"base ?64", signature.text, re.IGNORECASE)):
        return None
    kind, function = found
    undone = (
        (refusal(is_null(function(text.argument)), f"{{{text.name}}} is no base64 of a text."),)
        if "decode" in phrase
        else ()
    )
    counts = (
        ("words", _words(text.argument)),
        ("word_count", _words(text.argument)),
        ("characters", apply("length", text.argument)),
        ("character_count", apply("length", text.argument)),
    )
    return Formula(
        function(text.argument),
        undone,
        counts if kind == "number" else (("length", apply("length", text.argument)),) if kind == "text" else (),
        kind=kind,
        rounded=False,
    )


def _of_two(signature: Signature, phrase: str, texts: list[Operand]) -> Formula | None:
    words = set(signature.words)
    choice = next((o for o in texts if o.choices or "algorithm" in o.words), None)
    if choice is not None and "hash" in phrase.split():
        text = next(o for o in texts if o is not choice)
        digest = apply("hash", text.argument, choice.or_else(constant("sha256")))
        unknown = refusal(
            is_null(digest), f"The algorithm {{{choice.name}}} is not known; it is one of md5, sha1, sha256 and sha512."
        )
        return Formula(digest, (unknown,), kind="text")
    if choice is not None:
        return _chosen(choice, next(o for o in texts if o is not choice))
    pattern = next((o for o in texts if set(o.words) & _PATTERN), None)
    if pattern is not None and words & {"regex", "match", "matches", "pattern", "regexp", "expresion"}:
        text = next(o for o in texts if o is not pattern)
        many = words & {"find", "extract", "all", "matches", "search"}
        value = apply("find_matches" if many else "matches", text.argument, pattern.argument)
        return Formula(
            value,
            kind="list" if many else "boolean",
            others=(
                ("matches", apply("matches", text.argument, pattern.argument)),
                ("count", apply("count", apply("find_matches", text.argument, pattern.argument))),
            ),
        )
    part = next((o for o in texts if set(o.words) & _PART), None)
    if part is None:
        return (
            Formula(apply("concat", *(o.argument for o in texts)), kind="text")
            if words & {"concat", "concatenate", "concatenar"}
            else None
        )
    text = next(o for o in texts if o is not part)
    if words & {"split", "dividir", "tokenize"}:
        return Formula(apply("split", text.argument, part.argument), kind="list")
    if words & {"count", "occurrences", "contar", "frequency"}:
        return Formula(apply("occurrences", text.argument, part.argument))
    return (
        Formula(apply("contains_text", text.argument, part.argument), kind="boolean")
        if words & {"contains", "contiene"}
        else None
    )


def _chosen(choice: Operand, text: Operand) -> Formula | None:
    """`transform_text(text, operation)`: a choice among functions that give a text."""
    cases = [
        (c, _BY_PHRASE.get(" ".join(w for w in re.split(r"[\s_-]+", c.lower()) if w not in ("case", "to"))))
        for c in choice.choices
    ]
    known = [(c, e[1](text.argument)) for c, e in cases if e is not None and e[0] == "text"]
    if not known or len(known) != len(cases):
        return None
    refusals: tuple[Refuse, ...] = ()
    if not choice.enum:
        wrong = apply(
            "not", apply("in", apply("lower", choice.argument), constant([c.lower() for c in choice.choices]))
        )
        refusals = (refusal(wrong, f"{{{choice.name}}} is not known; it is one of {', '.join(choice.choices)}."),)
    return Formula(choose_by(choice, known, fold=not choice.enum), refusals, kind="text")


def _replaced(texts: list[Operand]) -> Formula | None:
    new = next((o for o in texts if set(o.words) & _NEW and not set(o.words) & {"old"}), None)
    old = next((o for o in texts if o is not new and set(o.words) & _PART), None)
    text = next((o for o in texts if o is not new and o is not old), None)
    if new is None or old is None or text is None:
        return None
    return Formula(apply("replace", text.argument, old.argument, new.argument), kind="text")
