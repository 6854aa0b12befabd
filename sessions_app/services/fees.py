"""Noting what people owe for a meeting, and who has paid."""

from sessions_app.models import MeetingFee, Player

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction


def note_fees(meeting, fees, *, by, why=""):
    """Keep the fees of a meeting: {player id: (table fee, refreshments, paid)}; others stay. Returns how many changed.

    ServiceError for a player of another club.
    """
    with write_transaction():
        known = set(Player.objects.of_club(meeting.club_id).filter(pk__in=fees).values_list("pk", flat=True))
        if set(fees) - known:
            raise ServiceError("There is no such player in this club.", "players")
        now = {row.player_id: row for row in MeetingFee.objects.select_for_update().filter(meeting=meeting)}
        before = {str(pk): _facts(now.get(pk)) for pk in fees}
        rows = {
            pk: MeetingFee(
                club_id=meeting.club_id, meeting=meeting, player_id=pk, table_fee=table, refreshments=tea, paid=paid
            )
            for pk, (table, tea, paid) in fees.items()
        }
        after = {str(pk): _facts(row) for pk, row in rows.items()}
        changed = [pk for pk in fees if before[str(pk)] != after[str(pk)]]
        for pk in changed:
            row = rows[pk]
            MeetingFee.objects.update_or_create(
                meeting=meeting,
                player_id=pk,
                defaults={
                    "club_id": meeting.club_id,
                    "table_fee": row.table_fee,
                    "refreshments": row.refreshments,
                    "paid": row.paid,
                },
            )
        if changed:
            keys = [str(pk) for pk in changed]
            log_change(
                meeting.club,
                by,
                "fees",
                meeting,
                {key: before[key] for key in keys},
                {key: after[key] for key in keys},
                why,
            )
    return len(changed)


def _facts(row):
    """Money stands in the log as text."""
    return row and {"table_fee": f"{row.table_fee:.2f}", "refreshments": f"{row.refreshments:.2f}", "paid": row.paid}
