"""Erase a login: `erase_login LOGIN`. It cannot be undone."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import StoredCommand
from sessions_app.models import User
from sessions_app.people.log import Actor
from sessions_app.people.merging import erase_login
from sessions_app.people.transactions import ServiceError


class Command(StoredCommand):
    help = "Remove an account from its clubs and erase its names, email address and password. This cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("login")

    def handle(self, *args: Any, login: User | str, **options: Any) -> None:
        user = User.objects.filter(username=login).first()
        if user is None:
            raise CommandError(f"There is no account {login}.")
        try:
            name = erase_login(user, by=Actor(name="The operator"))
        except ServiceError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{login} is erased and is now called {name}.")
