"""Starting a session, and who sits where in its next hand."""

from clubscore import scoring
from clubscore.scoring.rotation import Chairs, RotationError, first_chairs
from clubscore.table.live_scoring import score_format_of
from sessions_app.models import ClubHand, ClubRules, Meeting, Recording, Season, Seat, Session, Tally
from sessions_app.people.log import log_change
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.sticks import dealt_sticks, starting_worth

FOUR = 4


def current_chairs(session):
    """Return the Chairs of a session's next hand; one brought along as totals has its seats in order, for showing."""
    if session.chairs:
        return Chairs.from_dict(session.chairs)
    numbers = [seat.chair for seat in session.seats.order_by("chair")]
    winds = [*numbers[:FOUR], *[None] * FOUR][:FOUR]
    return Chairs(winds=tuple(winds), first_east=numbers[0], out=tuple(numbers[FOUR:]))


def starting_balance_for(house, players):
    """Return what each of so many players starts with: four tables' worth shared out, rounded down to 10."""
    shared = (house.starting_balance or 0) * FOUR
    return shared // FOUR if players == FOUR else shared // players // 10 * 10


def start_session(
    club,
    date,
    table,
    players,
    rules,
    house_rules,
    by,
    meeting_name="",
    starting_balance=None,
    sticks="",
    why="",
    practice=False,
    club_hands=(),
    round_payments=False,
):
    """Seat three to five players (East, South, West, North, sitting out) at a table and open its ledger.

    Rule set, house rules (the switches that differ), the club's own hands and editions are frozen; `house_rules` None
    takes the club's newest edition, with its own hands in force that day. Without a starting balance it is what the
    house rules say, or what the sticks dealt are worth. `round_payments` rounds each
    payment to the nearest 10, whatever else the rules say. A practice table never counts anywhere. ScoringError for
    house rules that cannot be, ServiceError for players who cannot.
    """
    session = unsaved_session(
        club, date, table, players, rules, house_rules, starting_balance, sticks, practice, club_hands, round_payments
    )
    with write_transaction():
        session.meeting, _ = Meeting.objects.get_or_create(club=club, date=date, name=meeting_name)
        place_in_season(session)
        session.save(force_insert=True)
        _seat(session, players)
        log_change(club, by, "start", session, {}, session_facts(session, players), why, session)
        Season.objects.raise_version(session.season_id)
    return session


def unsaved_session(
    club,
    date,
    table,
    players,
    rules,
    house_rules,
    starting_balance=None,
    sticks="",
    practice=False,
    club_hands=(),
    round_payments=False,
):
    """Return the session that start_session would save, without its meeting and season; nothing is written."""
    number = 0
    if house_rules is None:
        number, house_rules, club_hands = _as_the_club_plays(club, rules, date)
    house = scoring.house_rules(rules, house_rules)
    scoring.check_club_hands(rules, [score_format_of(hand) for hand in club_hands] or None)
    try:
        chairs = first_chairs(range(1, len(players) + 1), house)
    except RotationError as error:
        raise ServiceError(str(error), "players") from error
    _check_players(club, players)
    if house.recording != Recording.SETTLE:
        # Nobody pays: no stick would ever move.
        sticks = ""
    elif round_payments:
        house_rules = {**house_rules, "round_payments_to": 10}
    worth = starting_worth(sticks, len(players))
    if starting_balance is None:
        starting_balance = starting_balance_for(house, len(players)) if worth is None else worth
    return Session(
        club=club,
        practice=practice,
        date=date,
        table=table,
        rules=rules,
        house_rules=dict(house_rules),
        house_edition=number,
        club_hands=list(club_hands),
        recording=house.recording,
        edition=scoring.RULE_SETS[rules].edition,
        starting_balance=starting_balance,
        sticks=sticks,
        chairs=chairs.to_dict(),
    )


def place_in_season(session):
    """Let a session that is about to start count in its season; ServiceError where that is locked."""
    season = (
        None if session.practice else Season.objects.on(session.club, session.date, session.rules, session.recording)
    )
    session.season = season
    if season is not None and season.locked:
        raise ServiceError(
            f"The season {season.name} is locked, so you could not enter hands at this table. Unlock it, end it "
            "earlier, or start a practice table.",
            "date",
        )


def _as_the_club_plays(club, rules, date):
    """Return number and switches of the club's newest edition, and its own hands in force, as a session keeps them."""
    edition = ClubRules.objects.newest(club, rules)
    hands = ClubHand.objects.of_club(club).in_force(date) if scoring.RULE_SETS[rules].takes_club_hands else []
    return edition.number if edition else 0, edition.house_rules if edition else {}, [hand.frozen() for hand in hands]


def _check_players(club, players):
    if len({player.pk for player in players}) != len(players):
        raise ServiceError("Choose a different player for each seat.", "players")
    if any(player.club_id != club.pk for player in players):
        raise ServiceError("There is no such player in this club.", "players")


def _seat(session, players):
    seats = Seat.objects.bulk_create(
        Seat(club=session.club, session=session, player=player, chair=chair) for chair, player in enumerate(players, 1)
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
            sticks=sticks and sticks[seat.chair],
        )
        for seat in sorted(seats, key=lambda seat: seat.player_id)
    )


def session_facts(session, players):
    """Return what the log keeps of a session begun: what it is played by, and its players by number, in their order."""
    practice = {"practice": True} if session.practice else {}
    own = {"house_edition": session.house_edition} if session.house_edition else {}
    own |= {"club_hands": [hand["key"] for hand in session.club_hands]} if session.club_hands else {}
    return (
        practice
        | own
        | {
            "date": str(session.date),
            "table": session.table,
            "rules": session.rules,
            "house_rules": session.house_rules,
            "players": [player.pk for player in players],
            "starting_balance": session.starting_balance,
        }
    )
