"""Corrected totals are those of the table that was corrected; what was chosen at an import is kept with imports."""

from collections import defaultdict
from hashlib import blake2s

from django.db import migrations
from django.utils import timezone

KEPT = ("meeting_id", "season_id", "date", "table", "rules", "house_rules", "recording", "edition", "starting_balance")
COUNTS = ("state", "finished_at", "practice", "void")


def put_corrections_into_their_tables(apps, schema_editor):
    """Give the first of several sessions of one table the totals of the last, and delete the others."""
    using = schema_editor.connection.alias
    names = ("Session", "Seat", "Tally", "DrawnTable")
    Session, Seat, Tally, DrawnTable = (apps.get_model("sessions_app", name).objects.using(using) for name in names)
    corrections = defaultdict(list)
    for session in Session.exclude(replaces=None).order_by("void", "pk"):
        corrections[session.replaces_id].append(session)
    for pk, found in corrections.items():
        first, last = Session.get(pk=pk), found[0] if not found[0].void else found[-1]
        Seat.filter(session=first).delete()
        Seat.filter(session=last).update(session=first)
        Tally.filter(session=last).update(session=first)
        for name in (*KEPT, *COUNTS):
            setattr(first, name, getattr(last, name))
        first.version += 1
        first.save()
        gone = [session.pk for session in found]
        DrawnTable.filter(session__in=gone).update(session=first)
        Session.filter(pk__in=gone).update(replaces=None)
        Seat.filter(session__in=gone).delete()
        Session.filter(pk__in=gone).delete()


def keep_choices_with_imports(apps, schema_editor):
    """Make a row of the last import of each club whose log has what was chosen."""
    using = schema_editor.connection.alias
    names = ("Change", "Import", "Player")
    Change, Import, Player = (apps.get_model("sessions_app", name).objects.using(using) for name in names)
    last = {change.club_id: change for change in Change.filter(action="import totals", after__has_key="choices")}
    for club, change in last.items():
        choices = dict(change.after["choices"])
        players = {_digest(name): pk for pk, name in Player.filter(club=club).values_list("pk", "full_name")}
        chosen = choices.pop("names", {})
        Import.create(
            club_id=club,
            user_id=change.user_id,
            name=change.name,
            kind="totals",
            choices=choices,
            names={name: {"player": players[used]} for name, used in chosen.items() if used in players},
            taken_back_at=timezone.now(),
        )


def _digest(name):
    return f"who_{blake2s(name.encode(), digest_size=6).hexdigest()}"


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0055_imports"),
    ]

    operations = [
        migrations.RunPython(put_corrections_into_their_tables, migrations.RunPython.noop),
        migrations.RunPython(keep_choices_with_imports, migrations.RunPython.noop),
    ]
