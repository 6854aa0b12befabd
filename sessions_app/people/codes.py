"""What each code lets someone without an account do: a row for each, which every view and command asks."""

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest

from sessions_app.people.throttling import Limit

SAFE = ("GET", "HEAD")
A_DAY = 24 * 60
# Of a link that is used up, or only reads.
UNCOUNTED = Limit("uncounted", 0, 0)


@dataclass(frozen=True)
class Powers:
    """What a code opens and takes, by the names of addresses; no other address knows of it."""

    reads: frozenset[str]
    writes: frozenset[str] = frozenset()
    # New devices that open it in a day, and what they may send: counted for each code.
    opened: Limit = UNCOUNTED
    sent: Limit = UNCOUNTED
    # How long it still reads after what it is for has ended; None until it is replaced or used up.
    lasts: timedelta | None = None

    def allow(self, request: HttpRequest) -> bool:
        name = request.resolver_match.url_name if request.resolver_match else None
        return name in (self.reads if request.method in SAFE else self.writes)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A table's key, in its QR code: everything at that table while it is open, for people at the table alone.
TABLE_KEY = Powers(
    reads=_names(
        """
        arrive hand hand-change hand-earlier hand-insert hand-new hand-query hand-seating last-changes leave
        others paper penalty seating session-rules session-sheet table table-state table-views tablet
        take-in
        """
    ),
    writes=_names(
        """
        answer-read arrive change-player choose commands exchange finish hand-agree hand-correct hand-insert
        hand-note hand-preview hand-put-back hand-query hand-record hand-score hand-seating hand-take-out
        last-hands leave nobody paper paper-check penalty redo seating tablet take-in undo
        """
    ),
    opened=Limit("tablets of table", 100, A_DAY, is_told=True),
    # A tablet that was without Wi-Fi for hours sends dozens of commands; more than this wait on it for another minute.
    sent=Limit("commands to table", 60, 1, is_told=True),
    lasts=timedelta(days=1),
)
# The join code of a meeting, on its own day: the tables to choose from, and games for the club to look at.
JOIN_CODE = Powers(
    reads=_names("join-tables game-into-joined-club"),
    writes=_names("game-into-joined-club"),
    opened=Limit("tablets of meeting", 300, A_DAY, is_told=True),
    sent=Limit("games of meeting", 40, A_DAY, is_told=True),
    lasts=timedelta(0),
)
# Links to watch: names as the club shows them in public.
WATCHING_KEY = Powers(reads=_names("watch"))
HALL_KEY = Powers(reads=_names("watch-hall"))
# A player's own link: whether this player is coming.
REPLY_KEY = Powers(
    reads=_names("coming coming-calendar"),
    writes=_names("coming"),
    sent=Limit("replies of player", 100, A_DAY, is_told=True),
)
LOGO_KEY = Powers(reads=_names("club-logo"))
# An invitation, a link for a lost password and one to confirm an address: an account of one's own.
INVITATION = Powers(reads=_names("invite"), writes=_names("invite"))
RECOVERY = Powers(reads=_names("recover"), writes=_names("recover"), lasts=timedelta(days=1))
CONFIRMATION = Powers(reads=_names("account-confirm"), writes=_names("account-confirm"), lasts=timedelta(days=1))

CODES = (TABLE_KEY, JOIN_CODE, WATCHING_KEY, HALL_KEY, REPLY_KEY, LOGO_KEY, INVITATION, RECOVERY, CONFIRMATION)
