"""Call the counts of tries throttles; their table keeps its name. Names of fields as screens have them."""

from django.db import migrations, models

from sessions_app.people.models import rule_set_choices


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0025_labels_in_plain_words"),
    ]

    operations = [
        migrations.AlterModelTable(name="tries", table="sessions_app_tries"),
        migrations.RenameModel(old_name="Tries", new_name="Throttle"),
        migrations.AlterModelOptions(name="throttle", options={}),
        migrations.AlterField(
            model_name="club",
            name="rules",
            field=models.CharField("rules", choices=rule_set_choices, default="bmja", max_length=40),
        ),
        migrations.AlterField(
            model_name="club",
            name="shows_standings",
            field=models.BooleanField("league table is public", default=False),
        ),
        migrations.AlterField(
            model_name="club",
            name="shows_honours",
            field=models.BooleanField("roll of honour is public", default=False),
        ),
    ]
