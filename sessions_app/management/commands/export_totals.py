"""Write a club's session totals as CSV to standard output, as `import_totals` reads them."""

from django.core.management.base import CommandError

from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.management.output import write_exactly
from sessions_app.management.stored import StoredCommand
from sessions_app.models import Club


class Command(StoredCommand):
    help = "Write all session totals of a club as CSV to standard output; import_totals reads it again."

    def add_arguments(self, parser):
        parser.add_argument("--club", required=True, help="address part of the club")

    def handle(self, *args, club, **options):
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"There is no club {club}.")
        write_exactly(self.stdout, club_totals_csv(found))
