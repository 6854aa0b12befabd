"""Its guards are made after every `migrate` instead (sessions_app/database_guards.py)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_clubs_players_ledger_and_results")]

    operations = []
