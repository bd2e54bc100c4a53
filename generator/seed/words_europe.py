"""Spanish, German, French, Portuguese and Italian words for seed values, by meaning; what is missing here is taken in
English.

The lines are written as in `words_en`. Invariant: the first part of a joined line agrees in gender and number with
every second part. Not covered: choosing among them (`makers`).
"""

# ruff: noqa: E501
from __future__ import annotations

__all__ = ["EUROPE"]

_SPANISH: dict[str, str] = {
    "product_name": "Lámpara|Silla|Mesa|Mochila|Chaqueta|Botella|Estantería|Cafetera + plegable|compacta|de viaje|de oficina|premium|ligera",
    "category": "Electrónica|Hogar|Jardín|Deportes|Ropa|Juguetes|Libros|Salud|Viajes|Oficina",
    "task_title": "Preparar|Revisar|Enviar|Actualizar + el informe trimestral|el presupuesto|la lista de precios|el contrato|la presentación|el plan de viaje",
    "ticket_title": "No puedo iniciar sesión|Mensaje de error|Pantalla en blanco|Respuesta muy lenta + tras la actualización|en la aplicación móvil|desde esta mañana|en el portal",
    "project_name": "Rediseño|Migración|Mejora|Ampliación + del sitio web|del almacén|de la aplicación|del portal de clientes",
    "book_title": "La historia de|El secreto de|La casa de|Cartas desde + la colina|la isla perdida|la vieja estación|la ciudad blanca",
    "movie_title": "El último|El silencioso|Regreso al|Más allá del + puerto|jardín|valle|faro|invierno",
    "dish": "Pollo|Salmón|Arroz|Ensalada|Sopa + al horno|a la plancha|de la casa|con verduras", "restaurant": "La Taberna|El Rincón|La Terraza + del Puerto|de la Abuela|del Parque",
    "hotel_name": "Hotel|Hostal|Gran Hotel + del Parque|del Puerto|Central|Plaza Mayor", "event_name": "Festival|Feria|Concierto|Maratón + de primavera|de verano|de la ciudad",
    "department": "Ventas|Finanzas|Recursos Humanos|Logística|Atención al cliente|Compras", "job_title": "Contable|Ingeniera|Comercial|Analista|Técnico|Responsable de proyecto",
    "status": "activo|pendiente|completado|cancelado", "priority": "baja|media|alta|urgente", "color": "negro|blanco|rojo|azul|verde|gris|amarillo",
    "label": "Viaje|Familia|Verano|Oficina|Jardín|Salud|Música|Cocina|Deporte|Archivo|Formación|Invierno", "gender": "femenino|masculino",
    "title": "Colección|Guía|Programa|Informe + de verano|de invierno|anual|semanal", "subject": "Pregunta sobre|Novedades sobre|Recordatorio de + la factura|la entrega|la reunión",
    "sentence": "Resistente y fácil de limpiar.|Muy popular entre las familias.|Incluye todo lo necesario para empezar.|Sustituye a la versión del año pasado.|Debe confirmarse con el proveedor.",
    "paragraph": "El lunes repasamos los puntos abiertos. Casi todos están resueltos.|La entrega llegó completa y a tiempo. La lista está actualizada.",
    "message": "¿Podemos pasar la reunión al jueves?|El paquete llegó esta mañana, gracias.|Envíame la lista de precios, por favor.|El informe está listo para revisar.",
    "note": "Prefiere contacto por correo.|Llamar antes de la entrega.|Pagado por adelantado.|Cliente habitual.|Llegada tardía, sobre las 22 horas.",
    "comment": "Me parece bien.|He añadido las cifras que faltaban.|Ya funciona, gracias.|Lo vemos en la próxima reunión.",
    "reason": "Cambio de planes|Pedido por error|Enfermedad|Precio más bajo en otra tienda|Petición del cliente", "tag": "urgente|nuevo|oferta|interno|cliente|viaje",
    "review": "Muy buena relación calidad-precio.|Buena calidad, entrega lenta.|Tal como se describe.", "list_name": "Compra|Trabajo|Casa|Viajes|Lecturas|Regalos",
    "payment_method": "tarjeta|transferencia|efectivo|paypal", "site_name": "Tienda|Sucursal|Almacén + Centro|Norte|Puerto|Estación", "language": "Español|Inglés|Francés|Alemán",
}  # fmt: skip
_GERMAN: dict[str, str] = {
    "product_name": "Kompakte|Klassische|Leichte|Faltbare|Robuste + Schreibtischlampe|Trinkflasche|Regenjacke|Kaffeemühle|Werkzeugkiste|Reisetasche|Gartenbank",
    "category": "Elektronik|Büro|Haushalt|Garten|Sport|Kleidung|Spielzeug|Bücher|Gesundheit|Reisen",
    "task_title": "Quartalsbericht|Reisebudget|Projektplan|Preisliste|Vertrag|Präsentation + vorbereiten|prüfen|verschicken|aktualisieren",
    "ticket_title": "Anmeldung nicht möglich|Fehlermeldung|Bildschirm bleibt leer|Sehr langsame Antwort + nach dem Update|in der App|seit heute Morgen|im Kundenportal",
    "project_name": "Neue|Überarbeitete|Erweiterte + Webseite|Lagerverwaltung|App|Buchhaltung", "book_title": "Das Geheimnis|Die Geschichte|Briefe aus dem Schatten + der Insel|der alten Mühle|des Gartens|der Stadt",
    "movie_title": "Der letzte|Der stille|Der lange + Hafen|Winter|Sommer|Leuchtturm|Garten", "dish": "Gebackener|Gegrillter|Hausgemachter + Lachs|Gemüseauflauf|Kartoffelsalat|Käsekuchen",
    "restaurant": "Zum Goldenen|Zum Alten|Zum Blauen + Anker|Löwen|Hirsch|Brunnen", "hotel_name": "Hotel|Pension|Gasthof + am Park|am Hafen|Zentral|Lindenhof",
    "event_name": "Großes|Buntes|Internationales + Stadtfest|Weinfest|Jazzkonzert|Straßenfest", "department": "Vertrieb|Finanzen|Personal|Logistik|Kundendienst|Einkauf",
    "job_title": "Buchhalterin|Ingenieur|Projektleiterin|Analystin|Techniker|Sachbearbeiter", "status": "aktiv|offen|abgeschlossen|storniert", "priority": "niedrig|mittel|hoch|dringend",
    "color": "schwarz|weiß|rot|blau|grün|grau|gelb", "label": "Reise|Familie|Sommer|Büro|Garten|Gesundheit|Musik|Küche|Sport|Archiv|Schulung|Winter", "gender": "weiblich|männlich",
    "title": "Neue|Jährliche|Aktuelle + Übersicht|Sammlung|Ausgabe|Auswertung", "subject": "Frage zur|Neues zur|Erinnerung an die + Rechnung|Lieferung|Besprechung",
    "sentence": "Robust und leicht zu reinigen.|Beliebt bei Familien und kleinen Büros.|Enthält alles für den Anfang.|Ersetzt die Fassung vom letzten Jahr.|Muss noch mit dem Lieferanten geklärt werden.",
    "paragraph": "Am Montag haben wir die offenen Punkte besprochen. Fast alle sind erledigt.|Die Lieferung kam vollständig und pünktlich an. Die Liste ist aktualisiert.",
    "message": "Können wir die Besprechung auf Donnerstag verschieben?|Das Paket ist heute Morgen angekommen, danke.|Bitte schick mir die neue Preisliste.|Der Bericht ist fertig.",
    "note": "Bitte per E-Mail melden.|Vor der Lieferung anrufen.|Im Voraus bezahlt.|Stammkundin.|Späte Anreise, gegen 22 Uhr.",
    "comment": "Sieht gut aus.|Ich habe die fehlenden Zahlen ergänzt.|Läuft jetzt, danke.|Besprechen wir beim nächsten Termin.",
    "reason": "Plan geändert|Versehentlich bestellt|Krankheit|Günstigeres Angebot gefunden|Auf Wunsch des Kunden", "tag": "dringend|neu|Angebot|intern|Kunde|Reise",
    "review": "Sehr gutes Preis-Leistungs-Verhältnis.|Gute Qualität, langsame Lieferung.|Genau wie beschrieben.", "list_name": "Einkauf|Arbeit|Haushalt|Reisen|Leseliste|Geschenke",
    "payment_method": "Kreditkarte|Überweisung|Rechnung|Lastschrift", "site_name": "Filiale|Lager|Laden + Nord|Mitte|Hafen|Bahnhof", "language": "Deutsch|Englisch|Französisch|Spanisch",
}  # fmt: skip
_FRENCH: dict[str, str] = {
    "product_name": "Lampe|Chaise|Table|Valise|Veste|Gourde|Cafetière + pliable|compacte|de voyage|de bureau|premium|légère",
    "category": "Électronique|Bureau|Maison|Jardin|Sport|Vêtements|Jouets|Livres|Santé|Voyage",
    "task_title": "Préparer|Relire|Envoyer|Mettre à jour + le rapport trimestriel|le budget|la liste des prix|le contrat|la présentation",
    "ticket_title": "Connexion impossible|Message affiché par erreur|Écran vide|Réponse très lente + après la mise à jour|sur mobile|depuis ce matin|dans le portail",
    "book_title": "Le secret de|La maison de|Lettres de + la colline|la vieille ville|la mer du Nord|la forêt", "movie_title": "Le dernier|Le grand|Le long + port|hiver|voyage|jardin|silence",
    "dish": "Poulet|Saumon|Gratin|Riz + au four|aux légumes|maison|au citron", "restaurant": "Le Jardin|La Table|Le Bistrot + du Port|de la Gare|du Marché", "hotel_name": "Hôtel|Auberge + du Parc|du Port|Central|de la Gare",
    "department": "Ventes|Finances|Ressources humaines|Logistique|Service client|Achats", "job_title": "Comptable|Ingénieure|Commercial|Analyste|Technicien|Cheffe de projet",
    "status": "actif|en attente|terminé|annulé", "priority": "basse|moyenne|haute|urgente", "color": "noir|blanc|rouge|bleu|vert|gris|jaune", "gender": "féminin|masculin",
    "label": "Voyage|Famille|Été|Bureau|Jardin|Santé|Musique|Cuisine|Sport|Archives|Formation|Hiver", "title": "Collection|Guide|Programme|Rapport + de saison|de base|de la semaine",
    "sentence": "Solide et facile à nettoyer.|Très apprécié des familles.|Comprend tout le nécessaire pour commencer.|Remplace la version précédente.|À confirmer avec le fournisseur.",
    "paragraph": "Nous avons revu les points ouverts lundi. Presque tout est réglé.|La livraison est arrivée complète et à temps. La liste est à jour.",
    "message": "Peut-on déplacer la réunion à jeudi ?|Le colis est arrivé ce matin, merci.|Merci de me transmettre la liste des prix.|Le rapport est terminé.",
    "note": "Préfère être joint par courriel.|Appeler avant la livraison.|Payé à la commande.|Client fidèle.|Arrivée tardive, vers 22 heures.",
    "comment": "Cela me convient.|Les chiffres manquants sont en place.|Tout fonctionne, merci.|À voir en réunion.", "reason": "Changement de programme|Commande par erreur|Maladie|Demande du client",
    "review": "Très bon rapport prix et service.|Bonne finition, livraison lente.|Conforme à la description.", "list_name": "Courses|Travail|Maison|Voyages|Lectures|Cadeaux", "tag": "urgent|nouveau|promotion|interne|client|voyage",
    "payment_method": "carte|virement|espèces|paypal", "site_name": "Magasin|Agence|Dépôt + Nord|Centre|du Port|de la Gare", "language": "Français|Anglais|Allemand|Espagnol",
}  # fmt: skip
_PORTUGUESE: dict[str, str] = {
    "product_name": "Luminária|Cadeira|Mesa|Mochila|Jaqueta|Garrafa|Cafeteira + dobrável|compacta|de viagem|de escritório|premium|leve",
    "category": "Eletrônicos|Casa|Jardim|Esportes|Roupas|Brinquedos|Livros|Saúde|Viagem|Escritório",
    "task_title": "Preparar|Revisar|Enviar|Atualizar + o relatório trimestral|o orçamento|a lista de preços|o contrato|a apresentação",
    "ticket_title": "Não consigo entrar|Mensagem de erro|Tela em branco|Resposta muito lenta + após a atualização|no aplicativo|desde cedo|no portal",
    "book_title": "O segredo|A casa|A história + da colina|do porto velho|da ilha|do jardim", "dish": "Frango|Salmão|Arroz|Salada + da casa|com legumes|com limão", "hotel_name": "Hotel|Pousada + do Parque|do Porto|Central|da Praça",
    "department": "Vendas|Finanças|Recursos Humanos|Logística|Atendimento|Compras", "status": "ativo|pendente|concluído|cancelado", "priority": "baixa|média|alta|urgente", "gender": "feminino|masculino",
    "color": "preto|branco|vermelho|azul|verde|cinza|amarelo", "label": "Viagem|Família|Verão|Escritório|Jardim|Saúde|Música|Cozinha|Esporte|Arquivo|Treinamento|Inverno",
    "sentence": "Resistente e fácil de limpar.|Muito popular entre famílias.|Inclui tudo para começar.|Substitui a versão do ano passado.",
    "message": "Podemos mudar a reunião para quinta?|O pacote chegou hoje cedo, obrigado.|Por favor, envie a lista de preços.|O relatório está pronto.",
    "note": "Prefere contato por e-mail.|Ligar antes da entrega.|Pago com antecedência.|Cliente frequente.", "reason": "Mudança de planos|Pedido por engano|Doença|Pedido do cliente", "list_name": "Compras|Trabalho|Casa|Viagens|Leituras|Presentes",
    "payment_method": "cartão|boleto|pix|dinheiro", "tag": "urgente|novo|oferta|interno|cliente|viagem", "comment": "Para mim está bom.|Já funciona, obrigado.|Incluí os números que faltavam.",
}  # fmt: skip
_ITALIAN: dict[str, str] = {
    "product_name": "Lampada|Sedia|Scrivania|Borsa|Giacca|Borraccia|Caffettiera + pieghevole|compatta|da viaggio|da ufficio|premium|leggera",
    "category": "Elettronica|Casa|Giardino|Sport|Abbigliamento|Giocattoli|Libri|Salute|Viaggi|Ufficio",
    "task_title": "Preparare|Rivedere|Inviare|Aggiornare + il rapporto trimestrale|il bilancio|il listino prezzi|il contratto|la presentazione",
    "ticket_title": "Accesso non riuscito|Messaggio di errore|Schermo vuoto|Risposta molto lenta + dopo il rinnovo|sul cellulare|da stamattina|nel portale",
    "book_title": "Il segreto|La casa|La storia + della collina|del vecchio porto|della foresta|del giardino", "dish": "Pollo|Salmone|Riso|Risotto + al forno|alle verdure|della casa|al limone", "hotel_name": "Hotel|Albergo + del Parco|del Porto|Centrale|della Piazza",
    "department": "Vendite|Finanza|Risorse umane|Logistica|Assistenza clienti|Acquisti", "status": "attivo|in attesa|completato|annullato", "priority": "bassa|media|alta|urgente", "gender": "femmina|maschio",
    "color": "nero|bianco|rosso|blu|verde|grigio|giallo", "label": "Viaggio|Famiglia|Estate|Ufficio|Giardino|Salute|Musica|Cucina|Sport|Archivio|Formazione|Inverno",
    "sentence": "Robusto e facile da pulire.|Molto apprezzato dalle famiglie.|Comprende tutto per iniziare.|Sostituisce la versione precedente.",
    "message": "Possiamo spostare la riunione a giovedì?|Il pacco è arrivato stamattina, grazie.|Per favore, mandami il listino prezzi.|Il rapporto è pronto.",
    "note": "Preferisce essere contattato per posta.|Chiamare prima della consegna.|Pagato in anticipo.|Cliente abituale.", "reason": "Cambio di programma|Ordine per errore|Malattia|Richiesta del cliente", "list_name": "Spesa|Lavoro|Casa|Viaggi|Letture|Regali",
    "payment_method": "carta|bonifico|contanti|paypal", "tag": "urgente|nuovo|offerta|interno|cliente|viaggio", "comment": "Per me va bene.|Ora funziona, grazie.|Ho aggiunto i dati mancanti.",
}  # fmt: skip

EUROPE: dict[str, dict[str, str]] = {"es": _SPANISH, "de": _GERMAN, "fr": _FRENCH, "pt": _PORTUGUESE, "it": _ITALIAN}
"""By ISO 639-1 code."""
