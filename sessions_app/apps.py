"""The Django app of the club's records."""

import os
from contextlib import suppress
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.models.signals import post_migrate, pre_migrate

from sessions_app import database_guards

PRIVATE = 0o600

# Modules that say what the history says of their changes; a command may write it out without any page.
LOG_WRITERS = (
    *(f"people.{name}" for name in ("accounts", "clubs", "logos", "mailing", "merging", "phone_code", "players")),
    *(f"table.{name}" for name in ("devices", "entry_log", "hand_queries", "rescore", "sessions")),
    *("rules.club_rules", "league.seasons", "meetings.drawing", "meetings.fees", "meetings.services"),
    *(f"exchange.imports.{name}" for name in ("entered_totals", "meeting", "players", "take_back", "totals")),
)


def keep_private(sender: type[DatabaseWrapper], connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Make an SQLite file unreadable for other users; the files SQLite creates next to it get the same mode."""
    if connection.vendor != "sqlite":
        return
    for name in ("", "-wal", "-shm"):
        with suppress(OSError):
            os.chmod(f"{connection.settings_dict['NAME']}{name}", PRIVATE)


class SessionsAppConfig(AppConfig):
    name = "sessions_app"
    verbose_name = "Clubscore"

    def ready(self) -> None:
        connection_created.connect(keep_private, dispatch_uid="keep_private")
        pre_migrate.connect(database_guards.lift_for_migrations, sender=self)
        post_migrate.connect(database_guards.make_after_migrations, sender=self)
        # It needs the models.
        middleware = import_module("sessions_app.web.middleware")
        user_logged_in.connect(middleware.note_sign_in, dispatch_uid="note_sign_in")
        user_logged_out.connect(middleware.note_sign_out, dispatch_uid="note_sign_out")
        for name in LOG_WRITERS:
            import_module(f"sessions_app.{name}")
