"""List, or erase, players who left long ago, and remove expired sign-ins."""

from datetime import date, timedelta
from typing import Any

from django.core.management import CommandParser
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from sessions_app.exchange.backups import retention
from sessions_app.exchange.backups.retention import Backup
from sessions_app.management.base import StoredCommand, club_named, whole_number
from sessions_app.models import Attendance, Change, Player, SignIn
from sessions_app.people.log import Actor
from sessions_app.people.merging import accounts_of, erase_player
from sessions_app.people.transactions import ServiceError

YEAR = timedelta(days=365.25)
BY = Actor(name="The retention rules")


class Command(StoredCommand):
    help = "List the players whose names need not be kept any longer. With --do, erase them. This cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help="only one club; otherwise all")
        years: Any = {"type": whole_number, "metavar": "YEARS"}
        parser.add_argument("--left-for", default=6, help="players who left this long ago (6)", **years)
        parser.add_argument("--guests-for", default=2, help="guests who have not played for this long (2)", **years)
        parser.add_argument("--do", action="store_true", help="erase them; without it, only list them")

    def handle(self, *, club: str | None, left_for: int, guests_for: int, do: bool, **options: Any) -> None:
        if club:
            club = club_named(club).slug
        for player in due(club, left_for, guests_for):
            if not do:
                self.stdout.write(f"{player.club.slug}: {player.full_name} is due to be erased.")
                continue
            name, logins = player.full_name, accounts_of(player)
            try:
                self.stdout.write(f"{player.club.slug}: {name} is now {erase_player(player, by=BY)}.")
            except ServiceError as error:
                self.stdout.write(f"{player.club.slug}: {name} was not erased. {error}")
                continue
            for user in logins:
                self.stdout.write(f"Their account {user} is not erased. To erase it, run erase_login {user}.")
        ended = SignIn.objects.filter(expire_date__lt=timezone.now())
        if do:
            self.stdout.write(f"{ended.delete()[0]} expired sign-ins were removed.")
        else:
            self.stdout.write(f"{ended.count()} sign-ins have expired. Nothing was changed. Add --do to make changes.")
        for backup in backups_with_erased_names():
            self.stdout.write(f"{backup.path} was made before the newest erasure and holds old names.")


def due(slug: str | None, left_for: int, guests_for: int) -> QuerySet[Player]:
    """Return the players who left, and the guests who last played, that many years ago; 0 years: none of them."""
    today = timezone.now().date()
    wanted = Q(pk=None)
    if left_for:
        wanted |= Q(left_on__lt=today - left_for * YEAR)
    if guests_for:
        since = today - guests_for * YEAR
        never = Q(last_played=None, pk__in=_unmentioned_since(since))
        wanted |= Q(guest=True) & (Q(last_played__lt=since) | never)
    players = Player.objects.filter(erased_as="", merged_into=None).select_related("club")
    if slug:
        players = players.filter(club__slug=slug)
    return players.annotate(last_played=Max("seats__session__date")).filter(wanted).order_by("club", "full_name", "pk")


def _unmentioned_since(since: date) -> set[int]:
    """Return the ids of the players in the log who have not been in it, nor at a meeting, since a date."""
    about = Change.objects.filter(subject_type="player").values_list("subject_id")
    last = about.order_by().annotate(last=Max("at")).filter(last__date__lt=since)
    came = set(Attendance.objects.filter(meeting__date__gte=since).values_list("player", flat=True))
    return {int(pk) for pk, _ in last if pk.isdecimal()} - came


def backups_with_erased_names() -> list[Backup]:
    """Return the backups older than the newest erasure, in our folder and where the last one was written."""
    erased = Change.objects.filter(action="erase").aggregate(newest=Max("at"))["newest"]
    if erased is None:
        return []
    last, _ = retention.last_try()
    folders = {retention.folder(), *([last.path.parent] if last else [])}
    found = [backup for folder in sorted(folders) for backup in retention.all_backups(folder)]
    return [backup for backup in found if backup.made_at < erased]
