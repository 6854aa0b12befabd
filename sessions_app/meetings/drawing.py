"""The seating draw of a meeting: who sits where, seats by hand, seating requests, starting the drawn tables."""

import random
from collections import Counter, defaultdict
from datetime import date
from itertools import combinations
from typing import Any

from django.db.models import Q

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
from sessions_app.people.log import Actor, log_change
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.sessions import players_in_play, start_session

# A draw of so many takes a second or two, of twice as many eight times as long.
MAX_DRAWN = 200

# Who met whom this season, for the seating draw.


def season_span(club: Club | int, day: date) -> tuple[date, date]:
    """Return first and last day of what counts as this season for the draw: the club's season, else the year."""
    season = Season.objects.of_club(club).filter(starts_on__lte=day, ends_on__gte=day).first()
    if season:
        return season.starts_on, season.ends_on
    return day.replace(month=1, day=1), day.replace(month=12, day=31)


def times_met(club: Club | int, day: date) -> dict[tuple[int, int], int]:
    """Return at how many meetings of the season each pair (lower id, higher id) has sat at one table so far.

    The day itself is among them: what was played in an earlier round of the meeting counts. Two queries.
    """
    starts_on, _ = season_span(club, day)
    seats = Seat.objects.of_club(club).filter(session__date__range=(starts_on, day), session__practice=False)
    seats = seats.filter(tally__in=Tally.objects.of_club(club).played())
    at_table = defaultdict(set)
    for meeting, session, player in seats.values_list("session__meeting_id", "session_id", "player_id"):
        at_table[meeting, session].add(player)
    met = {(meeting, pair) for (meeting, _), players in at_table.items() for pair in combinations(sorted(players), 2)}
    times = defaultdict(int)
    for _, pair in met:
        times[pair] += 1
    return dict(times)


def draw_meeting(meeting: Meeting, *, by: Actor, sizes: Any = None, seed: int | None = None, why: str = "") -> Any:
    """Draw tables and seats for those who are here and not at a table in play; what was drawn and not begun goes.

    Without a seed the next one of this meeting is taken. Whom the club's rules leave no place is left over: who has
    played most at this meeting, else by lot, and those who stay together with each other. Returns the draw.
    ServiceError with the draw's own sentence where it cannot be made; then the draw before stays.
    """
    meeting = Meeting.objects.select_related("club").get(pk=meeting.pk)
    people = free_people(meeting)
    seed = seed if seed is not None else (meeting.draw_seed or 0) + 1
    # Drawn before anything is locked: for a large meeting it takes seconds.
    draw = _drawn(meeting, people, sizes, seed)
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        if free_people(meeting) != people:
            raise ServiceError("Someone came, left or started to play during the draw. Draw again.", "sizes")
        before = [list(table.players) for table in _not_begun(meeting).order_by("number")]
        _put_down(meeting, draw.tables)
        meeting.draw_seed, meeting.draw_cost = seed, draw.cost
        meeting.save(update_fields=["draw_seed", "draw_cost"])
        facts = {"seed": seed, "cost": draw.cost, "tables": [list(table) for table in draw.tables]}
        log_change(meeting.club, by, "draw", meeting, {"tables": before}, facts, why)
    return draw


def _drawn(meeting, people, sizes, seed):
    if len(people) > MAX_DRAWN:
        raise ServiceError(f"Choose at most {MAX_DRAWN} people. More cannot be drawn at once.", "sizes")
    apart, together = _requests(meeting.club_id)
    try:
        sizes = _sizes_by_the_rules(meeting.club, len(people), sizes)
        return draw_tables(
            _who_plays(meeting, people, sizes, together, seed),
            times_met(meeting.club_id, meeting.date),
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


def _requests(club):
    """Return the pairs who asked to sit apart, and those who asked to sit together."""
    wishes = list(PairWish.objects.of_club(club).values_list("kind", "first_id", "second_id").order_by("pk"))
    return [[(a, b) for of, a, b in wishes if of == kind] for kind in (PairWish.Kind.APART, PairWish.Kind.TOGETHER)]


def draw_facts(club: Club, day: date) -> dict[str, Any]:
    """Return what a tablet wants to know of a club to draw its tables, as clubscore.engine.answers.draw."""
    apart, together = _requests(club)
    met = [(a, b, times) for (a, b), times in times_met(club, day).items()]
    return {"allowed": RULE_SETS[club.rules].players, "met": met, "apart": apart, "together": together}


def _put_down(meeting, tables):
    """Let these tables wait in place of those that were drawn and have not begun; returns {number: people}."""
    _not_begun(meeting).delete()
    taken = _taken_numbers(meeting)
    free = (number for number in range(1, 1000) if number not in taken)
    numbered = {next(free): list(table) for table in tables}
    DrawnTable.objects.bulk_create(
        DrawnTable(club=meeting.club, meeting=meeting, number=number, players=players)
        for number, players in numbered.items()
    )
    return numbered


def go_back(meeting: Meeting, *, by: Actor, why: str = "") -> None:
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
        tables = last.before["tables"] if last.action == "draw" else _by_number(last.before)
        if {pk for table in tables for pk in table} - set(free_people(meeting)):
            sentence = "Someone who had a seat then has left, or is at another table. Draw again."
            raise ServiceError(sentence, "tables")
        before = {str(table.number): table.players for table in _not_begun(meeting)}
        numbered = _put_down(meeting, tables)
        meeting.draw_cost = draw_cost(tables, times_met(meeting.club_id, meeting.date))
        meeting.save(update_fields=["draw_cost"])
        after = {str(number): players for number, players in numbered.items()}
        log_change(meeting.club, by, "places", meeting, before, after, why)


def _by_number(tables):
    return [people for _, people in sorted(tables.items(), key=lambda table: int(table[0]))]


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
    """Say how many sit at a table by the club's rules."""
    words = [NUMBER_WORDS[size] for size in sorted(RULE_SETS[club.rules].players)]
    return f"By the club’s rules a table has {listed(words, 'or')}."


def _who_plays(meeting, people, sizes, together, seed):
    """Leave over whom these tables have no place for: who has played most at this meeting first, else by the lot."""
    seats = Seat.objects.filter(session__in=Session.objects.at_meeting(meeting), session__practice=False)
    played = Counter(seats.values_list("player_id", flat=True))
    lot = random.Random(f"left over {seed}")
    drawn = {pk: lot.random() for pk in people}
    return who_plays(people, sum(sizes), together, lambda pk: (played[pk], drawn[pk]))


def _with_names(error):
    """Return a DrawError's sentence, followed by the players whose seating requests prevent it."""
    known = Player.objects.in_bulk(error.people)
    names = [str(known[pk]) for pk in error.people]
    return f"{error} Check the requests of {listed(names)}." if names else str(error)


def free_people(meeting: Meeting) -> list[Any]:
    """Return the ids of those who are here and play at no table of the meeting; a table put aside holds nobody."""
    return sorted(_who_is_here(meeting) - players_in_play(meeting))


def _who_is_here(meeting):
    here = Attendance.objects.filter(meeting=meeting, late=False, left=False)
    return set(here.values_list("player_id", flat=True))


def _not_begun(meeting):
    return DrawnTable.objects.filter(meeting=meeting, session=None)


def _taken_numbers(meeting):
    """Return the numbers of the tables in play that day; one that has finished gives its number back."""
    of_the_day = Q(date=meeting.date) | Q(goes_on_at=meeting)
    open_tables = Session.objects.of_club(meeting.club_id).filter(of_the_day, state=Session.State.OPEN)
    return set(open_tables.values_list("table", flat=True))


def place_by_hand(meeting: Meeting, tables: dict[Any, Any], *, by: Actor, why: str = "") -> list[Any]:
    """Set who sits at the tables not begun, as someone chose: {table number: [player ids in seat order]}.

    Nobody sits twice, and each table has as many as the club's rules let sit down; people who are here and had no place
    may be among them, those left out have none, a table left empty goes. ServiceError else, and nothing is changed.
    Returns a sentence for every seating request that these seats do not follow.
    """
    with write_transaction():
        meeting = Meeting.objects.select_for_update().select_related("club").get(pk=meeting.pk)
        waiting = {table.number: table for table in _not_begun(meeting)}
        chosen = {number: list(people) for number, people in tables.items() if people}
        _check_places(meeting, waiting, tables, chosen)
        before = {str(number): table.players for number, table in waiting.items()}
        for number, table in waiting.items():
            if number not in chosen:
                table.delete()
            else:
                table.players = chosen[number]
                table.save(update_fields=["players"])
        meeting.draw_cost = draw_cost(chosen.values(), times_met(meeting.club_id, meeting.date))
        meeting.save(update_fields=["draw_cost"])
        after = {str(number): people for number, people in chosen.items()}
        log_change(meeting.club, by, "places", meeting, before, after, why)
    return wishes_not_kept(meeting.club_id, chosen, set(free_people(meeting)))


def wishes_not_kept(club: Club | int, tables: dict[Any, Any], here: set[Any]) -> list[Any]:
    """Return a sentence for every seating request of people here that {table number: player ids} does not follow."""
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


def _check_places(meeting, waiting, tables, chosen):
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


def start_drawn(drawn: Any, *, by: Any, why: str = "") -> Any:
    """Start a drawn table's session with its people as they were drawn, by the club's own rules; returns it.

    A table that has begun gives its session again, so that a second press starts nothing. ServiceError where someone
    of it is not here any more, or plays at another table.
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
            why=why,
        )
        drawn.session = session
        drawn.save(update_fields=["session"])
    return session


def _check_here(drawn, known):
    here, playing = _who_is_here(drawn.meeting), players_in_play(drawn.meeting)
    for are_kept, words in (
        ([pk for pk in drawn.players if pk not in here], "not here"),
        ([pk for pk in drawn.players if pk in playing], "at a table in play"),
    ):
        if are_kept:
            names = listed(str(known[pk]) for pk in are_kept)
            verb = "is" if len(are_kept) == 1 else "are"
            raise ServiceError(f"{names} {verb} {words}. Draw again, or change seats by hand.", "tables")


def start_all(meeting: Meeting, *, by: Actor, why: str = "") -> None:
    """Start every drawn table that waits, all of them or none; ServiceError names the table that cannot begin."""
    with write_transaction():
        for drawn in _not_begun(meeting).order_by("number"):
            try:
                start_drawn(drawn, by=by, why=why)
            except (ServiceError, ScoringError) as error:
                raise ServiceError(
                    f"No table has started, because of table {drawn.number}. {error}", "tables"
                ) from error


def set_wish(club: Club, a: int, b: int, kind: str, *, by: Actor, why: str = "") -> None:
    """Keep two people apart or together from the next draw on; an empty kind removes the seating request."""
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
        log_change(club, by, "wish", club, facts | {"kind": before}, facts | {"kind": kind}, why)
