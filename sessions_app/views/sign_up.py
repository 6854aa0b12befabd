"""Signing a club up, and coming into one by an invitation."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from sessions_app.forms.clubs import ClubFields, SignUpForm
from sessions_app.forms.logins import NewLoginForm
from sessions_app.models import Invite, Membership
from sessions_app.services import clubs
from sessions_app.services.actor import Actor
from sessions_app.services.errors import ServiceError
from sessions_app.services.logins import make_login
from sessions_app.services.people import accept_invite
from sessions_app.services.transactions import write_transaction
from sessions_app.services.tries import INVITE, SIGN_UP, count_try, in_minutes, minutes_to_wait
from sessions_app.views.door import actor
from sessions_app.views.forms import posted
from sessions_app.visitor_address import address_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
GONE, TOO_MANY = 410, 429


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request):
    if not settings.SIGN_UP:
        raise Http404("No club signs up here")
    form = (ClubFields if request.user.is_authenticated else SignUpForm)(posted(request))
    if request.method == "POST":
        minutes = count_try(SIGN_UP, address_of(request))
        if minutes:
            form.add_error(None, f"Too many tries from here. {in_minutes(minutes)}")
        elif form.is_valid():
            club = _signed_up(request, form)
            if club:
                messages.success(request, f"{club.name} is ready, and you are its secretary. Now invite the others.")
                return redirect("people", club.slug)
    return render(request, "sessions_app/sign_up.html", {"form": form}, status=422 if form.errors else 200)


def _signed_up(request, form):
    """Make what the form says and sign its secretary in; None, with the form's errors, where somebody was quicker."""
    is_new = not request.user.is_authenticated
    who = {"login": form.new_login()} if is_new else {"user": request.user}
    try:
        club, secretary = clubs.sign_up(form.new_club(), **who)
    except ServiceError as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return None
    if is_new:
        login(request, secretary, BACKEND)
    return club


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invite(request, token):
    minutes = minutes_to_wait(INVITE, address_of(request))
    found = None if minutes else Invite.objects.select_related("club", "made_by").filter(token=token).first()
    if found is None:
        return _no_invite(request, minutes)
    membership = _membership(request, found.club)
    if not found.is_standing and not membership:
        return render(request, "sessions_app/invite_over.html", {"invite": found}, status=GONE)
    form = NewLoginForm(posted(request)) if not request.user.is_authenticated else None
    if request.method == "POST" and (form is None or form.is_valid()):
        answer = _come_in(request, found, form)
        if answer:
            return answer
    context = {"invite": found, "form": form, "membership": membership}
    return render(request, "sessions_app/invite.html", context, status=422 if form and form.errors else 200)


def _come_in(request, found, form):
    try:
        with write_transaction():
            user = make_login(**form.new_login()) if form else request.user
            by = actor(request) if form is None else None
            membership = accept_invite(found, user, by=by or Actor.of_user(user))
    except ServiceError as error:
        if form is None and error.field == "name":
            messages.error(request, f"{error} Save it here, then open the invitation again.")
            return redirect("account")
        if form is None:
            return render(request, "sessions_app/invite_over.html", {"invite": found}, status=GONE)
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return None
    if form:
        login(request, user, BACKEND)
    messages.success(request, f"You are in {found.club.name}, as {membership.get_role_display().lower()}.")
    return redirect("club", found.club.slug)


def _no_invite(request, minutes):
    """Answer a link that was never made, and count it; after too many, right ones too have to wait."""
    minutes = minutes or count_try(INVITE, address_of(request))
    context = {"minutes": minutes, "when": in_minutes(minutes) if minutes else ""}
    return render(request, "sessions_app/invite_over.html", context, status=TOO_MANY if minutes else 404)


def _membership(request, club):
    if not request.user.is_authenticated:
        return None
    return Membership.objects.filter(club=club, user=request.user).first()
