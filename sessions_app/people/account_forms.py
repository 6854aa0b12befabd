"""Forms for accounts, signing in, invitations, linking members to players, and handing the club over."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.forms.models import ModelChoiceIterator
from django.forms.utils import ErrorDict
from django.http import HttpRequest, QueryDict

from sessions_app.models import Club, Membership, Player, User
from sessions_app.people import throttling
from sessions_app.people.accounts import DEMONSTRATION_LOGINS, account_called, validate_name, validate_username
from sessions_app.people.form_fields import NUMERIC, PLAIN_TEXT, Form, name_field, radio_field
from sessions_app.people.fuzzy_names import close_names
from sessions_app.people.known_device import address_of, known_device, log_refusal
from sessions_app.people.players import name_order

PASSWORDS_DIFFER = "Enter the same password twice. These two differ."
WRONG_PASSWORD = "Incorrect password. Enter your current password."
EMAIL_WANTED = "Enter your email address in full, for example pat@example.org."
PASSWORD_HINT = f"At least {settings.PASSWORD_LENGTH} letters or numbers. Three unrelated words work well."


def password_field(label: str, autocomplete: str, error: str = "", **kwargs: Any) -> forms.CharField:
    """Return a field for a password; `error` is shown if it is empty.

    With PASSWORD_HINT, a script says under it how good the password is.
    """
    strength = {"data-strength": settings.PASSWORD_LENGTH} if kwargs.get("help_text") == PASSWORD_HINT else {}
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete, **strength})
    errors = {"required": error}
    return forms.CharField(label=label, max_length=200, strip=False, widget=widget, error_messages=errors, **kwargs)


class ThrottledForm(Form):
    """A form whose errors reveal which names are taken: after too many tries it shows `throttle_error` alone."""

    throttle_error = ""

    def full_clean(self) -> None:
        if not self.throttle_error:
            super().full_clean()
        else:
            self._errors, self.cleaned_data = ErrorDict(), {}
            self.add_error(None, self.throttle_error)


class NameAndEmail(Form):
    name = name_field(
        "Your name",
        "Enter your name.",
        100,
        help_text="The name that other members know you by.",
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label="Your email address",
        required=False,
        help_text=(
            "We send a link here if you forget your password. A secretary also needs it to send results by email. "
            "You can leave it empty."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": EMAIL_WANTED},
    )


class NewAccountForm(NameAndEmail, ThrottledForm):
    """The fields of a new account; forms that create one inherit from it."""

    field_order: tuple[str, ...] = ("name", "login", "email", "password", "password_again")
    login = forms.CharField(
        label="Username",
        max_length=60,
        help_text="Short and without spaces, for example “pat”.",
        widget=forms.TextInput(attrs={**PLAIN_TEXT, "autocomplete": "username"}),
        error_messages={"required": "Enter a username, for example pat."},
    )
    password = password_field("Password", "new-password", "Choose a password.", help_text=PASSWORD_HINT)
    password_again = password_field("The same password again", "new-password", "Enter the same password again.")

    def clean_login(self) -> str:
        login = User.normalize_username(self.cleaned_data["login"])
        validate_username(login)
        return login

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        password, again = data.get("password"), data.get("password_again")
        if password and again and password != again:
            self.add_error("password_again", PASSWORDS_DIFFER)
        elif password:
            user = User(username=data.get("login", ""), first_name=data.get("name", ""), email=data.get("email", ""))
            try:
                password_validation.validate_password(password, user)
            except ValidationError as error:
                self.add_error("password", error)
        return data

    def new_account(self) -> dict[str, str]:
        """Return the arguments of make_account."""
        return {field: self.cleaned_data[field] for field in NewAccountForm.field_order if field != "password_again"}


class DetailsForm(NameAndEmail):
    """The name and email address of an account. A new address needs the password, as password links are sent there.

    After too many wrong passwords `throttle_error` is shown and the password is not checked.
    """

    password = password_field(
        "Current password", "current-password", required=False, help_text="Only needed to change the email address."
    )
    throttle_error = ""

    def __init__(self, user: User, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"name": user.get_full_name(), "email": user.email})
        self.user = user

    @property
    def changes_email(self) -> bool:
        return self.is_bound and (self["email"].data or "").strip() != self.user.email

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.changes_email and "email" in data and "password" in data:
            if self.throttle_error:
                self.add_error("password", self.throttle_error)
            elif not data["password"]:
                self.add_error("password", "Enter your current password to change the email address.")
            elif not self.user.check_password(data["password"]):
                self.add_error("password", WRONG_PASSWORD)
        return data


class NewPasswordForm(SetPasswordForm):
    error_messages = {"password_mismatch": PASSWORDS_DIFFER}
    new_password1 = password_field("New password", "new-password", "Choose a new password.", help_text=PASSWORD_HINT)
    new_password2 = password_field("The new password again", "new-password", "Enter the new password again.")

    def __init__(self, user: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        # Django makes the form of a link that has expired too, without a user.
        if user:
            names = f"{user.get_username()} {user.get_full_name()} {user.email}"
            self.fields["new_password1"].widget.attrs["data-names"] = names

    def save(self, commit: bool = True) -> User:
        self.user.must_change_password = False
        return super().save(commit)


class OwnPasswordForm(NewPasswordForm, PasswordChangeForm):
    error_messages = {**NewPasswordForm.error_messages, "password_incorrect": WRONG_PASSWORD}
    old_password = password_field("Current password", "current-password", "Enter your current password.")
    throttle_error = ""

    def clean_old_password(self) -> str:
        """Check the password; after too many tries show `throttle_error`, whether it is right or wrong."""
        if self.throttle_error:
            raise ValidationError(self.throttle_error)
        return super().clean_old_password()

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        old, new = data.get("old_password"), data.get("new_password1")
        if old and new and old == new:
            self.add_error("new_password1", "Choose a password that differs from your current one.")
        return data


class ConfirmForm(Form):
    """One's own password again; after too many wrong ones `throttle_error` is shown and it is not checked."""

    prefix = "confirm"
    password = password_field("Your password", "current-password", "Enter your password.")
    throttle_error = ""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        if self.throttle_error:
            raise ValidationError(self.throttle_error)
        if not self.user.check_password(password):
            raise ValidationError("Incorrect password. Enter the password you sign in with.")
        return password


def code_field(error: str, **attributes: str) -> forms.CharField:
    widget = forms.TextInput(attrs={**attributes, "autocomplete": "one-time-code"})
    return forms.CharField(label="Code", max_length=40, widget=widget, error_messages={"required": error})


class CodeForm(ThrottledForm):
    """A code from a phone, or a recovery code."""

    code = code_field("Enter the code that your phone shows.", **PLAIN_TEXT)


class NewPhoneForm(Form):
    """The first code of a phone that is being set up."""

    code = code_field("Enter the six figures that the app shows.", **NUMERIC)


class ForgottenForm(PasswordResetForm):
    email = forms.EmailField(
        label="Your email address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": "Enter the email address of your account.", "invalid": EMAIL_WANTED},
    )


# Signing in, throttled.

FROM_MANY_PLACES = (
    "Someone has tried wrong passwords with this username from many places. {} You do not have to wait on a device "
    "where you have signed in before. You can also ask for a link to choose a new password."
)
NO_DEMONSTRATION = (
    "Everyone knows this password, so it is not accepted here. The person who runs this site can give this account "
    "another one."
)


class SignInForm(AuthenticationForm):
    request: HttpRequest
    error_messages = {
        "invalid_login": "Incorrect username or password. Enter both again.",
        "inactive": "This account has been switched off. Ask the secretary.",
    }

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        self.fields["username"].error_messages["required"] = "Enter your username."
        self.fields["username"].widget.attrs.update(PLAIN_TEXT)
        self.fields["password"].error_messages["required"] = "Enter your password."

    def clean(self) -> dict[str, Any]:
        try:
            return self._checked()
        except ValidationError as error:
            log_refusal(self.request, self.cleaned_data["username"], error.code or "")
            raise

    def _checked(self) -> dict[str, Any]:
        login, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not login or not password:
            return self.cleaned_data
        address, name, device = address_of(self.request), login.casefold(), known_device(self.request, login)
        for limit, key, words in (
            (throttling.SIGN_IN_FROM, (address,), "Too many wrong passwords from this network. {}"),
            (throttling.SIGN_IN, (name, address), "Too many tries with this username. {}"),
            (throttling.SIGN_IN_ANYWHERE, (name, device), FROM_MANY_PLACES),
        ):
            if error := throttling.throttle_error(words, limit, *key):
                raise ValidationError(error, code="throttled")
        if account := account_called(login):
            self.cleaned_data["username"] = account.get_username()
        data = super().clean()
        username = self.get_user().get_username()
        if self.request.is_secure() and password == username and username in DEMONSTRATION_LOGINS.values():
            raise ValidationError(NO_DEMONSTRATION, code="demonstration")
        throttling.forget_tries(throttling.SIGN_IN, name, address)
        throttling.uncount_try(throttling.SIGN_IN_ANYWHERE, name, device)
        throttling.uncount_try(throttling.SIGN_IN_FROM, address)
        return data


# Inviting people, linking them to players, and handing the club over.

ROLES = [
    ("member", "Member: can read everything"),
    ("scorekeeper", "Scorekeeper: can score at any table"),
    ("secretary", "Secretary: can do everything"),
]
DAYS = [("1", "For a day"), ("7", "For a week"), ("30", "For 30 days")]
HOW_MANY = [("one", "One person"), ("many", "Everyone who has the link")]


class InOrderOfNames(ModelChoiceIterator):
    def __iter__(self) -> Iterator[Any]:
        if self.field.empty_label is not None:
            yield ("", self.field.empty_label)
        yield from sorted(map(self.choice, self.queryset), key=lambda choice: name_order(choice[1]))


class NameField(forms.ModelChoiceField):
    """A choice of one person, in the order of names."""

    iterator = InOrderOfNames


def player_field(label: str, empty_label: str, *, required: bool = False, **kwargs: Any) -> NameField:
    """Return a field for one of the players in the queryset that its form sets."""
    error = "Choose your name from the list." if required else "Choose a player from the list."
    errors = dict.fromkeys(("required", "invalid_choice"), error)
    return NameField(None, label=label, empty_label=empty_label, required=required, error_messages=errors, **kwargs)


class InviteForm(Form):
    role = radio_field("Role", ROLES, "Choose a role.", initial="member")
    how_many = radio_field("Who can use the link", HOW_MANY, "Choose who can use the link.", initial="one")
    days = radio_field("How long the link works", DAYS, "Choose how long the link works.", initial="7")
    player = player_field(
        "Player",
        "No one in particular",
        help_text="A player who joins with this link can choose what they are called in public.",
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].queryset = players_without_account(club)


class PlaysAsForm(Form):
    """Links a member to a player; a player with a similar name is preselected."""

    player = player_field("Plays as", "Does not play")

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = self.fields["player"].queryset = players_without_account(membership.club, membership)
        by_name = {player.full_name: player.pk for player in players}
        near = close_names(membership.user.get_full_name(), by_name)
        self.fields["player"].initial = str(membership.player_id or (by_name[near[0]] if near else ""))


class WhoIAmForm(PlaysAsForm):
    """A member says which player they are: none of those who chose for themselves or gave contact details."""

    player = player_field("Your name on the list of players", "Choose your name", required=True)

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(membership, *args, **kwargs)
        self.fields["player"].queryset = self.fields["player"].queryset.filter(contact=None, in_public="")


def players_without_account(club: Club, membership: Membership | None = None) -> Any:
    """Return the current players without an account, and the player of this membership."""
    linked = Membership.objects.of_club(club).other_than(membership).exclude(player=None)
    return Player.objects.of_club(club).present().exclude(pk__in=linked.values("player"))


class MemberField(NameField):
    def label_from_instance(self, membership: Membership) -> str:
        return f"{membership.user.display_name} ({membership.user.username})"


class HandOverForm(Form):
    taker = MemberField(
        None,
        label="Who takes the club over",
        empty_label=None,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who takes the club over.", "invalid_choice": "Choose one of these people."},
    )
    after = radio_field(
        "What you will be afterwards",
        [("scorekeeper", "A scorekeeper"), ("member", "A member"), ("nothing", "No longer in the club")],
        "Choose what you will be afterwards.",
        initial="scorekeeper",
    )

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Membership.objects.of_club(membership.club).exclude(pk=membership.pk).select_related("user")
        self.fields["taker"].queryset = others.order_by("user__username")
