"""A club of three players and one of sixty: every list has a row in the one, many in the other.

Tables are played through the door once and then copied with all their rows, so that the large club takes a second.
"""

import datetime
import uuid
from types import SimpleNamespace

from django.utils import timezone

from sessions_app.league.records import TROPHIES
from sessions_app.models import (
    Attendance,
    Change,
    Club,
    ClubHand,
    ClubRules,
    DrawnTable,
    Entry,
    Hand,
    HandQuery,
    Import,
    Meeting,
    Membership,
    PairWish,
    Payment,
    Player,
    PlayerHand,
    Season,
    Seat,
    Session,
    Tally,
    User,
    WaitingGame,
)
from sessions_app.people.accounts import address_tokens, recovery_path
from sessions_app.people.clubs import make_invite
from sessions_app.people.log import Actor
from sessions_app.people.models import unguessable_key
from sessions_app.people.players import reply_key_of
from sessions_app.table.sessions import start_session
from tests.factories import record, totals
from tests.logins import signed_in

BY = Actor(name="The test")
A_WEEK = datetime.timedelta(weeks=1)


def club_of(people, slug):
    """Make a club of so many players, its secretary signed in, and name what its addresses are made of."""
    today = timezone.localdate()
    public = {"public_names": "full", "shows_standings": True, "shows_honours": True, "shows_meetings": True}
    public["framed_by"] = "https://example.org"
    club = Club.objects.create(name=slug.title(), slug=slug, keeps_fees=True, points_rate=1, **public)
    players = _players(club, people)
    _old_log(club, 4 * people)
    invites = [make_invite(club, "member", 7, False, by=BY) for _ in range(max(1, people // 10))]
    seasons = [_season(club, name, day) for name, day in (("Last year", today - 52 * A_WEEK), ("This year", today))]
    members = [_login(club, f"{slug}-{n}", "secretary" if n == 0 else "member") for n in range(max(2, people // 10))]
    members[0].email, members[0].email_confirmed = f"{slug}@example.org", True
    members[0].save()
    tables = _tables(club, players, today)
    games = [WaitingGame(club=club, meeting=tables.meeting, text="{}") for _ in range(max(1, people // 10))]
    waiting = WaitingGame.objects.bulk_create(games)
    club_hands = _club_hands(club, max(1, people // 10), today)
    _wishes(club, players)
    _rules(club, max(1, people // 50))
    return SimpleNamespace(
        club=club,
        secretary=signed_in(members[0]),
        facts={
            "slug": slug,
            "session_id": tables.in_play.pk,
            "meeting_id": tables.meeting.pk,
            "season_id": seasons[-1].pk,
            "player_id": players[0].pk,
            "key": str(tables.hand_key),
            "query_id": tables.queries[0].pk,
            "hand_id": club_hands[0].pk,
            "invite_id": invites[0].pk,
            "import_id": Import.objects.create(club=club, kind="totals").pk,
            "game_id": waiting[0].pk,
            "membership_id": Membership.objects.of_club(club).latest("pk").pk,
            "change_id": Change.objects.filter(session=tables.in_play, action="hand").earliest("pk").pk,
            "uidb64": recovery_path(members[1]).split("/")[2],
        },
        keys={
            "watch": tables.in_play.watching_key,
            "watch-hall": tables.meeting.watching_key,
            "by-key": tables.in_play.scoring_key,
            "rule-set": "bmja",
            **dict.fromkeys(("coming", "coming-calendar"), reply_key_of(players[0])),
        },
        tokens={
            "recover": recovery_path(members[1]).split("/")[3],
            "account-confirm": address_tokens.make_token(members[0]),
            "invite": invites[0].token,
        },
    )


def _players(club, people):
    Player.objects.bulk_create(
        Player(club=club, full_name=f"Player {n:03}", short_name=f"P{n:03}", guest=n % 3 == 2) for n in range(people)
    )
    return list(Player.objects.of_club(club).order_by("full_name"))


def _season(club, name, day):
    return Season.objects.create(
        club=club, name=name, starts_on=day - 20 * A_WEEK, ends_on=day + 20 * A_WEEK, rules=["bmja"],
        minimum_sessions=1, trophies=list(TROPHIES),
    )  # fmt: skip


def _login(club, name, role):
    user = User(username=name)
    user.set_unusable_password()
    user.save()
    Membership.objects.create(user=user, club=club, role=role)
    return user


def _club_hands(club, number, today):
    return ClubHand.objects.bulk_create(
        ClubHand(club=club, key=f"own-{n}", name=f"Own hand {n}", text="A run.", since=today) for n in range(number)
    )


def _wishes(club, players):
    pairs = list(zip(players[::2], players[1::2], strict=False))
    PairWish.objects.bulk_create(PairWish(club=club, first=one, second=other, kind="apart") for one, other in pairs)


def _rules(club, number):
    ClubRules.objects.bulk_create(
        ClubRules(club=club, rules="bmja", number=n + 1, house_rules={"limit": 600 + 10 * n}) for n in range(number)
    )


# Tables


def _old_log(club, lines):
    """Lines of the log from long ago; those of the tables come after them, so that the newest page is alike."""
    Change.objects.bulk_create(
        Change(club=club, name="The test", action="settings", subject_type="club", subject_id=str(club.pk))
        for _ in range(lines)
    )


def _tables(club, players, today):
    """Everyone plays today and played last week; a few did before, and one table more often in a large club.

    For next week the tables are drawn.
    """
    seats = 3 if len(players) == 3 else 4
    groups = [players[at : at + seats] for at in range(0, len(players), seats)]
    in_play = _played(club, groups[0], today, len(players) // 20 + 1, special=True)
    if groups[1:]:
        _copies(_played(club, groups[1], today, 1, table=2), groups[2:])
    older = [(3 + n, groups[:1]) for n in range(len(players) // 30)]
    for weeks, at_tables in (*older, (52, groups[:5]), (2, groups[:5]), (1, groups)):
        finished = _played(club, at_tables[0], today - weeks * A_WEEK, 1)
        record(finished, {}, kind="finish")
        _copies(finished, at_tables[1:])
        _everybody_came(finished.meeting, players)
    Hand.objects.filter(session__meeting=finished.meeting).update(edition=0)
    _everybody_came(in_play.meeting, players)
    _drawn(club, players, groups, today + A_WEEK)
    hand_key = in_play.hands.earliest("number").entry.key
    queries = [_query(entry) for entry in in_play.entries.all()]
    return SimpleNamespace(in_play=in_play, meeting=in_play.meeting, hand_key=hand_key, queries=queries)


def _query(entry):
    return HandQuery.objects.create(
        session=entry.session, entry=entry, text="Is that right?", entry_version=1, hand_version=1, name="The test"
    )


def _played(club, players, day, rounds, table=1, special=False):
    """A table at which someone won with a total or a special hand, someone by tiles, and nobody, again and again."""
    table_session = start_session(club, day, table, players, "bmja", {}, by=BY)
    for _ in range(rounds):
        body = totals(table_session, 1, seat2=20)
        body["hands"]["1"] = {"special": "gates_of_heaven"} if special else {"total": 64}
        assert record(table_session, body).outcome == "recorded"
        body = totals(table_session, 2)
        body["hands"]["2"] = {"sets": ["exposed pung 2B", "concealed kong R", "exposed chow 4C", "exposed pung 7D"],
                              "tiles": "9C 9C", "bonus": "F1"}  # fmt: skip
        record(table_session, body)
        record(table_session, {"hands": {}, "mahjong": None})
    return table_session


def _everybody_came(meeting, players):
    came = (Attendance(club=meeting.club, meeting=meeting, player=one) for one in players)
    Attendance.objects.bulk_create(came, ignore_conflicts=True)


def _drawn(club, players, groups, day):
    meeting = Meeting.objects.create(club=club, date=day)
    _everybody_came(meeting, players)
    DrawnTable.objects.bulk_create(
        DrawnTable(club=club, meeting=meeting, number=number, players=[one.pk for one in group])
        for number, group in enumerate(groups, 1)
    )


def _copies(original, groups):
    """Copy a session for each group of players, with everything that hangs on it."""
    seats = list(original.seats.order_by("seat_no"))
    for number, group in enumerate(groups, original.table + 1):
        copy = Session.objects.get(pk=original.pk)
        copy.pk, copy.table = None, number
        copy.scoring_key, copy.watching_key = unguessable_key(), unguessable_key()
        copy.save(force_insert=True)
        new = {}
        for seat, player in zip(seats, group, strict=True):
            new["seat", seat.pk] = Seat.objects.create(
                club_id=seat.club_id, session=copy, player=player, seat_no=seat.seat_no
            )
        _copy(Tally, {"session": original}, new, session=copy, player=lambda row, new: new["seat", row.seat_id].player)
        _copy(Entry, {"session": original}, new, session=copy, key=lambda row, new: uuid.uuid4())
        _copy(Hand, {"session": original}, new, session=copy)
        _copy(PlayerHand, {"hand__session": original}, new)
        _copy(Payment, {"session": original}, new, session=copy)


LINKS = {"seat": "seat", "entry": "entry", "hand": "hand", "payer": "seat", "payee": "seat"}


def _copy(model, of, new, **more):
    """Copy the rows of a model; what they point to is taken from the copies made before."""
    rows = list(model.objects.filter(**of).order_by("pk"))
    before = [row.pk for row in rows]
    for row in rows:
        links = {name: new[kind, getattr(row, f"{name}_id")] for name, kind in LINKS.items() if _points(row, name)}
        changed = {name: value(row, new) if callable(value) else value for name, value in more.items()}
        row.pk, row._state.adding = None, True
        for name, value in {**links, **changed}.items():
            setattr(row, name, value)
    model.objects.bulk_create(rows)
    new.update({(model.__name__.lower(), pk): row for pk, row in zip(before, rows, strict=True)})


def _points(row, name):
    return getattr(row, f"{name}_id", None) is not None
