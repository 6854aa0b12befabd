"""Sessions: starting, pausing and resuming one, who sits where in its next hand, and lists of sessions."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypedDict, Unpack
from uuid import UUID

from django.db.models import Count, F, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce

from clubscore import scoring
from clubscore.play.scoring_by_seat import score_format_of
from clubscore.play.start import FOUR, beginning, starting_balance_for
from clubscore.scoring.rotation import RotationError, SeatingState
from clubscore.scoring.words import listed
from sessions_app.models import (
    Club,
    ClubHand,
    ClubRules,
    Hand,
    Meeting,
    Player,
    Season,
    Seat,
    Session,
    Tally,
)
from sessions_app.people.log import Actor, format_date, log_change, log_sentences
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.players import name_order
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.models import SessionQuerySet
from sessions_app.table.season_assignment import season_of
from sessions_app.table.sticks import dealt_sticks


def _started(it: LoggedChange) -> str:
    table = f"{'the practice table' if it.after.get('practice') else 'table'} {it.after.get('table')}"
    players = ", ".join(map(it.names.player, it.after.get("players") or []))
    rules = scoring.rule_set_name(it.after.get("rules", ""))
    return f"{table} of {format_date(it.after['date'])} under {rules}, with {players or 'no players'}"


log_sentences(
    {"start": "started {started}", "pause": "paused {the_table}", "go on": "resumed {the_table}"}, started=_started
)


def current_seating(session: Session) -> SeatingState:
    """Return the seating of a session's next hand; the seats in order for one imported as totals."""
    if session.seating:
        return SeatingState.from_dict(session.seating)
    numbers = [seat.seat_no for seat in session.seats.order_by("seat_no")]
    winds = [*numbers[:FOUR], *[None] * FOUR][:FOUR]
    return SeatingState(winds=tuple(winds), first_east=numbers[0], out=tuple(numbers[FOUR:]))


def starting_balance_words(session: Session) -> str:
    """Return why three or five players start with a different balance than four, or ""."""
    house = session.rule_set.house(session.house_rules)
    players = session.seats.filter(at_start=True).count()
    if players == FOUR or not house.starting_balance:
        return ""
    if session.sticks or session.starting_balance != starting_balance_for(house, players):
        return ""
    number = {3: "three", 5: "five"}[players]
    shared = f"{number.capitalize()} players share what four would start with, {FOUR} × {house.starting_balance:,}"
    return f"{shared}. So each starts with {session.starting_balance:,}."


def start_session(
    club: Club,
    date: date,
    table: int,
    players: Sequence[Player],
    rules: str,
    house_rules: dict[str, Any] | None,
    by: Actor,
    **chosen: Any,
) -> Session:
    """Start a session with three to five players (East, South, West, North, sitting out).

    `chosen` are what may be Chosen, the `meeting_name`, and `why` it starts. The session keeps its rules, house rules
    (the switches that differ), club hands and edition. If `house_rules` is None, they are the club's newest version,
    with the club hands in force that day. The starting balance defaults to that of the house rules, or to what the
    tally sticks are worth. `round_payments` rounds each payment to the nearest 10. Practice never counts. Raises
    ScoringError for invalid house rules, ServiceError for wrong players.
    """
    meeting_name, why = chosen.pop("meeting_name", ""), chosen.pop("why", "")
    session = unsaved_session(club, date, table, players, rules, house_rules, **chosen)
    with write_transaction():
        session.meeting = Meeting.objects.at(club, date, meeting_name)
        assign_season(session)
        session.save(force_insert=True)
        _seat(session, players)
        log_change(session, by, "start", session, {}, session_facts(session, players), why)
        Season.objects.raise_version(session.season_id)
    return session


class Chosen(TypedDict, total=False):
    """What may be chosen when a session starts."""

    starting_balance: int | None
    sticks: str
    practice: bool
    club_hands: Iterable[Any]
    round_payments: bool
    tablet_key: UUID | str | None


def unsaved_session(
    club: Club,
    date: date,
    table: int,
    players: Sequence[Player],
    rules: str,
    house_rules: dict[str, Any] | None,
    **chosen: Unpack[Chosen],
) -> Session:
    """Return the session that start_session saves, without meeting and season; nothing is written."""
    number, club_hands = 0, chosen.get("club_hands", ())
    if house_rules is None:
        number, house_rules, club_hands = _as_the_club_plays(club, rules, date)
    recording = scoring.house_rules(rules, house_rules).recording
    scoring.check_club_hands(rules, [score_format_of(hand) for hand in club_hands] or None)
    about_balance = (chosen.get("sticks", ""), chosen.get("starting_balance"), chosen.get("round_payments", False))
    try:
        begun = beginning(rules, house_rules, len(players), *about_balance)
    except RotationError as error:
        raise ServiceError(str(error), "players") from error
    _check_players(club, players)
    return Session(
        club=club,
        practice=chosen.get("practice", False),
        date=date,
        table=table,
        rules=rules,
        house_rules=begun.house_rules,
        house_version=number,
        club_hands=list(club_hands),
        recording=recording,
        edition=scoring.RULE_SETS[rules].edition,
        starting_balance=begun.starting_balance,
        sticks=begun.sticks,
        seating=begun.seating.to_dict(),
        tablet_key=chosen.get("tablet_key"),
    )


def start_once(club: Club, tablet_key: UUID | str, start: Callable[[], Session]) -> tuple[Session, bool]:
    """Return the session that a tablet started with its key, and whether that was now.

    A tablet that gets no answer sends its start again; only the first time, `start` is called.
    """
    with write_transaction():
        # Locked, so that two requests at once come one after the other.
        Club.objects.select_for_update().get(pk=club.pk)
        found = started_by(club, tablet_key)
        return (found, False) if found else (start(), True)


def started_by(club: Club, tablet_key: UUID | str) -> Session | None:
    return Session.objects.of_club(club).select_related("club").filter(tablet_key=tablet_key).first()


class SeasonLocked(ServiceError):
    """A session cannot start, as its season is locked."""


def assign_season(session: Session) -> None:
    """Set the season of a session that is about to start; ServiceError if it is locked."""
    if session.practice:
        return
    session.season = season = season_of(session, Season.objects.of_day(session.club, session.date))
    if season is not None and season.locked:
        raise SeasonLocked(
            f"The season “{season}” is locked, so you could not enter hands at this table. Unlock it, end it "
            "earlier, or start a practice table.",
            "date",
        )


def _as_the_club_plays(club: Club, rules: str, date: date) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """Return number and switches of the club's house rules of that day, and its own hands in force then."""
    version = ClubRules.objects.in_force(club, rules, date, club.today)
    hands = list(ClubHand.objects.of_club(club).in_force(date)) if scoring.RULE_SETS[rules].takes_club_hands else []
    return version.number if version else 0, version.house_rules if version else {}, [hand.frozen() for hand in hands]


def _check_players(club: Club, players: Sequence[Player]) -> None:
    if len({player.pk for player in players}) != len(players):
        raise ServiceError("Choose a different player for each seat.", "players")
    if any(player.club_id != club.pk for player in players):
        raise ServiceError("Choose a player from the club’s list.", "players")


def _seat(session: Session, players: Sequence[Player]) -> None:
    seats = Seat.objects.bulk_create(
        Seat(club=session.club, session=session, player=player, seat_no=seat_no)
        for seat_no, player in enumerate(players, 1)
    )
    sticks = dealt_sticks(session, len(players))
    Tally.objects.bulk_create(
        Tally(
            club=session.club,
            session=session,
            seat=seat,
            season=session.season,
            player=seat.player,
            balance=session.starting_balance,
            sticks=sticks and sticks[seat.seat_no],
        )
        for seat in sorted(seats, key=lambda seat: seat.player_id)
    )


def session_facts(session: Session, players: Iterable[Player]) -> dict[str, Any]:
    """Return what the log keeps of a session's start: its rules, and the ids of its players in order."""
    optional = {
        "practice": session.practice,
        "house_version": session.house_version,
        "club_hands": [hand["key"] for hand in session.club_hands],
    }
    return {
        **{name: value for name, value in optional.items() if value},
        "date": str(session.date),
        "table": session.table,
        "rules": session.rules,
        "house_rules": session.house_rules,
        "players": [player.pk for player in players],
        "starting_balance": session.starting_balance,
    }


def players_in_play(meeting: Meeting) -> set[int]:
    """Return the ids of the players at a meeting's tables in play."""
    in_play = Session.objects.at_meeting(meeting).being_played().prefetch_related("seats")
    return {player for session in in_play for player in players_at(session)}


def players_at(session: Session) -> list[int]:
    """Return the ids of the players at a table, without those who have left."""
    at_table = current_seating(session).at_table
    return [seat.player_id for seat in session.seats.all() if seat.seat_no in at_table]


def open_tables(club_id: int, date: date, besides: Session | None = None) -> dict[int, int]:
    """Return {player id: table number} of a day's tables in play, without practice and `besides`; two queries."""
    in_play = Session.objects.of_club(club_id).being_played().filter(date=date, practice=False)
    others = in_play.other_than(besides).prefetch_related("seats").order_by("-table", "-pk")
    return {player: session.table for session in others for player in players_at(session)}


def tables_beside(session: Session) -> SessionQuerySet:
    """Return the other tables in play that day by the same rules, in order."""
    same = {name: getattr(session, name) for name in ("date", "rules", "practice")}
    in_play = Session.objects.of_club(session.club_id).being_played().filter(**same)
    return in_play.exclude(pk=session.pk).order_by("table", "pk")


def pause_session(session: Session, *, by: Actor) -> None:
    """Pause a table until another day; it stays open, but its players may play elsewhere."""
    refuse_finished(session)
    with write_transaction():
        if not session.paused:
            update_session(session, paused=True)
            log_change(session, by, "pause", session, {}, {})


def resume_session(session: Session, meeting: Meeting, *, by: Actor, why: str = "") -> None:
    """Resume a paused table at a meeting; its hands still count on the day it started.

    Raises ServiceError if it has finished, or if one of its players is at another table of that meeting.
    """
    refuse_finished(session)
    with write_transaction():
        if not session.paused:
            return
        if meeting.date < session.date:
            raise ServiceError("Choose a later meeting than the one where this table started.", "meeting")
        busy = players_in_play(meeting).intersection(players_at(session))
        if busy:
            names = listed(map(str, sorted(Player.objects.filter(pk__in=busy), key=name_order)))
            raise ServiceError(f"Table {session.table} cannot resume yet. Still at another table: {names}.", "meeting")
        before = {"meeting": session.goes_on_at_id}
        resumed_at = None if meeting == session.meeting else meeting
        update_session(session, paused=False, extra_minutes=0, goes_on_at=resumed_at)
        log_change(session, by, "go on", session, before, {"meeting": session.goes_on_at_id}, why)


def resume_with_hand(session: Session, *, by: Actor) -> bool:
    """Resume a paused table because a hand was recorded there; return whether it was resumed.

    It is resumed at its own meeting on the same day, else at today's meeting. It stays paused if there is no meeting
    today (a tablet may send a hand days later) or if one of its players is playing elsewhere.
    """
    today = session.club.today
    todays = Meeting.objects.of_club(session.club_id).filter(date=today).order_by("name", "pk")
    meeting = session.meeting if session.date == today else todays.first()
    if meeting is None:
        return False
    try:
        resume_session(session, meeting, by=by, why="A hand was saved there.")
    except ServiceError:
        return False
    return True


def refuse_finished(session: Session) -> None:
    if not session.is_open:
        raise ServiceError("This table has finished. Open it again first.")


def update_session(session: Session, **values: Any) -> None:
    """Change a session's row and raise its version, so that watching pages notice."""
    Session.objects.filter(pk=session.pk).update(**values, version=F("version") + 1)
    session.refresh_from_db(fields=[*values, "version"])


# Lists of sessions.

MANY_TABLES = 12


@dataclass(frozen=True)
class SessionCard:
    """One session in a list: who played, how many hands, and who did best (several if they are level)."""

    session: Session
    names: str
    hands: int
    best_name: str
    best_net: int | None

    @property
    def seats_again(self) -> str:
        """The fields of the start form that seat the same players again, as JSON for an offline tablet."""
        players = [str(tally.player_id) for tally in self.session.tallies.all() if tally.seat.at_start]
        fields = {f"player_{number}": player for number, player in enumerate(players, 1)}
        return json.dumps({"rules": self.session.rules, **fields})


def in_play(club: Club) -> list[SessionCard]:
    """Return the cards of a club's open sessions, the latest meeting first; two queries."""
    return _cards(Session.objects.of_club(club).filter(state=Session.State.OPEN).order_by("-date", "table", "-pk"))


def latest_finished(club: Club, number: int, after: int = 0) -> list[SessionCard]:
    """Return the cards of a `number` of finished sessions, skipping the `after` latest ones; two queries."""
    finished = Session.objects.of_club(club).filter(state=Session.State.FINISHED).order_by("-date", "table", "-pk")
    return _cards(finished[after : after + number])


def last_tables(club: Club) -> list[SessionCard]:
    """Return the cards of each table's last finished session on the latest day with any; two queries."""
    return tables_of_last_day(latest_finished(club, MANY_TABLES))


def tables_of_last_day(cards: list[SessionCard]) -> list[SessionCard]:
    """Return the last card of each table on the latest day, from cards with the latest first."""
    tables: dict[int, SessionCard] = {}
    for card in cards:
        if card.session.date == cards[0].session.date:
            tables.setdefault(card.session.table, card)
    return list(tables.values())


def _cards(sessions: SessionQuerySet) -> list[Any]:
    tallies = Tally.objects.select_related("player", "seat").order_by("seat__seat_no")
    # A subquery counts the hands of the listed sessions only, a join those of all sessions of the club.
    hands = Hand.objects.filter(session=OuterRef("pk"), number__gt=0).order_by().values("session")
    played = Coalesce(Subquery(hands.annotate(count=Count("pk")).values("count")), 0)
    rows = sessions.select_related("season").with_rounds().annotate(played=played)
    rows = rows.prefetch_related(Prefetch("tallies", tallies))
    return [_card(session, vars(session)["played"]) for session in rows]


def _card(session: Session, played: int) -> SessionCard:
    tallies = list(session.tallies.all())
    best = max((tally.net for tally in tallies), default=None)
    return SessionCard(
        session=session,
        names=", ".join(tally.player.name for tally in tallies),
        hands=played,
        best_name=listed(tally.player.name for tally in tallies if tally.net == best),
        best_net=best,
    )
