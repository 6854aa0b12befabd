"""The tables of the database, re-exported."""

from .attendance import Attendance, DrawnTable, PairWish
from .club import Club, Membership, rule_set_choices
from .club_rules import ClubHand, ClubRules
from .device import Device, Draft
from .doubt import Doubt
from .hand import Hand, Payment, PlayerHand
from .invite import Invite
from .ledger import Command, Entry, commands_to_undo
from .log import Change
from .meeting import Meeting
from .meeting_fee import MeetingFee
from .player import Contact, Player
from .season import Season
from .session import Seat, Session
from .tally import Tally
from .tries import Tries
from .user import User

__all__ = [
    "Attendance",
    "Change",
    "Club",
    "ClubHand",
    "ClubRules",
    "Command",
    "Contact",
    "Device",
    "Doubt",
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
    "Season",
    "Seat",
    "Session",
    "Tally",
    "Tries",
    "User",
    "commands_to_undo",
    "rule_set_choices",
]
