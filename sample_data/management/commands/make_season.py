"""Make a club with a whole season to try things out, and print the cost of each seating draw and of random ones."""

from sample_data.season import make_season
from sessions_app.management.base import StoredCommand


class Command(StoredCommand):
    help = "Make a club with a season of meetings, drawn and played; the same seed makes the same season."

    def add_arguments(self, parser):
        parser.add_argument("--club", default="season", help="address part of the new club")
        parser.add_argument("--people", type=int, default=60)
        parser.add_argument("--meetings", type=int, default=30)
        parser.add_argument("--hands", type=int, default=4, help="hands played at each table")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--random-draws", type=int, default=5000, help="random draws to compare each draw with")

    def handle(self, *args, club, people, meetings, hands, seed, random_draws, **options):
        self.stdout.write("meeting  people   cost   least of the random draws")
        for meeting in make_season(club, people, meetings, hands, seed, random_draws):
            best = "-" if meeting.best_random is None else meeting.best_random
            self.stdout.write(f"{meeting.number:>7} {meeting.people:>7} {meeting.cost:>6} {best:>8}")
        self.stdout.write(f"The season is at /c/{club}/.")
