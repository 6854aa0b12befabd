"""Every CSV of a club at once, by file name; the names hold no ids, so that two installations can be compared."""
from sessions_app.exports.attendance import attendance_csv
from sessions_app.exports.honours import honours_csv
from sessions_app.exports.log import log_csv
from sessions_app.exports.payments import payments_csv
from sessions_app.exports.players import players_csv
from sessions_app.exports.session_hands import session_hands_csv
from sessions_app.exports.session_totals import club_totals_csv
from sessions_app.exports.standings import standings_csv
from sessions_app.models import Season, Session
from sessions_app.queries.methods import METHODS
from sessions_app.queries.standings import season_standings


def club_files(club):
    """Yield file name and text of every CSV of a club."""
    yield "players.csv", players_csv(club)
    yield "session-totals.csv", club_totals_csv(club)
    yield "payments.csv", payments_csv(club)
    yield "attendance.csv", attendance_csv(club)
    yield "honours.csv", honours_csv(club)
    for season in Season.objects.of_club(club).order_by("starts_on"):
        for method in METHODS:
            text = standings_csv(season_standings(season, method=method).rows)
            yield f"standings-{season.starts_on}-{method}.csv", text
    sessions = Session.objects.of_club(club).select_related("club", "meeting").order_by("pk")
    for number, session in enumerate(sessions, 1):
        yield f"hands-{number:05}-{session.date}-table-{session.table}.csv", session_hands_csv(session)
    yield "log.csv", log_csv(club)
