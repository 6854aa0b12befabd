"""Forms for accounts: creating one, its name and email address, its password, signing in."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms.fields import CharField, EmailField
from django.forms.utils import ErrorDict
from django.http import HttpRequest

from sessions_app.models import User
from sessions_app.people.accounts import DEMONSTRATION_LOGINS, TAKEN, validate_name
from sessions_app.people.known_device import known_device
from sessions_app.people.throttling import (
    SIGN_IN,
    SIGN_IN_ANYWHERE,
    SIGN_IN_FROM,
    address_of,
    count_try,
    forget_tries,
    in_minutes,
    uncount_try,
)

PLAIN_TEXT = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
TWICE = "Enter the same password twice. These two differ."
MAX_PASSWORD = 200


def name_field() -> CharField:
    return forms.CharField(
        label="Your name",
        max_length=100,
        help_text="The name that other members know you by.",
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": "Enter your name."},
    )


def email_field() -> EmailField:
    return forms.EmailField(
        label="Your email address",
        required=False,
        help_text=(
            "We send a link here if you forget your password. A secretary also needs it to send results by email. "
            "You can leave it empty."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": "Enter your email address in full, for example pat@example.org."},
    )


class CountedForm(forms.Form):
    """A throttled form, as its errors reveal which names are taken.

    After too many tries `wait` says when to try again, and no input is checked.
    """

    wait = ""

    def full_clean(self) -> None:
        if not self.wait:
            super().full_clean()
        else:
            self._errors, self.cleaned_data = ErrorDict(), {}
            self.add_error(None, self.wait)


class NewAccountForm(CountedForm):
    """The fields of a new account; forms that create one inherit from it."""

    name = name_field()
    login = forms.CharField(
        label="Username",
        max_length=60,
        help_text="Short and without spaces, for example “pat”.",
        widget=forms.TextInput(attrs={**PLAIN_TEXT, "autocomplete": "username"}),
        error_messages={"required": "Enter a username, for example pat."},
    )
    email = email_field()
    password = forms.CharField(
        label="Password",
        max_length=MAX_PASSWORD,
        strip=False,
        help_text="At least 8 letters or numbers. Three unrelated words work well.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": "Choose a password."},
    )
    password_again = forms.CharField(
        label="The same password again",
        max_length=MAX_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": "Enter the same password again."},
    )
    login_fields = ("name", "login", "email", "password", "password_again")

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    def clean_login(self) -> str:
        login = User.normalize_username(self.cleaned_data["login"])
        for validate in User._meta.get_field("username").validators:
            validate(login)
        if User.objects.filter(username__iexact=login).exists():
            raise forms.ValidationError(TAKEN)
        return login

    def clean(self) -> dict[str, str]:
        data = super().clean()
        password, again = data.get("password"), data.get("password_again")
        if password and again and password != again:
            self.add_error("password_again", TWICE)
        elif password:
            user = User(username=data.get("login", ""), first_name=data.get("name", ""), email=data.get("email", ""))
            try:
                password_validation.validate_password(password, user)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data

    def new_account(self) -> dict[str, str]:
        """Return what make_account takes."""
        return {field: self.cleaned_data[field] for field in ("name", "login", "email", "password")}


class DetailsForm(forms.Form):
    """The name and email address of an account. A new address needs the password, as password links are sent there.

    After too many wrong passwords `wait` is shown and the password is not checked.
    """

    name = name_field()
    email = email_field()
    password = forms.CharField(
        label="Current password",
        required=False,
        max_length=MAX_PASSWORD,
        strip=False,
        help_text="Only needed to change the email address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        initial = {"name": user.get_full_name(), "email": user.email}
        super().__init__(*args, initial=initial, **kwargs)
        self.user = user
        self.wait = ""

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    @property
    def moves_mail(self) -> bool:
        """Whether the form changes the email address."""
        return self.is_bound and (self["email"].data or "").strip() != self.user.email

    def clean(self) -> dict[str, str]:
        data = super().clean()
        password = data.get("password")
        if not self.moves_mail or "email" not in data or "password" not in data:
            return data
        if self.wait:
            self.add_error("password", self.wait)
        elif not password:
            self.add_error("password", "Enter your current password to change the email address.")
        elif not self.user.check_password(password):
            self.add_error("password", "Incorrect password. Enter your current password.")
        return data


def _plain_words(form):
    """Give the fields of Django's password forms our labels and errors."""
    words = {
        "old_password": ("Current password", "Enter your current password."),
        "new_password1": ("New password", "Choose a new password."),
        "new_password2": ("The new password again", "Enter the new password again."),
    }
    for name, (label, required) in words.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].help_text = ""
            form.fields[name].validators.append(MaxLengthValidator(MAX_PASSWORD))
            form.fields[name].error_messages["required"] = required
            form.fields[name].widget.attrs.pop("autofocus", None)
    form.fields["new_password1"].help_text = NewAccountForm.base_fields["password"].help_text


class NewPasswordForm(SetPasswordForm):
    error_messages = {"password_mismatch": TWICE}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain_words(self)


class OwnPasswordForm(PasswordChangeForm):
    error_messages = {
        "password_mismatch": TWICE,
        "password_incorrect": "Incorrect password. Enter your current password.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain_words(self)
        self.wait = ""

    def clean_old_password(self) -> str:
        """Check the password, or show `wait`, right or wrong, after too many tries."""
        if self.wait:
            raise forms.ValidationError(self.wait)
        return super().clean_old_password()


class ForgottenForm(PasswordResetForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["email"]
        field.label = "Your email address"
        field.error_messages["required"] = "Enter the email address of your account."
        field.error_messages["invalid"] = "Enter your email address in full, for example pat@example.org."

    def users(self) -> list[User]:
        """Return the accounts that have this email address and a password."""
        return list(self.get_users(self.cleaned_data["email"]))


# Signing in, throttled.

FROM_MANY_PLACES = "Someone has tried wrong passwords with this username from many places."

STILL_GOES_ON = (
    "You do not have to wait on a device where you have signed in before, or after using a link for a new password."
)

NO_DEMONSTRATION = (
    "Everyone knows this password, so it is not accepted here. The person who runs this site can give this account "
    "another one."
)


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "Incorrect username or password. Enter both again.",
        "inactive": "This account has been switched off. Ask the secretary.",
    }

    def __init__(self, request: HttpRequest | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        self.fields["username"].label = "Username"
        self.fields["username"].error_messages["required"] = "Enter your username."
        self.fields["username"].widget.attrs.update(
            {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
        )
        self.fields["password"].error_messages["required"] = "Enter your password."

    def clean(self) -> dict[str, str]:
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
            raise ValidationError(f"Too many tries with this username. {in_minutes(minutes)}", code="throttled")
        anywhere = login.casefold(), known_device(self.request, login)
        minutes = count_try(SIGN_IN_ANYWHERE, *anywhere)
        if minutes:
            raise ValidationError(f"{FROM_MANY_PLACES} {in_minutes(minutes)} {STILL_GOES_ON}", code="throttled")
        data = super().clean()
        if self.request.is_secure() and password == login and login in DEMONSTRATION_LOGINS.values():
            raise ValidationError(NO_DEMONSTRATION, code="demonstration")
        forget_tries(SIGN_IN, *what)
        uncount_try(SIGN_IN_ANYWHERE, *anywhere)
        uncount_try(SIGN_IN_FROM, address)
        return data
