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
    at most = above
    at least = below
    more than = at most
    less than = over
    more than = fewer than
    before = on or after
    after = before
    cheapest = priciest
    earliest = newest
    latest = earliest
    largest = lowest
    second lowest = lowest
    second highest = third highest
    lowest = second lowest
    turn roaming off = turn roaming on
    with breakfast = without breakfast
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
    Hello! I hope you're having a nice day. {Wish}
    Good evening. I'm calling about a few matters. {Wish}
    Hiya! {Wish} Let me know if you need more from me.
    Morning. I was told that you can handle this for me. {Wish}
    Hi, sorry to bother you. {Wish}
    Hello, I've been waiting quite a while now. {Wish}
    Hi team, {wish}
    So, here is what I need. {Wish}
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
    Nice work. {Wish}
    That sounds about right. {Wish}
    Okay, what comes next is this: {wish}
    Good to hear. {Wish}
    Lovely. The other thing I wanted: {wish}
    I see, thank you for explaining. {Wish}
    Now that this is settled, {wish}
    Yeah, that looks good to me. {Wish} I'd be grateful.
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
    {first} Furthermore, {second}
    {first} Oh and please: {second}
    {first} When you're finished with it, {second}
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
    Before I can do this, what {name} would you like?
    I'm missing the {name}. Can you tell me?
    Please let me know the {name}.
    What should I enter as the {name}?
    Could you share the {name} with me?
--
    Happy to help. Would you mind giving me the {name}?
    To continue, please provide the {name}.
    May I have the {name}, please?
    And the {name} would be?
    """,
    "ask two": """
    Could you tell me the {name} and the {other}?
    I need two more details: the {name} and the {other}.
    I would need to know the {name} and the {other}.
    Which {name} and which {other} do you want?
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
    I'd say {value}.
    Let me check... it's {value}.
    Here you go: {value}.
    {value} is right.
    You can put {value}.
    That's {value}, if I'm reading it correctly.
    Use {value} for that, please.
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
    {value}, and the {other} should be {second}.
    Here they are: {value} and {second}.
--
    Sure: {value}, and for the {other} it's {second}.
    The {name}: {value}. The {other}: {second}.
    """,
    "as said": """
    As I said, it's {value}.
    I think I mentioned it already: {value}.
    Didn't I say that? {value}.
    It hasn't changed: {value}.
    Same as before, so {value}.
--
    Like I told you before, {value}.
    Again, that's {value}.
    """,
    "unknown": """
    I don't know the {name}.
    I'm afraid I don't have that.
    No idea, sorry.
    I can't tell you that, I don't have it at hand.
    Hmm, I couldn't tell you.
    That I don't know.
    I really don't have any {name}.
    Good question, but I have no clue.
    I can't find that anywhere, sorry.
    Unfortunately I wasn't given any.
    No, I don't have one.
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
    Why do you need that?
    Never mind that, just continue.
    I don't want to talk about that.
    Please simply go on with what you have.
    Can't you look it up?
    That should not be necessary.
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
    Is it okay if I continue?
    Please confirm and I'll make the change.
    May I go ahead with this?
    If you agree, I'll do this now. Okay?
    So that I don't make a mistake: do you want me to do exactly that?
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
    Yes.
    Yes, that is what I want.
    Please do so.
    That's correct, thanks for checking.
    Of course.
    Go for it!
    Yes, and please be quick about it.
    I agree, please carry on.
    Yes, that works for me.
    Sounds good.
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
    Please wait a moment while I look into it.
    Okay, I'll start on that immediately.
    I am now going to carry out your request.
    Sure thing, this will only take a minute.
    I'm on it.
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
    Your request has been processed.
    This is now complete.
    I've done what you asked for.
    Everything went well.
    Okay, finished.
    The change has been saved.
--
    This has been completed successfully.
    I have finished that for you.
    The request went through.
    That's all set.
    """,
    "report value": """
    Done, with {value} as the {name}.
    I've done that; the {name} is {value}.
    That's done. I used {value} as the {name}.
    Finished; the {name} was set to {value}.
--
    Completed. I recorded {value} for the {name}.
    All set: {name} {value}.
    """,
    "more": """
    Is there anything else I can do for you?
    Can I help you with anything else?
    What else can I do for you?
    Anything else?
    Is there anything further you need?
    Would you like me to do anything more?
    How else may I help you?
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
    No, we're done here. Thanks.
    That's it from my side.
    Nope. Have a good one!
    Nothing further, thank you for your patience.
    I think we've covered everything. Bye bye.
    That is all I wanted, take care.
    Great, then I'm happy. See you next time.
    No. Thanks again for sorting this out so quickly!
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
    Awesome, thanks a bunch.
    You've been a great help.
    Perfect, I'm very grateful.
    Amazing, thanks!
    That was really quick, thank you.
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
    No worries!
    You're most welcome. Enjoy your day!
    Happy to be of service.
    Sure, any time.
--
    No problem at all!
    Any time. Take care!
    It was nice to help you.
    """,
    "chat": """
    I'm a bit nervous about this.
    It's a busy day for me.
    My colleague recommended you.
    I have never done this before.
    I'm typing this on the train.
    It took me ages to find this page.
    My boss is waiting for it.
    I'm not very good with computers.
    Hopefully this doesn't take too long.
    I need to leave in a bit.
    I was on hold for a very long while before.
    Please be patient with me, my connection is bad.
    My dog is barking, sorry about the noise.
    I would like to get this over with today.
    This is important to me.
    Could you hurry up a little?
    I want to be sure that nothing goes wrong.
--
    Sorry if I type slowly, I'm on my phone.
    The weather is dreadful today.
    I do hope this works.
    """,
    "retry": """
    Hmm, I don't think that's done yet. {Wish}
    That isn't what I asked for. {Wish}
    I can't see that anything has changed. {Wish}
    Are you sure? It still looks the same to me. {Wish}
    You forgot something. {Wish}
--
    Sorry, you seem to have missed that. {Wish}
    No, please try again: {wish}
    """,
    "not understood": """
    Sorry, I did not get that. What would you like me to do?
    Could you say that again, please?
    Excuse me, could you rephrase that?
    I didn't catch that, sorry. What do you need?
--
    I'm afraid I lost track. How can I help?
    Pardon me, what exactly do you need?
    """,
    "cannot": """
    I'm sorry, I am not able to do that. Shall I transfer you to a human agent?
    Unfortunately that isn't possible for me. I can hand you over to a colleague.
    I'm afraid this is not possible for me. A human agent will take over.
    I can't help with this, so I'll have to transfer you.
--
    Regrettably I have no way of doing this. May I connect you with a specialist?
    That is beyond what I'm allowed to do; I will pass you on to a human.
    """,
    "accept transfer": """
    Okay, please transfer me.
    Fine, a colleague then.
    Then let me talk to a person, please.
    If it must be, transfer me.
--
    Alright, put me through to them.
    Yes, I'll talk to a human.
    """,
    "offer": """
    There are two that fit: {value} and {other}. Which one do you mean?
    I see {value} as well as {other}. Which should I take?
    I found {value} and {other}. Which one would you like?
    You have {value} and {other}. Which one is it?
--
    My search gives {value} or {other}. Which of them do you prefer?
    It could be {value} or {other}. Please choose.
    """,
    "pick": """
    {value}, please.
    I mean {value}.
    The first one, {value}.
    Let's go with {value}.
--
    Take {value}.
    The one with {value}.
    """,
    "out of scope": """
    Could you also recommend a good restaurant nearby?
    By the way, can you write a short poem for my sister?
    I also need a taxi to the airport.
    Can you tell me who won the football match yesterday?
    Would you mind booking me a table for dinner tonight?
    I also want you to call my bank about a loan.
    Please also send a birthday card to my uncle.
    Can you explain to me how photosynthesis works?
    I'd like you to cancel my newspaper subscription as well.
    And find me a cheap flight to Lisbon, please.
    What do you think about the election?
--
    Oh, and would you translate a letter into French for me?
    Also, please order some flowers for my mother.
    While we're at it, could you fix my printer?
    I'd also like some advice on my pension plan.
    """,
    "tool request": """
    Also, please {tool}.
    I'd also like you to {tool}.
    Then, {tool} for me too, please.
    Can you {tool} while you are there?
    Apart from that I want you to {tool}.
--
    One more thing: could you {tool}?
    Oh, and I need you to {tool} as well.
    """,
    "extra number": """
    , for {number} people
    , and it must not cost more than {number}
    , with a limit of {number}
    , with at most {number} of them
    , but only if it is below {number}
    , and no more than {number} in total
--
    , and please make it {number} times
    , at a maximum price of {number}
    , with {number} units
    """,
    "extra date": """
    , no later than {date}
    , starting on {date}
    , but not before {date}
    , and I need it by {date}
    , dated {date}
--
    , and it has to be done by {date}
    , effective {date}
    """,
    "leak": """
    It's the one with ID {value}, by the way.
    I looked it up: the ID is {value}.
    I think it's {value}.
    The reference for it is {value}.
    That is number {value} in your system.
--
    You'll find it under {value}.
    For your convenience, its number is {value}.
    """,
    "leak answer": """
    I believe the {name} is {value}.
    The {name} should be {value}, I guess.
    As far as I know the {name} is {value}.
    Surely the {name} is {value}?
--
    If I'm not mistaken, the {name} comes to {value}.
    Isn't the {name} {value}?
    """,
    "user step": """
    Please {tool} on your side now.
    Now it's your turn: {tool}.
    Go ahead and {tool} on your device, please.
    I'd need you to {tool} now.
--
    At this point I need you to {tool} yourself.
    Could you {tool} now, please?
    """,
    "user step done": """
    Done, I did that.
    Okay, that's done on my side.
    I've done it.
    It's done, did that help?
    There, finished.
--
    Alright, I've just taken care of it.
    Finished, what's next?
    """,
    "repeat": """
    And please don't forget: {wish}
    Also, {wish}
    Once again: {wish}
    Please make sure of this: {wish}
    As I said, {wish}
    Could you do this again? {Wish}
--
    Just a reminder, {wish}
    I'd like to repeat my request. {Wish}
    Now {wish}
    """,
    "already": """
    That has been done already.
    I've taken care of that before.
    As mentioned, this is complete.
    Yes, that is already finished.
--
    This was completed earlier.
    There's nothing left to do there.
    """,
    "bye": """
    Bye!
    Have a great day!
    See you!
    Have a nice evening!
    Bye for now.
    So long!
    Talk to you soon, bye.
--
    Take care!
    All the best to you.
    Goodbye now.
    """,
}
