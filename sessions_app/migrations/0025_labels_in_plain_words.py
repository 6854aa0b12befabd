from django.db import migrations, models

import sessions_app.people.models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0024_email_addresses_are_confirmed"),
    ]

    operations = [
        migrations.AlterField(
            model_name="command",
            name="late_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("finished", "The session was finished"),
                    ("locked", "The season was locked"),
                    ("key_replaced", "The tablet’s QR code had been replaced"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="command",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("applied", "Applied"),
                    ("contested", "Two versions"),
                    ("late", "Kept for the secretary"),
                    ("dropped", "Not chosen"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="doubt",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=[("stands", "The score is right"), ("corrected", "The hand has been corrected")],
                default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("hand", "Hand"),
                    ("arrive", "A player joins"),
                    ("leave", "A player leaves"),
                    ("seating", "Who really sat where"),
                    ("fine", "Fine"),
                    ("note", "Note"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="rules",
            field=models.CharField(
                choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rules"
            ),
        ),
    ]
