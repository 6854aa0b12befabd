from django.db import migrations, models

import sessions_app.people.models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0026_throttles_and_plain_field_names"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="clubrules",
            options={"ordering": ["rules", "-number"], "verbose_name_plural": "versions of club rules"},
        ),
        migrations.AlterField(
            model_name="club",
            name="rules",
            field=models.CharField(
                choices=sessions_app.people.models.rule_set_choices, default="bmja", max_length=40, verbose_name="rules"
            ),
        ),
        migrations.AlterField(
            model_name="clubhand",
            name="worth",
            field=models.CharField(
                choices=[("limit", "The limit"), ("half limit", "Half the limit"), ("points", "A number of points")],
                default="limit",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="clubrules",
            name="rules",
            field=models.CharField(
                choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rules"
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="recording",
            field=models.CharField(
                choices=[("settle", "Players settle up"), ("straight", "Each adds up their own score")],
                default="settle",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="recording",
            field=models.CharField(
                choices=[("settle", "Players settle up"), ("straight", "Each adds up their own score")],
                default="settle",
                max_length=10,
            ),
        ),
    ]
