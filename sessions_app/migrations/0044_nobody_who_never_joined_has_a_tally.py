"""Players whose arrival was undone or removed kept an empty tally; nothing else changes."""

from django.db import migrations


def forget_who_never_joined(apps, schema_editor):
    """Delete the empty tallies of seats that nobody took at the start, and that no arrival that counts names."""
    models = (apps.get_model("sessions_app", name) for name in ("Tally", "Entry"))
    tallies, entries = (model.objects.using(schema_editor.connection.alias) for model in models)
    never_played = tallies.filter(seat__at_start=False, hands=0, gained=0, lost=0, seat__player_hands__isnull=True)
    rows = never_played.values_list("pk", "session_id", "seat__chair")
    empty = {(session, str(seat)): pk for pk, session, seat in rows}
    arrivals = entries.filter(session__in={session for session, _ in empty}, kind="arrive", taken_out=False)
    joined = {(session, str(body["seat"])) for session, body in arrivals.values_list("session_id", "body")}
    gone = [pk for place, pk in empty.items() if place not in joined]
    tallies.filter(pk__in=gone).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0039_sign_ins_know_their_account"),
    ]

    operations = [migrations.RunPython(forget_who_never_joined, migrations.RunPython.noop)]
