"""Everything kept about one person, as a zip to hand over: about a player of a club, or about a login."""

import io
import json
import zipfile
from datetime import date

from django.db.models import Q

from sessions_app.exchange.exports.club_csv import LOG_COLUMNS as LOG_COLUMNS
from sessions_app.exchange.exports.club_csv import log_cells
from sessions_app.exchange.exports.csv_files import csv_text, file_name
from sessions_app.exchange.exports.session_csv import cells_of_club, totals_csv
from sessions_app.models import (
    Attendance,
    Change,
    Club,
    Contact,
    HandQuery,
    Meeting,
    MeetingFee,
    Membership,
    PairWish,
    Player,
    PlayerHand,
    Seat,
    Tally,
    User,
)
from sessions_app.people.log_pages import lines_of

HANDS = [
    "date",
    "table",
    "hand",
    "wind_of_round",
    "wind",
    "points",
    "doubles",
    "total",
    "special",
    "fishing_for",
    "won",
    "net",
    "lines",
]

MEETINGS = ["date", "meeting", "came", "table_fee", "refreshments", "paid"]
WISHES = ["wish", "with"]
DOUBTS = ["date", "table", "hand", "asked", "question", "answered", "outcome", "answer"]


def player_zip(player: Player) -> bytes:
    """Return everything kept about a player, those joined into them too, as the bytes of a zip."""
    own = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    changes = Change.objects.of_club(player.club_id).filter(subject_type="player", subject_id__in=map(str, own))
    return _zipped(
        {
            "player.json": _json(_facts_of_player(player)),
            "sessions.csv": totals_csv(Tally.objects.filter(player__in=own), cells_of_club(player.club)),
            "hands.csv": csv_text(HANDS, _hands(own)),
            "meetings.csv": csv_text(MEETINGS, _meetings(own)),
            "wishes.csv": csv_text(WISHES, _wishes(own)),
            "doubts.csv": csv_text(DOUBTS, _queries_at_tablet(own)),
            "log.csv": _log(player.club, changes),
        }
    )


def login_zip(user: User, club: Club) -> bytes:
    """Return everything kept about a login in one club: the login itself, and what it did there."""
    return _zipped(
        {
            "login.json": _json(_facts_of_login(user, club)),
            "doubts.csv": csv_text(DOUBTS, _queries(user, club)),
            "log.csv": _log(club, Change.objects.of_club(club).filter(user=user)),
        }
    )


def _facts_of_player(player):
    return {
        "club": player.club.name,
        "full_name": player.full_name,
        "short_name": player.short_name,
        "guest": player.guest,
        "left_on": player.left_on and player.left_on.isoformat(),
        "called_in_public": player.get_in_public_display() if player.in_public else "as the club shows its players",
        "contact": _contact(player),
        **_contacts_of_joined(player),
        "signs_in_as": list(player.memberships.order_by("pk").values_list("user__username", flat=True)),
        "also_known_as": list(player.merged.order_by("pk").values_list("full_name", flat=True)),
    }


def _contact(player):
    kept = Contact.objects.filter(player=player).first()
    return kept and _of_contact(kept)


def _contacts_of_joined(player):
    """Tell what is kept with the names that were joined into this one, where there is something."""
    kept = Contact.objects.filter(player__merged_into=player).order_by("pk")
    return {"contacts_of_joined_names": [_of_contact(one) for one in kept]} if kept else {}


def _of_contact(contact):
    return {"email": contact.email, "telephone": contact.telephone, "agreed_on": contact.agreed_on.isoformat()}


def _facts_of_login(user, club):
    membership = Membership.objects.of_club(club).filter(user=user).select_related("player").first()
    return {
        "login": user.get_username(),
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "email_confirmed": user.email_confirmed,
        "made_at": user.date_joined.isoformat(),
        "last_sign_in": user.last_login and user.last_login.isoformat(),
        "password": "kept as an Argon2 digest, from which it cannot be read",
        "club": club.name,
        "role": membership.get_role_display() if membership else "none",
        "plays_as": str(membership.player) if membership and membership.player else "nobody",
    }


def _hands(players):
    rows = PlayerHand.objects.filter(seat__player__in=players, hand__entry__taken_out=False)
    rows = rows.select_related("hand__session").order_by(
        "hand__session__date", "hand__session__table", "hand__session", "hand__number"
    )
    for row in rows.iterator(chunk_size=500):
        hand, session = row.hand, row.hand.session
        told = "; ".join(str(line.get("name", "")) for line in row.lines)
        yield [
            session.date.isoformat(),
            session.table,
            hand.number,
            hand.wind_of_round,
            row.wind or "out",
            row.points,
            row.doubles,
            row.total if row.wind else None,
            row.special,
            row.fishing_for,
            "yes" if row.won else "",
            row.net,
            told,
        ]


def _queries(user, club):
    """What the login asked about hands, and answered."""
    own = Q(asked_by=user) | Q(answered_by=user)
    for query in HandQuery.objects.of_club(club).filter(own).select_related("session", "entry__hand"):
        yield _query(query, query.asked_by == user, query.answered_by == user)


def _queries_at_tablet(players):
    """What was asked from a tablet without a login that a player held; its name says by which seat."""
    chairs = {(seat.session_id, f"{{{seat.chair}}}") for seat in Seat.objects.filter(player__in=players)}
    asked = HandQuery.objects.filter(session__seats__player__in=players, asked_by=None, name__startswith="{").distinct()
    for query in asked.select_related("session", "entry__hand"):
        if (query.session_id, query.name.partition(",")[0]) in chairs:
            yield _query(query, True, False)


def _query(query, is_asked, is_answered):
    session, result = query.session, getattr(query.entry, "hand", None)
    return [
        session.date.isoformat(),
        session.table,
        result and result.number,
        "yes" if is_asked else "",
        query.text,
        "yes" if is_answered else "",
        query.get_outcome_display(),
        query.answer,
    ]


def _wishes(players):
    """Yield whom someone is kept apart from or together with by the draw."""
    found = PairWish.objects.filter(Q(first__in=players) | Q(second__in=players)).select_related("first", "second")
    for wish in found.order_by("pk"):
        yield [wish.get_kind_display(), str(wish.second if wish.first_id in players else wish.first)]


def _meetings(players):
    """Yield the meetings someone came to, or for which a fee was noted."""
    came = {one.meeting_id: one for one in Attendance.objects.filter(player__in=players)}
    fees = {one.meeting_id: one for one in MeetingFee.objects.filter(player__in=players)}
    for meeting in Meeting.objects.filter(pk__in=came.keys() | fees.keys()).order_by("date", "pk"):
        one, fee = came.get(meeting.pk), fees.get(meeting.pk)
        state = "" if one is None else "late" if one.late else "left early" if one.left else "yes"
        owed = [fee.table_fee, fee.refreshments, "yes" if fee.paid else "no"] if fee else [None] * 3
        yield [meeting.date.isoformat(), meeting.name, state, *owed]


def _log(club, changes):
    return csv_text(LOG_COLUMNS, (log_cells(line) for line in lines_of(club, changes)))


def _json(facts):
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def _zipped(files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name, text)
    return held.getvalue()


def person_file_name(club: Club, name: str, today: date) -> str:
    return file_name(club.slug, today, f"kept about {name}").removesuffix(".csv") + ".zip"
