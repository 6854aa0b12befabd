"""Print a link to choose a new password for an account."""

from typing import Any

from django.conf import settings
from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import OPERATOR, StoredCommand
from sessions_app.people.accounts import account_called, log_account_change, recovery_path
from sessions_app.people.phone_code import turn_off
from sessions_app.people.transactions import write_transaction


class Command(StoredCommand):
    help = "Print a link to choose a new password for an account. It works once, for a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("login")
        parser.add_argument("--lost-phone", action="store_true", help="ask for no code from a phone any more")

    def handle(self, *, login: str, lost_phone: bool, **options: Any) -> None:
        user = account_called(login)
        if user is None:
            raise CommandError(f"There is no account called {login}.")
        with write_transaction():
            log_account_change(user, "recovery link", OPERATOR)
            if lost_phone and turn_off(user, by=OPERATOR):
                self.stdout.write(f"{login} signs in without a code from a phone now.")
        site = f"{settings.SITE.scheme}://{settings.SITE.netloc}" if settings.SITE else ""
        self.stdout.write(f"{site}{recovery_path(user)}")
        if not site:
            self.stdout.write("Put the site's own address before it, for example http://127.0.0.1:8000.")
        self.stdout.write("It works once, for a day.")
