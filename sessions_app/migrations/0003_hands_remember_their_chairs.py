from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0002_database_guards"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="played_in",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
