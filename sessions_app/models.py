"""The tables of the database, re-exported."""

from sessions_app.league.models import Season
from sessions_app.meetings.models import Attendance, DrawnTable, Meeting, MeetingFee, PairWish
from sessions_app.people.models import (
    Change,
    Club,
    Contact,
    Invite,
    Membership,
    Player,
    Throttle,
    User,
    rule_set_choices,
)
from sessions_app.rules.models import ClubHand, ClubRules, Recording
from sessions_app.table.models import Command, Device, Draft, Entry, HandQuery, Seat, Session, commands_to_undo
from sessions_app.table.result_models import Hand, Payment, PlayerHand, Tally

__all__ = [
    "Attendance",
    "Change",
    "Club",
    "ClubHand",
    "ClubRules",
    "Command",
    "Contact",
    "Device",
    "HandQuery",
    "Draft",
    "DrawnTable",
    "Entry",
    "Hand",
    "Invite",
    "Meeting",
    "MeetingFee",
    "Membership",
    "PairWish",
    "Payment",
    "Player",
    "PlayerHand",
    "Recording",
    "Season",
    "Seat",
    "Session",
    "Tally",
    "Throttle",
    "User",
    "commands_to_undo",
    "rule_set_choices",
]
