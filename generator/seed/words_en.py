"""English words for seed values, by meaning.

A line is a list separated by `|`; where it has ` + `, one part of each side is joined, so that many rows share a word
and searching for it finds more than one. Invariant: any choice reads as a person would write it; no quotes, no real
person. Other languages: `words_europe`, `words_asia`. Not covered: choosing among them (`makers`).
"""

# ruff: noqa: E501
from __future__ import annotations

from typing import NamedTuple

__all__ = ["ENGLISH", "GOODS", "SHARES", "Good", "Share"]

_GOODS = (
    "Desk Lamp:Office:24:60", "Office Chair:Office:90:240", "Travel Backpack:Travel:45:120", "Water Bottle:Sports:12:30", "Wireless Mouse:Electronics:18:55",
    "Bluetooth Speaker:Electronics:35:140", "Coffee Grinder:Kitchen:30:90", "Rain Jacket:Clothing:50:130", "Running Shoes:Sports:60:150",
    "Cutlery Set:Kitchen:25:80", "Garden Hose:Garden:20:60", "Tool Box:Garden:30:95", "Camping Tent:Travel:80:260", "Phone Stand:Electronics:10:30",
    "Yoga Mat:Sports:18:60", "Storage Basket:Home:10:35",
)  # fmt: skip


_SHARES = (
    "AAPL:Apple:Technology", "MSFT:Microsoft:Technology", "GOOG:Alphabet:Technology", "AMZN:Amazon:Consumer goods", "NVDA:NVIDIA:Technology",
    "TSLA:Tesla:Automobiles", "JPM:JPMorgan Chase:Financials", "KO:Coca-Cola:Consumer goods", "PEP:PepsiCo:Consumer goods", "DIS:Walt Disney:Media",
    "NFLX:Netflix:Media", "INTC:Intel:Technology", "ORCL:Oracle:Technology", "IBM:IBM:Technology", "CSCO:Cisco:Technology", "NKE:Nike:Consumer goods",
    "BA:Boeing:Industrials", "WMT:Walmart:Consumer goods", "XOM:Exxon Mobil:Energy", "CVX:Chevron:Energy", "UNH:UnitedHealth:Healthcare",
    "PFE:Pfizer:Healthcare", "MRK:Merck:Healthcare", "V:Visa:Financials", "GS:Goldman Sachs:Financials", "NEE:NextEra Energy:Utilities",
)  # fmt: skip


class Share(NamedTuple):
    company: str
    sector: str


SHARES: dict[str, Share] = {
    symbol: Share(company, sector) for symbol, company, sector in (line.split(":") for line in _SHARES)
}
"""What is traded, by ticker symbol."""


class Good(NamedTuple):
    category: str
    low: int
    """Lowest believable price."""
    high: int


GOODS: dict[str, Good] = {
    name: Good(kind, int(low), int(high)) for name, kind, low, high in (line.split(":") for line in _GOODS)
}
"""What is sold, by the second part of its name."""
ENGLISH: dict[str, str] = {
    "product_name": "Compact|Classic|Premium|Foldable|Lightweight|Adjustable + " + "|".join(line.split(":")[0] for line in _GOODS),
    "category": "General|Standard|Special|Premium|Seasonal|Internal",
    "brand": "Northwind|Lumina|Acorn|Halden|Brightway|Kestrel|Marlow|Oakridge|Solvay|Tideline|Verano|Westbrook",
    "task_title": "Prepare|Review|Update|Send out|Finish + the quarterly report|the travel budget|the project plan|the customer survey|the training material|"
                  "the safety checklist|the sales presentation|the supplier contract|the meeting minutes|the price list",
    "ticket_title": "Cannot log in|Error message|Screen stays blank|Printing fails|Very slow response|No notification + after the update|on the mobile app|"
                    "in the customer portal|since this morning|at the Berlin office|when exporting a report",
    "project_name": "Website|Warehouse|Customer portal|Mobile app|Payroll|Data center + redesign|migration|rollout|automation|upgrade",
    "meeting_title": "Weekly|Monthly|Kick-off|Follow-up + team meeting|budget review|design review|customer call|planning session|interview",
    "document_title": "Draft|Final|Annual|Internal + travel policy|sales report|meeting minutes|onboarding guide|security guidelines|project proposal",
    "article_title": "Five tips for|A short guide to|What to know about|Lessons learned from + remote work|healthy cooking|city gardening|solar power|learning a language|"
                     "train travel|saving energy",
    "title": "Summer|Winter|Autumn|Spring|New|Annual + collection|overview|program|edition|offers|report|guide",
    "subject": "Question about|Update on|Reminder:|Confirmation of + the invoice|the delivery|the next meeting|the project schedule|the travel plans|the contract renewal",
    "movie_title": "The Last|The Silent|Beyond the|Return to|Midnight + Harbor|Mountain|Garden|Lighthouse|Valley|Station|Winter|Horizon",
    "play_title": "The Glass|The Forgotten|A Winter|The Merry|The Crooked + Orchard|Merchant|Comedy|Mirror|Letter|Wedding",
    "song_title": "Dancing in|Back to|Waiting for|Letters from|Lost in + the Rain|the City|the Summer|the Morning|the Sea|the Stars",
    "album_title": "Northern|Paper|Electric|Golden + Lights|Rivers|Dreams|Hours|Echoes",
    "artist": "The Velvet|The Paper|The Golden|The Midnight + Sparrows|Lanterns|Rivers|Trains|Gardens|Strangers",
    "playlist_name": "Morning|Workout|Road trip|Rainy day|Focus + mix|favorites|classics|hits",
    "book_title": "The Secret of|A History of|The House by|Letters from|The Keeper of + the Old Harbor|the Northern Sea|the Silver River|the Lost Garden|the Quiet Village",
    "publisher": "Harbor House Press|Lantern Books|Meridian Publishing|Northgate Press|Silver Oak Books|Tidewater Press",
    "genre": "Drama|Comedy|Thriller|Science fiction|Documentary|Romance|Adventure|Fantasy|Mystery|History",
    "hotel_name": "Grand|Park|Harbor|Royal|Garden + Hotel|Inn|Plaza Hotel|Suites|Palace Hotel|Lodge",
    "room_type": "Single|Double|Twin|Family|Suite|Deluxe|Studio",
    "restaurant": "The Golden|The Blue|The Little|The Old + Olive|Lantern|Spoon|Anchor|Garden|Tavern",
    "cuisine": "Italian|Japanese|Mexican|Indian|French|Thai|Greek|Lebanese|Spanish|Vietnamese",
    "dish": "Grilled|Roasted|Spicy|Creamy|Homemade + Chicken|Salmon|Vegetable Curry|Mushroom Pasta|Tomato Soup|Lentil Salad",
    "ingredient": "tomatoes|olive oil|garlic|onions|flour|rice|butter|basil|carrots|chickpeas|lemons|parmesan",
    "venue": "Riverside|Central|Old Town|Harbor|Parkview + Theater|Cinema|Hall|Arena|Playhouse",
    "site_name": "North|Central|Harbor|Airport|Riverside|Station + store|warehouse|branch|depot",
    "airline": "Northern Airways|Skyline Air|Meridian Airlines|Blue Coast Air|Alpine Wings|Pacific Crest Airlines",
    "cabin_class": "economy|premium economy|business|first",
    "vehicle_model": "Toyota|Honda|Ford|Volkswagen|Volvo|Renault + Corolla|Civic|Focus|Golf|V60|Clio",
    "device_name": "Office|Kitchen|Living room|Meeting room|Warehouse + thermostat|camera|printer|display|sensor|speaker",
    "stock_symbol": "|".join(line.split(":")[0] for line in _SHARES),
    "sector": "Technology|Healthcare|Energy|Financials|Industrials|Utilities|Consumer goods|Real estate",
    "event_name": "Spring|Summer|City|Harbor|International + Marathon|Jazz Festival|Food Market|Book Fair|Design Week|Charity Gala",
    "team_name": "Northern|Harbor|River|Mountain|City + Falcons|Tigers|Rovers|Wolves|Hawks",
    "sport": "football|basketball|tennis|swimming|cycling|volleyball|handball|running",
    "course_name": "Introduction to|Advanced|Foundations of|Applied + Statistics|Web Development|Microeconomics|Spanish|Photography|Machine Learning|Accounting|Biology",
    "school": "Riverside|Oak Hill|Lakeview|St. Martin|Westfield + High School|College|Academy|University",
    "medication": "Ibuprofen|Amoxicillin|Metformin|Lisinopril|Atorvastatin|Omeprazole|Paracetamol|Salbutamol + 100 mg|200 mg|400 mg|500 mg",
    "diagnosis": "Seasonal allergy|Hypertension|Type 2 diabetes|Migraine|Bronchitis|Sprained ankle|Lower back pain|Asthma",
    "species": "dog|cat|rabbit|hamster|parrot|guinea pig|turtle|canary",
    "breed": "Labrador Retriever|Beagle|Siamese|Poodle|Maine Coon|Border Collie|Dachshund|Persian|Boxer|Ragdoll",
    "pet_name": "Bella|Max|Luna|Charlie|Milo|Daisy|Rocky|Coco|Oscar|Ruby|Simba|Nala|Buddy|Lily|Toby|Molly|Leo|Rosie|Jasper|Willow",
    "list_name": "Groceries|Work|Household|Travel plans|Reading list|Gift ideas|Garden projects|Fitness|Weekend|Books to read|Work errands|Weekend trip",
    "channel_name": "general|announcements|random|design|support|marketing|engineering|release-notes|design-reviews|support-escalations|marketing-ideas|random-photos",
    "repository_name": "billing|inventory|notification|customer|reporting|search + service|portal|library|dashboard|api",
    "branch_name": "main|develop|feature/login-form|feature/export|fix/date-parsing|release/2.4|fix/login-timeout|feature/search",
    "account_name": "Joint|Main|Travel|Household|Emergency|Business + savings|checking|budget|reserve",
    "plan_name": "Basic|Starter|Standard|Plus|Premium|Business|Family|Student|Enterprise|Unlimited",
    "folder_name": "Invoices|Photos|Reports|Contracts|Archive|Receipts|Templates|Projects|Travel photos|Old invoices|Project reports|Drafts",
    "skill": "project management|data analysis|public speaking|welding|first aid|bookkeeping|copywriting|carpentry|negotiation|translation",
    "department": "Sales|Marketing|Finance|Human Resources|Engineering|Customer Support|Logistics|Legal|Procurement|Operations",
    "industry": "Retail|Logistics|Healthcare|Education|Software|Manufacturing|Construction|Hospitality|Energy|Finance",
    "job_title": "Account Manager|Sales Representative|Software Engineer|Data Analyst|Project Manager|Office Manager|Support Specialist|Accountant|Product Designer|"
                 "Marketing Manager|Warehouse Supervisor|Technician",
    "gender": "female|male", "nationality": "American|British|Canadian|German|French|Spanish|Italian|Japanese|Brazilian|Australian",
    "role": "member|editor|admin|viewer|owner", "priority": "low|medium|high|urgent", "severity": "minor|moderate|major|critical",
    "status": "active|pending|completed|cancelled", "kind": "standard|express|custom|internal|external",
    "tag": "urgent|follow-up|new|sale|internal|customer|review|travel|finance|weekend|family|favorite",
    "color": "black|white|red|blue|green|gray|yellow|orange|navy|beige", "size": "S|M|L|XL|XS|XXL", "unit": "piece|kg|liter|box|meter|pack",
    "material": "cotton|wool|steel|oak|leather|glass|aluminum|bamboo|linen|ceramic",
    "carrier": "DHL|UPS|FedEx|DPD|GLS|Parcel Express", "payment_method": "credit_card|paypal|bank_transfer|debit_card|cash",
    "shipping_method": "standard|express|overnight|pickup", "weather": "sunny|partly cloudy|light rain|overcast|snow showers|windy|clear|thunderstorms",
    "emoji": "👍|🎉|❤️|👀|🚀|✅|😀|🙏", "language": "English|Spanish|German|French|Italian|Portuguese|Japanese|Mandarin|Dutch|Polish",
    "language_code": "en|es|de|fr|it|pt|ja|zh|nl|pl", "day_of_week": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "region": "North|South|East|West|Central|Northeast|Southwest", "mime_type": "application/pdf|image/png|text/plain|image/jpeg|text/csv|application/json",
    "label": "Travel|Marketing|Family|Summer|Main|Garden|Office|Design|Weekend|Archive|Training|Health|Winter|Finance|Research|Music|Kitchen|Sports|Holiday|Support",
    "sentence": "See the attached file for details.|Reviewed with the team last week.|First version, suggestions are welcome.|Updated after the last meeting.|"
                "Please check the details before use.|Replaces the version from last year.|Needs to be confirmed first.|Added at the request of the sales team.|"
                "Covers the most important points.|Valid until further notice.|Open questions are marked in yellow.|Short summary for new colleagues.",
    "paragraph": "We met on Monday to go through the open points. Most of them are settled, two need another look next week.|"
                 "The delivery arrived on time and complete. We stored it in the second aisle and updated the list.|"
                 "Thank you for your patience over the last few days. The problem is solved and the data is complete again.|"
                 "This guide explains the first steps. It takes about ten minutes and needs no special tools.|"
                 "Sales grew in the north and stayed level in the south. The new price list takes effect next month.|"
                 "The workshop starts with a short introduction. After lunch we work in small groups.",
    "message": "Can we move the meeting to Thursday?|The package arrived this morning, thank you.|Please send me the updated price list.|I will be about ten minutes late.|"
               "The report is ready for review.|Could you call me back this afternoon?|Thanks for the quick answer.|The order for the meeting room is confirmed.|"
               "Who is joining the call on Thursday?|The invoice for the package is attached.",
    "note": "Follow up next week.|Waiting for an answer.|Discussed by phone.|See the email from Monday.|Confirmed with the team.|To be checked again in spring.|"
            "Short notice, please be quick.|Same as last month.|Asked for a call back next week.|Handled by the Berlin office.",
    "comment": "Looks good to me.|I added the missing figures.|Could we shorten the second part?|Works now, thanks.|I see the same problem on my machine.|"
               "Let us discuss this in the next meeting.|The second figure needs a source.|Approved from my side.",
    "question": "How long does delivery take?|Can I change the date later?|Is breakfast included?|Which documents do I need?|Is there a discount for students?|Can I pay by invoice?",
    "reason": "Change of plans|No longer needed|Duplicate entry|Requested by the team|Entered by mistake|Replaced by a newer one|Moved to another place",
    "resolution": "Reset the password and confirmed with the user.|Replaced the faulty part.|Refunded the amount in full.|Installed the latest update.|"
                  "Explained the setting by phone.|Restarted the service and checked the logs.",
    "review": "Great value, would buy again.|Good quality but slow delivery.|Exactly as described.|Friendly staff and a quiet room.|Too small for a family.|"
              "Delivery was fast, quality is average.|Friendly service, a little expensive.",
    "sentence/product": "Sturdy and easy to clean, made for daily use.|Popular with families and small offices.|A good choice for people who travel often.|"
                        "Replaces the model from last year.|Includes everything needed to get started.|Quiet, reliable and easy to install.|Comes with a two-year warranty.|"
                        "Available in several colors.",
    "sentence/story": "Two sisters return to the village where they grew up.|A young lawyer takes the case that nobody wants.|An old map leads three friends to the coast.|"
                      "A letter arrives forty years too late.|A retired detective reopens her first case.|Nothing in the quiet town is what it seems.|"
                      "A night train, five strangers and a missing suitcase.",
    "sentence/event": "Open to everyone, no experience required.|Doors open one hour before the start.|With live music and food from the region.|Bring comfortable shoes.|"
                      "Includes a short break and drinks.|Tickets are also sold at the door.|Starts with a short introduction for beginners.",
    "sentence/entity": "Works in the Berlin office|Likes hiking and photography|Speaks Spanish and English|Moved to Seattle last year|Plays the piano|Prefers meetings in the morning|"
                       "Leads the design team|Is allergic to peanuts|Drinks coffee without sugar|Studied biology",
    "paragraph/post": "I tried it over the weekend and it works better than expected. Here is what I changed and what I would do again.|"
                      "The train takes four hours and the view is worth it. Book early, seats by the window go first.|"
                      "We started with two raised beds on the balcony. Tomatoes and herbs did well, lettuce did not.|"
                      "Thanks for all the answers last week. I collected the best ones in this list.|"
                      "Short report from the meetup: about thirty people came, and the next date is already fixed.",
    "kind/entity": "person|organization|project|place|event", "kind/relation": "works_at|knows|located_in|part_of|manages|owns",
    "category/product": "Electronics|Office|Home|Kitchen|Garden|Sports|Clothing|Toys|Books|Health|Travel|Automotive",
    "category/seat": "Standard|Premium|Balcony|Box", "category/pet": "Dogs|Cats|Birds|Rabbits|Fish", "category/ticket": "Hardware|Software|Network|Access|Billing|Printing",
    "category/task": "Work|Home|Errands|Finance|Health|Learning", "category/payment": "Groceries|Rent|Utilities|Dining out|Transport|Travel|Salary|Insurance|Clothing|Gifts",
    "category/post": "Technology|Health|Travel|Cooking|Gardening|Books|Sports|Music", "category/event": "Music|Sports|Food|Arts|Business|Family",
    "category/story": "Drama|Comedy|Thriller|Adventure|Mystery", "category/order": "Electronics|Office|Home|Garden|Sports|Clothing",
    "note/order": "Call before delivery.|Please leave the package with the neighbor.|Paid in advance.|Needs an invoice for the tax office.|Returning customer.|"
                  "Prefers to be contacted by email.|Gift, please do not include the price.|Deliver after 5 pm.",
    "reason/order": "Change of plans|Found a better price|Ordered by mistake|Duplicate order|Customer request|Delivery took too long|Item out of stock",
    "sentence/ticket": "It worked until yesterday and now the page only shows a spinner.|I tried it twice with the same result.|The message appears right after I enter my password.|"
                       "Two colleagues on the same floor have the same problem.|Restarting the computer did not help.|It only happens with the new laptop.|"
                       "I need it for a customer meeting this week.|The screenshot shows the whole window.",
    "paragraph/ticket": "It worked until yesterday. Since the update the page only shows a spinner, also in another browser.|"
                        "I tried it twice with the same result. Two colleagues on the same floor have the same problem.|"
                        "The message appears right after I enter my password. Restarting the computer did not help.",
    "comment/ticket": "Thanks, I will try that and report back.|I can reproduce it on my machine.|Please restart once and try again.|The update fixed it for me.|"
                      "We are waiting for the vendor.|Could you attach a screenshot?|It happens again since this morning.|A colleague has the same problem.",
    "sentence/task": "Ask the sales team for the latest figures first.|Should be ready before the meeting on Thursday.|Use the template from last year.|Takes about two hours.|"
                     "Needs a signature from the finance team.|Send a copy to the whole team.|The first draft is in the shared folder.|Check the dates with the supplier.",
    "note/stay": "Would like a quiet room.|Late arrival, around 10 pm.|Needs a parking space.|Allergic to feather pillows.|Traveling with a small child.|Prefers an upper floor.|"
                 "Celebrating an anniversary.|Needs an invoice for the company.",
    "note/payment": "Rent for March|Dinner last Friday|Invoice 2214|Birthday present|Electricity bill|Shared groceries|Train tickets|Monthly savings",
    "sentence/payment": "Weekly groceries|Train tickets to the trade fair|Electricity bill for February|Office supplies|Dinner with customers|Software subscription|Rent for March|Hotel for two nights",
    "reason/failure": "Insufficient funds|Account closed|Limit exceeded|Wrong account number|Card expired",
    "reason/suspension": "Unpaid bill|Lost device|Customer request|Suspected fraud", "reason/stay": "Change of plans|Illness|Found a better price|Flight was cancelled|Booked by mistake",
    "command": "python backup.py|python report.py --daily|rsync -a /srv/data /backup|make deploy|npm run build|curl https://example.com/health",
    "user_agent": "Mozilla/5.0 (X11; Linux x86_64)|Mozilla/5.0 (Macintosh; Intel Mac OS X 14_4)|Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
    "airport": "Kennedy International|O Hare International|Heathrow|Frankfurt am Main|Charles de Gaulle|Schiphol|Barajas|Fiumicino|Changi|Narita",
    "airport_code": "JFK|ORD|LHR|FRA|CDG|AMS|MAD|FCO|SIN|NRT|SFO|LAX|BOS|SEA|MUC|LIS|VIE|ZRH|CPH|DUB|ATL|DEN|MIA|YYZ|SYD|HND|BCN|BER",
    "currency_code": "USD|EUR|GBP|JPY|CHF|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|BRL|MXN|ZAR", "file_name": "report|invoice|notes|summary|budget|photo|contract|backup + "
                 "_january|_february|_final|_draft|_2025|_v2 + .pdf|.txt|.csv|.md",
    "verbless": "entry|record|element",
}  # fmt: skip
