"""Pages for the secretary: roles, linked players, invitations, password links, handing over, the log."""

from itertools import groupby

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Invite, Membership
from sessions_app.people import clubs as service
from sessions_app.people import phone_code
from sessions_app.people.account_forms import HandOverForm, InviteForm, PlaysAsForm
from sessions_app.people.accounts import log_account_change, recovery_path
from sessions_app.people.form_fields import NUMERIC, Form, date_field
from sessions_app.people.log_pages import LOG_KINDS, LogFilter, LogLine, log_page
from sessions_app.people.mailing import tell_owner
from sessions_app.people.merging import is_in_other_clubs
from sessions_app.people.password_views import ask_password
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.people.players import name_order
from sessions_app.web.access import MemberRequest, actor, club_member
from sessions_app.web.requests import errors_in, errors_shown, parse_id, posted, whole_address

NOT_HERE = (
    "You cannot {} for this account, because it is not only used in this club. Ask the person who runs this site{}."
)
STILL_FOR_MANY = (
    "An invitation for everyone who has its link still works. Cancel it if they should not use it to join again."
)


@require_safe
@club_member(*SECRETARY)
def people(request: HttpRequest, club: Club) -> HttpResponse:
    return _people_page(request, club, InviteForm(club))


@require_POST
@club_member(*SECRETARY)
def people_invite(request: MemberRequest, club: Club) -> HttpResponse:
    form = InviteForm(club, request.POST)
    if form.is_valid():
        data = form.cleaned_data
        role, days, once = data["role"], int(data["days"]), data["how_many"] == "one"
        if role in SECRETARY and (asked := ask_password(request)):
            return asked
        with errors_in(form):
            invite = service.make_invite(club, role, days, once, by=actor(request), player=data["player"])
            return redirect("invite-link", club.slug, invite.pk)
    return _people_page(request, club, form)


@require_safe
@never_cache
@club_member(*SECRETARY)
def invite_link(request: HttpRequest, club: Club, invite_id: int) -> HttpResponse:
    invite = get_object_or_404(Invite.objects.of_club(club), pk=invite_id)
    address = whole_address(request, reverse("invite", args=[invite.token]))
    return render(request, "people/invite_link.html", {"club": club, "invite": invite, "address": address})


@require_POST
@club_member(*SECRETARY)
def invite_revoke(request: MemberRequest, club: Club, invite_id: int) -> HttpResponse:
    invite = get_object_or_404(Invite.objects.of_club(club).select_related("club"), pk=invite_id)
    service.revoke_invite(invite, by=actor(request))
    messages.success(request, "The invitation is cancelled. Its link no longer works.")
    return redirect("people", club.slug)


@require_POST
@club_member(*SECRETARY)
def person_role(request: MemberRequest, club: Club, membership_id: int) -> HttpResponse:
    person, role = _person(club, membership_id), request.POST.get("role", "")
    if {role, person.role} & {*SECRETARY} and (asked := ask_password(request)):
        return asked
    with errors_shown(request):
        cancelled = _cancelled(person, role)
        changed = service.set_role(person, role, by=actor(request))
        now = f"{person.user.display_name} is now a {changed.get_role_display().lower()}.{cancelled}"
        messages.success(request, now)
    return _to_a_page_still_open(request, club)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def person_player(request: MemberRequest, club: Club, membership_id: int) -> HttpResponse:
    """Link a member to a player."""
    person = _person(club, membership_id)
    form = PlaysAsForm(person, posted(request))
    if request.method == "POST" and form.is_valid():
        player = form.cleaned_data["player"]
        with errors_in(form):
            service.link_player(person, player, by=actor(request))
            plays = f"plays as {player}" if player else "does not play"
            messages.success(request, f"{person.user.display_name} {plays}.")
            return redirect("people", club.slug)
    is_known = person.player_id is not None
    context = {"club": club, "person": person.user.display_name, "form": form, "is_known": is_known}
    return render(request, "people/person_player.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def person_remove(request: MemberRequest, club: Club, membership_id: int) -> HttpResponse:
    person = _person(club, membership_id)
    if asked := ask_password(request):
        return asked
    with errors_shown(request):
        cancelled = _cancelled(person)
        service.remove_person(person, by=actor(request))
        is_open_to_many = Invite.objects.of_club(club).usable().filter(once=False).exists()
        advice = STILL_FOR_MANY if is_open_to_many else "If that was a mistake, send them an invitation."
        messages.success(request, f"{person.user.display_name} is no longer in the club.{cancelled} {advice}")
    return _to_a_page_still_open(request, club)


@require_POST
@never_cache
@club_member(*SECRETARY)
def person_recover(request: MemberRequest, club: Club, membership_id: int) -> HttpResponse:
    """Show a password link, once; only for an account that is in no other club."""
    person = _person(club, membership_id)
    otherwise = ", or use “Forgotten your password?” on the sign-in page"
    if answer := _why_not_help(request, person, NOT_HERE.format("make a link", otherwise)):
        return answer
    log_account_change(person.user, "recovery link", actor(request))
    address = whole_address(request, recovery_path(person.user))
    context = {"club": club, "person": person.user.display_name, "address": address}
    return render(request, "people/person_recover.html", context)


@require_POST
@club_member(*SECRETARY)
def person_phone_code_off(request: MemberRequest, club: Club, membership_id: int) -> HttpResponse:
    """Let someone who has lost the phone sign in by the password alone; only for an account of this club alone."""
    person = _person(club, membership_id)
    if answer := _why_not_help(request, person, NOT_HERE.format("turn off the code", "")):
        return answer
    if phone_code.turn_off(person.user, by=actor(request)):
        tell_owner("code_off", person.user)
    messages.success(request, f"{person.user.display_name} signs in without a code from a phone now.")
    return redirect("people", club.slug)


def _why_not_help(request: MemberRequest, person: Membership, sentence: str) -> HttpResponse | None:
    """Return what to answer if the account is in other clubs or the operator's, or the password was not given yet."""
    if is_in_other_clubs(person.user, person.club) or person.user.is_staff:
        messages.error(request, sentence)
        return redirect("people", person.club.slug)
    return ask_password(request)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def hand_over(request: MemberRequest, club: Club) -> HttpResponse:
    form = HandOverForm(request.membership, posted(request))
    if request.method == "POST" and form.is_valid():
        if asked := ask_password(request):
            return asked
        taker, after = form.cleaned_data["taker"], form.cleaned_data["after"]
        after = "" if after == "nothing" else after
        with errors_in(form):
            service.hand_over(request.membership, taker, after, by=actor(request))
            name = taker.user.display_name
            messages.success(request, f"{name} is now the secretary of {club.name}. Thank you for your work.")
            return redirect("club", club.slug) if after else redirect("front")
    return render(request, "people/hand_over.html", {"club": club, "form": form}, status=422 if form.errors else 200)


def _cancelled(person: Membership, role: str = "") -> str:
    """Return sentences about the invitations that end with a secretary, each after a blank; else an empty string."""
    ending = service.invites_ending(person, role)
    own = ending.filter(made_by=person.user).count()
    other = ending.count() - own
    said = ""
    if own:
        said = " Their invitation is cancelled." if own == 1 else f" Their {own} invitations are cancelled."
    if other == 1:
        said += " One other invitation is cancelled, because they could open it. Make a new one for that person."
    elif other:
        said += f" {other} other invitations are cancelled, because they could open them. Make new ones."
    return said


def _person(club: Club, membership_id: int) -> Membership:
    return get_object_or_404(Membership.objects.of_club(club).select_related("user", "club"), pk=membership_id)


def _to_a_page_still_open(request: MemberRequest, club: Club) -> HttpResponse:
    """Redirect to a page that the user may still see."""
    own = Membership.objects.of_club(club).filter(user=request.user).first()
    if own and own.role in SECRETARY:
        return redirect("people", club.slug)
    return redirect("club", club.slug) if own else redirect("front")


# What there is to see, its page, who may open that, and the club's setting that opens it to everyone.
VISIBLE = (
    ("The league table and results", "standings", MEMBER, "shows_standings"),
    ("The roll of honour", "honours", MEMBER, "shows_honours"),
    ("When and where the club meets", "meetings", MEMBER, "shows_meetings"),
    ("Every table, hand and player’s page", "club", MEMBER, ""),
    ("Names of the players", "players", MEMBER, ""),
    ("Seating requests", "wishes", SCOREKEEPER, ""),
    ("Fees, and who has paid", "fees", SCOREKEEPER, ""),
    ("Everyone’s score queries", "score-queries", SECRETARY, ""),
    ("Email addresses and telephone numbers", "player-change", SECRETARY, ""),
    ("Accounts, roles and invitations", "people", SECRETARY, ""),
    ("The history", "log", SECRETARY, ""),
    ("Downloads of the whole club", "exports", SECRETARY, ""),
)


WHO = {MEMBER: "Members", SCOREKEEPER: "Scorekeepers and the secretary", SECRETARY: "The secretary"}


def visible_to(club: Club) -> list[tuple[str, str]]:
    """Return what there is to see, each with who may see it."""
    return [
        (words, "Everyone" if setting and getattr(club, setting) else WHO[may]) for words, _, may, setting in VISIBLE
    ]


def _people_page(request: HttpRequest | MemberRequest, club: Club, form: InviteForm) -> HttpResponse:
    rows = Membership.objects.of_club(club).select_related("user", "club", "player")
    with_phone = rows.annotate(has_phone=phone_code.has_phone("user"))
    members = sorted(with_phone, key=lambda row: (MEMBER.index(row.role), name_order(row.user.display_name), row.pk))
    context = {
        "club": club,
        "form": form,
        "people": [
            {"is": member, "name": member.user.display_name, "is_me": member.user == request.user} for member in members
        ],
        "roles": Membership.Role.choices,
        "one_secretary": sum(member.role in SECRETARY for member in members) == 1,
        "visible_to": visible_to(club),
        "invites": Invite.objects.of_club(club).usable().select_related("player"),
    }
    return render(request, "people/people.html", context, status=422 if form.errors else 200)


# The page of the club's log, with its filter.


MAX_TABLE = 32_767


class LogForm(Form):
    who = forms.CharField(label="Who", max_length=60, required=False)
    what = forms.ChoiceField(
        label="What",
        choices=[("", "Everything"), *((key, words) for key, (words, _) in LOG_KINDS.items())],
        required=False,
        error_messages={"invalid_choice": "Choose what to show from the list."},
    )
    table = forms.IntegerField(
        label="Table",
        min_value=1,
        max_value=MAX_TABLE,
        required=False,
        widget=forms.TextInput(attrs=NUMERIC),
        error_messages={
            "invalid": "Enter the table as a number, for example 2.",
            "min_value": "Enter a table number of 1 or more.",
            "max_value": "Enter a smaller table number.",
        },
    )
    first = date_field("From", required=False)
    last = date_field("To", required=False)

    def filters(self) -> LogFilter:
        """Return the filter; invalid fields are left out."""
        self.is_valid()
        names = {"first": "starts_on", "last": "ends_on"}
        return LogFilter(**{names.get(field, field): value for field, value in self.cleaned_data.items() if value})


FOLDED = 4  # so many similar entries in a row are shown as one line, which opens


def similar_together(lines: list[LogLine]) -> list[list[LogLine]]:
    """Return the entries in groups: many in a row of one kind, day, table and person together, any other alone."""
    groups = []
    for _, similar in groupby(lines, lambda line: (line.at.date(), line.who, line.action, line.session)):
        group = list(similar)
        groups += [group] if len(group) >= FOLDED else [[line] for line in group]
    return groups


@require_safe
@club_member(*SECRETARY)
def log(request: HttpRequest, club: Club) -> HttpResponse:
    form = LogForm(request.GET)
    filters = form.filters()
    page = log_page(club, filters, parse_id(request.GET.get("before", "")))
    query = request.GET.copy()
    query.pop("before", None)
    context = {
        "club": club,
        "form": form,
        "lines": page.lines,
        "groups": similar_together(page.lines),
        "older": page.older,
        "is_filtered": any(vars(filters).values()),
        "is_newest": "before" not in request.GET,
        # For the next page and the CSV.
        "asked": query.urlencode(),
    }
    return render(request, "people/log.html", context, status=422 if form.errors else 200)
