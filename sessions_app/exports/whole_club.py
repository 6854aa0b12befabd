"""The whole club as one zip for its committee: every CSV, every afternoon, and a page that says what is what."""

import textwrap
import zipfile
from io import BytesIO

from sessions_app.exports.club_night import club_nights, meetings_with_hands
from sessions_app.exports.files import FILES
from sessions_app.exports.standings import standings_csv
from sessions_app.models import Season
from sessions_app.queries.standings import season_standings

WIDTH, COLUMN = 117, 17
FOLDERS = {
    "standings/": "The league table of each season, as that season ranks.",
    "afternoons/": "Every afternoon, hand by hand as it was entered. These are for Clubscore: an afternoon can be "
    "taken in again from the secretary's desk, and every hand is scored anew.",
}
README = """\
{club}: what this club has played and kept in Clubscore, taken out on {day}.

The files that end in .csv open in any spreadsheet: Excel, LibreOffice, Numbers, Google Sheets. Each has a line of
headings, and dates are written with the year first, 2026-11-12. A minus sign means that somebody paid.

{files}

Not in it are how to reach people, what members asked about hands and the answers, the wishes of who sits with whom,
the editions of the club's house rules and the list of its own special hands (each afternoon holds those it was played
by), and the logins. All of these are in the backup of one club, which whoever runs Clubscore makes.

Keep this file where only the committee can open it: it holds the names of the members.
"""


def whole_club_zip(club, today):
    """Return the bytes of the zip; the number of queries grows with the seasons, and by six for fifty meetings."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in whole_club_files(club, today):
            file.writestr(name, text)
    return held.getvalue()


def whole_club_files(club, today):
    """Yield name and text of every file of the zip; the page that tells of them names those that are there."""
    kept, told = [], []
    for file in FILES:
        if file.is_kept(club):
            kept.append((file.file_name, (file.in_zip or file.make)(club, None)))
            told.append((file.file_name, file.told or file.sentence))
    seasons = Season.objects.of_club(club).order_by("starts_on")
    kept += [
        (f"standings/{season.starts_on}-to-{season.ends_on}.csv", standings_csv(season_standings(season).rows))
        for season in seasons
    ]
    nights = club_nights(club, meetings_with_hands(club))
    kept += [(f"afternoons/{meeting.date}-{meeting.pk}.json", text) for meeting, text in nights]
    told += [(name, words) for name, words in FOLDERS.items() if any(other.startswith(name) for other, _ in kept)]
    files = "\n".join(_entry(*one) for one in told)
    readme = README.format(club=club.name, day=f"{today:%-d %B %Y}", files=files)
    yield "README.txt", readme.replace("\n", "\r\n")
    yield from kept


def _entry(name, words):
    """Return a line of the page, or several: the name of a file, then what stands in it."""
    return textwrap.fill(words, WIDTH, initial_indent=name.ljust(COLUMN), subsequent_indent=" " * COLUMN)


def whole_club_file_name(club, today):
    return f"{club.slug}-{today}-whole-club.zip"
