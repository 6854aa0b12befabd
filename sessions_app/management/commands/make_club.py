"""Make a club and its first secretary."""

from typing import Any

from django.core.management import CommandParser

from sessions_app.management.base import OPERATOR, StoredCommand
from sessions_app.people.clubs import give_login, make_club
from sessions_app.people.transactions import write_transaction


class Command(StoredCommand):
    help = "Make a club and its secretary's account. The password is generated and printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the club's name")
        parser.add_argument("--secretary", required=True, help="the secretary's username")
        parser.add_argument("--rules", default="bmja", help="the rules it plays (bmja)")

    def handle(self, *, name: str, secretary: str, rules: str, **options: Any) -> None:
        with write_transaction():
            club = make_club(name, rules, by=OPERATOR)
            password = give_login(club, secretary, "secretary", by=OPERATOR)
        self.stdout.write(f"{club.name} is at /c/{club.slug}/.")
        if password:
            self.stdout.write(f"Sign in as {secretary} with the password {password}")
        else:
            self.stdout.write(f"{secretary} signs in with the same password as before.")
