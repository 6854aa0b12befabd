"""The whole club as one zip for its committee: every CSV, every afternoon, and a page that says what is what."""
import zipfile
from io import BytesIO

from sessions_app.exports.attendance import attendance_csv
from sessions_app.exports.club_night import club_nights, meetings_with_hands
from sessions_app.exports.honours import honours_csv
from sessions_app.exports.log import log_csv
from sessions_app.exports.payments import payments_csv
from sessions_app.exports.players import players_csv
from sessions_app.exports.session_hands import club_hands_csv
from sessions_app.exports.session_totals import club_totals_csv
from sessions_app.exports.standings import standings_csv
from sessions_app.models import Season
from sessions_app.queries.standings import season_standings

README = """\
{club}: everything this club has kept in Clubscore, taken out on {day}.

The files that end in .csv open in any spreadsheet: Excel, LibreOffice, Numbers, Google Sheets. Each has a line of
headings, and dates are written with the year first, 2026-11-12. A minus sign means that somebody paid.

players.csv      Everybody who has ever played: the full name, the name used at the table, guests, and those who
                 have left. Addresses and telephone numbers are not in it: only a secretary takes those out.
totals.csv       A line for each player and session: hands played and won, what was gained and lost, and the place.
                 It can be taken in again, here or in another club, from the secretary's desk.
hands.csv        A line for each player and hand: what the hand counted, and what everybody had after it.
payments.csv     A line for each payment: who paid whom, how much and why.
attendance.csv   Who came to which meeting, and at which tables they sat.
honours.csv      The special hands that went Mah-jong.
standings/       The league table of each season, as that season ranks.
afternoons/      Every afternoon, hand by hand as it was entered. These are for Clubscore: an afternoon can be taken
                 in again from the secretary's desk, and every hand is scored anew.
log.csv          Who changed what, when and why.

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
    """Yield name and text of every file of the zip."""
    yield "README.txt", README.format(club=club.name, day=f"{today:%-d %B %Y}").replace("\n", "\r\n")
    yield "players.csv", players_csv(club)
    yield "totals.csv", club_totals_csv(club)
    yield "hands.csv", club_hands_csv(club)
    yield "payments.csv", payments_csv(club)
    yield "attendance.csv", attendance_csv(club)
    yield "honours.csv", honours_csv(club)
    for season in Season.objects.of_club(club).order_by("starts_on"):
        yield f"standings/{season.starts_on}-to-{season.ends_on}.csv", standings_csv(season_standings(season).rows)
    for meeting, text in club_nights(club, meetings_with_hands(club)):
        yield f"afternoons/{meeting.date}-{meeting.pk}.json", text
    yield "log.csv", log_csv(club)


def whole_club_file_name(club, today):
    return f"{club.slug}-{today}-whole-club.zip"
