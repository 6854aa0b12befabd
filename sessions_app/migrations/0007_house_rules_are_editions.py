from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the copying before it: PostgreSQL alters no table in the transaction that wrote rows about it."""

    dependencies = [
        ("sessions_app", "0006_clubs_keep_editions_of_their_rules"),
    ]

    operations = [
        migrations.RemoveField(model_name="club", name="house_rules"),
    ]
