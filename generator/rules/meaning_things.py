"""Words in eight languages for what things are called and said to be: titles, texts, kinds, and the names of a domain.

Invariant: words are stored as `meaning.split_name` normalises them (lower case, no accents, one space), so that a
lookup is a plain dictionary access; of two meanings with one word the earlier has it. Not covered: their facts
(`meaning_facts`).
"""

from __future__ import annotations

__all__ = ["THING_WORDS"]

THING_WORDS: dict[str, str] = {
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
