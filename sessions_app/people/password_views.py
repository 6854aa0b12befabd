"""“Enter your password to go on”, before what gives much away or cannot be undone: once in a quarter of an hour."""

from contextlib import suppress

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_http_methods

from sessions_app.people import throttling
from sessions_app.people.account_forms import ConfirmForm
from sessions_app.people.codes import SAFE
from sessions_app.people.known_device import address_of
from sessions_app.people.sign_ins import confirm_sign_in, is_confirmed
from sessions_app.web.access import SignedInRequest, page_before
from sessions_app.web.requests import address_in

# What is about to be done at an address, by its name.
WHAT = {
    "hand-over": "hand the club over",
    "person-recover": "make a password link for someone",
    "person-role": "change who is secretary",
    "person-remove": "remove someone from the club",
    "people-invite": "invite a secretary",
    "public-settings": "change what is public",
    "money-settings": "change fees and money",
    "export-csv": "download a list with contact details",
    "export-zip": "export the whole club",
    "backup-zip": "download the whole club",
    "player-data": "download what is kept about a player",
    "my-data": "download what is kept about you",
    "player-erase": "erase a player’s names",
    "phone-code-begin": "set up a code from your phone",
    "recovery-codes": "see your recovery codes",
    "phone-code-off": "turn off the code from your phone",
    "person-phone-code-off": "turn off the code from someone’s phone",
}
# The fields of the page's own, in the form: those of the form that was sent are carried along with them.
NEXT, BACK, IS_FORM = "confirm-next", "confirm-back", "confirm-form"


def ask_password(request: SignedInRequest) -> HttpResponse | None:
    """Return the page that asks for the password, or None if it was entered in this sign-in a short while ago.

    Once it is right, a form is sent again as it was typed, and a page or file is opened.
    """
    if is_confirmed(request.session):
        return None
    is_form = request.method not in SAFE
    return _page(request, ConfirmForm(request.user), request.get_full_path(), page_before(request), is_form)


def count_password(request: HttpRequest) -> str:
    """Count a try of one's own password; return the error if there were too many, else an empty string."""
    return throttling.throttle_error("Too many tries. {}", *password_tries(request))


def password_tries(request: HttpRequest) -> tuple[throttling.Limit, str, str]:
    """Return the limit on tries of one's own password, and what is counted."""
    return throttling.PASSWORD, str(request.user.pk), address_of(request)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def confirm_password(request: SignedInRequest) -> HttpResponse:
    if request.method in SAFE:
        return redirect("front")
    form = ConfirmForm(request.user, request.POST)
    next_page, is_form = address_in(request, NEXT), IS_FORM in request.POST
    form.throttle_error = count_password(request)
    if not form.is_valid():
        return _page(request, form, next_page, address_in(request, BACK), is_form)
    throttling.forget_tries(*password_tries(request))
    confirm_sign_in(request.session)
    if next_page and not is_form and not next_page.partition("?")[0].endswith("/"):
        # A file opens no page, so this one says that it is on its way.
        context = {"file": next_page, "back": address_in(request, BACK)}
        return render(request, "people/download.html", context)
    # The browser sends the form once more, with everything in it.
    return redirect(next_page or "front", preserve_request=bool(next_page) and is_form)


def _page(request: SignedInRequest, form: ConfirmForm, next_page: str, back: str, is_form: bool) -> HttpResponse:
    typed = [
        (name, value)
        for name, values in request.POST.lists()
        if not name.startswith(("csrfmiddlewaretoken", "confirm-"))
        for value in values
    ]
    what = "go on"
    with suppress(Resolver404):
        what = WHAT.get(resolve(next_page.partition("?")[0]).url_name or "", what)
    context = {
        "confirm": form,
        "form": form,
        "what": what,
        "typed": typed,
        "own": [(NEXT, next_page), (BACK, back), *([(IS_FORM, "1")] if is_form else [])],
        "back": back,
    }
    return render(request, "people/confirm_password.html", context, status=422 if form.errors else 200)
