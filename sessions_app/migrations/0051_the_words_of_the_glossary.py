"""Tables, columns and constraints take the words of docs/glossary.md; no row changes."""

from django.db import migrations, models

ANSWERED = models.Q(("answered_at", None), ("outcome", "")) | models.Q(
    models.Q(("outcome", ""), _negated=True), ("answered_at__isnull", False)
)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0050_two_guards_stay"),
    ]

    operations = [
        migrations.AlterModelTable("throttle", None),
        migrations.RemoveIndex("handquery", "doubt_open"),
        migrations.RemoveConstraint("handquery", "doubt_outcome_known"),
        migrations.RemoveConstraint("handquery", "doubt_answered_or_not"),
        migrations.RemoveConstraint("handquery", "doubt_read_once_answered"),
        migrations.AlterModelTable("handquery", None),
        migrations.AddConstraint(
            "handquery",
            models.CheckConstraint(
                condition=models.Q(("outcome__in", ["", "stands", "corrected"])), name="query_outcome_known"
            ),
        ),
        migrations.AddConstraint("handquery", models.CheckConstraint(condition=ANSWERED, name="query_answered_or_not")),
        migrations.AddConstraint(
            "handquery",
            models.CheckConstraint(
                condition=models.Q(("read_at", None), ("answered_at__isnull", False), _connector="OR"),
                name="query_read_once_answered",
            ),
        ),
        migrations.AddIndex(
            "handquery",
            models.Index(condition=models.Q(("outcome", "")), fields=["session"], name="query_open"),
        ),
        migrations.RemoveConstraint("seat", "seat_one_a_chair"),
        migrations.RemoveConstraint("seat", "seat_chair_counts_from_one"),
        migrations.RenameField("seat", "chair", "seat_no"),
        migrations.AlterModelOptions("seat", {"ordering": ["seat_no"]}),
        migrations.AddConstraint(
            "seat", models.UniqueConstraint(fields=("session", "seat_no"), name="seat_no_once_a_session")
        ),
        migrations.AddConstraint(
            "seat",
            models.CheckConstraint(condition=models.Q(("seat_no__gte", 1)), name="seat_no_counts_from_one"),
        ),
        migrations.RenameField("session", "chairs", "seating"),
        migrations.RenameField("session", "house_edition", "house_version"),
        migrations.RenameField("hand", "chairs", "seating"),
        migrations.RenameField("entry", "taken_out", "removed"),
        migrations.AlterField(
            "entry",
            "kind",
            models.CharField(
                choices=[
                    ("hand", "Hand"),
                    ("arrive", "A player joins"),
                    ("leave", "A player leaves"),
                    ("seating", "Who really sat where"),
                    ("fine", "Penalty"),
                    ("note", "Note"),
                ],
                max_length=10,
            ),
        ),
    ]
