"""Every CSV of a club at once, by file name; the names hold no ids, so that two installations can be compared."""

from sessions_app.exports.files import FILES
from sessions_app.exports.players import players_csv
from sessions_app.exports.session_hands import session_hands_csv
from sessions_app.exports.standings import standings_csv
from sessions_app.models import Season, Session
from sessions_app.queries.methods import METHODS
from sessions_app.queries.standings import season_standings

# The hands stand in a file for each session.
APART = ("hands", "players")


def club_files(club):
    """Yield file name and text of every CSV of a club."""
    yield "players.csv", players_csv(club)
    for file in FILES:
        if file.key not in APART and file.is_kept(club):
            yield "session-totals.csv" if file.key == "totals" else file.file_name, file.make(club, None)
    for season in Season.objects.of_club(club).order_by("starts_on"):
        for method in METHODS:
            text = standings_csv(season_standings(season, method=method).rows)
            yield f"standings-{season.starts_on}-{method}.csv", text
    sessions = Session.objects.of_club(club).select_related("club", "meeting").order_by("pk")
    for number, session in enumerate(sessions, 1):
        yield f"hands-{number:05}-{session.date}-table-{session.table}.csv", session_hands_csv(session)
