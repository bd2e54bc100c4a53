"""What the scripted user says beside the words of its instruction, in English, Spanish and German.

Invariant: no phrase holds a value, a number or a wish; the choice among wordings depends on the dice alone. Not
covered: when a phrase is said (`scripted`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from autoforge.gym.users.known import Fact

__all__ = ["PHRASES", "Phrases"]

_ENGLISH = {
    "yes": ("Yes, please.", "Yes, please go ahead.", "Yes, that is right."),
    "no": ("No, {facts}", "No, that is not right: {facts}"),
    "only this": ("No, please do only what I asked for: {wish}", "No, thank you. This is what I need: {wish}"),
    "unknown": ("I don't know that; please look it up.", "I don't know; please look that up yourself."),
    "go on": ("Please go ahead and tell me when it is done.", "All right, please go ahead; tell me when it is done."),
    "clear": ("What I need is this: {wish}", "I said: {wish}"),
    "later": ("That is for later: {wish}", "I will come to that later: {wish}"),
    "astray": ("That is not what this is about. {wish}", "I asked for something else: {wish}"),
    "again": ("Please try it once more: {wish}", "Please have another look: {wish}"),
    "next": ("Thank you. {wish}", "Thanks. {wish}", "All right. {wish}", "Good. {wish}"),
    "add": ("One more thing: {facts}", "And {facts}"),
    "stop": ("Thank you, that is all.", "Thanks, that is all I needed."),
    "transfer": ("All right, please transfer me.", "Yes, then please transfer me."),
    "out of scope": ("This has nothing to do with what I asked for.",),
    "tired": ("I will leave it at that.", "Let us leave it at that."),
    "acted": ("I have done that ({what}). It says: {result}", "Done ({what}); the result is: {result}"),
    "refused": ("I tried that ({what}), but it did not work: {result}",),
    "already": ("I have done that already ({what}).",),
    "not mine": ("I would rather not do that ({what}).",),
    "remind": ("I have not done my part yet ({what}). Should I?", "What about my part ({what})? Should I do it now?"),
    "need": ("What should I use for {what}?", "Please tell me the value for {what}."),
    "is": ("the {name} is {value}.",), "are": ("the {name} are {value}.",), "truth": ("{name}: {value}.",),
}  # fmt: skip
_SPANISH = {
    "yes": ("Sí, por favor.", "Sí, adelante, por favor.", "Sí, es correcto."),
    "no": ("No, {facts}", "No, eso no es correcto: {facts}"),
    "only this": ("No, haz solo lo que he pedido, por favor: {wish}", "No, gracias. Lo que necesito es esto: {wish}"),
    "unknown": ("No lo sé; búscalo, por favor.", "Eso no lo sé; consúltalo, por favor."),
    "go on": ("Adelante, por favor, y avísame cuando esté hecho.", "De acuerdo; avísame cuando esté hecho."),
    "clear": ("Lo que necesito es esto: {wish}", "He dicho lo siguiente: {wish}"),
    "later": ("Eso es para después: {wish}", "A eso llego después: {wish}"),
    "astray": ("No se trata de eso. {wish}", "He pedido otra cosa: {wish}"),
    "again": ("Inténtalo otra vez, por favor: {wish}", "Míralo de nuevo, por favor: {wish}"),
    "next": ("Gracias. {wish}", "Muy bien. {wish}", "De acuerdo. {wish}"),
    "add": ("Otra cosa: {facts}", "Y además: {facts}"),
    "stop": ("Gracias, eso es todo.", "Muchas gracias, eso era todo."),
    "transfer": ("De acuerdo, transfiéreme, por favor.", "Bien, entonces transfiéreme, por favor."),
    "out of scope": ("Esto no tiene nada que ver con lo que he pedido.",),
    "tired": ("Lo dejo aquí.", "Dejémoslo aquí."),
    "acted": ("Ya lo he hecho ({what}). El resultado es: {result}", "Hecho ({what}); el resultado es: {result}"),
    "refused": ("Lo he intentado ({what}), pero no ha funcionado: {result}",),
    "already": ("Eso ya lo he hecho ({what}).",),
    "not mine": ("Prefiero no hacer eso ({what}).",),
    "remind": ("Aún no he hecho mi parte ({what}). ¿La hago?", "¿Y mi parte ({what})? ¿La hago ahora?"),
    "need": ("¿Qué valor uso para {what}?", "Dime, por favor, el valor para {what}."),
    "is": ("{name}: {value}.",), "are": ("{name}: {value}.",), "truth": ("{name}: {value}.",),
}  # fmt: skip
_GERMAN = {
    "yes": ("Ja, bitte.", "Ja, mach das bitte.", "Ja, das ist richtig."),
    "no": ("Nein, richtig ist {facts}", "Nein, das stimmt nicht: {facts}"),
    "only this": ("Nein, mach bitte nur, worum ich gebeten habe: {wish}", "Nein, danke. Ich brauche Folgendes: {wish}"),
    "unknown": ("Das weiß ich nicht; sieh es bitte nach.", "Das weiß ich nicht, bitte sieh selbst nach."),
    "go on": ("Mach das bitte und sag mir, wenn es erledigt ist.", "Gut, und sag mir bitte, wenn es erledigt ist."),
    "clear": ("Ich brauche Folgendes: {wish}", "Ich habe gesagt: {wish}"),
    "later": ("Das kommt später: {wish}", "Dazu komme ich später: {wish}"),
    "astray": ("Darum geht es nicht. {wish}", "Ich habe um etwas anderes gebeten: {wish}"),
    "again": ("Versuch es bitte noch einmal: {wish}", "Sieh bitte noch einmal nach: {wish}"),
    "next": ("Danke. {wish}", "Gut. {wish}", "In Ordnung. {wish}"),
    "add": ("Noch etwas: {facts}", "Und außerdem: {facts}"),
    "stop": ("Danke, das ist alles.", "Vielen Dank, das war alles."),
    "transfer": ("Gut, verbinde mich bitte weiter.", "Ja, dann verbinde mich bitte weiter."),
    "out of scope": ("Das hat nichts mit dem zu tun, worum ich gebeten habe.",),
    "tired": ("Ich lasse es dabei.", "Lassen wir es dabei."),
    "acted": ("Das habe ich gemacht ({what}). Das Ergebnis ist: {result}", "Erledigt ({what}). Ergebnis: {result}"),
    "refused": ("Ich habe es versucht ({what}), aber es ging nicht: {result}",),
    "already": ("Das habe ich schon gemacht ({what}).",),
    "not mine": ("Das möchte ich lieber nicht machen ({what}).",),
    "remind": ("Meinen Teil habe ich noch nicht gemacht ({what}). Soll ich?", "Soll ich meinen Teil machen ({what})?"),
    "need": ("Was soll ich für {what} nehmen?", "Sag mir bitte den Wert für {what}."),
    "is": ("{name}: {value}.",), "are": ("{name}: {value}.",), "truth": ("{name}: {value}.",),
}  # fmt: skip
PHRASES: Mapping[str, Mapping[str, Sequence[str]]] = {"en": _ENGLISH, "es": _SPANISH, "de": _GERMAN}


class Phrases:
    """The phrases of a language; those of English for one that is not there."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self._own = PHRASES.get(language, _ENGLISH)
        self._chance = chance

    def say(self, kind: str, **parts: str) -> str:
        """A phrase with its parts, which stand in it as they are."""
        return self._chance.choice(self._own[kind]).format(**parts)

    def facts(self, facts: Sequence[Fact]) -> str:
        """`the check-in date is 2026-05-01.`, a sentence for each; what follows the first begins with a capital."""
        first, *rest = [self._fact(fact) for fact in facts]
        return " ".join((first, *map(capital, rest)))

    def answer(self, facts: Sequence[Fact]) -> str:
        return capital(self.facts(facts))

    def _fact(self, fact: Fact) -> str:
        if isinstance(fact.value, bool):
            return self.say("truth", name=fact.label, value=fact.said)
        plural = fact.label.endswith("s") and not fact.label.endswith(("ss", "us", "is"))
        return self.say("are" if plural else "is", name=fact.label, value=fact.said)


def capital(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
