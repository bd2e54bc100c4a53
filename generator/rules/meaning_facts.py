"""Words in eight languages for facts of things and people: identity, names, addresses, files, money, measures, times.

Invariant: words are stored as `meaning.split_name` normalises them (lower case, no accents, one space), so that a
lookup is a plain dictionary access; of two meanings with one word the earlier has it. Not covered: names of things
(`meaning_things`).
"""

from __future__ import annotations

__all__ = ["FACT_WORDS"]

FACT_WORDS: dict[str, str] = {
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
}
