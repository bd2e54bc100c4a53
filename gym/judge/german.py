"""The German lexicon of the rules (`language`)."""

from __future__ import annotations

from typing import Final

__all__ = ["LEXICON"]

LEXICON: Final = {
    "numbers": """
null

zwei zwo
drei
vier
fünf
sechs
sieben
acht
neun
zehn
elf
zwölf
dreizehn
vierzehn
fünfzehn
sechzehn
siebzehn
achtzehn
neunzehn
zwanzig
einundzwanzig
zweiundzwanzig
dreiundzwanzig
vierundzwanzig
fünfundzwanzig
sechsundzwanzig
siebenundzwanzig
achtundzwanzig
neunundzwanzig
dreißig
""",
    "empty": """
beeilen eile schnell rasch bald geduld warten warte sekunde minute stunde bisschen wenig kurz sicher falsch richtig
fehler problem frage antwort erklären erklärung erklären verstehen verstehe verstanden bestätigen prüfen weiter
weitermachen fortfahren anfangen beginnen fertig wichtig sorge sorgen reden sprechen person mensch kollege jemand
jemandem niemand zeigen versuchen einzelheiten passiert passieren freundlich team herr frau froh glücklich schön toll
prima klasse aussuchen nachsehen sehen schauen folgendes weiteres achten achte darauf passt einverstanden nehmen nimm
schiefgeht egal heute entschuldigung verzeihung moment vergessen vergiss erinnerung wiederhole nochmal ab aber alle
allem allen aller alles als also am an ander andere anderem anderen auch auf aus außerdem bei bin bis bist bitte da
dabei dadurch damit danach dann das dass dasselbe dazu dein deine dem den denen denn denselben der deren des dessen
dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einfach er es
etwas euch falls folgendes für ganz gar gegen gern gerne gewesen gibt gilt gut hab habe haben hallo hat hatte hätte
her hier hin ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja jede jeder jedes jemand jetzt kann kannst kein
keine können könnte könnten machen mach mal man mehr mein meine mich mir mit möchte muss müssen nach nächstes nächste
nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sollen sonst statt stattdessen
tag über um und uns unter vom von vor während war waren was weil welche welcher welches wenn wer werde werden wie
wieder will wir wird wo würde würden zu zuerst zuletzt zum zur zwar zwischen schluss danke vielen dank ding dinge
bitten bitte anliegen brauche brauchen wunsch paar hilfe helfen guten morgen super prima wunderbar genau klar ordnung
selbst möglich andernfalls eben gleich angaben neue neuen neuer neues einzigen einzige mehrere gesagt erwähnt geht
gehen glaube denke hoffe weiß sagen sag datum
""",
    "verbs": """
anlegen: anlegen, lege, leg, erstellen, erstelle, eintragen, trage, hinzufügen, füge, registrieren, registriere
anlegen: eröffnen, eröffne, aufnehmen, angelegt, legen
buchen: buchen, buche, reservieren, reserviere
stornieren: stornieren, storniere, absagen, abbestellen, storno
löschen: löschen, lösche, entfernen, entferne, streichen, streiche
ändern: ändern, ändere, anpassen, passe, setzen, setze, aktualisieren, aktualisiere, korrigieren, umstellen, stelle
suchen: suchen, such, suche, finden, finde, heraussuchen
sagen: sag, sage, nennen, nenn, nenne, mitteilen, zeigen, zeig, wissen
zahlen: zahlen, zahle, bezahlen, bezahle, begleichen
sperren: sperren, sperre, blockieren, blockiere
verlängern: verlängern, verlängere, verlängerung
abschließen: abschließen, schließe, schließ, beenden, beende, erledigen
senden: senden, sende, schicken, schicke
bestellen: bestellen, bestelle, kaufen, kaufe
""",
    "phrases": """
sagen: was ist, wie hoch ist, wie lautet, wie viele, wie viel, welcher, möchte wissen, lass mich wissen
stornieren: sage ab, sag ab, sagen sie ab
anlegen: lege an
""",
    "imperative": r"""
[a-zà-ÿ]+[ ](?:sie )?(?:den|die|das|dem|der|einen|eine|ein|einem|diese|dieses|diesen|diesem|meine|meinen|mein|alle)[ ]
""",
    "before": """
le: höchstens, maximal, bis zu, nicht mehr als, allerhöchstens, spätestens am, spätestens, bis zum, bis, nicht über
le: nicht nach, mit einer grenze von
ge: mindestens, wenigstens, nicht weniger als, minimal, frühestens am, frühestens, ab dem, ab, nicht unter, nicht vor
lt: weniger als, kleiner als, unter, niedriger als, unterhalb von, vor, vor dem, früher als
gt: mehr als, größer als, über, höher als, oberhalb von, nach, nach dem, später als
ne: außer, ungleich, nicht gleich, anders als
""",
    "after": """
le: oder weniger, oder früher, höchstens, maximal
ge: oder mehr, oder später, mindestens
""",
    "ranks": """
min: niedrigste, niedrigsten, niedrigster, niedrigstem, kleinste, kleinsten, kleinster, früheste, frühesten, frühester
min: frühestem, älteste, ältesten, ältester, billigste, billigsten, günstigste, günstigsten, günstigster, geringste
min: geringsten, kürzeste, kürzesten, wenigsten
max: höchste, höchsten, höchster, höchstem, größte, größten, größter, späteste, spätesten, spätester, spätestem
max: neueste, neuesten, neuester, teuerste, teuersten, teuerster, längste, längsten, meiste, meisten, jüngste
max: jüngsten
""",
    "ordinals": """
1: erste, ersten, erster
2: zweite, zweiten, zweiter, zweit
3: dritte, dritten, dritter, dritt
4: vierte, vierten, viert
5: fünfte, fünften, fünft
""",
    "rank joint": r"^[ -]?$",
    "signs": r"""
+ (?<!\w)mit[ ](?:dem |der |einem |einer )?(?P<noun>\w+)
- (?<!\w)ohne[ ](?:den |die |das |einen |eine )?(?P<noun>\w+)
+ (?:schalte|schalten)[ ](?:den |die |das )?(?P<noun>\w+)[ ](?:ein|an)(?!\w)
- (?:schalte|schalten)[ ](?:den |die |das )?(?P<noun>\w+)[ ](?:aus|ab)(?!\w)
+ (?:aktiviere|aktivieren)[ ](?:den |die |das )?(?P<noun>\w+)
- (?:deaktiviere|deaktivieren)[ ](?:den |die |das )?(?P<noun>\w+)
+ (?P<noun>\w+)[ ](?:auf |ist )?(?:wahr|aktiviert)
- (?P<noun>\w+)[ ](?:auf |ist )?(?:falsch|deaktiviert)
""",
    "asks": r"""
mir fehlt
fehlt noch
fehlt
nennen sie mir
teilen sie mir
soll ich für
ich bräuchte
können sie mir
könnten sie mir
würden sie mir
kannst du mir
nennen sie
geben sie
teilen sie
sagen sie
nenne mir
gib mir
ich brauche
ich benötige
dafür brauche ich
brauche ich noch
benötige ich
bitte angeben
haben sie
wissen sie
und .{2,40} wäre
""",
    "opens": """
welche
welcher
welches
welchen
welchem
was
wie viele
wie viel
wie lautet
wie heißt
wann
wer
wo
""",
    "consents": r"""
für sie in ordnung
ist das in ordnung
weitermachen
darf ich damit
ist das so recht
soll ich
darf ich
möchten sie, dass ich
wollen sie, dass ich
fortfahre
fortfahren\?
stimmt das
ist das richtig
ist das korrekt
bestätigen sie
können sie bestätigen
bitte bestätigen
sind sie sicher
einverstanden
in ordnung\?
ja/nein
richtig so\?
passt das
""",
    "announces": r"""
ich beginne
ich sehe nach
einen moment
ich starte
ich prüfe das
einen moment
einen augenblick
eine sekunde
warten sie
ich kümmere mich
ich werde
ich mache das
ich erledige
ich führe
ich fange
ich bin dabei
ich lege gleich
wird gleich
sofort
gleich erledigt
lassen sie mich
in arbeit
""",
    "closes": r"""
noch etwas, das
sonst etwas
sonst noch
noch etwas
noch einen wunsch
noch weitere
weitere hilfe
noch was
wäre das alles
wäre das dann alles
ist das alles
war das alles
noch anliegen
""",
    "refuses": r"""
kann ich nicht
kann ich leider nicht
kann das nicht
kann das leider nicht
nicht möglich
nicht erlaubt
darf ich nicht
leider nicht möglich
an einen kollegen
an eine kollegin
verbinden? sie
übergebe sie
übergeben
mit einem menschen
""",
    "denies": r"""
nicht bekannt
so etwas habe ich nicht
weiß ich leider nicht
hat man mir nicht
nicht gegeben
da muss ich passen
weiß ich nicht
weiß ich leider nicht
ich weiß nicht
ich weiß es nicht
keine ahnung
habe ich nicht
habe ich leider nicht
hab ich nicht
ich habe kein
ich habe keine
ich habe keinen
nicht sicher
bin ich mir nicht sicher
kann ich ihnen leider nicht sagen
kann ich ihnen nicht sagen
kann ich nicht sagen
kann ich leider nicht sagen
erinnere ich mich nicht
erinnere ich mich gerade nicht
ich erinnere mich nicht
vergessen habe
habe ich vergessen
fällt mir nicht ein
möchte ich nicht sagen
""",
    "thanks": r"""
geholfen
klasse
ging ja schnell
schönen abend
danke
danke schön
vielen dank
dank
bedanke
danken
tschüss
tschau
auf wiedersehen
wiedersehen
bis bald
bis dann
einen schönen tag
schönen tag
machen sie es gut
machen sie's gut
alles gute
großartig
wunderbar
toll
prima
super
perfekt
hilfreich
""",
    "requests": r"""
falls (?=gilt|der |die |das )
(?:können|könnten|würden|kannst|könntest|würdest) (?:sie|du)(?: (?:mir|mich|uns|auch|bitte|noch|vielleicht|kurz))*
bitte(?: (?:auch|noch|mir|sie))*
ich (?:möchte|will|hätte gern|würde gern)(?: (?:auch|noch|außerdem|bitte))* (?=ein |eine |einen |noch |dass )
ich (?:brauche|benötige)(?: (?:auch|noch|außerdem))* (?=ein |eine |einen |etwas )
außerdem(?: sollen sie| möchte ich)?
(?:helfen sie mir|hilf mir)
(?:suchen|bestellen|erklären|besorgen|schicken|geben|machen|buchen|rufen) sie(?: (?:mir|bitte|auch|noch|außerdem))*
""",
    "counted": r"""
dinge
sachen
anliegen
bitten
punkte
fragen
minuten
sekunden
mal
schritte
themen
wünsche
""",
    "negates": r"""
nicht
kein
keine
keinen
keinesfalls
nie
""",
    "lengths": r"""
nächte
nacht
tage
tagen
tag
wochen?
""",
    "weeks": r"""
wochen?
""",
    "fallback": r"""
falls das nicht möglich ist
wenn das nicht möglich ist
wenn das nicht geht
falls das nicht geht
falls das abgelehnt wird
andernfalls
sonst
wenn nicht
""",
    "naming": r"""
name
namen
namens
heißt
heiße
herr
frau
kunde
kunden
bin
ist
""",
}
