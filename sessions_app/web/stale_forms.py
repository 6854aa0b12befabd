"""Forms refused for their token (CSRF): a browser without cookies, or a page opened before signing in again.

What was typed is shown again, but only where the browser says that the form comes from a page of this site. It is sent
only when the user presses a button once more.
"""

import re
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import redirect, render

from sessions_app.people.account_forms import SignInForm
from sessions_app.people.accounts import account_called
from sessions_app.web.access import has_keys, page_before
from sessions_app.web.requests import address_in

FORBIDDEN = 403
SIGN_IN_AGAIN = "You opened this page before you last signed in or out. Enter your password again."

# What people choose or press, not type: ids and keys.
KEY = re.compile(r"[a-z0-9_-]*|[A-Za-z0-9_-]{16,40}")


def refuse_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without the right token (settings.CSRF_FAILURE_VIEW)."""
    no_cookie = reason == REASON_NO_CSRF_COOKIE
    # Whether a page of this site sent the form, by the word of the browser, and not a script of it.
    here = f"{request.scheme}://{request.get_host()}"
    is_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and not request.headers.get("HX-Request")
    is_own = is_page and request.headers.get("Origin") in (here, *settings.CSRF_TRUSTED_ORIGINS)
    match = request.resolver_match
    name = match.url_name if match else ""
    if is_own and not no_cookie and name == "sign-in":
        return _sign_in_again(request)
    if is_own and name == "sign-out" and not request.user.is_authenticated:
        return redirect("sign-in")
    typed = _typed(request) if is_own else None
    context = {
        "no_cookie": no_cookie,
        "typed": typed,
        "shown": [value for _, value in typed or () if not KEY.fullmatch(value)],
        "is_signed_out": not request.user.is_authenticated and not has_keys(request),
        "page_before": page_before(request),
    }
    return render(request, "403_csrf.html", context, status=FORBIDDEN)


def _sign_in_again(request: HttpRequest) -> HttpResponse:
    """Lead on whoever has signed in meanwhile under the name typed; anyone else types the password once more."""
    typed = request.POST.get("username", "")
    if request.user.is_authenticated and account_called(typed) == request.user:
        return redirect(address_in(request, "next") or "front")
    messages.warning(request, SIGN_IN_AGAIN)
    form = SignInForm(request, initial={"username": typed})
    context = {"form": form, "next": address_in(request, "next"), "sign_up": settings.SIGN_UP}
    return render(request, "people/sign_in.html", context, status=FORBIDDEN)


def _typed(request: HttpRequest) -> list[tuple[str, Any]] | None:
    """Return the fields of the form, without passwords; None if there was nothing else, or a file."""
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        has_file = any(file.size for _, files in request.FILES.lists() for file in files)
    except UnreadablePostError:
        return None
    fields = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    typed = [(name, value) for name, value in fields if "password" not in name]
    is_password_alone = not typed and bool(fields)
    return None if has_file or is_password_alone else typed
