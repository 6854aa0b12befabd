"""Signing in with a login and a password, with a limit on how often they are guessed."""

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from sessions_app.known_device import known_device
from sessions_app.services.demo import LOGINS
from sessions_app.services.tries import (
    SIGN_IN,
    SIGN_IN_ANYWHERE,
    SIGN_IN_FROM,
    count_try,
    forget_tries,
    in_minutes,
    uncount_try,
)
from sessions_app.visitor_address import address_of

FROM_MANY_PLACES = "Somebody has tried wrong passwords with this name from many places."
STILL_GOES_ON = (
    "On a phone or tablet where you have signed in before you need not wait, nor after a link for a new password."
)

NO_DEMONSTRATION = (
    "Everyone knows this password, so it is not accepted here. The person who runs this site can give this account "
    "another one."
)


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "That name and password do not fit together. Check both and try again.",
        "inactive": "This login has been switched off. Ask the secretary.",
    }

    def __init__(self, request=None, *args, **kwargs):
        super().__init__(request, *args, **kwargs)
        self.fields["username"].label = "Name you sign in with"
        self.fields["username"].error_messages["required"] = "Write the name you sign in with."
        self.fields["username"].widget.attrs.update(
            {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
        )
        self.fields["password"].error_messages["required"] = "Write your password."

    def clean(self):
        login, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not login or not password:
            return self.cleaned_data
        address = address_of(self.request)
        minutes = count_try(SIGN_IN_FROM, address)
        if minutes:
            raise ValidationError(
                f"Too many wrong passwords from this network. {in_minutes(minutes)}", code="throttled"
            )
        what = login.casefold(), address
        minutes = count_try(SIGN_IN, *what)
        if minutes:
            raise ValidationError(f"Too many tries with this name. {in_minutes(minutes)}", code="throttled")
        anywhere = login.casefold(), known_device(self.request, login)
        minutes = count_try(SIGN_IN_ANYWHERE, *anywhere)
        if minutes:
            raise ValidationError(f"{FROM_MANY_PLACES} {in_minutes(minutes)} {STILL_GOES_ON}", code="throttled")
        data = super().clean()
        if self.request.is_secure() and password == login and login in LOGINS.values():
            raise ValidationError(NO_DEMONSTRATION, code="demonstration")
        forget_tries(SIGN_IN, *what)
        uncount_try(SIGN_IN_ANYWHERE, *anywhere)
        uncount_try(SIGN_IN_FROM, address)
        return data
