"""Results as most clubs pin them up: a row for each player, a column for each date, with the season's ranking."""

import datetime
import io
from collections import defaultdict
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font

from sessions_app.exchange.exports.csv_files import csv_text, guarded
from sessions_app.league.methods import METHODS
from sessions_app.league.standings import season_standings
from sessions_app.models import Club, Season, Tally

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


DATE_FORMAT = "dd/mm/yyyy"


def grid(club: Club, season: Season | None) -> list[list[Any]]:
    """Return the headings and the rows, ranked players first; a date with two results of a player has two columns."""
    tallies = Tally.objects.of_club(club).filter(session__practice=False).played()
    if season is not None:
        tallies = tallies.filter(session__season=season)
    nets: dict[Any, dict[datetime.date, list[int]]] = defaultdict(lambda: defaultdict(list))
    people = {}
    for tally in tallies.select_related("session", "player").order_by("session__date", "session__table", "session_id"):
        nets[tally.player_id][tally.session.date].append(tally.net)
        people[tally.player_id] = tally.player
    days = sorted({day for of_player in nets.values() for day in of_player})
    columns = [(day, nth) for day in days for nth in range(max(len(one[day]) for one in nets.values() if day in one))]
    ranked = {row.player: row for row in season_standings(season).rows} if season else {}
    order = [player for player in ranked if player in nets]
    order += sorted(nets.keys() - ranked.keys(), key=lambda player: str(people[player]))
    heads: list[Any] = ["Position", "Player", "Guest", *(day for day, _ in columns), "Sessions", "Total"]
    rows = [heads + ([METHODS[season.method].name] if season else [])]
    for player in order:
        own, row = nets[player], ranked.get(player)
        cells = [own[day][nth] if nth < len(own.get(day, [])) else None for day, nth in columns]
        known = [net for net in cells if net is not None]
        about: list[Any] = [row and row.position, str(people[player]), "yes" if people[player].guest else ""]
        rows.append([*about, *cells, len(known), sum(known), *([row.shown if row else ""] if season else [])])
    return rows


def grid_csv(club: Club, season: Season | None) -> str:
    """Return the grid as CSV, dates with the year first."""
    heads, *rows = grid(club, season)
    return csv_text([str(head) for head in heads], rows)


def grid_xlsx(club: Club, season: Season | None) -> bytes:
    """Return the grid as a workbook with one sheet, named as the season."""
    book = Workbook()
    sheet = book.active
    sheet.title = "".join(letter for letter in (season.name if season else "Results") if letter not in "[]:*?/\\")[:31]
    for row in grid(club, season):
        sheet.append([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        if isinstance(cell.value, datetime.date):
            cell.number_format = DATE_FORMAT
            sheet.column_dimensions[cell.column_letter].width = 12
    sheet.column_dimensions["B"].width = 26
    sheet.freeze_panes = "C2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
