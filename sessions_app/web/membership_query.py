"""The query that every page of a club begins with: whose sign-in this is there, and what is asked along with it.

Its subqueries are SQL, as putting them together takes Django longer than the database takes to answer: 4.6 ms for all
of it instead of 2.1, where a page that has not changed is to take 2 (docs/benchmarks.md).
"""

from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from sessions_app.models import Membership

# A club's address, and those it had before, which are asked for only where no club has it now.
ADDRESSES = ("club__slug", "club__old_addresses__slug")

# The number in the page head: score queries, hands to check and tables of earlier days in play. The tables come as
# their days, as the database does not know the club's date.


class OpenDays(RawSQL):
    """The days of the tables in play, with commas between."""

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        sql, params = self.as_sql(compiler, connection)
        return sql.replace("group_concat(s.date)", "string_agg(s.date::text, ',')"), params


WAITING = {
    "waiting": RawSQL(
        """CASE WHEN sessions_app_membership.role = 'secretary' THEN (
            SELECT count(*) FROM sessions_app_doubt JOIN sessions_app_session s ON s.id = session_id
            WHERE outcome = '' AND s.club_id = sessions_app_membership.club_id
        ) + (
            SELECT count(*) FROM sessions_app_command JOIN sessions_app_session s ON s.id = session_id
            WHERE outcome IN ('contested', 'late') AND s.club_id = sessions_app_membership.club_id
        ) ELSE 0 END""",
        (),
    ),
    "open_days": OpenDays(
        """CASE WHEN sessions_app_membership.role = 'secretary' THEN (
            SELECT group_concat(s.date) FROM sessions_app_session s
            WHERE s.club_id = sessions_app_membership.club_id AND s.state = 'open' AND NOT s.paused
        ) ELSE '' END""",
        (),
    ),
}

MEMBERSHIPS = Membership.objects.select_related("club", "user").annotate(**WAITING)

# What tells whether anything of a club has changed (http_cache.py).
_NEWEST = """(
    SELECT {} FROM sessions_app_change WHERE club_id = sessions_app_membership.club_id ORDER BY id DESC LIMIT 1
)"""
_SEASONS = "(SELECT sum(version) FROM sessions_app_season WHERE club_id = sessions_app_membership.club_id)"
CACHE_KEYS = {
    "newest_change": RawSQL(_NEWEST.format("id"), ()),
    "changed_at": RawSQL(_NEWEST.format("at"), ()),
    "season_versions": RawSQL(_SEASONS, ()),
}
WITH_CACHE_KEYS = MEMBERSHIPS.annotate(**CACHE_KEYS)


def membership_in(user_id: Any, slug: str, memberships: QuerySet[Membership]) -> Membership | None:
    """Ask for the one there is at most: nothing need be put in order for that."""
    if user_id is None:
        return None
    found = next((one for path in ADDRESSES for one in memberships.filter(user=user_id, **{path: slug})), None)
    if found:
        found.to_do = found.waiting + tables_before(found.club.today, found.open_days)
    return found


def tables_before(today: date, days: str | None) -> int:
    """Return how many of these days, as the database lists them, are before today."""
    return sum(day < today.isoformat() for day in (days or "").split(",") if day)
