"""Give an account a role in a club."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import CommandError

from sessions_app.management.base import StoredCommand
from sessions_app.models import Club, User
from sessions_app.people.clubs import give_login
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError


class Command(StoredCommand):
    help = "Give an account a role in a club: secretary, scorekeeper or member. A new account's password is printed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="the club's address part, as in /c/<club>/")
        parser.add_argument("login")
        parser.add_argument("role", help="secretary, scorekeeper or member")

    def handle(self, *args: Any, club: Club | str, login: User | str, role: str, **options: Any) -> None:
        try:
            found = Club.objects.get(slug=club)
            password = give_login(found, login, role, by=Actor(name="The operator"))
        except Club.DoesNotExist as error:
            raise CommandError(f"There is no club at /c/{club}/.") from error
        except ServiceError as error:
            raise CommandError(str(error)) from error
        told = f"with the password {password}" if password else "with the same password as before"
        self.stdout.write(f"{login} is {role} of {found.name} and signs in {told}")
