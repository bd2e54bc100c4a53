"""Places whose city, state, country, postal code, coordinates, time zone and telephone prefix belong together.

Invariant: everything about one place is true of it, so that rows can be joined and filtered by any of these columns.
Streets are invented. Not covered: towns that an API's own examples name; these appear as they are.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from autoforge.generator.seed.draw import Draw

__all__ = ["Place", "draw_places"]


class Place(NamedTuple):
    city: str
    state: str
    state_code: str
    country: str
    country_code: str
    postcode: str
    latitude: float
    """Degrees north."""
    longitude: float
    """Degrees east."""
    timezone: str
    street: str

    @property
    def address(self) -> str:
        return f"{self.street}, {self.postcode} {self.city}"

    @property
    def location(self) -> str:
        return f"{self.city}, {self.state_code if self.country_code == 'US' else self.country}"


_CITIES = """
en|San Francisco|California|CA|United States|US|94103|37.7749|-122.4194|America/Los_Angeles
en|Seattle|Washington|WA|United States|US|98101|47.6062|-122.3321|America/Los_Angeles
en|Austin|Texas|TX|United States|US|78701|30.2672|-97.7431|America/Chicago
en|Chicago|Illinois|IL|United States|US|60601|41.8781|-87.6298|America/Chicago
en|Boston|Massachusetts|MA|United States|US|02108|42.3601|-71.0589|America/New_York
en|Denver|Colorado|CO|United States|US|80202|39.7392|-104.9903|America/Denver
en|Portland|Oregon|OR|United States|US|97201|45.5152|-122.6784|America/Los_Angeles
en|Portland|Maine|ME|United States|US|04101|43.6591|-70.2568|America/New_York
en|Springfield|Illinois|IL|United States|US|62701|39.7817|-89.6501|America/Chicago
en|Springfield|Missouri|MO|United States|US|65806|37.2090|-93.2923|America/Chicago
en|New York|New York|NY|United States|US|10001|40.7128|-74.0060|America/New_York
en|Toronto|Ontario|ON|Canada|CA|M5V 2T6|43.6532|-79.3832|America/Toronto
en|London|England|ENG|United Kingdom|GB|SE1 9SG|51.5074|-0.1278|Europe/London
en|Manchester|England|ENG|United Kingdom|GB|M1 1AE|53.4808|-2.2426|Europe/London
en|Dublin|Leinster|L|Ireland|IE|D02 X285|53.3498|-6.2603|Europe/Dublin
en|Sydney|New South Wales|NSW|Australia|AU|2000|-33.8688|151.2093|Australia/Sydney
en|Berlin|Berlin|BE|Germany|DE|10115|52.5200|13.4050|Europe/Berlin
en|Paris|Ile-de-France|IDF|France|FR|75002|48.8566|2.3522|Europe/Paris
es|Madrid|Madrid|M|España|ES|28013|40.4168|-3.7038|Europe/Madrid
es|Barcelona|Barcelona|B|España|ES|08002|41.3874|2.1686|Europe/Madrid
es|Valencia|Valencia|V|España|ES|46002|39.4699|-0.3763|Europe/Madrid
es|Sevilla|Sevilla|SE|España|ES|41001|37.3891|-5.9845|Europe/Madrid
es|Bilbao|Bizkaia|BI|España|ES|48001|43.2630|-2.9350|Europe/Madrid
es|Granada|Granada|GR|España|ES|18009|37.1773|-3.5986|Europe/Madrid
es|Ciudad de México|Ciudad de México|CMX|México|MX|06000|19.4326|-99.1332|America/Mexico_City
de|Berlin|Berlin|BE|Deutschland|DE|10115|52.5200|13.4050|Europe/Berlin
de|Hamburg|Hamburg|HH|Deutschland|DE|20095|53.5511|9.9937|Europe/Berlin
de|München|Bayern|BY|Deutschland|DE|80331|48.1351|11.5820|Europe/Berlin
de|Köln|Nordrhein-Westfalen|NW|Deutschland|DE|50667|50.9375|6.9603|Europe/Berlin
de|Leipzig|Sachsen|SN|Deutschland|DE|04109|51.3397|12.3731|Europe/Berlin
de|Wien|Wien|W|Österreich|AT|1010|48.2082|16.3738|Europe/Vienna
de|Zürich|Zürich|ZH|Schweiz|CH|8001|47.3769|8.5417|Europe/Zurich
fr|Paris|Île-de-France|IDF|France|FR|75002|48.8566|2.3522|Europe/Paris
fr|Lyon|Auvergne-Rhône-Alpes|ARA|France|FR|69001|45.7640|4.8357|Europe/Paris
fr|Marseille|Bouches-du-Rhône|13|France|FR|13001|43.2965|5.3698|Europe/Paris
fr|Toulouse|Occitanie|OCC|France|FR|31000|43.6047|1.4442|Europe/Paris
fr|Nantes|Pays de la Loire|PDL|France|FR|44000|47.2184|-1.5536|Europe/Paris
fr|Bruxelles|Bruxelles|BRU|Belgique|BE|1000|50.8503|4.3517|Europe/Brussels
pt|São Paulo|São Paulo|SP|Brasil|BR|01001-000|-23.5505|-46.6333|America/Sao_Paulo
pt|Rio de Janeiro|Rio de Janeiro|RJ|Brasil|BR|20040-002|-22.9068|-43.1729|America/Sao_Paulo
pt|Curitiba|Paraná|PR|Brasil|BR|80010-000|-25.4284|-49.2733|America/Sao_Paulo
pt|Salvador|Bahia|BA|Brasil|BR|40020-000|-12.9777|-38.5016|America/Bahia
pt|Lisboa|Lisboa|LI|Portugal|PT|1100-148|38.7223|-9.1393|Europe/Lisbon
it|Roma|Lazio|RM|Italia|IT|00184|41.9028|12.4964|Europe/Rome
it|Milano|Lombardia|MI|Italia|IT|20121|45.4642|9.1900|Europe/Rome
it|Napoli|Campania|NA|Italia|IT|80133|40.8518|14.2681|Europe/Rome
it|Torino|Piemonte|TO|Italia|IT|10121|45.0703|7.6869|Europe/Rome
it|Bologna|Emilia-Romagna|BO|Italia|IT|40121|44.4949|11.3426|Europe/Rome
zh|北京|北京|BJ|中国|CN|100000|39.9042|116.4074|Asia/Shanghai
zh|上海|上海|SH|中国|CN|200000|31.2304|121.4737|Asia/Shanghai
zh|广州|广东|GD|中国|CN|510000|23.1291|113.2644|Asia/Shanghai
zh|成都|四川|SC|中国|CN|610000|30.5728|104.0668|Asia/Shanghai
ja|東京|東京都|13|日本|JP|100-0001|35.6762|139.6503|Asia/Tokyo
ja|大阪|大阪府|27|日本|JP|530-0001|34.6937|135.5023|Asia/Tokyo
ja|京都|京都府|26|日本|JP|604-8001|35.0116|135.7681|Asia/Tokyo
ja|札幌|北海道|01|日本|JP|060-0001|43.0618|141.3545|Asia/Tokyo
"""
_STREETS = {
    "en": "{number} Maple Street|{number} Oak Avenue|{number} Mill Road|"
    "{number} Church Street|{number} Station Road|{number} Lake View Drive",
    "es": "Calle Mayor {number}|Calle del Sol {number}|"
    "Avenida de la Paz {number}|Plaza Nueva {number}|Calle Real {number}",
    "de": "Hauptstraße {number}|Lindenweg {number}|Gartenstraße {number}|Bahnhofstraße {number}|Schillerplatz {number}",
    "fr": "{number} rue de la Gare|{number} avenue Victor Hugo|"
    "{number} rue du Moulin|{number} place du Marché|{number} rue des Lilas",
    "pt": "Rua das Flores, {number}|Avenida Central, {number}|Rua do Porto, {number}|Rua São João, {number}",
    "it": "Via Roma {number}|Via Garibaldi {number}|Corso Italia {number}|Piazza Dante {number}|Via dei Mille {number}",
    "zh": "人民路{number}号|中山路{number}号|解放路{number}号",
    "ja": "中央{number}-1|本町{number}-2|緑町{number}-3",
}


@cache
def _cities(language: str) -> tuple[tuple[str, ...], ...]:
    rows = (tuple(line.split("|")) for line in _CITIES.strip().splitlines())
    return tuple(row[1:] for row in rows if row[0] == language)


def draw_places(draw: Draw, count: int, language: str) -> list[Place]:
    """`count` places with about half as many cities, so that a city alone does not tell which row is meant."""
    cities = draw.shuffled(_cities(language) or _cities("en"))
    chosen = cities[: max(2, min(len(cities), -(-count * 3 // 5)))]
    order = [chosen[i] if i < len(chosen) else draw.one(chosen) for i in range(count)]
    return [_at(draw, city, language) for city in draw.shuffled(order)]


def _at(draw: Draw, row: tuple[str, ...], language: str) -> Place:
    city, state, code, country, country_code, postcode, latitude, longitude, timezone = row
    street = draw.one(_STREETS.get(language, _STREETS["en"]).split("|")).format(number=draw.integer(2, 180))
    north, east = (round(float(v) + draw.real(-0.02, 0.02), 5) for v in (latitude, longitude))
    return Place(city, state, code, country, country_code, postcode, north, east, timezone, street)
