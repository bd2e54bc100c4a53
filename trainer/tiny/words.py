"""Words from which made-up domains are made.

Invariant: they are everyday words; a domain takes some of them by chance. Not covered: how they are put together
(`dialogues`).
"""

from __future__ import annotations

__all__ = [
    "ASK", "BYE", "ENGLISH", "FIELDS", "MORE", "NOUNS", "OPENINGS", "QUESTIONS", "REQUESTS", "SETTERS", "STATES",
    "SYLLABLES", "THEN", "VERBS", "WHOSE",
]  # fmt: skip

NOUNS = """ticket order parcel invoice book room car table seat lamp song note plan file door gate task event visit
claim route permit loan shift badge crate pallet recipe plant patient animal boat ship truck train flight desk printer
phone server account card box bag chair bike tool key lock locker tent class course lesson exam grade film photo album
letter stamp coin ring shoe coat shirt hat meal dish drink fruit tree field farm house flat bed sofa window roof wall
floor pump valve motor wheel tyre engine sensor meter cable switch router robot drone""".split()
VERBS = """close open hold send return lend lose move mark block release start stop pause cancel confirm approve reject
archive restore lock unlock ship pack book check clean repair inspect assign reopen reset raise lower freeze extend
renew suspend print copy rename share hide show scan weigh seal sign verify publish withdraw refund charge pay split
merge sort label""".split()
SETTERS = "set change update redirect move assign rename put switch".split()
FIELDS = """title name code label serial number reference plate email city shelf priority color size owner place zone
status kind level grade region weight date brand model room team unit""".split()
STATES = """open closed waiting stored sent returned available lent lost active paused done new old low normal high free
busy blocked ready late small large red green blue north south east west""".split()
ENGLISH = """the a on in at of when after before since with without every last first morning evening report office
portal customer app error message slow screen blank update login failed printing response missing broken late wrong
second third main north old new garden river street market stone silver golden winter summer long short history world
night day light house dark road island lost little secret letters Berlin Paris Madrid Oslo Rome Anna Peter Maria John
Clara Tom mobile nothing works cannot log fails stays very during weekend invoice payment delivery address""".split()
SYLLABLES = """ba be bi bo bu da de di do du fa fe fi ga go gu ha he hi ka ke ki ko ku la le li lo lu ma me mi mo mu na
ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we za zo""".split()

OPENINGS = (
    "", "", "Hello! ", "Hi there, ", "Hello, I have a request. ", "Hi, I need a few things done. ",
    "Hello, there are a few things I need. ", "I have a couple of requests. ", "Good morning. ", "Hi. ",
)  # fmt: skip
REQUESTS = (
    "please {}.", "I need you to {}.", "I'd like you to {}.", "can you {}?", "could you please {}?", "{}.",
    "I want you to {}.",
)  # fmt: skip
WHOSE = ("whose {field} is {value}", "with {field} {value}", "with the {field} {value}")
THEN = ("After that, {}.", "Then {}.", "Next, {}.", "After that, please {}.", "Then please {}.")
QUESTIONS = ("tell me the {} of {}", "let me know the {} of {}", "I'd like to know the {} of {}")
ASK = ("{}.", "Also {}.", "Please also {}.", "Then {}.")
MORE = ("Thanks. And the rest?", "All right.", "Go on.")
BYE = "That is done."
