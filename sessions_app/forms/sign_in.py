"""Signing in with a login and a password."""

from django.contrib.auth.forms import AuthenticationForm


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
