"""One table's totals, as entered or corrected on a page."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet

from clubscore.play.command_kinds import VOID
from clubscore.scoring.words import signed
from sessions_app.exchange.imports.name_matches import People
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.table_totals import (
    TableChange,
    TableTotals,
    net_changes,
    new_table,
    tables_of,
    write_tables,
)
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.exchange.imports.totals_plan import Answers, Rows, new_players
from sessions_app.league.seasons import change_season
from sessions_app.models import Club, Meeting, Player, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.transactions import write_transaction
from sessions_app.table.apply_command import apply_secretary_command
from sessions_app.table.what_will_be import TableQuestion, questions_about_tables


def _nets_of(it: LoggedChange, state: dict[str, Any]) -> dict[str, int]:
    return {it.names.player(result["player"]): result["net"] for result in state.get("results") or []}


log_sentences(
    {
        "enter totals": "entered the totals of {the_table}: {totals_entered}",
        "correct totals": "corrected the totals of {the_table}: {totals_changed}",
    },
    totals_entered=lambda it: ", ".join(
        f"{it.names.player(result['player'])} {signed(result['net'])}" for result in it.after.get("results") or []
    ),
    totals_changed=lambda it: (
        ", ".join(net_changes(_nets_of(it, it.before), _nets_of(it, it.after)))
        or "nothing but hands, seats or where it was"
    ),
)


class SeasonLocked(ImportRefused):
    """The totals are of a locked season; the secretary may have it unlocked for them, and locked again."""


class QuestionsOpen(ImportRefused):
    """What is asked about before the totals are saved."""

    def __init__(self, *table_questions: TableQuestion) -> None:
        super().__init__(*(question.sentence for question in table_questions))
        self.table_questions = table_questions


def save_totals(
    club: Club,
    rows: list[TotalsRow],
    *,
    by: Actor,
    nth: int = 1,
    instead_of: int | None = None,
    answers: Answers | None = None,
) -> tuple[Session, bool]:
    """Write the totals of a table's `nth` round; return its session, and whether anything changed.

    `instead_of` is a session of totals, which is corrected, or one that was started for them and has no entries, which
    is cancelled. ImportRefused where the table has other results already, or where something has to be answered first.
    """
    first, answers = rows[0], answers or Answers()
    before = Session.objects.of_club(club).select_related("meeting").filter(pk=instead_of or 0, void=False).first()
    league = Meeting.objects.league_of(club, first.date, first.meeting)
    seasons = {Season.objects.on(club, first.date, first.rules, first.recording, league), before and before.season}
    if locked := [season for season in seasons if season and season.locked]:
        if not answers.opens_lock:
            add = (
                "the correction is right, save it"
                if before and before.imported
                else "these totals belong in it, add them"
            )
            raise SeasonLocked(f"The season “{locked[0]}” is locked. If {add} all the same.")
        reason = f"Totals of table {first.table} on {day_words(first.date)}"
        with write_transaction():
            for season in locked:
                change_season(season, by=by, why=reason, locked=False)
            saved = save_totals(club, rows, by=by, nth=nth, instead_of=instead_of, answers=answers)
            for season in locked:
                change_season(season, by=by, why=reason, locked=True)
        return saved
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        if before and before.imported:
            return _correct(club, before, rows, by, answers)
        at_table = sessions_at_table(club, first)
        if before and not before.entries.active().exists():
            _cancel(before, by)
        here = list(at_table.select_related("meeting"))
        if nth <= len(here):
            same = here[nth - 1]
            stands = tables_of([same])[same.pk]
            if same.imported and stands.with_rows(_by_player(club, rows), is_whole=True) == stands:
                return same, False
            sentence = f"Enter another table number, or round {len(here) + 1}."
            raise ImportRefused(f"{sentence} Table {first.table} already has results on {day_words(first.date)}.")
        if nth > len(here) + 1:
            sentence = f"Enter round {len(here) + 1} first."
            raise ImportRefused(f"{sentence} Table {first.table} has no results of it on {day_words(first.date)}.")
        after = new_table(first, first.meeting).with_rows(_by_player(club, rows), is_whole=True)
        change = TableChange(None, after, nth=nth)
        return _save(club, change, rows, by, answers), True


def _correct(club: Club, session: Session, rows: list[TotalsRow], by: Actor, answers: Answers) -> tuple[Session, bool]:
    """Correct the totals of a session; what the form does not ask for stays as it was."""
    stands = tables_of([session])[session.pk]
    was = {one.player: one for one in stands.results}
    known = _by_player(club, rows)
    known = {
        player: replace(row, won=was[player].won) if player in was and row.hands == was[player].hands else row
        for player, row in known.items()
    }
    first = rows[0]
    moved = replace(stands, date=first.date, meeting=first.meeting, table=first.table)
    change = TableChange(stands, moved.with_rows(known, is_whole=True), session.pk, session.round)
    if change.after == stands:
        return session, False
    if not answers.why:
        raise NoReason("Enter a reason. It is kept in the history.")
    return _save(club, change, rows, by, answers), True


class NoReason(ImportRefused):
    """A correction without a reason."""


def _save(club: Club, change: TableChange, rows: list[TotalsRow], by: Actor, answers: Answers) -> Session:
    """Write one table's change with its new players, and log it at its session."""
    names: dict[int | str, str] = {player: row.player for player, row in _by_player(club, rows).items()}
    known = {player.pk: str(player) for player in Player.objects.of_club(club)} | names
    table_questions = questions_about_tables(club, [change.results(known)])
    if asked := [question for question in table_questions if answers.is_open(question)]:
        raise QuestionsOpen(*asked)
    new = [player for player in names if isinstance(player, str)]
    guests = {row.player: row.guest for row in rows}
    players = new_players(club, [names[player] for player in new])
    for player in players:
        player.guest = guests[player.full_name]
    Player.objects.bulk_create(players)
    change.name_players(players)
    write_tables(club, [change])
    session = Session.objects.get(pk=change.session or 0)
    before, after = (_nets(table) for table in (change.before, change.after))
    action = "correct totals" if change.before else "enter totals"
    log_change(session, by, action, session, before, after, answers.why)
    return session


def _nets(table: TableTotals | None) -> dict[str, Any]:
    return {"results": [{"player": one.player, "net": one.net} for one in table.results]} if table else {}


def _by_player(club: Club, rows: list[TotalsRow]) -> Rows:
    people = People(club)
    return {people[row.player].pk if row.player in people else row.player.casefold(): row for row in rows}


def sessions_at_table(club: Club, row: TotalsRow) -> QuerySet[Session]:
    """Return the sessions of a row’s table at its meeting."""
    sessions = Session.objects.of_club(club).filter(date=row.date, meeting__name=row.meeting, table=row.table)
    return sessions.filter(practice=False).order_by("pk")


def _cancel(session: Session, by: Actor) -> None:
    command = {"key": str(uuid4()), "kind": VOID.key, "body": {}, "device": "", "why": "Totals were entered instead"}
    answer = apply_secretary_command(session.pk, command, by)
    if not answer.is_done:
        raise ImportRefused(answer.message)
