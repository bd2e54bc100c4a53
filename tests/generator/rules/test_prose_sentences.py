"""Text → sentences."""

from __future__ import annotations

from autoforge.generator.rules.prose import sentences


def test_abbreviations_numbers_and_identifiers_do_not_end_a_sentence() -> None:
    assert sentences("Costs 1.50 EUR, e.g. for express. See items.price or v1.0. Done!") == [
        "Costs 1.50 EUR, e.g. for express.",
        "See items.price or v1.0.",
        "Done!",
    ]


def test_bullets_and_numbered_lines_are_sentences_and_wrapped_lines_are_not() -> None:
    text = (
        "# Rules\n\n- A card that is frozen\n  cannot pay.\n- Be brief\n1. First\n2) Second\n\n"
        "A long line that goes on for more than sixty characters in the\ntext and ends."
    )
    assert sentences(text) == [
        "A card that is frozen cannot pay.",
        "Be brief",
        "First",
        "Second",
        "A long line that goes on for more than sixty characters in the text and ends.",
    ]


def test_code_links_and_tags_do_not_come_through() -> None:
    assert sentences('Send `x`.<br>Read [the guide](https://a.b/c.d).\n```json\n{"a": 1}\n```\nBye.') == [
        "Send `x`.",
        "Read the guide.",
        "Bye.",
    ]


def test_punctuation_of_chinese_and_japanese_ends_sentences() -> None:
    assert sentences("取消订单。需要登录。返回结果") == ["取消订单。", "需要登录。", "返回结果"]
