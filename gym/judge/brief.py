"""What the user was told: the instruction in parts, the values in it and in `known`, and which of them gold needs.

Invariant: a value that the instruction, the known values or the persona hold is the user's to say, in any spelling. Not
covered: what was said of it in a dialogue.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.gym.judge.items import Item, items_in, same, value_items
from autoforge.gym.judge.language import Language, folded, language, stem
from autoforge.gym.judge.sentences import QUOTED, Sentence, level, sentences_of
from autoforge.mcp_envs.task import Task, ToolStep, UserValue, sources_in

__all__ = ["Brief", "Known", "Wish", "name_words", "stems_of", "word_forms"]

_NUMBERED = re.compile(r"_\d+$")
_BOUNDS = re.compile(r"^(?:least|most|min|max)_|_limit$|_(?:hasta|desde)$")
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\W]+")


class Known(NamedTuple):
    """One known value."""

    name: str
    value: JsonValue
    words: tuple[str, ...]
    """Stems of its name."""
    bound: bool
    """Whether it only narrows a choice."""
    items: tuple[Item, ...]
    needed: bool
    """Whether the gold path reads it."""


class Wish(NamedTuple):
    """One sentence of the instruction that says something of the task."""

    number: int
    sentence: Sentence
    stems: tuple[str, ...]
    items: tuple[Item, ...]
    known: tuple[Known, ...]
    """The known values in it."""
    fallback: bool
    """Whether it says what to do in a case only."""


def name_words(name: str) -> tuple[str, ...]:
    """`check_in_date_2` → check, in, date."""
    return tuple(w.lower() for w in _SPLIT.split(_BOUNDS.sub("", _NUMBERED.sub("", name))) if w)


def stems_of(sentence: Sentence, lexicon: Language, values: Sequence[str] = ()) -> list[str]:
    """Stems of the words that say something, classes of verbs in their place, in order; numbers are no words, nor is
    what
    is quoted or one of the values."""
    found = []
    hidden = [match.span() for match in QUOTED.finditer(sentence.plain)]
    hidden += [m.span() for value in values for m in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", sentence.plain)]
    several = [(m.span(), head) for head, pattern in lexicon.phrases for m in pattern.finditer(sentence.plain)]
    found += ["=" + head for (start, _), head in several if not any(a <= start < b for a, b in hidden)]
    hidden += [span for span, _ in several]
    for word in sentence.words:
        if any(start <= word.start < end for start, end in hidden):
            continue
        for part in re.split(r"[.&]", word.text):
            root = _root(part, lexicon)
            if part in lexicon.numbers:
                continue
            if root in lexicon.verbs and not _is_noun(sentence, word.start, lexicon):
                found.append("=" + lexicon.verbs[root])
            elif root not in lexicon.empty and len(root) > 1 and not part.isdigit():
                found.append(root)
    return found


def _is_noun(sentence: Sentence, start: int, lexicon: Language) -> bool:
    """Whether an article or `of` stands before a word that could be a verb: the order, the bookings."""
    return re.search(_ARTICLES[lexicon.code], sentence.plain[max(0, start - 12) : start]) is not None


def _root(word: str, lexicon: Language) -> str:
    """The stem; of a Spanish verb without the pronouns that hang on it."""
    root = stem(word, lexicon.code)
    bare = _PRONOUNS.sub("", word) if lexicon.code == "es" and root not in lexicon.verbs else word
    own = stem(bare, lexicon.code)
    return own if own in lexicon.verbs else root


_PRONOUNS = re.compile(r"(?:(?:se|me|te)(?:lo|la|los|las)|les?|los?|las?|me|nos|te)$")
_ARTICLES = {
    "en": re.compile(
        r"(?<!\w)(?:the|a|an|that|this|same|new|of|with|my|your|first|second|third|those|housekeeping|standing) $"
    ),
    "es": re.compile(r"(?<!\w)(?:el|la|los|las|un|una|ese|esa|esta|este|nueva|nuevo|de|con|mi|su|segunda|primera) $"),
    "de": re.compile(r"(?<!\w)(?:der|die|das|den|dem|ein|eine|einen|diese|dieser|diesem|neue|neuen|vom|von|mit) $"),
}


def word_forms(words: Sequence[str], lexicon: Language) -> tuple[str, ...]:
    return tuple(stem(word, lexicon.code) for word in words)


class Brief:
    """Of one task."""

    def __init__(self, task: Task, tools: Sequence[Mapping[str, Any]]) -> None:
        self.task = task
        self.tools = tools
        self.lexicon = language(task.language)

    @cached_property
    def sentences(self) -> list[Sentence]:
        return sentences_of(self.task.instruction)

    @cached_property
    def needed(self) -> frozenset[str]:
        """Known values that lead to a gold call."""
        calls = {call.node for call in self.task.gold.calls}
        nodes = {node.id: node for node in self.task.blueprint.nodes}
        names, waiting, seen = set[str](), [id for id in nodes if id in calls], set[str]()
        while waiting:
            node = nodes[waiting.pop()]
            if node.id in seen:
                continue
            seen.add(node.id)
            for source in (s for given in node.sources for s in sources_in(given)):
                if isinstance(source, UserValue):
                    names.add(source.user)
                waiting += [getattr(source, "node", "")] if getattr(source, "node", "") in nodes else []
            waiting += [node.when.node] if node.when is not None and node.when.node in nodes else []
        return frozenset(names) if nodes else frozenset(self.task.known)

    @cached_property
    def known(self) -> list[Known]:
        return [
            Known(
                name, value, word_forms(name_words(name), self.lexicon), _BOUNDS.search(_NUMBERED.sub("", name)) is
                not None, tuple(value_items(value, self.lexicon)), name in self.needed, ) for name, value in
                self.task.known.items() ]  # fmt: skip

    def twins(self, known: Known) -> list[Known]:
        """The values that the same question asks for, this one first."""
        return [known, *(other for other in self.known if other.words == known.words and other.name != known.name)]

    @cached_property
    def items(self) -> list[Item]:
        """All that is the user's to say."""
        said = [item for s in self.sentences for item in items_in(s, self.lexicon)]
        persona = [item for s in sentences_of(self.task.persona) for item in items_in(s, self.lexicon)]
        inside = [item for text in _leaves(self.task.known.values()) if isinstance(text, str) and " " in text
                  for s in sentences_of(text) for item in items_in(s, self.lexicon)]  # fmt: skip
        return said + persona + inside + [item for known in self.known for item in known.items]

    @cached_property
    def text(self) -> str:
        """Folded words of instruction, persona and known values, for texts that are said without quotation marks."""
        whole = [self.task.instruction, self.task.persona, *map(str, _leaves(self.task.known.values()))]
        return " " + " ".join(re.findall(r"[^\W_]+", folded("  ".join(whole)))) + " "

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(self.text.split())

    @cached_property
    def wishes(self) -> list[Wish]:
        found: list[Wish] = []
        for sentence in self.sentences:
            stems = tuple(stems_of(sentence, self.lexicon, self.spoken))
            items = tuple(items_in(sentence, self.lexicon))
            if items or len(stems) > 1 or any(s.startswith("=") for s in stems):
                fallback = self.lexicon.fallback.match(sentence.plain) is not None
                found.append(Wish(len(found), sentence, stems, items, self._known_in(sentence, items), fallback))
        return found

    @cached_property
    def spoken(self) -> list[str]:
        """Known texts as they are said, in plain form."""
        whole = [str(v) for v in _leaves(self.task.known.values()) if isinstance(v, str)]
        texts = [*whole, *(s.said.rstrip(".!?") for text in whole if " " in text for s in sentences_of(text))]
        return [level(form) for text in texts for form in dict.fromkeys((text, text.replace("_", " ")))]

    def _known_in(self, sentence: Sentence, items: Sequence[Item]) -> tuple[Known, ...]:
        found = []
        for known in self.known:
            texts = [level(t) for v in _leaves([known.value]) if isinstance(v, str) for t in (v, v.replace("_", " "))]
            said = any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sentence.plain) for text in texts)
            if said or any(same(item, own) for item in items for own in known.items):
                found.append(known)
        return tuple(found)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much a stem tells one wish from the others."""
        total = len(self.wishes)
        count = {s: sum(s in w.stems for w in self.wishes) for w in self.wishes for s in w.stems}
        return {s: math.log(1 + total / n) for s, n in count.items()}

    def owns(self, item: Item, extra: Iterable[Item] = ()) -> bool:
        """Whether a value is the user's to say, or among `extra`."""
        return any(same(item, own) for own in self.items) or any(same(item, own) for own in extra)


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _leaves(value)
        elif isinstance(value, dict):
            yield from _leaves(value.values())
        elif not isinstance(value, bool) and value is not None:
            yield value


def steps_of_user(task: Task) -> list[ToolStep]:
    return [step for step in task.blueprint.steps if step.actor == "user"]
