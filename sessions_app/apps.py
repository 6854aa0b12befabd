"""The one Django app: clubs, players, sessions, the ledger and its pages."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out

from sessions_app.middleware import note_sign_in, note_sign_out


class SessionsAppConfig(AppConfig):
    name = "sessions_app"
    verbose_name = "Clubscore"

    def ready(self):
        user_logged_in.connect(note_sign_in, dispatch_uid="note_sign_in")
        user_logged_out.connect(note_sign_out, dispatch_uid="note_sign_out")
