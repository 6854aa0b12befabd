"""Write a league table as CSV to standard output: `export_standings --club SLUG --from DATE --to DATE [...]`."""

import argparse
from dataclasses import replace
from datetime import date
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from clubscore.league.ranking import GROUPS, Settings
from clubscore.scoring.words import listed
from sessions_app.exchange.exports.club_csv import standings_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.league.standings import Span, standings
from sessions_app.management.base import StoredCommand, club_named, write_exactly
from sessions_app.people.dates import DATE_SENTENCES, is_possible
from sessions_app.rules.club_rules import known_rule_sets


class Command(StoredCommand):
    help = "Write a club's league table for a span of dates as CSV to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", required=True, help="address part of the club")
        parser.add_argument("--from", required=True, type=day, dest="starts_on", metavar="DATE", help="first date")
        parser.add_argument("--to", required=True, type=day, dest="ends_on", metavar="DATE", help="last date, included")
        parser.add_argument("--rules", type=rule_sets, metavar="KEYS", help="e.g. bmja,u3a; the club's own when absent")
        parser.add_argument("--recording", choices=["settle", "straight"], default="settle")
        for row in SEASON_SETTINGS.values():
            option = "--" + (row.option or row.name.replace("_", "-"))
            default = getattr(Settings, row.name)
            parser.add_argument(option, dest=row.name, default=default, help=row.label, **row.kind.option)
        parser.add_argument("--group", choices=list(GROUPS), default="", help="rank only these players")
        parser.add_argument("--league", default="", help="of a club with several, the one that counts")
        parser.add_argument("--previous-from", type=day, metavar="DATE", help="first date of the season before")
        parser.add_argument("--previous-to", type=day, metavar="DATE", help="its last date")

    def handle(self, **options: Any) -> None:
        club = club_named(options["club"])
        rules, recording = options["rules"] or (club.rules,), options["recording"]
        starts_on, ends_on = options["previous_from"], options["previous_to"]
        if (starts_on is None) != (ends_on is None):
            raise CommandError("--previous-from and --previous-to belong together.")
        if (league := options["league"]) not in (club.leagues or [""]):
            raise CommandError(f"Choose one with --league: {listed(club.leagues, 'or') or 'the club has only one'}.")
        previous = span_of(starts_on, ends_on, rules, recording) if starts_on else None
        span = replace(span_of(options["starts_on"], options["ends_on"], rules, recording), league=league)
        settings = Settings(**{name: options[name] for name in (*SEASON_SETTINGS, "group")})
        write_exactly(self.stdout, standings_csv(standings(club, span, settings, previous).rows, names=PROGRAMS))


def span_of(starts_on: date, ends_on: date, rules: tuple[str, ...], recording: str) -> Span:
    if ends_on < starts_on:
        raise CommandError(f"The span ends on {ends_on.isoformat()}, before it starts on {starts_on.isoformat()}.")
    return Span(starts_on, ends_on, rules, recording)


def day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a date such as 2026-11-12") from None
    if not is_possible(found):
        raise argparse.ArgumentTypeError(f"“{text}” has a wrong year. {DATE_SENTENCES['wrong_year']}")
    return found


def rule_sets(text: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in text.split(",") if key.strip())
    unknown = [key for key in keys if key not in known_rule_sets()]
    if unknown or not keys:
        raise argparse.ArgumentTypeError(f"there are no rules called {', '.join(unknown) or '“”'}")
    return keys
