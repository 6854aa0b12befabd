"""Print the username of an account that the log names by a digest."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import StoredCommand
from sessions_app.models import User
from sessions_app.people.known_device import account_digest


class Command(StoredCommand):
    help = "Print the username of the account that the log names by this digest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("digest")

    def handle(self, *, digest: str, **options: Any) -> None:
        usernames = User.objects.order_by("pk").values_list("username", flat=True)
        found = [username for username in usernames.iterator() if account_digest(username) == digest]
        if not found:
            raise CommandError(
                f"No account has the digest {digest}. Somebody may have tried a username that nobody has."
            )
        self.stdout.write("\n".join(found))
