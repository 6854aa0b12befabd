"""Give an account a role in a club."""

from typing import Any

from django.core.management import CommandParser

from sessions_app.management.base import OPERATOR, StoredCommand, club_named
from sessions_app.people.clubs import give_login


class Command(StoredCommand):
    help = "Give an account a role in a club: secretary, scorekeeper or member. A new account's password is printed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="the club's address part, as in /c/<club>/")
        parser.add_argument("login")
        parser.add_argument("role", help="secretary, scorekeeper or member")

    def handle(self, *, club: str, login: str, role: str, **options: Any) -> None:
        found = club_named(club)
        password = give_login(found, login, role, by=OPERATOR)
        password_note = f"with the password {password}" if password else "with the same password as before"
        self.stdout.write(f"{login} is {role} of {found.name} and signs in {password_note}")
