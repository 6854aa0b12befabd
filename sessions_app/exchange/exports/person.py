"""Everything kept about one person, as a zip to hand over: about a player of a club, or about an account."""

import json
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from django.db.models import Count, Max, Min, Q, Sum
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe

from sessions_app.exchange.exports.club_csv import LOG_COLUMNS
from sessions_app.exchange.exports.csv_files import HOW_PAID, Columns, Shown, table_csv, yes, zipped
from sessions_app.exchange.exports.session_csv import HAND_COLUMNS, HandLine, cells_of_club, of_hand, totals_csv
from sessions_app.models import (
    Attendance,
    Change,
    Club,
    Contact,
    CupWinner,
    HandQuery,
    Meeting,
    MeetingFee,
    Membership,
    PairWish,
    Player,
    PlayerHand,
    Reply,
    Seat,
    Tally,
    User,
)
from sessions_app.people.log import yes_or_no
from sessions_app.people.log_pages import lines_of
from sessions_app.people.phone_code import phone_of, recovery_codes
from sessions_app.people.plain_text import figures_in_place_in_html
from sessions_app.people.sign_ins import devices_of

REQUEST_COLUMNS: Columns = {"wish": itemgetter(0), "with": itemgetter(1)}
QUERY_COLUMNS: Columns = {
    name: itemgetter(at)
    for at, name in enumerate(("date", "table", "hand", "asked", "question", "answered", "outcome", "answer"))
}


# To read or print, in large type; the other files are for spreadsheets and programs.
PAGE = "to-read-or-print.html"
PAGE_STYLE = mark_safe(
    "<style>@page{size:A4;margin:18mm}body{font:20px/1.45 sans-serif;color:#1c1b19;background:#fff;max-width:34em;"
    "margin:1em auto;padding:0 1em}h1{font-size:1.5em;line-height:1.2}h2{font-size:1.15em;margin:1em 0 .2em;"
    "break-after:avoid}p,ul{margin:.2em 0}li{break-inside:avoid}</style>"
)


def player_zip(player: Player) -> bytes:
    """Return a zip of everything kept about a player, and about those joined into them."""
    own = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    changes = Change.objects.of_club(player.club_id).filter(subject_type="player", subject_id__in=map(str, own))
    details, tallies = _player_details(player), Tally.objects.filter(player__in=own, session__practice=False)
    page = {
        "player": player,
        "name": str(player),
        "details": details,
        "contact": Contact.objects.filter(player=player).first(),
        "played": tallies.aggregate(
            tables=Count("pk"), net=Sum("net"), first=Min("session__date"), last=Max("session__date")
        ),
        "hands": PlayerHand.objects.filter(seat__player__in=own, hand__entry__removed=False).count(),
        "meetings": list(_meetings(own)),
        "owed": MeetingFee.objects.filter(player__in=own).select_related("meeting").order_by("meeting__date"),
        "subscriptions": player.subscriptions.order_by("year"),
        "wishes": list(_seating_requests(own)),
        "queries": list(_queries_at_tablet(own)),
        "changes": changes.count(),
    }
    files = {
        PAGE: _page(player.club, page),
        "player.json": _json(details),
        "sessions.csv": totals_csv(player.club, Tally.objects.filter(player__in=own), cells_of_club(player.club)),
        "hands.csv": table_csv(OWN_HAND_COLUMNS, _hands(own)),
        "meetings.csv": table_csv(OWN_MEETING_COLUMNS, _meetings(own)),
        "wishes.csv": table_csv(REQUEST_COLUMNS, _seating_requests(own)),
        "score-queries.csv": table_csv(QUERY_COLUMNS, _queries_at_tablet(own)),
        "log.csv": table_csv(LOG_COLUMNS, lines_of(player.club, changes)),
    }
    return zipped(files.items())


def login_zip(user: User, club: Club) -> bytes:
    """Return a zip of everything kept about an account in one club: the account itself, and what it did there."""
    changes = Change.objects.of_club(club).filter(user=user)
    details = _account_details(user, club)
    page = {
        "account": user,
        "name": user.display_name,
        "details": details,
        "devices": devices_of(user),
        "queries": list(_queries(user, club)),
        "changes": changes.count(),
    }
    files = {
        PAGE: _page(club, page),
        "login.json": _json(details),
        "score-queries.csv": table_csv(QUERY_COLUMNS, _queries(user, club)),
        "log.csv": table_csv(LOG_COLUMNS, lines_of(club, changes)),
    }
    return zipped(files.items())


def _page(club: Club, context: dict[str, Any]) -> str:
    """Return the same as one page for people."""
    about = {"club": club, "today": club.today, "page_style": PAGE_STYLE, **context}
    return figures_in_place_in_html(render_to_string("exchange/kept_about.html", about))


def _player_details(player: Player) -> dict[str, Any]:
    contact = Contact.objects.filter(player=player).first()
    also_known_as = list(player.merged.order_by("pk").values_list("full_name", flat=True))
    merged = Contact.objects.filter(player__merged_into=player).order_by("pk")
    joined = [_contact_details(contact) for contact in merged]
    won = CupWinner.objects.of_club(player.club_id).filter(winner__in=[player.full_name, *also_known_as])
    return {
        "club": player.club.name,
        "full_name": player.full_name,
        "short_name": player.short_name,
        "guest": player.guest,
        "beginner": player.beginner,
        "left_on": player.left_on and player.left_on.isoformat(),
        "called_in_public": player.get_in_public_display() if player.in_public else "as the club shows its players",
        "contact": contact and _contact_details(contact),
        "subscriptions": [
            {"year": row.year, "amount": f"{row.amount:.2f}", "paid": row.paid, "how": row.how}
            for row in player.subscriptions.order_by("year")
        ],
        **({"contacts_of_joined_names": joined} if joined else {}),
        "signs_in_as": list(player.memberships.order_by("pk").values_list("user__username", flat=True)),
        "own_link": player.reply_key and reverse("coming", args=[player.reply_key]),
        "cups": list(won.order_by("year", "cup", "winner").values("cup", "year", "winner")),
        "also_known_as": also_known_as,
    }


def _contact_details(contact: Contact) -> dict[str, Any]:
    return {"email": contact.email, "telephone": contact.telephone, "agreed_on": contact.agreed_on.isoformat()}


def _account_details(user: User, club: Club) -> dict[str, Any]:
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
        "code_from_phone": _phone_details(user),
        "signed_in": [
            {
                "device": device.words,
                "at": device.signed_in_at and device.signed_in_at.isoformat(),
                "last_used": device.last_used and device.last_used.isoformat(),
            }
            for device in devices_of(user)
        ],
    }


def _phone_details(user: User) -> dict[str, Any] | None:
    phone = phone_of(user)
    if phone is None:
        return None
    return {
        "since": phone.created_at and phone.created_at.isoformat(),
        "last_used": phone.last_used_at and phone.last_used_at.isoformat(),
        "recovery_codes_left": len(recovery_codes(user)),
    }


# Columns of all hands that a player's own have too.
OF_HANDS = ("date", "table", "hand", "wind_of_round", "wind", "points", "doubles", "total", "special", "fishing_for")
OWN_HAND_COLUMNS: Columns = {
    **{name: HAND_COLUMNS[name] for name in (*OF_HANDS, "won", "net")},
    "lines": of_hand(lambda line: "; ".join(str(score.get("name", "")) for score in line.result.lines)),
}


def _hands(players: list[int]) -> Iterator[HandLine]:
    rows = PlayerHand.objects.filter(seat__player__in=players, hand__entry__removed=False)
    order = "hand__session__date", "hand__session__table", "hand__session", "hand__number"
    for row in rows.select_related("hand__session", "seat").order_by(*order).iterator(chunk_size=500):
        yield HandLine(row.hand.session, row.seat, row.net, row)


def _queries(user: User, club: Club) -> Iterator[list[Any]]:
    """Yield the score queries that the account asked or answered."""
    own = Q(asked_by=user) | Q(answered_by=user)
    for query in HandQuery.objects.of_club(club).filter(own).select_related("session", "entry__hand"):
        yield _query(query, query.asked_by == user, query.answered_by == user)


def _queries_at_tablet(players: list[int]) -> Iterator[list[Any]]:
    """Yield the score queries that a player asked at a tablet without an account; their name starts with the seat."""
    seats = {(seat.session_id, f"{{{seat.seat_no}}}") for seat in Seat.objects.filter(player__in=players)}
    asked = HandQuery.objects.filter(session__seats__player__in=players, asked_by=None, name__startswith="{").distinct()
    for query in asked.select_related("session", "entry__hand"):
        if (query.session_id, query.name.partition(",")[0]) in seats:
            yield _query(query, True, False)


def _query(query: HandQuery, is_asked: bool, is_answered: bool) -> list[Any]:
    session, result = query.session, getattr(query.entry, "hand", None)
    said = [yes(is_asked), query.text, yes(is_answered), query.get_outcome_display(), query.answer]
    return [session.date, session.table, result and result.number, *said]


def _seating_requests(players: list[int]) -> Iterator[list[Any]]:
    """Yield the seating requests: who is seated together with a player, or apart."""
    found = PairWish.objects.filter(Q(first__in=players) | Q(second__in=players)).select_related("first", "second")
    for request in found.order_by("pk"):
        yield [request.get_kind_display(), str(request.second if request.first_id in players else request.first)]


OWN_MEETING_COLUMNS: Columns = {
    "date": lambda meeting: meeting.date,
    "meeting": lambda meeting: meeting.name,
    "came": lambda meeting: _came(meeting.attendance),
    "table_fee": lambda meeting: meeting.fee and meeting.fee.table_fee,
    "refreshments": lambda meeting: meeting.fee and meeting.fee.refreshments,
    "paid": lambda meeting: meeting.fee and yes_or_no(meeting.fee.paid),
    "how": Shown(lambda meeting: meeting.fee and meeting.fee.get_how_display(), HOW_PAID.heading),
    "said_coming": lambda meeting: meeting.reply and yes_or_no(meeting.reply.is_coming),
}


def _came(attendance):
    if attendance is None:
        return ""
    return "late" if attendance.late else "left early" if attendance.left else "yes"


def _meetings(players: list[int]) -> Iterator[Meeting]:
    """Yield the meetings that a player came to, has a fee for, or answered about."""
    attendances, fees, replies = (
        {row.meeting_id: row for row in model.objects.filter(player__in=players)}
        for model in (Attendance, MeetingFee, Reply)
    )
    meetings = Meeting.objects.filter(pk__in=attendances.keys() | fees.keys() | replies.keys())
    for meeting in meetings.order_by("date", "pk"):
        pk = meeting.pk
        vars(meeting).update(attendance=attendances.get(pk), fee=fees.get(pk), reply=replies.get(pk))
        yield meeting


def _json(details: dict[str, Any]) -> str:
    return json.dumps(details, indent=1, ensure_ascii=False) + "\n"
