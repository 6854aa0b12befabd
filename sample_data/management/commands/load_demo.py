"""Load the demonstration club and print its accounts; if the club exists, nothing is changed."""

from sample_data.demo import MEMBER_IS, load_demo
from sessions_app.management.base import StoredCommand
from sessions_app.people.accounts import DEMONSTRATION_LOGINS


class Command(StoredCommand):
    help = "Load the demonstration club, with a season in progress and a table in play."

    def handle(self, *args, **options):
        club = load_demo()
        if club is None:
            self.stdout.write("The demonstration club is there already; nothing was changed.")
            return
        self.stdout.write(f"{club.name} is loaded. Sign in as (the password is the same word):")
        for role, login in DEMONSTRATION_LOGINS.items():
            who = f", who is {MEMBER_IS}" if role == "member" else ""
            self.stdout.write(f"  {login:<18} password {login:<18} {role}{who}")
