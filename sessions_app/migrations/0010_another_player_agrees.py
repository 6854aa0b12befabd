from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0009_sessions_can_be_void_and_players_erased"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="asks_agreement",
            field=models.BooleanField(default=False, verbose_name="another player agrees to each hand"),
        ),
    ]
