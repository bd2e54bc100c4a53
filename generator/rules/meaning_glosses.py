"""Every meaning that a column can have, with its gloss.

Invariant: each name is one of the words of `meaning_words`, or the fallback of a type. Not covered: how a name gets its
meaning (`meaning`), what a value looks like (`autoforge.generator.seed`).
"""

from __future__ import annotations

from autoforge.generator.vocabulary import word_set

__all__ = ["GLOSSES", "NUMERIC", "TEMPORAL"]


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
