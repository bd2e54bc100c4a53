"""The vocabulary behind `meaning`: every meaning with its gloss, and the words that people write for it in eight
languages.

Invariant: words are stored as `meaning.split_name` normalises them (lower case, no accents, one space), so that a
lookup is a plain dictionary access. Not covered: how a name is matched (`meaning`), what a value looks like
(`autoforge.generator.seed`).
"""

from __future__ import annotations

from autoforge.generator.vocabulary import word_set

__all__ = ["GLOSSES", "NOUNS", "NUMERIC", "TEMPORAL", "WORDS", "word_set"]


GLOSSES: dict[str, str] = {
    "id": "identifier of a row", "uuid": "UUID", "slug": "lower-case words joined by hyphens", "code": "short code",
    "person_name": "first and last name of a person", "first_name": "given name", "last_name": "family name",
    "user_name": "login name", "email": "e-mail address", "phone": "telephone number",
    "job_title": "profession or position", "gender": "gender", "nationality": "nationality of a person",
    "age": "age in years", "birth_date": "date of birth", "company": "name of an organisation",
    "department": "department of a company", "industry": "line of business", "address": "postal address in one line",
    "street": "street and house number", "city": "name of a city", "state": "state or province",
    "country": "name of a country", "country_code": "ISO 3166-1 alpha-2", "postcode": "postal code",
    "location": "city with its state or country", "latitude": "degrees north", "longitude": "degrees east",
    "timezone": "IANA time zone", "language": "name of a language", "language_code": "ISO 639-1",
    "region": "part of a country", "url": "web address", "image_url": "web address of an image",
    "domain": "internet domain", "ip": "IPv4 address", "mac_address": "hardware address", "port": "TCP port",
    "host_name": "name of a machine", "user_agent": "browser identification", "file_path": "absolute path of a file",
    "directory_path": "absolute path of a folder", "file_name": "name of a file with extension",
    "folder_name": "name of a folder", "mime_type": "media type", "file_size": "size in bytes",
    "command": "shell command", "cron": "cron expression", "token": "opaque token", "password": "password",
    "hash": "hexadecimal digest", "version": "semantic version", "card_number": "payment card number",
    "iban": "bank account number", "currency_code": "ISO 4217", "price": "price of one thing",
    "amount": "amount of money", "balance": "money available", "salary": "pay in a year", "tax": "tax in money",
    "percentage": "0 to 100", "quantity": "number of things", "stock": "number of units on hand", "rating": "1 to 5",
    "score": "points reached", "points": "points collected", "capacity": "how many people or things fit",
    "distance": "distance", "weight": "weight", "height": "height or length", "temperature": "degrees Celsius",
    "humidity": "percent of humidity", "speed": "speed", "area": "area", "duration_minutes": "length in minutes",
    "duration_hours": "length in hours", "duration_days": "length in days", "duration_seconds": "length in seconds",
    "floor": "storey", "position": "place in a sequence, from 1", "year": "calendar year", "month": "calendar month",
    "day_of_week": "name of a weekday", "date_past": "date up to today", "date_future": "date around or after today",
    "datetime_past": "moment up to now", "datetime_future": "moment around or after now", "time": "time of day",
    "boolean": "true or false", "data_volume": "data in gigabytes", "integer": "whole number", "real": "number",
    "title": "heading of something", "label": "name of something", "sentence": "one sentence",
    "paragraph": "some sentences", "subject": "subject of a message", "message": "message to a person",
    "note": "remark", "comment": "comment on something", "question": "question", "reason": "why something was done",
    "resolution": "how something was solved", "review": "opinion of a customer", "status": "state in a process",
    "priority": "urgency", "severity": "gravity", "role": "role of a person", "kind": "kind of a thing",
    "category": "category of things", "tag": "keyword", "color": "color", "size": "size of clothes",
    "unit": "unit of measure", "material": "material", "product_name": "name of a product", "brand": "name of a brand",
    "sku": "stock keeping unit", "isbn": "ISBN-13", "barcode": "EAN-13", "tracking_number": "number of a parcel",
    "carrier": "parcel service", "coupon_code": "code for a discount", "payment_method": "way of paying",
    "shipping_method": "way of shipping", "plan_name": "name of a subscription plan", "movie_title": "title of a film",
    "play_title": "title of a play", "song_title": "title of a song", "album_title": "title of an album",
    "artist": "musician or band", "book_title": "title of a book", "publisher": "publishing house",
    "genre": "genre of film, music or books", "hotel_name": "name of a hotel", "room_type": "kind of a hotel room",
    "room_number": "number on a door", "restaurant": "name of a restaurant", "cuisine": "style of cooking",
    "dish": "name of a dish", "ingredient": "thing to cook with", "venue": "name of a theatre, hall or stadium",
    "site_name": "name of a shop, branch or warehouse", "airline": "name of an airline",
    "airport": "name of an airport", "airport_code": "IATA code", "flight_number": "IATA flight number",
    "seat_number": "seat, such as 12A", "cabin_class": "class of travel", "license_plate": "plate of a vehicle",
    "vehicle_model": "make and model of a vehicle", "device_name": "name of a device",
    "stock_symbol": "ticker of a share", "sector": "sector of the economy", "event_name": "name of an event",
    "team_name": "name of a team", "sport": "sport", "course_name": "name of a course",
    "school": "name of a school or university", "medication": "name of a drug", "diagnosis": "name of an illness",
    "species": "kind of animal", "breed": "breed of a pet", "pet_name": "name of a pet",
    "project_name": "name of a project", "task_title": "something to do", "ticket_title": "problem reported",
    "meeting_title": "name of an appointment", "document_title": "title of a document",
    "article_title": "title of an article", "list_name": "name of a list", "channel_name": "name of a chat channel",
    "repository_name": "name of a code repository", "branch_name": "name of a code branch",
    "playlist_name": "name of a playlist", "account_name": "name of an account", "weather": "weather in words",
    "emoji": "one emoji", "skill": "ability", "policy_number": "number of a contract",
}  # fmt: skip

NUMERIC = word_set(
    "price amount balance salary tax percentage quantity stock rating score points capacity distance weight height "
    "temperature humidity speed area duration_minutes duration_hours duration_days duration_seconds data_volume "
    "floor position year month age latitude longitude file_size port integer real"
)
"""Meanings whose values are numbers."""

TEMPORAL = word_set("date_past date_future datetime_past datetime_future birth_date")
"""Meanings whose values are dates or moments."""

WORDS: dict[str, str] = {
    "id": (
        "id|ids|identifier|key|ref|reference|external id|guid|identificador|kennung|identifiant|identificativo|编号|"
        "识别码|識別子"
    ),
    "uuid": "uuid",
    "slug": "slug|permalink|handle",
    "code": "code|codigo|codice|代码|コード",
    "person_name": (
        "full name|fullname|display name|contact name|nombre completo|vollstandiger name|nom complet|nome completo|"
        "nome e cognome|contact person|received by|signed by|ansprechpartner|姓名|氏名|お名前"
    ),
    "first_name": (
        "first name|firstname|given name|forename|nombre de pila|primer nombre|vorname|prenom|primeiro nome|名字|名前"
    ),
    "last_name": (
        "last name|lastname|surname|family name|apellido|apellidos|nachname|familienname|nom de famille|sobrenome|"
        "cognome|姓氏|苗字"
    ),
    "user_name": (
        "username|user name|login|login name|nickname|screen name|created by|updated by|assigned to|usuario|"
        "benutzername|nom utilisateur|nom d utilisateur|nome de usuario|nome utente|用户名|ユーザー名"
    ),
    "email": (
        "recipients|recipient email|reply to|email|e mail|mail|email address|mail address|emails|cc|bcc|correo|"
        "correo electronico|mailadresse|courriel|adresse mail|adresse electronique|posta elettronica|电子邮件|邮箱|"
        "メール"
    ),
    "phone": (
        "phone|phone number|telephone|telephone number|mobile|mobile number|mobile phone|cell|fax|tel|contact "
        "number|telefono|movil|celular|telefon|telefonnummer|handy|handynummer|numero de telephone|portable|"
        "telefone|cellulare|电话|手机|電話"
    ),
    "job_title": (
        "job|job title|profession|occupation|position title|cargo|puesto|beruf|poste|profissao|professione|职位|職業"
    ),
    "gender": "gender|sex|genero|sexo|geschlecht|genre de la personne|sesso|性别|性別",
    "nationality": (
        "nationality|nacionalidad|staatsangehorigkeit|nationalitat|nationalite|nacionalidade|nazionalita|国籍"
    ),
    "age": "age|edad|alter|idade|eta|年龄|年齢",
    "birth_date": (
        "birth date|birthdate|birthday|date of birth|dob|born|fecha de nacimiento|fecha nacimiento|geburtsdatum|"
        "geburtstag|date de naissance|data de nascimento|data nascimento|data di nascita|出生日期|生日|生年月日"
    ),
    "company": (
        "company|company name|organization|organisation|organization name|employer|firm|business name|empresa|"
        "compania|firma|unternehmen|entreprise|societe|azienda|societa|公司|会社"
    ),
    "department": "department|division|departamento|abteilung|departement|dipartimento|reparto|部门|部署",
    "industry": "industry|branche|industria|行业|業種",
    "address": (
        "address|full address|mailing address|shipping address|billing address|delivery address|direccion|"
        "domicilio|adresse|anschrift|endereco|indirizzo|地址|住所"
    ),
    "street": "street|street address|address line|address line 1|address1|street name|calle|strasse|rue|rua|via|街道",
    "city": (
        "city|town|municipality|ciudad|localidad|stadt|ort|ville|cidade|citta|comune|origin|destination|hometown|"
        "城市|都市|市区町村"
    ),
    "state": "state|province|state code|provincia|estado|bundesland|kanton|etat|省|州|都道府県",
    "country": "country|country name|nation|pais|land|pays|paese|国家|国",
    "country_code": (
        "country code|iso country|country iso|codigo de pais|landercode|landerkurzel|code pays|codigo do pais|"
        "codice paese"
    ),
    "postcode": (
        "postcode|postal code|zip|zip code|zipcode|postalcode|codigo postal|plz|postleitzahl|code postal|cep|cap|"
        "codice postale|邮编|郵便番号"
    ),
    "location": "location|place|ubicacion|lugar|standort|lieu|local|luogo|地点|場所",
    "latitude": "latitude|lat|latitud|breitengrad|latitudine|纬度|緯度",
    "longitude": "longitude|lon|lng|long|longitud|langengrad|longitudine|经度|経度",
    "timezone": "timezone|time zone|tz|zona horaria|zeitzone|fuseau horaire|fuso horario|fuso orario|时区",
    "language": "language|lang|idioma|sprache|langue|lingua|语言|言語",
    "language_code": "locale|language code|lang code",
    "region": "region|district|county|area name|barrio|comarca|bezirk|quartier|bairro|quartiere|地区|地域",
    "url": (
        "url|uri|link|website|web site|homepage|web page|href|webhook|endpoint|callback|sitio web|pagina web|"
        "webseite|site web|sito web|sito|网址"
    ),
    "image_url": (
        "image url|photo url|picture url|avatar|avatar url|image|photo|picture|thumbnail|logo|icon|poster url|"
        "cover url|imagen|foto|bild|immagine|imagem|图片|画像"
    ),
    "domain": "domain|domain name|dominio|domaine|域名",
    "ip": "ip|ip address|ipv4|direccion ip|ip adresse|adresse ip",
    "mac_address": "mac|mac address",
    "port": "port",
    "host_name": "host|hostname|host name|server|server name",
    "user_agent": "user agent|browser",
    "file_path": "path|file path|filepath|source path|target path|ruta|pfad|dateipfad|chemin|caminho|percorso|路径",
    "directory_path": (
        "directory|directory path|folder path|working directory|cwd|current directory|dir|directorio|verzeichnis|"
        "repertoire|diretorio|目录"
    ),
    "file_name": (
        "file|file name|filename|attachment|archivo|nombre de archivo|datei|dateiname|fichier|nom du fichier|"
        "arquivo|nome file|文件名|ファイル名"
    ),
    "folder_name": "folder|folder name|carpeta|ordner|dossier|pasta|cartella|文件夹",
    "mime_type": "mime|mime type|content type|media type",
    "file_size": "file size|size bytes|bytes|filesize",
    "command": "command|script|cmd|comando|befehl|commande",
    "cron": "cron|cron expression|schedule|crontab",
    "token": "token|access token|api key|secret|session token|webhook token|etag|令牌",
    "password": "password|passwd|pwd|pin|contrasena|clave|passwort|kennwort|mot de passe|senha|密码|パスワード",
    "hash": "hash|checksum|digest|sha|sha256|md5|fingerprint|commit|sha1",
    "version": "version|release|revision|app version|版本",
    "card_number": (
        "card number|card|credit card|credit card number|debit card|tarjeta|numero de tarjeta|kreditkarte|"
        "kartennummer|carte bancaire|cartao|numero do cartao|carta di credito|卡号"
    ),
    "iban": (
        "iban|account number|bank account|numero de cuenta|kontonummer|numero de compte|numero da conta|numero di "
        "conto|账号"
    ),
    "currency_code": "currency|currency code|iso code|moneda|divisa|wahrung|devise|monnaie|moeda|valuta|货币|通貨",
    "price": (
        "moving average|ma|price|unit price|cost|rate|fee|fare|list price|nightly rate|hourly rate|monthly "
        "price|tariff|precio|coste|costo|tarifa|preis|kosten|gebuhr|prix|cout|tarif|preco|custo|prezzo|tariffa|"
        "价格|单价|値段|価格|料金"
    ),
    "amount": (
        "amount|total|total amount|total price|subtotal|sum|charge|payment|revenue|income|budget|spent|paid|refund|"
        "deposit|discount amount|importe|monto|cantidad total|betrag|summe|gesamtbetrag|montant|somme|valor|"
        "quantia|importo|totale|金额|合計|総額"
    ),
    "balance": "balance|account balance|credit|funds|available|saldo|kontostand|guthaben|solde|余额|残高",
    "salary": "salary|wage|annual salary|pay|sueldo|salario|gehalt|lohn|salaire|stipendio|工资|給料",
    "tax": "tax|tax amount|vat|impuesto|iva|steuer|mwst|tva|taxe|imposto|tassa|税",
    "percentage": (
        "percent|percentage|percent change|rate percent|discount|discount percent|progress|completion|tax rate|"
        "interest rate|interest|battery|porcentaje|descuento|prozent|rabatt|pourcentage|remise|porcentagem|"
        "desconto|percentuale|sconto|百分比|割引"
    ),
    "quantity": (
        "quantity|qty|count|number of items|units|number|num|guests|guest count|party size|people|seats|tickets|"
        "volume|attempts|cantidad|numero|unidades|menge|anzahl|stuckzahl|quantite|nombre|quantidade|quantita|"
        "numero di pezzi|数量|个数|人数"
    ),
    "stock": (
        "stock|inventory|on hand|in stock|stock level|stock quantity|reorder level|existencias|inventario|"
        "lagerbestand|bestand|estoque|giacenza|scorte|库存|在庫"
    ),
    "rating": (
        "rating|stars|average rating|valoracion|calificacion|bewertung|note sur 5|avaliacao|valutazione|评分|評価"
    ),
    "data_volume": "data used|data limit|data allowance|data|gb|gigabytes|storage|datenvolumen|datos",
    "score": "score|grade|marks|result score|puntuacion|punktzahl|pontuacao|punteggio|分数",
    "points": "points|loyalty points|miles|puntos|punkte|pontos|punti|积分|ポイント",
    "capacity": (
        "capacity|max guests|max people|seats total|capacidad|kapazitat|capacite|capacidade|capienza|capacita|容量|定員"
    ),
    "distance": "distance|length km|mileage|kilometers|km|range|distancia|entfernung|distanz|distanza|距离|距離",
    "weight": "weight|weight kg|mass|peso|gewicht|poids|重量",
    "height": "height|length|width|depth|altitude|elevation|altura|hohe|breite|lange|hauteur|largeur|altezza|高度|高さ",
    "temperature": "temperature|temp|temperatura|temperatur|温度|気温",
    "humidity": "humidity|humedad|luftfeuchtigkeit|humidite|umidade|umidita|湿度",
    "speed": "speed|velocity|velocidad|geschwindigkeit|vitesse|velocidade|velocita|速度",
    "area": "area|square meters|square feet|sqft|superficie|flache|surface|面积",
    "duration_minutes": (
        "duration|duration minutes|minutes|length minutes|runtime|duracion|dauer|duree|duracao|durata|minutos|"
        "minuten|时长|所要時間"
    ),
    "duration_hours": "hours|duration hours|horas|stunden|heures|ore|engine hours",
    "duration_days": (
        "days|nights|duration days|lead time|lead time days|dias|noches|tage|nachte|jours|nuits|noites|giorni|"
        "notti|天数|泊数"
    ),
    "duration_seconds": "seconds|duration seconds|timeout|segundos|sekunden|secondes|secondi|milliseconds",
    "floor": "floor|storey|piso|planta|etage|stockwerk|andar|piano|楼层|階",
    "position": (
        "position|index|order index|sort order|rank|sequence|line number|line no|row|page|posicion|orden|"
        "reihenfolge|posicao|posizione|序号|順番"
    ),
    "year": (
        "anio|ano de publicacion|erscheinungsjahr|year|release year|publication year|model year|ano|jahr|annee|"
        "anno|年份|年"
    ),
    "month": "month|mes|monat|mois|mese|月份",
    "day_of_week": "weekday|day of week|day|dia de la semana|wochentag|jour|dia da semana|giorno|星期|曜日",
    "date_past": (
        "date|day date|order date|purchase date|invoice date|registered|joined|since|hire date|release date|issue "
        "date|issued on|fecha|datum|bestelldatum|fecha de pedido|data|data do pedido|data ordine|日期|日付"
    ),
    "date_future": (
        "due date|deadline|due|due on|vence|caduca|devolucion prevista|expiry date|expiration date|expires|start "
        "date|end date|check in|check out|check in date|check out date|arrival date|departure date|delivery date|"
        "appointment date|event date|expected on|until|fecha de entrega|fecha limite|fecha de vencimiento|"
        "vencimiento|fecha de inicio|fecha de fin|fecha de entrada|fecha de salida|entrada|salida|falligkeit|"
        "falligkeitsdatum|lieferdatum|anreise|abreise|startdatum|enddatum|beginn|ende|date limite|echeance|date de "
        "livraison|date d arrivee|date de depart|date de debut|date de fin|data de entrega|data de vencimento|"
        "prazo|data de inicio|data de fim|scadenza|data di consegna|data di arrivo|data di partenza|data di inizio|"
        "data di fine|截止日期|到期日|入住日期|退房日期|期限|締切"
    ),
    "datetime_past": (
        "timestamp|created|created at|updated|updated at|modified|last update|last login|sent at|paid at|created "
        "time|updated time|fecha de creacion|creado|actualizado|erstellt|erstellt am|geandert|cree le|date de "
        "creation|criado em|creato il|创建时间|更新时间|作成日時"
    ),
    "datetime_future": (
        "start|end|starts at|ends at|start time|end time|scheduled at|scheduled|departure time|arrival time|"
        "departure|arrival|expires at|expiration time|due at|appointment|pickup time|inicio|fin|debut|inizio|fine|"
        "fim|开始时间|结束时间|開始日時|終了日時"
    ),
    "time": (
        "time|time of day|opening time|closing time|opens at|closes at|showtime|show time|hora|uhrzeit|heure|ora|"
        "orario|时间|時刻"
    ),
    "title": "title|heading|headline|titulo|titel|titre|titolo|标题|タイトル",
    "label": "name|label|nombre|bezeichnung|nom|libelle|nome|denominazione|名称",
    "sentence": (
        "observation|fact|description|summary|details|detail|excerpt|caption|bio|about|instructions|"
        "descripcion|resumen|beschreibung|zusammenfassung|descriptif|resume|descricao|resumo|descrizione|"
        "riassunto|描述|说明|説明|概要"
    ),
    "paragraph": (
        "body|content|text|article|long description|contenido|texto|cuerpo|inhalt|contenu|texte|conteudo|contenuto|"
        "testo|内容|正文|本文"
    ),
    "subject": "subject|asunto|betreff|objet|assunto|oggetto|主题|件名",
    "message": "message|chat message|reply|mensaje|nachricht|mensagem|messaggio|消息|メッセージ",
    "note": (
        "note|notes|remark|remarks|memo|special requests|nota|notas|observaciones|notiz|bemerkung|anmerkung|"
        "remarque|observacao|annotazione|备注|備考"
    ),
    "comment": "comment|comments|feedback|comentario|kommentar|commentaire|commento|评论|コメント",
    "question": "question|pregunta|frage|pergunta|domanda|问题|質問",
    "reason": "reason|cause|cancellation reason|motivo|razon|grund|raison|motif|motivazione|原因|理由",
    "resolution": "resolution|solution|outcome|solucion|losung|solucao|soluzione|解决方案|解決",
    "review": "review|testimonial|resena|opinion|rezension|avis|resenha|recensione|评价|レビュー",
    "status": "status|state|phase|stage|condition|estado|zustand|statut|etat|situacao|stato|状态|状態",
    "priority": (
        "priority|urgency|importance|prioridad|prioritat|dringlichkeit|priorite|prioridade|priorita|优先级|優先度"
    ),
    "severity": "severity|impact|gravedad|schweregrad|gravite|gravidade|gravita|严重程度",
    "role": "role|permission|permission level|access level|rol|rolle|funcion|papel|ruolo|角色|役割",
    "kind": "type|kind|variant|tipo|typ|art|类型|種類",
    "category": (
        "category|category name|group|group name|section|class|collection|topic|categoria|kategorie|gruppe|"
        "categorie|类别|分类|カテゴリ"
    ),
    "tag": (
        "tag|tags|keyword|keywords|labels|hashtag|etiqueta|etiquetas|schlagwort|mot cle|palavra chave|parola "
        "chiave|标签|タグ"
    ),
    "color": "color|colour|farbe|couleur|cor|colore|flag color|颜色|色",
    "size": "size|talla|tamano|grosse|taille|tamanho|taglia|尺寸|サイズ",
    "unit": "unit|unit of measure|uom|measure|unidad|einheit|unite|unidade|unita|单位|単位",
    "material": "material|fabric|materiau|材料|素材",
    "product_name": (
        "product|product name|item name|item|article name|producto|nombre del producto|produkt|produktname|produit|"
        "nom du produit|produto|nome do produto|prodotto|nome del prodotto|产品名称|商品名|商品"
    ),
    "brand": "brand|manufacturer|make|marca|marke|hersteller|marque|fabricante|品牌|ブランド",
    "sku": "sku|part number|item number|article number|artikelnummer|product code",
    "isbn": "isbn|isbn13",
    "barcode": "barcode|ean|upc|gtin",
    "tracking_number": "tracking number|tracking code|tracking|numero de seguimiento|sendungsnummer",
    "carrier": "carrier|courier|shipping company|transportista|transporteur|transportadora|corriere|spediteur",
    "coupon_code": "coupon|coupon code|promo code|voucher|discount code|gutschein|cupon",
    "payment_method": (
        "payment method|payment type|method of payment|metodo de pago|zahlungsart|zahlungsmethode|moyen de "
        "paiement|forma de pagamento|metodo di pagamento"
    ),
    "shipping_method": (
        "shipping method|delivery method|shipping|metodo de envio|versandart|mode de livraison|forma de envio|"
        "metodo di spedizione"
    ),
    "plan_name": "plan|plan name|subscription|subscription plan|tariff name|membership",
    "movie_title": "movie title|movie|film|pelicula|movie name|filme|电影|映画",
    "play_title": "play|play title|musical",
    "song_title": "song|song title|track|track name|song name|cancion|lied|chanson|musica|canzone|歌曲|曲名",
    "album_title": "album|album title|album name",
    "artist": "artist|band|singer|musician|artista|interprete|kunstler|cantante|歌手|アーティスト",
    "book_title": "book|book title|libro|buch|livre|livro|书名|書名",
    "publisher": "publisher|editorial|verlag|editeur|editora|editore|出版社",
    "genre": "genre|genero musical|genere|类型片|ジャンル",
    "hotel_name": "hotel|hotel name|property name|酒店|ホテル",
    "room_type": "room type|tipo de habitacion|zimmertyp|type de chambre|tipo de quarto|tipo di camera|房型",
    "room_number": (
        "room|room number|room no|door number|habitacion|zimmer|zimmernummer|chambre|quarto|camera|房间号|部屋番号"
    ),
    "restaurant": "restaurant|restaurant name|restaurante|ristorante|餐厅|レストラン",
    "cuisine": "cuisine|cocina|kuche|cozinha|cucina|菜系",
    "dish": "dish|meal|menu item|recipe|plato|gericht|plat|prato|piatto|菜名|料理",
    "ingredient": "ingredient|ingredients|ingrediente|zutat|食材",
    "venue": "venue|theater|theatre|cinema|stadium|hall|auditorium|venue name|theater name|recinto|spielstatte|salle",
    "site_name": (
        "store|shop|branch|warehouse|store name|branch name office|office|tienda|sucursal|filiale|lager|magasin|"
        "loja|negozio|门店|店舗"
    ),
    "airline": (
        "airline|airline name|aerolinea|fluggesellschaft|compagnie aerienne|companhia aerea|compagnia aerea|航空公司"
    ),
    "airport": "airport|airport name|aeropuerto|flughafen|aeroport|aeroporto|机场|空港",
    "airport_code": (
        "airport code|iata|iata code|origin airport|destination airport|departure airport|arrival airport|from "
        "airport|to airport"
    ),
    "flight_number": "flight|flight number|flight no|vuelo|numero de vuelo|flugnummer|numero de vol|航班号|便名",
    "seat_number": "seat|seat number|asiento|sitzplatz|siege|assento|posto|座位",
    "cabin_class": "cabin|cabin class|travel class|fare class",
    "license_plate": (
        "license plate|licence plate|plate|plate number|registration number|matricula|kennzeichen|immatriculation|"
        "placa|targa|车牌"
    ),
    "vehicle_model": (
        "vehicle|car|vehicle model|car model|car name|vehiculo|coche|fahrzeug|auto|vehicule|voiture|carro|veicolo|车型"
    ),
    "device_name": "device|device name|dispositivo|gerat|appareil|设备",
    "stock_symbol": "symbol|ticker|stock symbol|ticker symbol|stock|stocks|share|watchlist|股票代码|銘柄",
    "sector": "sector|market sector",
    "event_name": "event|event name|concert|evento|veranstaltung|evenement|活动|イベント",
    "team_name": "team|team name|club|equipo|mannschaft|equipe|squadra|团队|球队|チーム",
    "sport": "sport|deporte|esporte|运动",
    "course_name": "course|course name|class name|lesson|curso|kurs|cours|corso|课程|講座",
    "school": "school|university|college|escuela|schule|universitat|ecole|escola|scuola|学校",
    "medication": "medication|drug|medicine|prescription|medicamento|medikament|medicament|farmaco|药品|薬",
    "diagnosis": "diagnosis|disease|symptom|symptoms|condition name|diagnostico|diagnose|诊断",
    "species": "species|animal|especie|tierart|espece|specie",
    "breed": "breed|raza|rasse|raca|razza",
    "pet_name": "pet|pet name|mascota|haustier",
    "project_name": "project|project name|proyecto|projekt|projet|projeto|progetto|项目|プロジェクト",
    "task_title": "task|task title|task name|todo|to do|tarea|aufgabe|tache|tarefa|compito|任务|タスク",
    "ticket_title": "ticket|issue|incident|problem|bug|incidencia|vorfall|probleme|chamado|segnalazione|工单",
    "meeting_title": "meeting|meeting title|reunion|besprechung|termin|reuniao|riunione|会议|会議",
    "document_title": "document|document title|documento|dokument|report|文档|文書",
    "article_title": "post|article title|blog post|post title|news|文章|記事",
    "list_name": "list|list name|board|task list|tasklist|lista|liste",
    "channel_name": "channel|channel name|chat room|guild|频道",
    "repository_name": "repository|repo|repository name|repo name",
    "branch_name": "git branch|branch name",
    "playlist_name": "playlist|playlist name",
    "account_name": "account|account name|konto|compte|cuenta|conta|conto",
    "weather": "weather|conditions|forecast|wetter|meteo|clima|天气|天気",
    "emoji": "emoji|reaction",
    "skill": "skill|skills|habilidad|fahigkeit|competence",
    "policy_number": "policy number|contract number|insurance number|claim number",
}

NOUNS: dict[str, str] = {
    "person_name": (
        "entity|node|person|people|user|customer|client|guest|patient|doctor|nurse|physician|employee|staff|"
        "student|teacher|professor|instructor|member|passenger|driver|agent|author|contact|manager|owner|tenant|"
        "landlord|candidate|applicant|visitor|lead|assignee|reporter|reviewer|sender|recipient|receiver|buyer|"
        "seller|trainer|coach|player|director|actor|speaker|attendee|participant|subscriber|technician|operator|"
        "admin|administrator|resident|volunteer|donor|host|organizer|caller|friend|child|parent name|beneficiary|"
        "cardholder|cliente|usuario|huesped|paciente|medico|empleado|alumno|estudiante|profesor|pasajero|conductor|"
        "autor|contacto|socio|kunde|kunden|benutzer|gast|patientin|arzt|mitarbeiter|schuler|lehrer|fahrer|mitglied|"
        "kontakt|utilisateur|invite|medecin|employe|eleve|etudiant|professeur|passager|auteur|membre|hospede|"
        "funcionario|aluno|professor|passageiro|utente|ospite|paziente|dottore|dipendente|studente|insegnante|"
        "passeggero|autista|autore|socio|客户|用户|顾客|员工|学生|老师|医生|病人|顧客|利用者|社員|生徒|先生|医師|患者"
    ),
    "company": (
        "organization|vendor|supplier|merchant|payee|partner|provider|carrier company|proveedor|lieferant|"
        "fournisseur|fornecedor|fornitore|empresa|firma|entreprise|azienda|供应商|仕入先"
    ),
    "product_name": (
        "product|item|article|good|merchandise|inventory item|order item|line item|producto|articulo|produkt|"
        "artikel|produit|produto|prodotto|产品|商品"
    ),
    "site_name": (
        "location|site|depot|facility|pharmacy|clinic|hospital|library|gym|station|almacen|entrepot|armazem|magazzino"
    ),
    "category": "genre|topic|category group",
    "label": "attribute|field|setting|view|table|base|record",
    "device_name": "sensor|computer|printer|phone|laptop|machine|line",
    "pet_name": "dog|cat|animal",
    "play_title": "performance|show",
    "article_title": "article|blog",
    "document_title": "note|page|draft|file document|contract|invoice|form",
    "meeting_title": "appointment|calendar event|session|booking",
    "event_name": "conference|workshop|festival|match|game",
    "task_title": "todo item|checklist item|reminder|step|chore|subtask|milestone|goal",
    "ticket_title": "complaint|request|case|defect|alert|error",
    "dish": "food|drink|menu",
    "list_name": "checklist|collection|board",
    "team_name": "squad|crew",
    "account_name": "wallet|budget|bank account",
    "vehicle_model": "truck|van|bike|motorcycle|aircraft|ship",
    "subject": "email|mail|message|thread|conversation",
    "folder_name": "directory|drive",
    "skill": "competency",
    "location": "address|destination|stop|geofence|zone",
    "role": "permission group",
}
"""What the name of a thing looks like, by the noun for the thing (looked up before WORDS for `X_name` and for
entities).
"""
