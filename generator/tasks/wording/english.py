"""English.

Invariant: templates name only phrases that every caller gives. Not covered: anything that is not a matter of the
language.
"""

from __future__ import annotations

import re

from autoforge.generator.rules.words import singular
from autoforge.generator.tasks.wording.grammar import Grammar, Noun, Phrase

__all__ = ["ENGLISH", "article"]

_VOWEL = re.compile(r"(?:[aeio]|u(?!ni|se|sa|ti|r[ei]|k)|hour|hono|heir|sms|sku|ssh|mp|[fhlmnrsx]\d|8|11\b|18\b)", re.I)
_NO_AN = re.compile(r"(?:one|once|eu|ew|ur[el])", re.I)


def article(words: str) -> str:
    """`an` or `a`."""
    return "an" if _VOWEL.match(words) and not _NO_AN.match(words) else "a"


_PLURAL_VERBS = {"is": "are", "does": "do", "contains": "contain"}


class _English(Grammar):
    def indefinite(self, noun: Noun) -> Phrase:
        return Phrase(f"{article(noun.text)} {noun.text}")

    def definite(self, noun: Noun, adjective: str = "", *, many: bool = False, which: str = "the") -> Phrase:
        first = {"the": "the", "that": "those" if many else "that", "same": "the same", "new": "the new",
                 "only": "the only"}[which]  # fmt: skip
        bare = " ".join(w for w in (adjective, noun.many if many else noun.text) if w)
        return Phrase(f"{first} {bare}", of=bare if many and which == "the" else "")

    def named(self, noun: Noun, value: str) -> Phrase:
        text = value.strip("\"'").lower()
        if text.startswith(noun.text.split(" ")[-1].lower()[:4]):
            return Phrase(f"the {noun.text} with ID {value}")
        return Phrase(
            f"{noun.text} {value}" if re.search(r"\d", value) and " " not in value else f"the {noun.text} {value}"
        )

    def agree(self, name: str, words: str) -> str:
        last = name.split(" of ")[0].split(" ")[-1].lower()
        plural = last.endswith("s") and singular(last) != last
        return re.sub(r"^(is|does|contains)\b", lambda m: _PLURAL_VERBS[m[1]], words) if plural else words

    def finish(self, text: str) -> str:
        return re.sub(r"\ba~ (?=(\w+))", lambda m: f"{article(m[1])} ", text)


_CUES: dict[str, tuple[str, ...]] = {
    "cue superlative": (), "cue only": ("only",),
    "cue count": ("number of", "how many", "count"), "cue sum": ("total", "sum", "altogether", "combined"),
    "cue average": ("average", "mean"),
    "cue minimum": ("lowest", "least", "smallest", "minimum", "earliest", "shortest"),
    "cue maximum": ("highest", "most", "largest", "maximum", "latest", "longest"),
    "cue count_distinct": ("different", "distinct"), "cue distinct": ("different", "distinct"),
    "cue add": ("sum", "plus", "add", "total"), "cue subtract": ("minus", "less", "subtract", "taking off", "left of"),
    "cue multiply": ("times", "multiplied"), "cue divide": ("divided", "per"), "cue half": ("half",),
    "cue double": ("twice", "double"), "cue third": ("third",), "cue quarter": ("quarter",),
    "cue percent_of": ("percent", "%"), "cue round_to": ("rounded", "round"),
    "cue absolute_difference": ("difference",), "cue add_days": ("after", "before", "later", "earlier"),
    "cue days_between": ("days between", "days from", "days"), "cue date_of": ("day of", "date of", "date"),
    "cue weekday": ("weekday", "day of the week"), "cue month_of": ("month",), "cue later": ("later", "latest"),
    "cue earlier": ("earlier", "earliest"), "cue both": ("and", "both"), "cue either": ("or", "either"),
    "cue negate": ("not", "unless", "no", "isn't"), "cue most_common": ("most common", "most often"),
    "cue count_by": ("for each", "per"), "cue largest_sum_by": ("highest total", "largest total", "most"),
    "cue union": ("and", "together"), "cue intersection": ("also among", "both", "also"),
    "cue difference": ("except", "leaving out", "but not", "without"), "cue choose": ("otherwise", "if not", "else"),
    "cue coalesce": ("if there is none", "otherwise", "or"),
    "cue join_text": ("put together", "puts together", "made of", "followed by"),
    "cue compare equal": ("is", "are", "with", "if", "equal"),
    "cue compare not_equal": ("not", "other than", "differs"),
    "cue compare less": ("less", "below", "under", "before", "fewer", "earlier"),
    "cue compare less_equal": ("at most", "on or before", "no more than", "up to", "or less", "or earlier"),
    "cue compare greater": ("more than", "over", "above", "after", "exceeds", "greater", "higher", "later"),
    "cue compare greater_equal": ("at least", "on or after", "or more", "no less than", "or later"),
    "cue compare contains": ("contains", "contain", "containing", "includes"),
    "cue compare in": ("one of", "among", "either"),
    "cue compare not contains": ("not contain", "without"), "cue compare not in": ("none of", "not"),
}  # fmt: skip
_TEMPLATES: dict[str, tuple[str, ...]] = {
    "and": ("and",), "or": ("or",),
    # Values.
    "with": ("with {fields}",),
    "field value": ("{name} {value}",),
    "field is": ("{name} set to {value}",),
    "field value of": ("{field} of {thing}", "{field} of {thing}"),
    "field derived": ("{value} as the {name}", "{value} as {name}"),
    "same value": ("{value}",),
    "same fields": ("the same {names}",),
            "turned on": ("{name}",), "turned off": ("not {name}",),
    "with it": ("with {name}",), "without it": ("without {name}",),
    "empty": ("empty",),     # Things.
    "identified by": ("{the} with {name} {value}", "{the} whose {name} is {value}"),
    "superlative": ("with the {adjective} {name}",),
    "ordinal superlative": ("with the {ordinal} {adjective} {name}",),
    "among": ("among those {scope}",),
    "among all": ("among {things}",),
            "you made": ("you created", "you have created"),
    # Scopes: what narrows a list.
    "of": ("of {thing}",), "in": ("in {thing}",), "for": ("for {thing}",), "on": ("on {thing}",),
    "from place": ("from {thing}",), "to place": ("to {thing}",), "as": ("as {name} {thing}",),
    "where equal": ("with {name} {value}", "whose {name} {is_} {value}"),
    "where not_equal": ("with a~ {name} other than {value}", "whose {name} {is_} not {value}"),
    "where less": ("with a~ {name} of less than {value}", "whose {name} {is_} less than {value}"),
    "where less_equal": ("with a~ {name} of at most {value}", "whose {name} {is_} at most {value}"),
    "where greater": ("with a~ {name} of more than {value}", "whose {name} {is_} more than {value}"),
    "where greater_equal": ("with a~ {name} of at least {value}", "whose {name} {is_} at least {value}"),
    "where less date": ("with a~ {name} before {value}", "whose {name} {is_} before {value}"),
    "where less_equal date": ("with a~ {name} on or before {value}", "whose {name} {is_} {value} or earlier"),
    "where greater date": ("with a~ {name} after {value}", "whose {name} {is_} after {value}"),
    "where greater_equal date": ("with a~ {name} on or after {value}", "whose {name} {is_} {value} or later"),
    "where contains": ("with {value} in the {name}", "whose {name} contains {value}"),
    "where in": ("with one of {value} as {name}", "whose {name} {is_} one of {value}"),
    "is": ("is",),
    "scope from": ("from {value} on",), "scope to": ("up to {value}",),
    "scope between": ("from {first} to {second}", "between {first} and {second}"),
    "scope containing": ("containing {value}", "that match {value}"),
    "scope true": ("that are {name}",), "scope false": ("that are not {name}",),
    "scope true one": ("that is {name}",), "scope false one": ("that is not {name}",),
    "scope has": ("with {name}",), "scope has not": ("without {name}",),
    "scope set": ("with {name} set to {value}",),
            "where thing": ("that {comparison} {value}",),
        "where same": ("with {the} as {thing}",),
    "in list": ("in {the}",),
    "find": ("Look for {thing}.", "Find {thing}.", "First look for {thing}.", "This is about {thing}."),
    "find next": ("Then look for {thing}.", "Next, find {thing}.", "Find {thing}.", "Look for {thing}."),
    "find also": ("Also look for {thing}.", "And find {thing}.", "Look for {thing}, too."),
    "amount": ("of {value}",),
    # Derived values.
    "count": ("the number of {things:of}", "how many {things:of} there are"),
    "count noun": ("the number of {things:of}",),
    "count_distinct": ("the number of different {name} among {things}",),
    "sum": ("the total {name} of {things:of}", "the sum of the {names} of {things:of}"),
    "average": ("the average {name} of {things:of}",),
    "minimum": ("the {least} {name} of {things:of}",),
    "maximum": ("the {most} {name} of {things:of}",),
    "add": ("the sum of {first} and {second}", "{first} plus {second}"),
    "subtract": ("{first} minus {second}", "what is left of {first} after taking off {second}"),
    "multiply": ("{first} times {second}",), "double": ("twice {first}", "double {first}"),
    "divide": ("{first} divided by {second}",), "half": ("half of {first}",), "third": ("a third of {first}",),
    "quarter": ("a quarter of {first}",),
    "percent_of": ("{second} percent of {first}", "{second} % of {first}"),
    "round_to": ("{first}, rounded to {digits}",), "whole": ("a whole number",), "decimals": ("{n} decimal places",),
    "decimal": ("one decimal place",),     "absolute_difference": ("the difference between {first} and {second}",),
    "add_days": ("the date {days} after {first}", "{days} after {first}"),
    "add_days before": ("the date {days} before {first}", "{days} before {first}"),
    "day": ("one day",), "days": ("{n} days",), "days of": ("as many days as {thing}",),
        "days_between": ("the number of days between {first} and {second}",
        "the number of days from {first} to {second}"),
    "date_of": ("the day of {first}",),
    "weekday": ("the weekday of {first}", "the day of the week of {first}"),
    "month_of": ("the month of {first}",),
    "later": ("the later of {first} and {second}",), "earlier": ("the earlier of {first} and {second}",),
    "most_common": ("the most common {name} among {things}", "the {name} that occurs most often among {things}"),
    "count_by": ("the number of {things:of} for each {name}",),
    "largest_sum_by": ("the {group} with the highest total {name} among {things}",),
    "union": ("{first} together with {second}", "{first} and {second} taken together"),
    "intersection": ("those of {first} that are also among {second}",),
    "difference": ("{first} leaving out {second}", "{first} except {second}"),
    "distinct": ("the different {names} of {things:of}",),
    "coalesce": ("{first} or, if there is none, {second}",),
    "join_text": ("the text made of {parts} in this order", "a text that puts together {parts}"),
        "joined by": ("{text}, separated by {mark}",),
    "choose": ("{first} if {condition}, and {second} otherwise", "{first} if {condition}, otherwise {second}"),
    "derived field": ("the {name} of {thing} (that is, {formula})",),
    "expression": ("the result of {formula}, where {names}",), "expression plain": ("the result of {formula}",),
    "expression name": ("{name} is {thing}",),
    # Conditions.
    "condition": ("{thing} {comparison} {value}",),
        "both": ("{first} and {second}",), "either": ("{first} or {second}",),
    "negate": ("it is not the case that {first}",),
    "if": ("If {condition}, {then}",),     "otherwise": ("otherwise, {then}", "if not, {then}"),
    "true thing": ("{thing} holds",),
    "instead": ("If that is not possible, {then} instead", "If that doesn't work, {then} instead",
                "Should that be refused, {then} instead"),
    "and if works": ("If that works, also {then}", "If that goes through, {then} as well"),
    # Verbs.
    "set to": ("set {what} to {value}", "change {what} to {value}"),
        "set one": ("{what} to {value}",),
    "update with": ("{clause}: set {what}", "{clause} and set {what}"),
        # Sentences.
    "opening": ("Hi, I need some help.", "Hello!", "Hi there,", "Good morning.", "", "", "", "I could use your help.",
                "Hello, I have a request."),
    "opening many": ("Hi, I need a few things done.", "Hello, there are a few things I need.", "Hi there,", "", "",
                     "I have a couple of requests."),
    "ask": ("{clause}.", "Please {clause}.", "Please {clause}.", "Could you please {clause}?", "Can you {clause}?",
            "I'd like you to {clause}.", "I need you to {clause}.", "I want you to {clause}."),
    "next": ("Then {clause}.", "Then please {clause}.", "After that, {clause}.", "Next, {clause}.",
             "After that, please {clause}."),
    "last": ("Finally, {clause}.", "Then {clause}.", "And finally, please {clause}.", "Last, {clause}."),
    "then": ("then {clause}", "and then {clause}"),
        "tell first": ("Tell me {what}.", "Please tell me {what}.", "I'd like to know {what}.",
        "Can you tell me {what}?"),
    "tell also": ("Also tell me {what}.", "Please also tell me {what}.", "Let me know {what}, too.",
                  "I would also like to know {what}."),
    "my side": ("I can {clause} myself, on my side, when you tell me to.",
                "Tell me when I should {clause}; that is something I do on my side."),
        "logged in": ("Log me in with {fields}.", "Please log me in with {fields}.",
        "You can log me in with {fields}."),
    "my": ("my",), "your": ("your",),
    "result": ("{field} that you get when you {clause}",),
    "whether": ("whether {condition}",),
    "how many": ("how many {things:of} there are",),
    "for information": ("The {fields}.",),
    "my side clause": ("tell me to {clause} on my side",),
    "item": ("the {ordinal} with {fields}",),
    "condition true": ("{thing} is {name}",), "condition false": ("{thing} is not {name}",),
    "date": ("{day} {month} {year}", "{month} {day}, {year}", "{month} {day} {year}"),
    "narrowing words": ("with", "whose", "among"),
    "lead words": ("with", "whose", "that are", "that is"),
    **_CUES,
    # A service's words in another language.
    "quoted": ("do this: {clause}",),
}  # fmt: skip

_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

ENGLISH = _English(
    code="en",
    templates=_TEMPLATES,
    months=tuple(_MONTHS),
    weekdays=tuple(_DAYS),
    ordinals=tuple(_ORDINALS),
    superlatives={
        "price": ("lowest", "highest"), "date": ("earliest", "latest"), "size": ("smallest", "largest"),
        "count": ("lowest", "highest"), "duration": ("shortest", "longest"), "number": ("lowest", "highest"),
        "text": ("alphabetically first", "alphabetically last"),
    },
    adjectives={"price": ("cheapest", "most expensive"), "date": ("earliest", "latest"), "age": ("oldest", "newest"),
                "capacity": ("smallest", "largest")},
    sides={"from": "source", "source": "source", "to": "target", "target": "target", "destination": "target",
           "parent": "parent", "previous": "previous", "next": "next"},
    comparisons={
        "equal": "is", "not_equal": "is not", "less": "is less than", "less_equal": "is at most",
        "greater": "is more than", "greater_equal": "is at least", "contains": "contains", "in": "is one of",
        "less date": "is before", "less_equal date": "is on or before", "greater date": "is after",
        "greater_equal date": "is on or after", "not contains": "does not contain", "not in": "is none of",
    },
)  # fmt: skip
