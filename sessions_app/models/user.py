"""A login; one login may belong to several clubs."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.crypto import salted_hmac


class User(AbstractUser):
    # Counts how often the login was signed out everywhere: a sign-in of an earlier count is over.
    sign_ins_ended = models.PositiveIntegerField(default=0)

    # Whether somebody who was signed in has followed a link that was sent to the address.
    email_confirmed = models.BooleanField(default=False)

    def _get_session_auth_hash(self, secret=None):
        if not self.sign_ins_ended:
            return super()._get_session_auth_hash(secret)
        salt = "sessions_app.models.User.sign_ins_ended"
        value = f"{self.sign_ins_ended}:{self.password}"
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()
