"""All models of the app, so that they share one app label; imported from here everywhere else."""

from sessions_app.exchange.models import Import
from sessions_app.league.models import CupWinner, Season
from sessions_app.meetings.models import (
    Attendance,
    DrawnTable,
    Meeting,
    MeetingFee,
    PairWish,
    Reply,
    Subscription,
    WaitingGame,
)
from sessions_app.people.models import (
    Change,
    Club,
    Contact,
    Invite,
    Logo,
    Membership,
    OldAddress,
    Player,
    SignIn,
    Throttle,
    User,
    rule_set_choices,
)
from sessions_app.rules.models import ClubHand, ClubRules, Recording
from sessions_app.table.models import Command, Device, Entry, HandQuery, Seat, Session
from sessions_app.table.result_models import Hand, Payment, PlayerHand, Tally
