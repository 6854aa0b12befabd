"""Registering a club, joining one by invitation, its settings and Club admin."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sessions_app.models import Club, Invite, Logo, Membership
from sessions_app.people import clubs, throttling
from sessions_app.people.account_forms import NewAccountForm
from sessions_app.people.accounts import is_name_of_member, make_account
from sessions_app.people.club_admin import first_steps, next_meeting, sections, to_do
from sessions_app.people.club_forms import ClubFields, ClubSettingsForm, MoneyForm, PublicForm, SignUpForm
from sessions_app.people.clubs import CLUB_SETTINGS, accept_invite, change_club_settings
from sessions_app.people.codes import INVITATION, LOGO_KEY
from sessions_app.people.known_device import A_YEAR, address_of
from sessions_app.people.log import Actor
from sessions_app.people.logos import change_logo, content_type
from sessions_app.people.password_views import ask_password
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.web.access import actor, club_member, with_code
from sessions_app.web.requests import errors_in, posted, whole_address

GONE, TOO_MANY = 410, 429


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not settings.SIGN_UP:
        raise Http404("Clubs cannot register here")
    user = request.user if request.user.is_authenticated else None
    form = ClubFields(posted(request)) if user else SignUpForm(posted(request))
    if request.method == "POST":
        form.throttle_error = throttling.network_error(throttling.SIGN_UP, request)
        if form.is_valid():
            account = form.new_account() if isinstance(form, SignUpForm) else None
            with errors_in(form):
                club, secretary = clubs.sign_up(form.new_club(), user=user, login=account)
                if account:
                    login(request, secretary)
                ready = f"{club.name} is ready, and you are its secretary. Add the players, then start."
                messages.success(request, ready)
                # With a game that was played without a club, which the tablet brings to that page.
                after = reverse("import-game", args=[club.slug]) + "#game"
                return redirect(after) if "game" in request.GET else redirect("desk", club.slug)
    return render(request, "people/sign_up.html", {"form": form}, status=422 if form.errors else 200)


@with_code(INVITATION)
@never_cache
def invite(request: HttpRequest, token: str) -> HttpResponse:
    minutes = throttling.minutes_to_wait(throttling.INVITE, address_of(request))
    found = None if minutes else Invite.objects.select_related("club", "made_by").filter(token=token).first()
    if found is None:
        return _no_invite(request, minutes)
    user = request.user if request.user.is_authenticated else None
    membership = user and Membership.objects.filter(club=found.club, user=user).first()
    if not found.is_usable and not membership:
        return render(request, "people/invite_over.html", {"invite": found}, status=GONE)
    form = None if user else NewAccountForm(posted(request))
    if form and request.method == "POST":
        form.throttle_error = throttling.network_error(throttling.SIGN_UP, request)
    if request.method == "POST" and (form is None or form.is_valid()):
        answer = _join(request, found, form)
        if answer:
            return answer
    context = {"invite": found, "form": form, "membership": membership}
    return render(request, "people/invite.html", context, status=422 if form and form.errors else 200)


def _join(request: HttpRequest, found: Invite, form: NewAccountForm | None) -> HttpResponse | None:
    """Accept the invitation with a new account or the user's own; return None with an error in the form."""
    try:
        with write_transaction():
            user = make_account(**form.new_account()) if form else request.user
            assert user.is_authenticated
            if form and is_name_of_member(user.get_username(), user, [found.club]):
                raise ServiceError("Choose another username. This one looks like the name of another member.", "login")
            membership = accept_invite(found, user, by=Actor.of_user(user))
    except ServiceError as error:
        if form is None and error.field == "name":
            messages.error(request, f"{error} Save it here, then open the invitation again.")
            return redirect("account")
        if form is None:
            return render(request, "people/invite_over.html", {"invite": found}, status=GONE)
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return None
    if form:
        # Everyone in a hall shares one network address, so a success must not count.
        throttling.uncount_try(throttling.SIGN_UP, address_of(request))
        login(request, user)
    messages.success(request, f"You have joined {found.club.name} as a {membership.get_role_display().lower()}.")
    return redirect("club", found.club.slug)


def _no_invite(request: HttpRequest, minutes: int) -> HttpResponse:
    """Answer an unknown link, and count it; after too many, valid links have to wait too."""
    minutes = minutes or throttling.count_try(throttling.INVITE, address_of(request))
    context = {"when": throttling.in_minutes(minutes) if minutes else ""}
    return render(request, "people/invite_over.html", context, status=TOO_MANY if minutes else 404)


# The club's settings, for the secretary: how tables work, what the public sees, and money.

FRAME = '<iframe src="{}" title="{}" width="100%" height="700" style="border:0"></iframe>'
# The page, the setting that opens it to everyone, what is at the address, and the name of the address.
PUBLIC_ADDRESSES = (
    ("League table", "shows_standings", "The page", "public-standings"),
    ("League table", "shows_standings", "Results of meetings", "public-results"),
    ("Roll of honour", "shows_honours", "The page", "public-honours"),
    ("Meetings", "shows_meetings", "The page", "public-meetings"),
    ("Meetings", "shows_meetings", "For calendars (iCalendar)", "public-meetings-calendar"),
)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    return _settings(request, club, ClubSettingsForm, "desk-settings", "club_settings.html")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def public_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """Which pages are public, with their addresses."""
    shown: dict[str, list[tuple[str, str]]] = {}
    for page, setting, words, name in PUBLIC_ADDRESSES:
        if getattr(club, setting):
            shown.setdefault(page, []).append((words, whole_address(request, reverse(name, args=[club.slug]))))
    frame = ""
    if club.framed_by:
        address = whole_address(request, reverse("public-frame", args=[club.slug]))
        frame = FRAME.format(escape(address), escape(club.name))
    context = {"shown": shown, "frame": frame, "asks_password": True}
    return _settings(request, club, PublicForm, "public-settings", "public_settings.html", **context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def money_settings(request: HttpRequest, club: Club) -> HttpResponse:
    return _settings(request, club, MoneyForm, "money-settings", "money_settings.html", asks_password=True)


def _settings(request, club, form_class, address, template, *, asks_password=False, **context):
    initial = {name: getattr(club, name) for name in form_class.base_fields if name in CLUB_SETTINGS}
    form = form_class(posted(request), request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        if asks_password and (asked := ask_password(request)):
            return asked
        with errors_in(form), write_transaction():
            changed = change_club_settings(club, by=actor(request), **form.cleaned_data)
            if form.cleaned_data.get("logo") is not None:
                changed |= change_logo(club, form.cleaned_data["logo"], by=actor(request))
            messages.success(request, "The settings are saved." if changed else "Nothing was changed.")
            return redirect(address, club.slug)
    context |= {"club": club, "form": form}
    return render(request, f"people/{template}", context, status=422 if form.errors else 200)


@with_code(LOGO_KEY)
@cache_control(private=True, max_age=A_YEAR, immutable=True)
def club_logo(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Return a club's logo to anyone who has its address, which only pages that name the club contain.

    The key cannot be guessed, and changes with each picture, so that browsers may cache it.
    """
    picture = get_object_or_404(Logo, club__slug=slug, club__logo_key=key).picture
    return HttpResponse(picture, content_type=content_type(bytes(picture)))


@require_safe
@club_member(*SECRETARY)
def club_admin(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "next_meeting": next_meeting(club),
        "to_do": to_do(club),
        "first_steps": first_steps(club),
        "sections": sections(club),
    }
    return render(request, "people/club_admin.html", context)
