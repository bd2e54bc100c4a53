"""The English lexicon of the rules (`language`)."""

from __future__ import annotations

from typing import Final

__all__ = ["LEXICON"]

LEXICON: Final = {
    "numbers": "",
    "empty": """
hurry hurried quick quickly fast soon long short patient patience wait waiting waited hold minute second hour little
bit careful carefully ahead sure certain wrong correct mistake problem trouble question answer explain explaining repeat
rephrase understand understood confirm check checking continue proceed carry start begin finish finished settle
settled mind matter important worry talk speak person human colleague somebody someone anybody anyone nobody show try
trying keep going simply whatever best yourself detail details happen happening update me informed posted sort sorted
thorough kind favor favour assist assistance support service agent team sir madam mister grateful happy glad nice
lovely excellent wonderful brilliant awesome cool alright moving moved number following follow previous above below
also too instead zero two three four five six seven eight nine ten eleven twelve twenty today sorry moment forget
morning afternoon evening remind reminder repeat again a an the this that these those it its i me my mine we us our
you your yours he she they them their his her who whom which what when where why how is are was were be been being am
do does did done doing have has had having will would can could shall should may might must not no yes and or but if
then else so than too very just only also as at by for from in into of off on out over to up with within without about
after before again against all any both each few more most other others some such same own here there now next first
finally last please thank thanks okay ok sure hi hello hey dear good great perfect fine well right really like want
need wish let make sure get got give one ones thing things request requests something anything everything nothing else
still already yet while until since because through during between among whose me myself yourself otherwise instead
however case possible possibly refused kindly few several couple afterwards mention mentioned told already later once
done ready go going come back take care time today way bit lot lots much many new could'nt don't isn't it's i'd i'm
i've i'll let's that's there's you'd you've mean know tell say said ask look see think believe guess hope help
""",
    "verbs": """
book: book, reserve, booking, reservation
create: create, add, register, open, make, set up, sign, enrol, enroll, insert, new, establish, creation, registration
cancel: cancel, call, cancelled, cancellation, annul, void, revoke
delete: delete, remove, erase, drop, discard, rid, deletion
update: update, change, modify, edit, adjust, alter, amend, set, switch, replace, revise
find: find, search, locate, identify
tell: tell, inform, show, report, know
pay: pay, settle, payment, charge, paid
complete: complete, finish, close, resolve, completed, finished
send: send, forward, write
move: move, transfer, relocate, shift
suspend: suspend, pause, freeze, block, lock
resume: resume, restore, reactivate, unpause, unlock
end: terminate, end, stop
renew: renew, extend, prolong
buy: buy, purchase, order
return: return, refund
fund: fund, deposit
log: log, login, logout
invite: invite
""",
    "phrases": """
create: set up, sign up, put in, open up
cancel: call off
delete: get rid of, take out, take off
find: look for, look up, look into, search for
tell: what is, what's, what are, how many, how much, how high, let me know, find out, would like to know, want to know
tell: need to know
complete: mark as done, wrap up
end: shut down
pay: take a payment, settle up
""",
    "imperative": r"""
(?!hi\b|hello\b)[a-z]+(?<!ly)(?:[ ](?:up|off|out|on|for|in|me))?[ ](?:the|a|an|my|that|this|these)[ ]
(?!hi\b|hello\b)[a-z]+(?<!ly)(?:[ ](?:up|off|out|on|for|in|me))?[ ](?:those|all|every|any|some|another|both)[ ]
""",
    "before": """
le: at most, no more than, not more than, up to, a maximum of, maximum of, at a maximum price of, maximum, max
le: no later than, on or before, not after, at the latest by, not exceeding, within, not over, not above
le: with a limit of, must not cost more than, by
ge: at least, no less than, not less than, no fewer than, a minimum of, minimum of, minimum, min, from at least
ge: no earlier than, on or after, not before, not under, not below
lt: less than, fewer than, lower than, smaller than, under, below, earlier than, before, cheaper than, shorter than
gt: more than, greater than, higher than, larger than, over, above, later than, after, exceeding, exceeds, longer than
ne: other than, not, not equal to, is not, different from
""",
    "after": """
le: or less, or fewer, or earlier, or lower, at most, or under, at the latest, maximum, max, tops
ge: or more, or later, or higher, at least, or over, at the earliest, minimum, or above
""",
    "ranks": """
min: lowest, least, smallest, cheapest, earliest, oldest, minimum, fewest, shortest, slowest, least expensive
max: highest, largest, biggest, greatest, latest, newest, most recent, maximum, longest, most expensive, most
max: priciest, dearest
""",
    "ordinals": """
1: first
2: second, 2nd
3: third, 3rd
4: fourth, 4th
5: fifth, 5th
""",
    "rank joint": r"^[ -]$",
    "signs": r"""
+ (?:with|including|include|add)[ ](?:the |a )?(?P<noun>\w+)
- (?:without|excluding|exclude|no)[ ](?:the |a |any )?(?P<noun>\w+)
+ (?:turn|switch)[ ]on[ ](?:the |my )?(?P<noun>\w+)
- (?:turn|switch)[ ]off[ ](?:the |my )?(?P<noun>\w+)
+ (?:turn|switch)[ ](?:the |my )?(?P<noun>\w+)(?:[ ]\w+)?[ ]on(?!\w)
- (?:turn|switch)[ ](?:the |my )?(?P<noun>\w+)(?:[ ]\w+)?[ ]off(?!\w)
+ (?:enable|activate)[ ](?:the |my )?(?P<noun>\w+)
- (?:disable|deactivate)[ ](?:the |my )?(?P<noun>\w+)
+ (?P<noun>\w+)[ ](?:is |set |be |= ?)?(?:to )?(?:true|enabled)
- (?P<noun>\w+)[ ](?:is |set |be |= ?)?(?:to )?(?:false|disabled)
+ (?:that|which|who) (?:is|are) (?P<noun>\w+)
- (?:that|which|who) (?:is|are) not (?P<noun>\w+)
""",
    "asks": r"""
i'm missing
i am missing
still missing
is missing
what .{2,30} would you like
need from you
may i have
can i have
could i have
can i get
could i get
could you tell me
can you tell me
could you give
could you provide
could you share
can you provide
can you share
would you mind
please provide
please give
please tell
please share
please specify
please enter
please let me know
please send
i need(?! you)
i'll need(?! you)
i will need(?! you)
i still need(?! you)
i require
need to know
let me know
tell me
do you have
do you know
and the .{2,40} would be
your .{2,30}\?
""",
    "opens": """
which
what
how many
how much
when
who
where
what's
""",
    "consents": r"""
okay if
ok if
fine if
if you agree
may i(?! (?:have|ask|know|get|see))
can i continue
do exactly that
like me to continue
shall i
should i
may i go
may i proceed
can i go ahead
can i proceed
do you want me to
would you like me to
do you confirm
can you confirm
could you confirm
please confirm
is that right
is that correct
is this correct
is this right
are you sure
go ahead\?
correct\?
right\?
proceed\?
continue\?
have your okay
your confirmation
your approval
yes or no
yes/no
ready to proceed
okay with
ok with
agree
""",
    "announces": r"""
i am now going to
i'm now going to
start on (?:that|it|this)
starting on
look into (?:it|this|that)
carry out your request
will only take
wait a moment
wait while
one moment
just a moment
a moment please
give me a (?:second|moment|minute)
hold on
please wait
i'll take care of
i will take care of
i am going to
i'm going to
i'm about to
i am about to
let me (?:do|check|look|process|take|handle|find|get|see|go|make|carry|work)
i will (?:now )?(?:do|process|proceed|handle|make|carry|start|begin|get|look|check)
i will (?:now )?(?:go|book|cancel|create|update|register|submit|arrange)
i'll (?:now )?(?:do|process|proceed|handle|make|carry|start|begin|get|look|check)
i'll (?:now )?(?:go|book|cancel|create|update|register|submit|arrange)
working on (?:it|this|that)
i'm working
on it
right away
get started
bear with me
while i
""",
    "closes": r"""
how else
further you need
need anything
more i can do
else i can
anything else
anything more
something else
something more
what else
any other
any further
further assistance
anything further
will that be all
is that all
is that everything
that be all
that be everything
""",
    "refuses": r"""
i cannot
i can't
i can not
i'm unable
i am unable
unable to
not able to
isn't possible
is not possible
not possible
not allowed
no way of
beyond what
outside of what
can't do
transfer (?:you|me)
hand you over
connect (?:you|me)
pass you on
put (?:you|me) through
human agent
""",
    "denies": r"""
i couldn't tell
couldn't tell you
that i don't know
don't have any
don't have one
no, i don't
wasn't given
was not given
can't find (?:that|it)
cannot find (?:that|it)
without any
i don't know
i do not know
don't know
no idea
not sure
i don't have
i do not have
i haven't got
i have no
have none
i can't tell
i cannot tell
i can't give
can't give you
cannot give you
can't provide
cannot provide
i don't remember
don't remember
can't remember
cannot remember
do not remember
don't recall
can't recall
i forgot
i've forgotten
i'm not certain
no clue
not available
i can't say
i couldn't say
unknown to me
i'd rather not say
""",
    "thanks": r"""
you've been
grateful
amazing
great help
thank you
thanks
many thanks
thank
cheers
appreciate
appreciated
bye
goodbye
good-bye
see you
take care
have a (?:great|nice|good|lovely|wonderful) (?:day|one|evening|weekend|time)
all the best
brilliant
wonderful
lovely
great
perfect
awesome
excellent
very helpful
so helpful
good day
farewell
so long
you too
kind of you
""",
    "requests": r"""
if (?=the |that |this )
(?:can|could|would|will) you(?: (?:also|please|just|maybe|possibly|kindly|mind|then|now|perhaps))*
please(?: (?:also|just|then|now|do))*
i(?:'d| would)(?: (?:also|really))? (?:like|love|want) (?:you )?to
i(?: also| really)? (?:want|need) you to
i(?:'d| would)(?: also)? like (?=an? |some |the |my )
i(?: also| still)? (?:need|want) (?=an? |some |another )
i'm(?: also)? looking for
help me(?: to)?
and (?=find |get |give |send |make |write |order |call |tell |show |fix |buy |recommend )
also,? (?=an? |order |find |get |give |send |make |write |call |tell |show |fix |buy |recommend )
""",
    "counted": r"""
things?
requests?
items?
questions?
wishes
tasks? (?:for you|today)
points?
minutes?
mins?
seconds?
steps?
times?
topics?
issues?
favors?
favours?
matters?
""",
    "negates": r"""
n't
not
never
no
without
cannot
""",
    "lengths": r"""
nights?
days?
weeks?
""",
    "weeks": r"""
weeks?
""",
    "fallback": r"""
should that be refused
if that is not possible
if that is refused
if that isn't possible
if that's not possible
if it is not possible
if it's not possible
if it isn't possible
if that does not work
if that doesn't work
if it doesn't work
otherwise
if not
""",
    "naming": r"""
name
named
name is
name's
called
mr\.?
mrs\.?
ms\.?
guest
customer
user
i'm
i am
it is
it's
""",
}
