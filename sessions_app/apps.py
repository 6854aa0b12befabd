"""The one Django app: clubs, players, sessions, the ledger and its pages."""
from django.apps import AppConfig


class SessionsAppConfig(AppConfig):
    name = "sessions_app"
    verbose_name = "Clubscore"
