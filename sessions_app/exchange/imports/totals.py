"""Import totals: the writing of what was planned, and a file of totals on the web."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed
from sessions_app.exchange.imports.name_matches import ImportPreview, Names, People
from sessions_app.exchange.imports.sheet_values import ImportRefused, counted, refuse_too_many
from sessions_app.exchange.imports.summary import what_will_be
from sessions_app.exchange.imports.table_totals import (
    TableTotals,
    write_tables,
)
from sessions_app.exchange.imports.take_back import remove_meetings
from sessions_app.exchange.imports.totals_file import TotalsRow, read_totals
from sessions_app.exchange.imports.totals_plan import Answers, Source, TotalsPlan, plan_totals
from sessions_app.models import Club, Import, Meeting, Player, Season, Session
from sessions_app.people.clubs import club_at
from sessions_app.people.dates import FIRST_DAY, LAST_DAY, day_words
from sessions_app.people.log import Actor, log_change
from sessions_app.people.transactions import write_transaction


def import_totals(
    slug: str,
    rows: list[TotalsRow],
    by: Actor,
    source: Source | None = None,
    answers: Answers | None = None,
) -> TotalsPlan:
    """Write the rows into the club, made if need be, all or nothing; raise ImportRefused while something is open."""
    with write_transaction():
        club = Club.objects.select_for_update().get(pk=club_of(slug, rows).pk)
        plan = plan_totals(club, rows, source, answers)
        if plan.open_sentences:
            raise ImportRefused(*plan.open_sentences)
        if plan.has_changes:
            _write(club, plan, by, source or Source())
    return plan


def club_of(slug: str, rows: list[TotalsRow]) -> Club:
    """Return the club; a new one plays by the rule set most rows have."""
    club = club_at(slug)
    if club is None:
        used = [row.rules for row in rows]
        rules = max(sorted(set(used)), key=used.count, default="bmja")
        club = Club.objects.create(slug=slug, name=slug.replace("-", " ").capitalize(), rules=rules)
    return club


def with_known_names(club: Club | None, rows: list[TotalsRow]) -> tuple[list[TotalsRow], dict[str, str]]:
    """Return the rows with the names that players have now, where they were renamed since an import; and by name."""
    names = {row.player: row.player for row in rows}
    if club is None:
        return rows, names
    people = People(club)
    for name in names:
        if name not in people and (player := people.last(name)):
            names[name] = str(player)
    return [replace(row, player=names[row.player]) for row in rows], names


def with_own_leagues(club: Club | None, rows: list[TotalsRow]) -> list[TotalsRow]:
    """Return the rows of meetings that are here, or whose league the club does not have, without their league."""
    here = set(Meeting.objects.filter(club=club).values_list("date", "name"))
    leagues = club.leagues if club else ()
    is_of_file = {row.line for row in rows if row.league in leagues and (row.date, row.meeting) not in here}
    return [row if row.line in is_of_file or not row.league else replace(row, league="") for row in rows]


def wrong_days(club: Club | None) -> set[str]:
    """Return the days in impossible years on which a club has sessions: its own file of totals has them too."""
    sessions = Session.objects.filter(club=club).exclude(date__range=(FIRST_DAY, LAST_DAY))
    return set(map(str, sessions.values_list("date", flat=True)))


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
    tables = {"new": len(plan.new), "corrected": len(plan.corrected), "gone": len(plan.gone)}
    log_change(club, by, "import totals", row, {}, plan.rows | {"file": row.words, "counts": tables})


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


# A file of totals on the web: checked first, then written.

# Years of totals; the command line has no such limit.
MAX_ROWS = 10_000


def preview_totals_file(club: Club, text: str, source: Source, data: Mapping[str, Any]) -> ImportPreview:
    """Return what a file of totals would do; writes and locks nothing."""
    preview, rows, _ = _read_totals(club, text, data)
    if not preview.names.open_questions:
        preview.plan = plan = plan_totals(club, rows, source, Answers.of(data))
        preview.table_questions, preview.accepted = plan.table_questions, plan.answers.accepted
        preview.will_be = what_will_be(rows, data) if rows else None
        preview.faults += plan.faults
        preview.adds = len(plan.changes) + len(plan.guests)
        preview.notes += [*what_counts_nowhere(plan.unranked), *what_has_no_hands(rows), *plan.guest_notes]
    return preview


def import_totals_file(club: Club, text: str, source: Source, data: Mapping[str, Any], *, by: Actor) -> TotalsPlan:
    """Write a file of totals, or raise ImportRefused and write nothing."""
    preview, rows, names = _read_totals(club, text, data)
    preview.refuse_open()
    if rows and (refusal := what_will_be(rows, data).refusal):
        raise ImportRefused(refusal)
    return import_totals(club.slug, rows, by, replace(source, names=names), Answers.of(data))


def _read_totals(
    club: Club, text: str, chosen: Mapping[str, str]
) -> tuple[ImportPreview, list[TotalsRow], dict[str, str]]:
    file = read_totals(text.encode(), wrong_days(club))
    refuse_too_many(len(file.rows), MAX_ROWS, "lines")
    file_rows = with_own_leagues(club, file.rows)
    days = {player: [row.date for row in rows] for player, rows in grouped(file_rows, attrgetter("player")).items()}
    preview = ImportPreview(Names(club, days, chosen, is_asked=True))
    names = {name: str(preview.names.same.get(name, name)) for name in days}
    if file.other_columns:
        preview.notes.append(f"Your file also has {listed(file.other_columns, 'and')}. We leave that out.")
    return preview, [replace(row, player=names[row.player]) for row in file_rows], names
