"""Import totals: the writing of what was planned, and what counts nowhere."""

from collections.abc import Iterable
from dataclasses import replace

from clubscore.league.methods import grouped
from clubscore.scoring import rule_set_name
from sessions_app.exchange.imports.name_matches import People
from sessions_app.exchange.imports.sheet_values import ImportRefused, counted
from sessions_app.exchange.imports.table_totals import TableTotals, write_tables
from sessions_app.exchange.imports.take_back import remove_meetings
from sessions_app.exchange.imports.totals_file import TotalsRow
from sessions_app.exchange.imports.totals_plan import Answers, Source, TotalsPlan, plan_totals
from sessions_app.models import Club, Import, Meeting, Player, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, log_change
from sessions_app.people.transactions import write_transaction


def import_totals(
    club: Club,
    rows: list[TotalsRow],
    by: Actor,
    source: Source | None = None,
    answers: Answers | None = None,
) -> TotalsPlan:
    """Write the rows into the club, all or nothing; raise ImportRefused while something is open."""
    with write_transaction():
        club = Club.objects.select_for_update().get(pk=club.pk)
        plan = plan_totals(club, rows, source, answers)
        if plan.open_sentences:
            raise ImportRefused(*plan.open_sentences)
        if plan.has_changes:
            _write(club, plan, by, source or Source())
    return plan


def with_own_leagues(club: Club, rows: list[TotalsRow]) -> list[TotalsRow]:
    """Return the rows of meetings that are here, or whose league the club does not have, without their league."""
    here = set(Meeting.objects.of_club(club).values_list("date", "name"))
    known = (row.league in club.leagues and (row.date, row.meeting) not in here for row in rows)
    return [row if is_known else replace(row, league="") for row, is_known in zip(rows, known, strict=True)]


def _write(club: Club, plan: TotalsPlan, by: Actor, source: Source) -> None:
    """Write what was planned, and the row of the import with all that it made and how its tables stood before."""
    made = source.made()
    Player.objects.bulk_create(plan.players)
    for change in plan.changes:
        change.name_players(plan.players)
    meetings = write_tables(club, plan.changes, plan.leagues)
    Player.objects.bulk_update(plan.guests, ["guest"])
    made |= {
        "player": [player.pk for player in plan.players],
        "meeting": [[meeting.date.isoformat(), meeting.name] for meeting in meetings],
        "guests": [{"player": player.pk, "guest": not player.guest} for player in plan.guests],
    }
    row = Import.objects.create(
        club=club,
        user=by.user,
        name=by.name,
        kind=Import.Kind.TOTALS,
        in_place_of=plan.forerunner,
        tables=[
            *({"session": pk, "after": digest} for pk, digest in plan.confirmed.items()),
            *(
                {
                    "session": change.session,
                    "before": change.before and change.before.to_json(),
                    "after": change.after.digest if change.after else None,
                }
                for change in plan.changes
            ),
        ],
        made=made,
        **source.facts(People(club)),
    )
    if plan.forerunner:
        remove_meetings(plan.forerunner)
    log_change(club, by, "import totals", row, {}, {"file": row.words, "counts": plan.counts})


# What a file of totals would do, in sentences for the secretary who looks at it before it is imported.

HOW = {"settle": "settled", "straight": "recorded straight"}


def what_counts_nowhere(tables: Iterable[tuple[TableTotals | Session, Season | None]]) -> list[str]:
    """Say which tables would count in no league table, and why: there is no season then, or it has other rules."""

    def because(found):
        table, season = found
        rules = f"{rule_set_name(table.rules)}, {HOW[table.recording]}"
        return f"the season “{season}” does not count {rules}" if season else ""

    sentences = []
    for why, found in grouped(tables, because).items():
        first, last = (day_words(day([table.date for table, _ in found])) for day in (min, max))
        dates = first if first == last else f"{first} to {last}"
        later = "will count once you add a season for those days"
        will = f"will not count in any league table, as {why}" if why else later
        sentences.append(f"{counted(len(found), 'table')} ({dates}) {will}.")
    return sentences


def what_has_no_hands(rows: list[TotalsRow]) -> list[str]:
    """Say how many tables have points but 0 hands for everyone: the file’s author did not know them."""
    tables = grouped(rows, lambda row: row.session)
    empty = sum(all(row.hands == 0 for row in some) and any(row.net for row in some) for some in tables.values())
    if not empty:
        return []
    return [
        f"{counted(empty, 'table')} with 0 hands will not count in any league table. "
        "Leave “hands” and “won” empty if you do not know them."
    ]
