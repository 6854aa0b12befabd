"""The tables of the database, re-exported."""

from sessions_app.league.models import CupWinner, Season
from sessions_app.meetings.models import Attendance, DrawnTable, Meeting, MeetingFee, PairWish, Reply, Subscription
from sessions_app.people.models import (
    Change,
    Club,
    Contact,
    Invite,
    Logo,
    Membership,
    OldAddress,
    Player,
    Throttle,
    User,
    rule_set_choices,
)
from sessions_app.rules.models import ClubHand, ClubRules, Recording
from sessions_app.table.models import (
    Command,
    Device,
    Draft,
    Entry,
    HandQuery,
    Seat,
    Session,
    command_to_redo,
    commands_to_undo,
)
from sessions_app.table.result_models import Hand, Payment, PlayerHand, Tally

__all__ = [
    "Attendance",
    "Change",
    "Club",
    "ClubHand",
    "ClubRules",
    "Command",
    "Contact",
    "CupWinner",
    "Device",
    "HandQuery",
    "Draft",
    "DrawnTable",
    "Entry",
    "Hand",
    "Invite",
    "Logo",
    "Meeting",
    "MeetingFee",
    "Membership",
    "OldAddress",
    "PairWish",
    "Payment",
    "Player",
    "PlayerHand",
    "Recording",
    "Reply",
    "Season",
    "Seat",
    "Session",
    "Subscription",
    "Tally",
    "Throttle",
    "User",
    "command_to_redo",
    "commands_to_undo",
    "rule_set_choices",
]
