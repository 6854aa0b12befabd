"""A code from one's phone when signing in, and recovery codes for when the phone is lost (django-otp)."""

import re
from textwrap import wrap

from django.db.models import Exists, OuterRef
from django.utils.crypto import get_random_string
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from sessions_app.models import User
from sessions_app.people.accounts import log_account_change
from sessions_app.people.clubs import READABLE
from sessions_app.people.log import Actor, log_sentences
from sessions_app.people.transactions import write_transaction

RECOVERY_CODES, CODE_LENGTH, GROUP = 10, 8, 4

log_sentences(
    {
        "phone code on": "set up a code from the phone for signing in",
        "phone code off": "turned off the code from the phone of {user}",
        "new recovery codes": "made new recovery codes",
        "recovery code used": "signed in with a recovery code",
    }
)


def phone_of(user: User) -> TOTPDevice | None:
    """Return the phone whose codes the account gives when it signs in, or None."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def has_phone(user: str) -> Exists:
    """Return an expression: whether an account asks for codes; `user` is the field with its id."""
    return Exists(TOTPDevice.objects.filter(user=OuterRef(user), confirmed=True))


def begin(user: User) -> None:
    """Make a new secret for a phone; nothing is asked for before the phone has given a code."""
    with write_transaction():
        TOTPDevice.objects.filter(user=user, confirmed=False).delete()
        TOTPDevice.objects.create(user=user, name="phone", confirmed=False)


def finish(user: User, code: str, *, by: Actor) -> TOTPDevice | None:
    """Ask for codes from now on, if this one is right; return the phone, or None."""
    with write_transaction():
        phone = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
        if phone is None or not phone.verify_token(_plain(code)):
            return None
        TOTPDevice.objects.filter(user=user, confirmed=True).delete()
        phone.confirmed = True
        phone.save(update_fields=["confirmed"])
        _make_recovery_codes(user)
        log_account_change(user, "phone code on", by)
    return phone


def recovery_codes(user: User) -> list[str]:
    """Return the recovery codes that have not been used, as they are printed."""
    codes = StaticToken.objects.filter(device__user=user).order_by("pk").values_list("token", flat=True)
    return [" ".join(wrap(code, GROUP)) for code in codes]


def renew_recovery_codes(user: User, *, by: Actor) -> None:
    """Replace the recovery codes, used or not."""
    with write_transaction():
        _make_recovery_codes(user)
        log_account_change(user, "new recovery codes", by)


def check_code(user: User, code: str, *, by: Actor) -> Device | None:
    """Return the phone, or the list of recovery codes, that this code is of; each works once."""
    code = _plain(code)
    # Six figures are of a phone, anything else is a recovery code.
    model = TOTPDevice if re.fullmatch(r"\d{6}", code) else StaticDevice
    with write_transaction():
        for device in model.objects.select_for_update().filter(user=user, confirmed=True):
            if device.verify_token(code):
                if isinstance(device, StaticDevice):
                    log_account_change(user, "recovery code used", by)
                return device
    return None


def turn_off(user: User, *, by: Actor) -> bool:
    """Ask for no codes any more, and forget the phone and the recovery codes; return whether it was on."""
    with write_transaction():
        was_on = phone_of(user) is not None
        forget(user)
        if was_on:
            log_account_change(user, "phone code off", by)
    return was_on


def forget(user: User) -> None:
    for model in (TOTPDevice, StaticDevice):
        model.objects.filter(user=user).delete()


def _make_recovery_codes(user: User) -> None:
    StaticDevice.objects.filter(user=user).delete()
    paper = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = {get_random_string(CODE_LENGTH, READABLE) for _ in range(RECOVERY_CODES)}
    StaticToken.objects.bulk_create(StaticToken(device=paper, token=code) for code in codes)


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()
