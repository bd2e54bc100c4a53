"""Source, sample, words of schemas, prose and anchors."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.report.markdown import plain, prose
from autoforge.generator.report.sample import seed_sample
from autoforge.generator.report.schema_words import limit_words, type_words, value_words
from autoforge.generator.report.source import function_sources, highlighted
from autoforge.generator.report.wording import anchors, cells, clean, first_sentence, share, truncated

SOURCE = '''import re


@decorated
def first(db, *, name):
    """It's "quoted"."""
    return f"{name}\\n"  # why


def second(db):
    return None
'''


def test_functions_are_cut_with_their_decorators() -> None:
    found = function_sources(SOURCE)
    assert found["first"].startswith("@decorated\ndef first") and found["first"].endswith("# why")
    assert found["second"] == "def second(db):\n    return None"


def test_code_that_cannot_be_parsed_has_no_functions() -> None:
    assert function_sources("def broken(:\n") == {}


@given(st.text(max_size=80))
def test_highlighting_changes_no_character(text: str) -> None:
    marked = re.sub(r"</?span[^>]*>", "", str(highlighted(text)))
    assert html.unescape(marked) == clean(text)


def test_highlighting_marks_texts_comments_keywords_and_the_name() -> None:
    marked = str(highlighted(function_sources(SOURCE)["first"]))
    assert '<span class="k">def</span> <span class="f">first</span>' in marked
    assert '<span class="c"># why</span>' in marked
    assert '<span class="s">&#34;&#34;&#34;It&#39;s &#34;quoted&#34;.&#34;&#34;&#34;</span>' in marked


def test_the_sample_holds_the_first_rows_in_their_order() -> None:
    rows = "".join(f"INSERT INTO t VALUES ({n}, NULL);" for n in (9, 3, 7, 1, 5, 2))
    found = seed_sample({"schema.sql": "CREATE TABLE t (a INTEGER, b TEXT);", "seed.sql": rows}).tables["t"]
    assert found.columns == ("a", "b") and found.total == 6
    assert found.rows == ((9, None), (3, None), (7, None), (1, None), (5, None))


def test_a_seed_that_attaches_a_file_is_refused_and_touches_nothing(tmp_path: Path) -> None:
    target = tmp_path / "stolen.db"
    found = seed_sample({"schema.sql": f"ATTACH '{target}' AS x; CREATE TABLE x.t (a);", "seed.sql": ""})
    assert found.tables == {} and "not authorized" in found.problem
    assert not target.exists()


def test_a_broken_seed_is_a_reason_and_no_error() -> None:
    found = seed_sample({"schema.sql": "CREATE TABLE t (a);", "seed.sql": "INSERT INTO u VALUES (1);"})
    assert found.problem == "no such table: u"


def test_a_seed_that_never_ends_is_cut_off() -> None:
    endless = "WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n;"
    assert seed_sample({"schema.sql": endless, "seed.sql": ""}).problem == "interrupted"


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "string"}]}, "string or integer"),
        ({"enum": ["a", 1]}, "string or integer"),
        ({"properties": {}}, "object"),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_types_read_as_words(schema: object, words: str) -> None:
    assert type_words(schema) == words


def test_a_schema_that_holds_itself_ends() -> None:
    schema: dict[str, object] = {"type": "array"}
    schema["items"] = schema
    assert type_words(schema).endswith("any")


def test_limits_read_as_phrases() -> None:
    schema = {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 2, "enum": [2, 3]}}
    assert limit_words(schema) == ["at least 1 in the list", "each: one of 2, 3", "each: at least 2"]
    assert limit_words({"enum": list(range(15))})[0].endswith("11 and 3 more")


def test_values_stay_on_one_line() -> None:
    assert value_words("a\n b") == "a b" and value_words("") == '""' and value_words(None) == "null"
    assert len(value_words("x" * 500)) == 60


def test_prose_escapes_before_it_marks() -> None:
    assert str(prose("Set `<b>` to **1 < 2**")) == "Set <code>&lt;b&gt;</code> to <b>1 &lt; 2</b>"
    assert plain("Set `a` to **b**") == "Set a to b"


def test_prose_joins_broken_lines_but_keeps_paragraphs_and_lists() -> None:
    assert str(prose("one\ntwo\n\nthree\n- four\n- five")) == "one two\n\nthree\n- four\n- five"


@given(st.text(max_size=60), st.integers(2, 30))
def test_truncated_text_fits_and_starts_alike(text: str, width: int) -> None:
    cut = truncated(text, width)
    assert cells(cut) <= width
    assert cut == text or text.startswith(cut[:-1])


@given(st.lists(st.text(max_size=8), unique=True))
def test_anchors_are_legal_and_distinct_also_without_case(names: list[str]) -> None:
    found = anchors("tool-", names)
    assert list(found) == names
    assert len({anchor.lower() for anchor in found.values()}) == len(names)
    assert all(re.fullmatch(r"tool-[A-Za-z0-9_-]+", anchor) for anchor in found.values())


@given(st.text(max_size=40))
def test_clean_text_can_be_written_as_utf8(text: str) -> None:
    assert clean(text + "\ud800\x00").encode("utf-8")


def test_first_sentences_and_shares() -> None:
    assert first_sentence("Get it.  Then leave.") == "Get it."
    assert first_sentence("Get\nit\n\nMore") == "Get it"
    assert [share(0, 0), share(1, 3), share(1, 8), share(1, 200)] == ["0 %", "33 %", "12 %", "0.5 %"]
