"""Forms for accounts, signing in, invitations, linking members to players, and handing the club over."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms.fields import CharField, EmailField
from django.forms.utils import ErrorDict
from django.http import HttpRequest

from sessions_app.models import Club, Contact, Membership, Player, User
from sessions_app.people.accounts import DEMONSTRATION_LOGINS, TAKEN, validate_name
from sessions_app.people.form_fields import TidyField, radio_field
from sessions_app.people.fuzzy_names import close_names
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
    return TidyField(
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


def password_field(label: str, autocomplete: str, **more: Any) -> CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, max_length=MAX_PASSWORD, strip=False, widget=widget, **more)


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
    password = password_field(
        "Password",
        "new-password",
        help_text="At least 8 letters or numbers. Three unrelated words work well.",
        error_messages={"required": "Choose a password."},
    )
    password_again = password_field(
        "The same password again", "new-password", error_messages={"required": "Enter the same password again."}
    )
    login_fields = ("name", "login", "email", "password", "password_again")

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
    password = password_field(
        "Current password", "current-password", required=False, help_text="Only needed to change the email address."
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        initial = {"name": user.get_full_name(), "email": user.email}
        super().__init__(*args, initial=initial, **kwargs)
        self.user = user
        self.wait = ""

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
        self.fields["username"].widget.attrs.update(PLAIN_TEXT)
        self.fields["password"].error_messages["required"] = "Enter your password."

    def clean(self) -> dict[str, str]:
        login, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not login or not password:
            return self.cleaned_data
        address, what = address_of(self.request), login.casefold()
        device = known_device(self.request, login)
        for limit, key, error in (
            (SIGN_IN_FROM, (address,), "Too many wrong passwords from this network. {}"),
            (SIGN_IN, (what, address), "Too many tries with this username. {}"),
            (SIGN_IN_ANYWHERE, (what, device), f"{FROM_MANY_PLACES} {{}} {STILL_GOES_ON}"),
        ):
            if minutes := count_try(limit, *key):
                raise ValidationError(error.format(in_minutes(minutes)), code="throttled")
        data = super().clean()
        if self.request.is_secure() and password == login and login in DEMONSTRATION_LOGINS.values():
            raise ValidationError(NO_DEMONSTRATION, code="demonstration")
        forget_tries(SIGN_IN, what, address)
        uncount_try(SIGN_IN_ANYWHERE, what, device)
        uncount_try(SIGN_IN_FROM, address)
        return data


# Inviting people, linking them to players, and handing the club over.


ROLES = [
    ("member", "Member: can read everything"),
    ("scorekeeper", "Scorekeeper: can score at any table"),
    ("secretary", "Secretary: can do everything"),
]

DAYS = [("1", "For a day"), ("7", "For a week"), ("30", "For 30 days")]
HOW_MANY = [("one", "One person"), ("many", "Everyone who has the link")]
NOT_MANY = "Choose “One person” to invite a secretary."
NOT_MANY_PLAYERS = "Choose “One person”, or choose “No one in particular” as the player."
NOT_LISTED = "Choose a player from the list."


class InviteForm(forms.Form):
    role = radio_field("Role", ROLES, "Choose a role.", initial="member")
    how_many = radio_field("Who can use the link", HOW_MANY, "Choose who can use the link.", initial="one")
    days = radio_field("How long the link works", DAYS, "Choose how long the link works.", initial="7")
    player = forms.ChoiceField(
        label="Player",
        required=False,
        help_text="A player who joins with this link can choose what they are called in public.",
        error_messages={"invalid_choice": NOT_LISTED},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players_without_account(club)
        self.fields["player"].choices = [("", "No one in particular"), *_named(self.players)]

    def clean(self) -> dict[str, str]:
        data = super().clean()
        if data.get("how_many") == "many" and data.get("role") == "secretary":
            self.add_error("how_many", NOT_MANY)
        elif data.get("how_many") == "many" and data.get("player"):
            self.add_error("how_many", NOT_MANY_PLAYERS)
        return data

    def for_player(self) -> Player | None:
        return self.players.get(self.cleaned_data["player"])


class PlaysAsForm(forms.Form):
    """Links a member to a player; a player with a similar name is preselected."""

    player = forms.ChoiceField(label="Plays as", required=False, error_messages={"invalid_choice": NOT_LISTED})

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players_without_account(membership.club, membership)
        self.fields["player"].choices = [("", "Does not play"), *_named(self.players)]
        self.fields["player"].initial = self._likely(membership)

    def _likely(self, membership):
        if membership.player_id:
            return str(membership.player_id)
        by_name = {player.full_name: pk for pk, player in self.players.items()}
        near = close_names(membership.user.get_full_name(), by_name)
        return by_name[near[0]] if near else ""

    def chosen(self) -> Player | None:
        return self.players.get(self.cleaned_data["player"])


class WhoIAmForm(PlaysAsForm):
    """A member says which player they are: none of those who chose for themselves or gave contact details."""

    player = forms.ChoiceField(
        label="Your name on the list of players",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose your name from the list."),
    )

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(membership, *args, **kwargs)
        reached = {str(pk) for pk in Contact.objects.of_club(membership.club).values_list("player", flat=True)}
        self.players = {pk: one for pk, one in self.players.items() if pk not in reached and not one.in_public}
        self.fields["player"].choices = [("", "Choose your name"), *_named(self.players)]


def players_without_account(club: Club, membership: Membership | None = None) -> dict[str, Player]:
    """Return {id as text: player} of current players without an account, and the player of this membership."""
    taken = Membership.objects.of_club(club).exclude(pk=membership and membership.pk).exclude(player=None)
    players = Player.objects.of_club(club).present().exclude(pk__in=taken.values("player"))
    return {str(player.pk): player for player in players.order_by("full_name", "pk")}


def _named(players):
    return [(pk, player.full_name) for pk, player in players.items()]


class HandOverForm(forms.Form):
    taker = forms.ChoiceField(
        label="Who takes the club over",
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
        self.others = {str(other.pk): other for other in others.order_by("user__username")}
        self.fields["taker"].choices = [
            (pk, f"{other.user.get_full_name() or other.user.username} ({other.user.username})")
            for pk, other in self.others.items()
        ]
