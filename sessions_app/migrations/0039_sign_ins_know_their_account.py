"""Sessions know whose they are, so that an account lists where it is signed in; those of before go on."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

OLD = "django_session"


def take_over(apps, schema_editor):
    """Move Django's own sessions; their accounts are filled in on their next day of use."""
    connection = schema_editor.connection
    if OLD in connection.introspection.table_names():
        columns = "session_key, session_data, expire_date"
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO sessions_app_signin ({columns}) SELECT {columns} FROM {OLD}")
            cursor.execute(f"DROP TABLE {OLD}")


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0038_given_passwords_are_changed"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name": "sign-in"},
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
