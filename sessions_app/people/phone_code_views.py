"""Pages of the code from one's phone: setting it up, recovery codes, turning it off, and giving it when signing in."""

from base64 import b32encode
from datetime import datetime, timedelta
from textwrap import wrap
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_otp import login as note_code
from django_otp.plugins.otp_totp.models import TOTPDevice

from sessions_app.models import User
from sessions_app.people import phone_code, throttling
from sessions_app.people.account_forms import CodeForm, NewPhoneForm
from sessions_app.people.known_device import address_of, known_device, log_refusal
from sessions_app.people.log import Actor
from sessions_app.people.mailing import tell_owner
from sessions_app.people.password_views import ask_password
from sessions_app.people.throttling import Limit
from sessions_app.web.access import SignedInRequest, actor
from sessions_app.web.requests import address_in, posted

# In the session: who has given a password, and has this long to give a code.
HALF = "signed_in_by_half"
TIME_FOR_CODE = timedelta(minutes=10)
WRONG_CODE = "Incorrect code. Enter the newest one that your phone shows, or a recovery code."
NOT_YET = "Incorrect code. Enter the six figures that the app shows now."


def leading_to(name: str, request: HttpRequest) -> str:
    """Return the address of a page, with the one to go to afterwards as it came."""
    after = address_in(request, "next")
    return reverse(name) + (f"?{urlencode({'next': after})}" if after else "")


@require_safe
@login_required
def phone_code_page(request: SignedInRequest) -> HttpResponse:
    phone, left = phone_code.phone_of(request.user), len(phone_code.recovery_codes(request.user))
    context = {"phone": phone, "codes_left": left, "next": address_in(request, "next")}
    return render(request, "people/phone_code.html", context)


@require_POST
@login_required
def phone_code_begin(request: SignedInRequest) -> HttpResponse:
    if asked := ask_password(request):
        return asked
    phone_code.begin(request.user)
    return redirect(leading_to("phone-code-set-up", request))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def phone_code_set_up(request: SignedInRequest) -> HttpResponse:
    """Show the secret as a QR code until the phone has given a code."""
    phone = TOTPDevice.objects.filter(user=request.user, confirmed=False).first()
    if phone is None:
        return redirect(leading_to("phone-code", request))
    form = NewPhoneForm(posted(request))
    if request.method == "POST" and form.is_valid():
        finished = phone_code.finish(request.user, form.cleaned_data["code"], by=actor(request))
        if finished:
            note_code(request, finished)
            messages.success(request, "From now on, signing in asks for a code from your phone.")
            return redirect(leading_to("recovery-codes", request))
        form.add_error("code", NOT_YET)
    context = {
        "form": form,
        "address": phone.config_url,
        # As an app takes it where there is no camera, in groups.
        "key": " ".join(wrap(b32encode(phone.bin_key).decode(), phone_code.GROUP)),
        "next": address_in(request, "next"),
    }
    return render(request, "people/phone_code_set_up.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def recovery_codes(request: SignedInRequest) -> HttpResponse:
    """Show the recovery codes that are left; pressing a button makes new ones."""
    if phone_code.phone_of(request.user) is None:
        return redirect("phone-code")
    if asked := ask_password(request):
        return asked
    if request.method == "POST":
        phone_code.renew_recovery_codes(request.user, by=actor(request))
        messages.success(request, "These are your new recovery codes. The old ones no longer work.")
        return redirect(leading_to("recovery-codes", request))
    context = {"codes": phone_code.recovery_codes(request.user), "next": address_in(request, "next")}
    return render(request, "people/recovery_codes.html", context)


@require_POST
@login_required
def phone_code_off(request: SignedInRequest) -> HttpResponse:
    if asked := ask_password(request):
        return asked
    if phone_code.turn_off(request.user, by=actor(request)):
        tell_owner("code_off", request.user)
    messages.success(request, "Signing in no longer asks for a code from your phone.")
    return redirect("account")


# Signing in.


def ask_code(request: HttpRequest, user: User) -> HttpResponse | None:
    """Return where someone who has given the right password goes to give a code, or None if no code is asked for."""
    if phone_code.phone_of(user) is None:
        return None
    if request.user.is_authenticated and request.user != user:
        # The code is asked of the one who has just given a password.
        logout(request)
    now = timezone.now().isoformat()
    request.session[HALF] = {"user": user.pk, "hash": user.get_session_auth_hash(), "at": now}
    return redirect(leading_to("sign-in-code", request))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_in_code(request: SignedInRequest) -> HttpResponse:
    """Ask for a code: after the password, or in a sign-in from before the account asked for codes."""
    is_signed_in = request.user.is_authenticated
    user = request.user if is_signed_in else _half_signed_in(request)
    if user is None:
        return redirect(leading_to("sign-in", request))
    if is_signed_in and phone_code.phone_of(user) is None:
        return redirect(leading_to("phone-code", request))
    form = CodeForm(posted(request))
    if request.method == "POST":
        form.throttle_error = _throttle_error(request, user)
        if form.is_valid():
            device = phone_code.check_code(user, form.cleaned_data["code"], by=Actor.of_user(user))
            if device:
                return _let_in(request, user, device)
            form.add_error("code", WRONG_CODE)
        if form.errors:
            log_refusal(request, user.get_username(), "code")
    context = {"form": form, "next": address_in(request, "next"), "is_signed_in": is_signed_in}
    return render(request, "people/sign_in_code.html", context, status=422 if form.errors else 200)


def _half_signed_in(request: HttpRequest) -> Any:
    """Return who has given a password a short while ago, unless it has been changed since; else None."""
    half = request.session.get(HALF)
    if not half or not timedelta(0) <= timezone.now() - datetime.fromisoformat(half["at"]) < TIME_FOR_CODE:
        return None
    user = User.objects.filter(pk=half["user"], is_active=True).first()
    return user if user and constant_time_compare(half["hash"], user.get_session_auth_hash()) else None


def _tries(request: SignedInRequest, user: User) -> tuple[tuple[Limit, str, str], tuple[Limit, str, str]]:
    """Return what is counted: of a device on which the user has signed in before, its own wrong codes alone."""
    device = known_device(request, user.get_username())
    return (
        (throttling.PHONE_CODE, str(user.pk), device or address_of(request)),
        (throttling.PHONE_CODE_ANYWHERE, str(user.pk), device),
    )


def _throttle_error(request: SignedInRequest, user: User) -> str:
    minutes = throttling.count_tries(*_tries(request, user))
    if not minutes:
        return ""
    tell_owner("wrong_codes", user)
    return f"Too many wrong codes. {throttling.in_minutes(minutes)}"


def _let_in(request, user, device):
    for tries in _tries(request, user):
        throttling.forget_tries(*tries)
    request.session.pop(HALF, None)
    if not request.user.is_authenticated:
        login(request, user)
    note_code(request, device)
    if not isinstance(device, TOTPDevice):
        left = len(phone_code.recovery_codes(user))
        messages.warning(request, f"That recovery code is used up. You have {left} left.")
    return redirect(address_in(request, "next") or "front")
