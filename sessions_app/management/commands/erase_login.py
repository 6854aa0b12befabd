"""Erase an account: `erase_login LOGIN`. It cannot be undone."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import OPERATOR, StoredCommand
from sessions_app.people.accounts import account_called
from sessions_app.people.merging import erase_login


class Command(StoredCommand):
    help = "Remove an account from its clubs and erase its names, email address and password. This cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("login")

    def handle(self, *, login: str, **options: Any) -> None:
        user = account_called(login)
        if user is None:
            raise CommandError(f"There is no account {login}.")
        self.stdout.write(f"{user.get_username()} is erased and is now called {erase_login(user, by=OPERATOR)}.")
