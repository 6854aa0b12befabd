"""The seating draw of a meeting: who sits where, seats by hand, seating requests, starting the drawn tables."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.words import listed
from clubscore.seating_draw.draw import DrawError, TooFew, check_sizes, draw_cost, draw_tables
from clubscore.seating_draw.table_sizes import NUMBER_WORDS, usual_sizes, who_plays
from sessions_app.models import (
    Attendance,
    Change,
    Club,
    DrawnTable,
    Meeting,
    PairWish,
    Player,
    Season,
    Seat,
    Session,
    Tally,
)
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.throttling import DRAW, DRAW_A_DAY, count_tries, in_minutes
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.sessions import players_in_play, start_session

# A draw of this many takes more than half a second.
MAX_DRAWN = 200
# A tablet takes each pair of them along.
MOST_NEW_GUESTS = 30
WISHES = {
    "apart": "asked to seat {} apart",
    "together": "asked to seat {} together",
    "": "removed the seating request for {}",
}


def _wish(it: LoggedChange) -> str:
    pair = " and ".join(it.names.player(it.after.get(key, 0)) for key in ("first", "second"))
    return WISHES.get(it.after.get("kind"), "changed the seating request for {}").format(pair)


log_sentences(
    {"draw": "made the seating draw for {meeting}", "places": "changed the seating for {meeting}", "wish": "{wish}"},
    wish=_wish,
)


def season_dates(club: Club | int, day: date, league: str) -> tuple[date, date]:
    """Return the first and last day of the season for the draw: the league's season, else the calendar year."""
    season = Season.objects.of_day(club, day).filter(league=league).first()
    if season:
        return season.starts_on, season.ends_on
    return day.replace(month=1, day=1), day.replace(month=12, day=31)


def times_met(club: Club | int, day: date, league: str = "") -> dict[tuple[int, int], int]:
    """Return at how many meetings of the season each pair (lower id, higher id) has shared a table so far.

    This includes earlier rounds of the day itself. Two guests who have never played count as having met once, so that
    each sits with people who know the club. Three queries.
    """
    starts_on, _ = season_dates(club, day, league)
    seats = Seat.objects.of_club(club).filter(session__date__range=(starts_on, day), session__practice=False)
    seats = seats.filter(tally__in=Tally.objects.of_club(club).played())
    at_table = defaultdict(set)
    for meeting, session, player in seats.values_list("session__meeting_id", "session_id", "player_id"):
        at_table[meeting, session].add(player)
    met = {(meeting, pair) for (meeting, _), players in at_table.items() for pair in combinations(sorted(players), 2)}
    has_played = Tally.objects.played().filter(player=OuterRef("pk"))
    new_guests = Player.objects.of_club(club).present().filter(~Exists(has_played), guest=True)
    newest = sorted(new_guests.order_by("-pk").values_list("pk", flat=True)[:MOST_NEW_GUESTS])
    return dict(Counter([*(pair for _, pair in met), *combinations(newest, 2)]))


def draw_meeting(meeting: Meeting, *, by: Actor, sizes: Any = None, seed: int | None = None) -> Any:
    """Draw seats for everyone who is here and not at a table in play, replacing the waiting tables. Returns the draw.

    Without a seed, use the meeting's next one. If the tables do not seat everyone, those who have played most at this
    meeting are left over, then players by lot; players who sit together are left over together.
    ServiceError with the draw's own sentence if it is impossible; the previous draw then stays.
    """
    meeting = Meeting.objects.select_related("club").get(pk=meeting.pk)
    people = free_people(meeting)
    seed = seed if seed is not None else (meeting.draw_seed or 0) + 1
    # Draw before locking anything: a large meeting takes seconds.
    draw = _make_draw(meeting, people, sizes, seed)
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        if free_people(meeting) != people:
            raise ServiceError("Someone came, left or started to play during the draw. Draw again.", "sizes")
        before = [list(table.players) for table in _waiting_tables(meeting).order_by("number")]
        _replace_waiting_tables(meeting, draw.tables)
        meeting.draw_seed, meeting.draw_cost = seed, draw.cost
        meeting.save(update_fields=["draw_seed", "draw_cost"])
        facts = {"seed": seed, "cost": draw.cost, "tables": [list(table) for table in draw.tables]}
        log_change(meeting.club, by, "draw", meeting, {"tables": before}, facts)
    return draw


def count_draw(club: Club) -> None:
    """Count a draw before it is made; ServiceError, with when to try again, if the club has made very many."""
    minutes = count_tries((DRAW, str(club.pk)), (DRAW_A_DAY, str(club.pk)))
    if minutes:
        raise ServiceError(f"Your club has drawn tables very many times. {in_minutes(minutes)}", "sizes")


def _make_draw(meeting, people, sizes, seed):
    if len(people) > MAX_DRAWN:
        raise ServiceError(f"Choose at most {MAX_DRAWN} people. More cannot be drawn at once.", "sizes")
    apart, together = _requests(meeting.club_id)
    try:
        sizes = _sizes_by_the_rules(meeting.club, len(people), sizes)
        return draw_tables(
            _choose_players(meeting, people, sizes, together, seed),
            times_met(meeting.club_id, meeting.date, meeting.league),
            sizes=sizes,
            apart=apart,
            together=together,
            seed=seed,
        )
    except TooFew as error:
        words = error.while_others_play() if players_in_play(meeting) else str(error)
        raise ServiceError(words, "sizes") from error
    except DrawError as error:
        raise ServiceError(_with_names(error), "sizes") from error


def _requests(club: Club) -> list[Any]:
    """Return the pairs who asked to sit apart, and those who asked to sit together."""
    wishes = list(PairWish.objects.of_club(club).values_list("kind", "first_id", "second_id").order_by("pk"))
    return [[(a, b) for of, a, b in wishes if of == kind] for kind in (PairWish.Kind.APART, PairWish.Kind.TOGETHER)]


def draw_facts(club: Club, day: date) -> dict[str, Any]:
    """Return what a tablet needs to draw a club's tables, for clubscore.engine.answers.draw."""
    apart, together = _requests(club)
    met = [(a, b, times) for (a, b), times in times_met(club, day, Meeting.objects.league_of(club, day)).items()]
    return {"allowed": RULE_SETS[club.rules].players, "met": met, "apart": apart, "together": together}


def _replace_waiting_tables(meeting, tables):
    """Replace the waiting tables by these; return {number: people}."""
    _waiting_tables(meeting).delete()
    # Those of tables that are open that day; numbers of finished tables are free again.
    of_the_day = Session.objects.of_club(meeting.club_id).filter(Q(date=meeting.date) | Q(goes_on_at=meeting))
    taken = set(of_the_day.filter(state=Session.State.OPEN).values_list("table", flat=True))
    free = (number for number in range(1, 1000) if number not in taken)
    numbered = {next(free): list(table) for table in tables}
    DrawnTable.objects.bulk_create(
        DrawnTable(club=meeting.club, meeting=meeting, number=number, players=players)
        for number, players in numbered.items()
    )
    return numbered


def undo_seating_change(meeting: Meeting, *, by: Actor) -> None:
    """Undo the last seating change of the tables that have not started; a second call redoes it.

    ServiceError if nothing was drawn, or a player of those tables has left or is at another table.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        of_the_meeting = Change.objects.of_club(meeting.club_id).filter(
            subject_type="meeting", subject_id=str(meeting.pk), action__in=("draw", "places")
        )
        last = of_the_meeting.order_by("-pk").first()
        if last is None:
            raise ServiceError("Draw the tables first.", "tables")
        tables = (
            last.before["tables"]
            if last.action == "draw"
            else [last.before[number] for number in sorted(last.before, key=int)]
        )
        if {pk for table in tables for pk in table} - set(free_people(meeting)):
            sentence = "Someone who had a seat then has left, or is at another table. Draw again."
            raise ServiceError(sentence, "tables")
        before = {str(table.number): table.players for table in _waiting_tables(meeting)}
        numbered = _replace_waiting_tables(meeting, tables)
        meeting.draw_cost = draw_cost(tables, times_met(meeting.club_id, meeting.date, meeting.league))
        meeting.save(update_fields=["draw_cost"])
        after = {str(number): players for number, players in numbered.items()}
        log_change(meeting.club, by, "places", meeting, before, after)


def _sizes_by_the_rules(club, people, sizes):
    """Return the table sizes to draw: the chosen ones if the rules allow them, else the usual ones."""
    usual = usual_sizes(people, RULE_SETS[club.rules].players)
    if sizes is None:
        return usual
    if set(sizes) - set(RULE_SETS[club.rules].players):
        raise DrawError(seats_in_words(club))
    if sum(sizes) != sum(usual):
        check_sizes(sizes, people)
    return tuple(sizes)


def seats_in_words(club: Club) -> str:
    """Return a sentence on how many sit at a table under the club's rules."""
    words = [NUMBER_WORDS[size] for size in sorted(RULE_SETS[club.rules].players)]
    return f"By the club’s rules a table has {listed(words, 'or')}."


def _choose_players(meeting, people, sizes, together, seed):
    """Return who plays; those left over have played most at this meeting, ties broken by lot."""
    seats = Seat.objects.filter(session__in=Session.objects.at_meeting(meeting), session__practice=False)
    played = Counter(seats.values_list("player_id", flat=True))
    lot = random.Random(f"left over {seed}")
    drawn = {pk: lot.random() for pk in people}
    return who_plays(people, sum(sizes), together, lambda pk: (played[pk], drawn[pk]))


def _with_names(error: DrawError) -> str:
    """Return a DrawError's sentence, followed by the players whose seating requests prevent it."""
    known = Player.objects.in_bulk(error.people)
    names = [str(known[pk]) for pk in error.people]
    return f"{error} Check the requests of {listed(names)}." if names else str(error)


def free_people(meeting: Meeting) -> list[int]:
    """Return the ids of the players who are here and not at a table in play; paused tables do not count."""
    return sorted(_present_ids(meeting) - players_in_play(meeting))


def _present_ids(meeting: Meeting) -> set[Any]:
    here = Attendance.objects.filter(meeting=meeting, late=False, left=False)
    return set(here.values_list("player_id", flat=True))


def _waiting_tables(meeting: Meeting) -> QuerySet[DrawnTable]:
    return DrawnTable.objects.filter(meeting=meeting, session=None)


def seat_by_hand(meeting: Meeting, tables: Mapping[int, Any], *, by: Actor) -> list[Any]:
    """Seat the waiting tables as chosen: {table number: [player ids in seat order]}. An empty table is removed.

    Returns a sentence for each seating request that these seats do not follow. ServiceError if a player is not free
    or has two seats, or if the club's rules do not allow a table of that size.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        waiting = {table.number: table for table in _waiting_tables(meeting)}
        chosen = {number: list(people) for number, people in tables.items() if people}
        _check_seats(meeting, waiting, tables, chosen)
        before = {str(number): table.players for number, table in waiting.items()}
        for number, table in waiting.items():
            if number not in chosen:
                table.delete()
            else:
                table.players = chosen[number]
                table.save(update_fields=["players"])
        meeting.draw_cost = draw_cost(chosen.values(), times_met(meeting.club_id, meeting.date, meeting.league))
        meeting.save(update_fields=["draw_cost"])
        after = {str(number): people for number, people in chosen.items()}
        log_change(meeting.club, by, "places", meeting, before, after)
    return unmet_requests(meeting.club_id, chosen, set(free_people(meeting)))


def unmet_requests(club: Club | int, tables: Mapping[int, Iterable[int]], here: set[int]) -> list[str]:
    """Return a sentence for each seating request that {table number: player ids} does not follow; `here` are ids."""
    at = {pk: number for number, people in tables.items() for pk in people}
    unmet = []
    for wish in PairWish.objects.of_club(club).select_related("first", "second").order_by("pk"):
        first, second = at.get(wish.first_id), at.get(wish.second_id)
        if first is None or second is None:
            if wish.kind == PairWish.Kind.TOGETHER and first != second and {wish.first_id, wish.second_id} <= here:
                unmet.append(f"{wish.first} and {wish.second} should sit together, but one of them has no table yet.")
            continue
        if wish.kind == PairWish.Kind.APART and first == second:
            unmet.append(f"{wish.first} and {wish.second} should be kept apart, but both are at table {first}.")
        elif wish.kind == PairWish.Kind.TOGETHER and first != second:
            unmet.append(f"{wish.first} and {wish.second} should sit together, but are at tables {first} and {second}.")
    return unmet


def _check_seats(
    meeting: Meeting, waiting: Mapping[int, DrawnTable], tables: Mapping[int, Any], chosen: Mapping[int, list[int]]
) -> None:
    if set(tables) - set(waiting):
        raise ServiceError("One of these tables has already started. Check the seating draw again.", "tables")
    people = [pk for table in chosen.values() for pk in table]
    if set(people) - set(free_people(meeting)):
        raise ServiceError("Choose only people who are here and not at another table.", "tables")
    if len(set(people)) != len(people):
        raise ServiceError("Choose each person only once.", "tables")
    for number, table in chosen.items():
        if len(table) not in RULE_SETS[meeting.club.rules].players:
            words = seats_in_words(meeting.club)
            raise ServiceError(f"Table {number} would have {len(table)}. {words}", "tables")


def start_drawn(drawn: Any, *, by: Any) -> Any:
    """Start a drawn table under the club's rules and return its session.

    A table that has already started returns its session, so that a second tap starts nothing. ServiceError if one of
    its players is no longer here, or plays at another table.
    """
    with write_transaction():
        rows = DrawnTable.objects.select_for_update(of=("self",)).select_related("meeting__club", "session")
        drawn = rows.get(pk=drawn.pk)
        if drawn.session_id:
            return drawn.session
        club = drawn.meeting.club
        known = Player.objects.of_club(club).in_bulk(drawn.players)
        _check_here(drawn, known)
        session = start_session(
            club,
            drawn.meeting.date,
            drawn.number,
            [known[pk] for pk in drawn.players],
            club.rules,
            None,
            by=by,
            meeting_name=drawn.meeting.name,
            sticks=club.stick_set,
        )
        drawn.session = session
        drawn.save(update_fields=["session"])
    return session


def _check_here(drawn, known):
    here, playing = _present_ids(drawn.meeting), players_in_play(drawn.meeting)
    for blocked, words in (
        ([pk for pk in drawn.players if pk not in here], "not here"),
        ([pk for pk in drawn.players if pk in playing], "at a table in play"),
    ):
        if blocked:
            names = listed(str(known[pk]) for pk in blocked)
            verb = "is" if len(blocked) == 1 else "are"
            raise ServiceError(f"{names} {verb} {words}. Draw again, or change seats by hand.", "tables")


def start_all(meeting: Meeting, *, by: Actor) -> None:
    """Start all waiting tables or none; the ServiceError names the table that cannot start."""
    with write_transaction():
        for drawn in _waiting_tables(meeting).order_by("number"):
            try:
                start_drawn(drawn, by=by)
            except (ServiceError, ScoringError) as error:
                raise ServiceError(
                    f"No table has started, because of table {drawn.number}. {error}", "tables"
                ) from error


def set_wish(club: Club, a: int, b: int, kind: str, *, by: Actor) -> None:
    """Save a seating request for two players, from the next draw on; an empty kind removes it."""
    if a == b:
        raise ServiceError("Choose two different people.", "second")
    first, second = sorted((a, b))
    with write_transaction():
        if Player.objects.of_club(club).filter(pk__in=(first, second)).count() != 2:
            raise ServiceError("Choose a player from the club’s list.", "first")
        wish = PairWish.objects.of_club(club).filter(first_id=first, second_id=second)
        before = wish.values_list("kind", flat=True).first() or ""
        if kind:
            PairWish.objects.update_or_create(
                first_id=first, second_id=second, defaults={"club": club, "kind": PairWish.Kind(kind)}
            )
        else:
            wish.delete()
        facts = {"first": first, "second": second}
        log_change(club, by, "wish", club, facts | {"kind": before}, facts | {"kind": kind})
