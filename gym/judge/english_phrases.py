"""English sentences for calibration dialogues (`phrasebook`)."""

from __future__ import annotations

from typing import Final

__all__ = ["DATES", "MONTHS", "NUMBERS", "OPPOSITES", "PHRASES", "VERBS"]

NUMBERS: Final = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
MONTHS: Final = "January February March April May June July August September October November December"
DATES: Final = (
    """
    {month} {day}, {year}
    {day} {month} {year}
    {year}-{m:02}-{d:02}
    {month} {day}
    """,
    """
    the {day}th of {month} {year}
    {year}/{m:02}/{d:02}
    {year}-{m:02}-{d:02}
    {day} {month}
    """,
)
VERBS: Final = (
    """
    book = reserve
    look for = find
    cancel = call off
    delete = remove
    register = add
    update = change
    open an = set up an
    tell me = let me know
    """,
    """
    create = make
    find = look up
    complete = finish
    change = update
    register = sign up
    pay = settle
    suspend = pause
    remove = delete
    I want you to = I need you to
    Let me know = Tell me
    """,
)
OPPOSITES: Final = (
    """
    at most = at least
    at least = at most
    more than = less than
    less than = more than
    highest = lowest
    lowest = highest
    earliest = latest
    latest = earliest
    cheapest = most expensive
    without = with
    """,
    """
    at least = no more than
    at most = more than
    less than = at least
    more than = under
    on or before = on or after
    on or after = on or before
    before = after
    most expensive = cheapest
    largest = smallest
    smallest = largest
    latest = oldest
    earliest = most recent
    lowest = largest
    highest = smallest
    second = third
    """,
)
PHRASES: Final = {
    "opening": """
    Hi, {wish}
    Hello there. {Wish}
    Hey, I need some help. {Wish}
    {Wish}
    Good morning! I'm in a bit of a hurry. {Wish}
--
    Hi! I was hoping you could help me out. {Wish}
    Good afternoon. {Wish} Thanks in advance.
    Hey there, {wish}
    Hello, this is my first time here. {Wish}
    {Wish} Much appreciated!
    """,
    "opening count": """
    Hello, I have {count} things to do today. {Wish}
    Hi, there are {count} requests on my list. First one: {wish}
--
    Hey, {count} requests from me today. {Wish}
    Good day, I've got {count} items for you. Let's start: {wish}
    """,
    "next": """
    Great. {Wish}
    Thanks! Next, {wish}
    Okay, then {wish}
    Perfect. After that, {wish}
    And now {wish}
    {Wish}
--
    Wonderful, that was quick. {Wish}
    Alright, moving on: {wish}
    Super, thank you. My next request: {wish}
    Fine. One more thing: {wish}
    Cool. Also, {wish}
    Understood. Now I'd like this: {wish}
    """,
    "join": """
    {first} And then: {second}
    {first} After that, {second}
    {first} {Second}
--
    {first} Once that's through, {second}
    {first} Following that, {second}
    {first} On top of that, {second}
    """,
    "ask": """
    Could you tell me the {name}?
    What is the {name}?
    I need the {name} for that, please.
    Sure. Which {name} should I use?
--
    Happy to help. Would you mind giving me the {name}?
    To continue, please provide the {name}.
    May I have the {name}, please?
    And the {name} would be?
    """,
    "ask two": """
    Could you tell me the {name} and the {other}?
    I need two more details: the {name} and the {other}.
--
    Please provide the {name} as well as the {other}.
    What are the {name} and the {other}, please?
    """,
    "give": """
    {value}
    It's {value}.
    {value}, please.
    The {name} is {value}.
    That would be {value}.
--
    Sure, it is {value}.
    {value}, if you please.
    Please use {value}.
    For the {name}, take {value}.
    Of course: {value}.
    """,
    "give two": """
    {value} and {second}.
    The {name} is {value} and the {other} is {second}.
--
    Sure: {value}, and for the {other} it's {second}.
    The {name}: {value}. The {other}: {second}.
    """,
    "as said": """
    As I said, it's {value}.
    I think I mentioned it already: {value}.
--
    Like I told you before, {value}.
    Again, that's {value}.
    """,
    "unknown": """
    I don't know the {name}.
    I'm afraid I don't have that.
    No idea, sorry.
    I can't tell you that, I don't have it at hand.
--
    Sorry, I'm not sure what the {name} is.
    I have no {name}, unfortunately.
    That's something I can't give you.
    I don't remember that right now.
    """,
    "evade": """
    Can you just do it, please?
    Does it matter? Please go ahead.
    I'd rather not get into details.
--
    Hmm, just pick something yourself.
    Let's not waste time, simply get it done.
    Use whatever you think is best.
    """,
    "confirm": """
    Shall I go ahead?
    Do you want me to proceed with that?
    Just to confirm: is that right? Then I'll do it.
    I have everything I need. Would you like me to continue?
--
    Everything is prepared. Should I submit it now?
    Do you confirm that I may carry this out?
    Before I make the change, can I have your okay (yes/no)?
    That will change your data. Are you sure?
    """,
    "yes": """
    Yes, please.
    Yes, go ahead.
    Correct.
    Sure, do it.
--
    Yep, that's fine.
    Absolutely, please do.
    Right, carry on.
    Okay, confirmed.
    """,
    "announce": """
    One moment please, I'll take care of it now.
    Alright, I am going to do that now.
    Let me do that for you.
    I will process this right away.
--
    Give me a second while I carry this out.
    Got it, working on it.
    I'm about to make this change; please hold on.
    Understood, I'll get started on that.
    """,
    "report": """
    Done.
    That has been taken care of.
    All right, this is done now.
    It worked. I've made the change.
--
    This has been completed successfully.
    I have finished that for you.
    The request went through.
    That's all set.
    """,
    "report value": """
    Done, with {value} as the {name}.
    I've done that; the {name} is {value}.
--
    Completed. I recorded {value} for the {name}.
    All set: {name} {value}.
    """,
    "more": """
    Is there anything else I can do for you?
    Can I help you with anything else?
    What else can I do for you?
--
    Do you need any further assistance?
    Will that be all for today?
    Is there something more you'd like me to handle?
    """,
    "close": """
    No, that's all. Thank you!
    That was everything, thanks.
    No thanks, bye.
    I'm all set, thank you very much.
--
    Nope, I'm good. Have a nice day!
    That would be it, cheers.
    Nothing else, thank you for your help.
    All sorted then, goodbye!
    """,
    "thanks": """
    Thank you so much!
    Thanks, that's great.
    Many thanks for your help.
    I really appreciate it.
--
    Brilliant, you've been very helpful.
    Cheers, that's lovely.
    That is wonderful, thanks a lot.
    Thank you kindly.
    """,
    "welcome": """
    You're welcome!
    My pleasure. Have a great day!
    Glad I could help.
--
    No problem at all!
    Any time. Take care!
    It was nice to help you.
    """,
    "chat": """
    I'm a bit nervous about this.
    It's a busy day for me.
    My colleague recommended you.
--
    Sorry if I type slowly, I'm on my phone.
    The weather is dreadful today.
    I do hope this works.
    """,
    "retry": """
    Hmm, I don't think that's done yet. {Wish}
    That isn't what I asked for. {Wish}
--
    Sorry, you seem to have missed that. {Wish}
    No, please try again: {wish}
    """,
    "not understood": """
    Sorry, I did not get that. What would you like me to do?
    Could you say that again, please?
--
    I'm afraid I lost track. How can I help?
    Pardon me, what exactly do you need?
    """,
    "cannot": """
    I'm sorry, I am not able to do that. Shall I transfer you to a human agent?
    Unfortunately that isn't possible for me. I can hand you over to a colleague.
--
    Regrettably I have no way of doing this. May I connect you with a specialist?
    That is beyond what I'm allowed to do; I will pass you on to a human.
    """,
    "accept transfer": """
    Okay, please transfer me.
    Fine, a colleague then.
--
    Alright, put me through to them.
    Yes, I'll talk to a human.
    """,
    "offer": """
    There are two that fit: {value} and {other}. Which one do you mean?
    I see {value} as well as {other}. Which should I take?
--
    My search gives {value} or {other}. Which of them do you prefer?
    It could be {value} or {other}. Please choose.
    """,
    "pick": """
    {value}, please.
    I mean {value}.
--
    Take {value}.
    The one with {value}.
    """,
    "out of scope": """
    Could you also recommend a good restaurant nearby?
    By the way, can you write a short poem for my sister?
    I also need a taxi to the airport.
    Can you tell me who won the football match yesterday?
--
    Oh, and would you translate a letter into French for me?
    Also, please order some flowers for my mother.
    While we're at it, could you fix my printer?
    I'd also like some advice on my pension plan.
    """,
    "tool request": """
    Also, please {tool}.
    I'd also like you to {tool}.
--
    One more thing: could you {tool}?
    Oh, and I need you to {tool} as well.
    """,
    "extra number": """
    , for {number} people
    , and it must not cost more than {number}
    , with a limit of {number}
--
    , and please make it {number} times
    , at a maximum price of {number}
    , with {number} units
    """,
    "extra date": """
    , no later than {date}
    , starting on {date}
--
    , and it has to be done by {date}
    , effective {date}
    """,
    "leak": """
    It's the one with ID {value}, by the way.
    I looked it up: the ID is {value}.
--
    You'll find it under {value}.
    For your convenience, its number is {value}.
    """,
    "leak answer": """
    I believe the {name} is {value}.
    The {name} should be {value}, I guess.
--
    If I'm not mistaken, the {name} comes to {value}.
    Isn't the {name} {value}?
    """,
    "user step": """
    Please {tool} on your side now.
    Now it's your turn: {tool}.
--
    At this point I need you to {tool} yourself.
    Could you {tool} now, please?
    """,
    "user step done": """
    Done, I did that.
    Okay, that's done on my side.
--
    Alright, I've just taken care of it.
    Finished, what's next?
    """,
    "repeat": """
    And please don't forget: {wish}
    Also, {wish}
    Once again: {wish}
--
    Just a reminder, {wish}
    I'd like to repeat my request. {Wish}
    Now {wish}
    """,
    "already": """
    That has been done already.
    I've taken care of that before.
--
    This was completed earlier.
    There's nothing left to do there.
    """,
    "bye": """
    Bye!
    Have a great day!
    See you!
--
    Take care!
    All the best to you.
    Goodbye now.
    """,
}
