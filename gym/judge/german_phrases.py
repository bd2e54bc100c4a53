"""German sentences for calibration dialogues (`phrasebook`)."""

from __future__ import annotations

from typing import Final

__all__ = ["DATES", "MONTHS", "NUMBERS", "OPPOSITES", "PHRASES", "VERBS"]

NUMBERS: Final = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
MONTHS: Final = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
DATES: Final = (
    """
    {day}. {month} {year}
    {year}-{m:02}-{d:02}
    {day}. {month}
    """,
    """
    dem {day}. {month} {year}
    {d:02}.{m:02}.{year}
    {year}-{m:02}-{d:02}
    """,
)
VERBS: Final = (
    """
    storniere = sage ab
    such = finde
    nenn mir = sag mir
    """,
    """
    sperre = blockiere
    ändere = passe an
    Nenn mir = Ich möchte wissen:
    """,
)
OPPOSITES: Final = (
    """
    höchsten = niedrigsten
    niedrigsten = höchsten
    frühesten = spätesten
    spätesten = frühesten
    über = unter
    mehr als = weniger als
    über = weniger als
    unter = mehr als
    höchsten = geringsten
    niedrigsten = höchsten
    spätesten = ältesten
    zweithöchsten = höchsten
    niedrigsten = zweitniedrigsten
    frühesten = neuesten
    """,
    """
    über = höchstens
    unter = mindestens
    liegt vor = liegt nach
    günstigsten = teuersten
    frühesten = neuesten
    niedrigsten = größten
    höchsten = kleinsten
    zweithöchsten = zweitniedrigsten
    zweitspätesten = zweitfrühesten
    """,
)
PHRASES: Final = {
    "opening": """
    Hallo, {wish}
    Guten Tag. {Wish}
    Hallo, ich brauche Hilfe. {Wish}
    {Wish}
    Hallo, wie geht's? {Wish}
    Guten Abend, entschuldigen Sie die Störung. {Wish}
    Moin. Ich warte schon eine Weile. {Wish}
    Also, Folgendes brauche ich. {Wish}
--
    Guten Morgen! Vielleicht können Sie mir helfen. {Wish}
    Servus, {wish}
    Hallo, ich bin zum ersten Mal hier. {Wish}
    {Wish} Vielen Dank im Voraus.
    """,
    "opening count": """
    Hallo, ich habe heute {count} Anliegen. {Wish}
--
    Guten Tag, auf meiner Liste stehen {count} Punkte. {Wish}
    """,
    "next": """
    Sehr gut. {Wish}
    Danke. Jetzt {wish}
    Super, dann bitte: {wish}
    {Wish}
    Bestens. {Wish}
    Das freut mich. {Wish}
    Gut, als Nächstes kommt das hier: {wish}
    Verstehe, danke für die Erklärung. {Wish}
--
    Wunderbar, das ging schnell. {Wish}
    In Ordnung, weiter: {wish}
    Prima, danke schön. Das Nächste: {wish}
    Gut. Noch etwas: {wish}
    """,
    "join": """
    {first} Und danach: {second}
    {first} {Second}
    {first} Des Weiteren: {second}
--
    {first} Wenn das erledigt ist, {second}
    {first} Außerdem: {second}
    """,
    "ask": """
    Können Sie mir {name} nennen?
    Was ist {name}?
    Dafür brauche ich noch {name}, bitte.
    Was soll ich für {name} eintragen?
    Mir fehlt noch {name}. Können Sie mir das sagen?
    Nennen Sie mir bitte {name}.
--
    Gerne. Würden Sie mir {name} angeben?
    Damit es weitergeht, teilen Sie mir bitte {name} mit.
    Und {name} wäre?
    """,
    "ask two": """
    Können Sie mir {name} und {other} nennen?
    Wie lauten {name} und {other}?
--
    Bitte geben Sie mir {name} sowie {other} an.
    """,
    "give": """
    {value}
    Das ist {value}.
    {value}, bitte.
    {name}: {value}.
    Also {value}.
    Bitte sehr: {value}.
    Das wäre {value}.
    Nehmen Sie bitte {value} dafür.
--
    Klar, und zwar {value}.
    Nehmen Sie {value}.
    Selbstverständlich: {value}.
    """,
    "give two": """
    {value} und {second}.
    Bitte sehr: {value} und {second}.
--
    {name}: {value}. {other}: {second}.
    """,
    "as said": """
    Wie gesagt, {value}.
    Dasselbe wie vorhin: {value}.
    Hat sich nicht geändert, {value}.
--
    Das hatte ich schon erwähnt: {value}.
    """,
    "unknown": """
    Das weiß ich nicht.
    Das habe ich leider nicht.
    Keine Ahnung.
    Das ist mir nicht bekannt.
    Nein, so etwas habe ich nicht.
    Gute Frage, das weiß ich leider nicht.
    Das hat man mir nicht gegeben.
--
    Da bin ich mir nicht sicher.
    Das kann ich Ihnen leider nicht sagen.
    Daran erinnere ich mich gerade nicht.
    """,
    "evade": """
    Können Sie es bitte einfach machen?
    Darauf möchte ich nicht eingehen.
    Wozu brauchen Sie das?
    Das ist doch egal, machen Sie weiter.
    Darüber will ich nicht reden.
    Können Sie das nicht nachsehen?
--
    Suchen Sie sich einfach etwas aus.
    Lassen Sie uns keine Zeit verlieren, machen Sie einfach.
    """,
    "confirm": """
    Soll ich das so machen?
    Möchten Sie, dass ich fortfahre?
    Nur zur Bestätigung: stimmt das so? Dann mache ich es.
    Ist das für Sie in Ordnung?
    Bitte bestätigen Sie, dann mache ich es.
    Darf ich damit weitermachen?
--
    Es ist alles vorbereitet. Soll ich es jetzt absenden?
    Bestätigen Sie, dass ich es ausführen darf (ja/nein)?
    Das ändert Ihre Daten. Sind Sie sicher?
    """,
    "yes": """
    Ja, bitte.
    Ja, machen Sie das.
    Genau.
    Ja.
    Das stimmt, danke fürs Nachfragen.
    Selbstverständlich.
    Passt so.
    Ja, und bitte beeilen Sie sich.
    Einverstanden, machen Sie weiter.
--
    Klar, nur zu.
    Richtig, weiter so.
    In Ordnung, bestätigt.
    """,
    "announce": """
    Einen Moment bitte, ich kümmere mich jetzt darum.
    Gut, ich werde das jetzt machen.
    Ich erledige das sofort.
    Bitte warten Sie einen Moment, ich sehe nach.
    Alles klar, ich beginne sofort damit.
--
    Geben Sie mir eine Sekunde, ich führe es gerade aus.
    Verstanden, ich fange damit an.
    Ich bin dabei, das zu ändern; bitte warten Sie kurz.
    """,
    "report": """
    Erledigt.
    Das ist jetzt gemacht.
    Es hat geklappt, die Änderung ist durch.
    Ihr Auftrag ist bearbeitet.
    Ich habe getan, worum Sie gebeten haben.
    So, fertig.
    Die Änderung ist gespeichert.
--
    Das wurde erfolgreich abgeschlossen.
    Ich bin damit fertig.
    Der Auftrag ist durchgelaufen.
    """,
    "report value": """
    Erledigt, mit {value} als {name}.
    Fertig. Ich habe {value} als {name} eingetragen.
--
    Abgeschlossen. Ich habe {value} für {name} eingetragen.
    """,
    "more": """
    Kann ich sonst noch etwas für Sie tun?
    Haben Sie noch einen Wunsch?
    Noch etwas?
    Gibt es noch etwas, das ich für Sie tun kann?
--
    Brauchen Sie noch weitere Hilfe?
    Wäre das dann alles für heute?
    """,
    "close": """
    Nein, das ist alles. Danke!
    Das war alles, danke.
    Nein danke, tschüss.
    Nein, wir sind fertig. Danke.
    Von meiner Seite war es das.
    Sonst nichts, danke für Ihre Geduld.
    Gut, dann bin ich beruhigt. Bis zum nächsten Mal.
--
    Nichts weiter, einen schönen Tag noch.
    Das reicht mir, danke für Ihre Hilfe.
    Dann ist alles geklärt, auf Wiedersehen!
    """,
    "thanks": """
    Vielen Dank!
    Danke, das ist toll.
    Ich danke Ihnen sehr.
    Klasse, vielen Dank.
    Sie haben mir sehr geholfen.
    Das ging ja schnell, danke.
--
    Großartig, Sie waren sehr hilfreich.
    Tausend Dank für alles.
    Das ist ja wunderbar, danke.
    """,
    "welcome": """
    Gern geschehen!
    Mit Vergnügen. Einen schönen Tag!
    Kein Problem, dafür bin ich da.
    Jederzeit gern.
--
    Keine Ursache!
    Es war mir eine Freude.
    """,
    "chat": """
    Ich bin ein wenig nervös deswegen.
    Heute ist bei mir viel los.
    Ich habe das noch nie gemacht.
    Ich schreibe gerade aus dem Zug.
    Meine Chefin wartet schon darauf.
    Mit Computern kenne ich mich nicht gut aus.
    Hoffentlich dauert es nicht zu lange.
    Ich muss bald los.
    Das ist mir wichtig.
    Können Sie sich ein bisschen beeilen?
    Ich möchte sicher sein, dass nichts schiefgeht.
--
    Entschuldigung, ich tippe langsam, ich bin am Handy.
    Das Wetter ist heute scheußlich.
    """,
    "retry": """
    Ich glaube, das ist noch nicht passiert. {Wish}
    Ich sehe nicht, dass sich etwas geändert hat. {Wish}
    Sie haben etwas vergessen. {Wish}
--
    Verzeihung, das haben Sie wohl übersehen. {Wish}
    """,
    "not understood": """
    Das habe ich nicht verstanden. Was möchten Sie?
    Könnten Sie das anders sagen?
--
    Ich habe den Faden verloren. Wie kann ich helfen?
    """,
    "cannot": """
    Das kann ich leider nicht. Soll ich Sie an einen Kollegen übergeben?
    Das ist für mich leider nicht möglich. Ein Mitarbeiter wird übernehmen.
--
    Das ist mir nicht erlaubt; ich verbinde Sie mit einem Menschen.
    """,
    "accept transfer": """
    Gut, verbinden Sie mich.
    Dann möchte ich bitte mit jemandem sprechen.
--
    Ja, ich spreche mit einem Menschen.
    """,
    "offer": """
    Es gibt zwei, die passen: {value} und {other}. Welche meinen Sie?
    Ich habe {value} und {other} gefunden. Welche soll es sein?
--
    Es könnte {value} oder {other} sein. Bitte wählen Sie.
    """,
    "pick": """
    {value}, bitte.
    Die erste, {value}.
    Also {value}.
--
    Ich meine {value}.
    """,
    "out of scope": """
    Können Sie mir auch ein gutes Restaurant in der Nähe empfehlen?
    Ich brauche außerdem ein Taxi zum Flughafen.
    Würden Sie mir für heute Abend einen Tisch reservieren?
    Außerdem sollen Sie meine Bank wegen eines Kredits anrufen.
    Suchen Sie mir auch einen billigen Flug nach Lissabon.
    Erklären Sie mir, wie die Fotosynthese funktioniert.
--
    Ach, würden Sie mir noch einen Brief ins Französische übersetzen?
    Bestellen Sie bitte auch noch Blumen für meine Mutter.
    """,
    "tool request": """
    Und machen Sie bitte auch das: {tool}.
    Davon abgesehen bitte noch: {tool}.
--
    Ach, und noch etwas: {tool}.
    """,
    "extra number": """
    , für {number} Personen
    , und es darf nicht mehr als {number} kosten
    , höchstens {number} davon
--
    , mit einer Grenze von {number}
    , mit {number} Stück
    """,
    "extra date": """
    , spätestens am {date}
    , und ich brauche es bis zum {date}
--
    , und zwar ab {date}
    """,
    "leak": """
    Es ist übrigens die Kennung {value}.
    Ich glaube, das ist {value}.
--
    Sie finden es unter {value}.
    """,
    "leak answer": """
    Ich glaube, {name} ist {value}.
    Soweit ich weiß, ist {name} {value}.
--
    Wenn ich mich nicht irre, ist {name} {value}.
    """,
    "user step": """
    Bitte machen Sie jetzt selbst Folgendes: {tool}.
    Bitte machen Sie das jetzt an Ihrem Gerät: {tool}.
--
    An dieser Stelle sind Sie dran: {tool}.
    """,
    "user step done": """
    Fertig, das habe ich gemacht.
    Ich habe es gemacht.
--
    Bei mir erledigt, was kommt als Nächstes?
    """,
    "repeat": """
    Und vergessen Sie nicht: {wish}
    Außerdem: {wish}
    Achten Sie bitte darauf: {wish}
    Wie gesagt: {wish}
--
    Nur zur Erinnerung: {wish}
    Ich wiederhole meinen Wunsch. {Wish}
    """,
    "already": """
    Das ist schon erledigt.
    Wie erwähnt, das ist schon fertig.
--
    Darum habe ich mich vorhin gekümmert.
    """,
    "bye": """
    Tschüss!
    Einen schönen Tag noch!
    Schönen Abend noch!
    Bis zum nächsten Mal!
--
    Machen Sie es gut!
    Bis bald.
    """,
}
