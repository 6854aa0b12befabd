from django.db import migrations

from sessions_app.database_guards import MakeGuards


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_clubs_players_ledger_and_results")]

    operations = [MakeGuards()]
