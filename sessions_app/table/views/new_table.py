"""A session that a tablet starts without the network: the pages it keeps for it, and the start once it is sent."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubscore.play.outcomes import Outcome, Reason
from clubscore.play.start import FOUR
from clubscore.scoring import RULE_SETS, ScoringError
from sessions_app.models import Club, Meeting, Player, Session
from sessions_app.people.dates import DATE_SENTENCES, day_words
from sessions_app.people.permissions import SCOREKEEPER, may_write
from sessions_app.people.transactions import ServiceError
from sessions_app.rules.tags import engine_files
from sessions_app.table.forms import COMMAND_FORMS
from sessions_app.table.sessions import in_play, start_once, started_by, unsaved_session
from sessions_app.table.start_form import StartForm
from sessions_app.table.state import fixed_state
from sessions_app.table.tags import PREVIEW_SHEET, offline_needs, rules_on_tablet, tables_to_keep
from sessions_app.table.views.board_page import board_context, board_look
from sessions_app.table.views.command_requests import read_command
from sessions_app.table.views.sessions import start_as_entered
from sessions_app.table.views.table import NOTHING_NEW, full_state, json_outcome, refuse_in_json
from sessions_app.table.views.views_of_table import draw_views
from sessions_app.web.access import MemberRequest, TableRequest, Verdict, club_member, has_keys, membership_of
from sessions_app.web.requests import parse_uuid
from sessions_app.web.views import FOR_CLUBS, built_worker, kept_files

MOST_MEETINGS = 60
NEW_RULES = "Use the new rules"
RULES_CHANGED = f"The club’s rules have changed since this table started. Select “{NEW_RULES}”, or ask the secretary."


# The views besides the board, by their addresses below that of the table.
OTHER_VIEWS = {
    "hands/new/": "hand-new",
    "seating/": "seating",
    "arrive/": "arrive",
    **{f"{kind}/": kind for kind in COMMAND_FORMS},
    "": "session-sheet",
}

# All views by the words that a table's state has for their addresses.
WORDS = {"session-sheet": "sheet", "hand-new": "entry"}
VIEWS = {WORDS.get(view, view): view for view in ("table", *OTHER_VIEWS.values())}


@require_safe
@club_member(*SCOREKEEPER)
def any_table(request: MemberRequest, club: Club, view: str) -> HttpResponse:
    """Show the page on which a tablet plays at a table that it knows while the club is not heard."""
    if request.htmx:
        return HttpResponse(status=NOTHING_NEW)
    key = parse_uuid(request.GET.get("new", ""))
    if started := started_by(club, key) if key else None:
        return redirect(view, club.slug, started.pk)
    context = {
        "club": club,
        "kept": reverse("kept-of-club", args=[club.slug]),
        "start": reverse("session-start", args=[club.slug]),
    }
    return render(request, "table/any_table.html", context)


@require_safe
@never_cache
@club_member(*SCOREKEEPER)
def kept_of_club(request: TableRequest, club: Club) -> HttpResponse:
    """Answer with what a tablet keeps of the club: the tables in play, and how one starts by each set of rules."""
    return JsonResponse(
        {
            "usual": club.rules,
            "meetings": [meeting.choice for meeting in _coming_meetings(club)],
            "names": {player.pk: player.name for player in Player.objects.of_club(club).present()},
            "files": engine_files(),
            "preview_sheet": static(PREVIEW_SHEET),
            "start": {rules: start_by(request, club, rules, _urls(club)) for rules in RULE_SETS},
            "tables": {
                one.pk: _kept(request, club, one) | {"state": full_state(one)} for one in tables_to_keep(in_play(club))
            },
        }
    )


def _coming_meetings(club: Club) -> Iterable[Meeting]:
    """Return the meetings at which a tablet may start a table while it does not hear from the club."""
    return Meeting.objects.to_play_at(club).filter(date__gte=club.today)[:MOST_MEETINGS]


@require_safe
@never_cache
@club_member(*SCOREKEEPER)
def needs_of_club(request: TableRequest, club: Club) -> HttpResponse:
    """Answer with what a tablet has to have of the club now, and the version of the worker that is to keep it."""
    needs = offline_needs(club, in_play(club))
    return JsonResponse({"version": built_worker().version, "static": kept_files(FOR_CLUBS), **needs})


def _kept(request: TableRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Return the views of a table, and what the rules need of it."""
    # Of a table that the club does not have yet, nothing is stored.
    known = board_context(request, club, table_session) if table_session.pk else {}
    look = known["board"].look if known else board_look(request, club, table_session)
    context = {"request": request, "table_session": table_session, "can_write": True, "look": look}
    views = draw_views(request, club, table_session, known) if may_write(request.membership, table_session) else ""
    return {"views": views, "table": rules_on_tablet(context)}


def start_by(request: TableRequest, club: Club, rules: str, urls: dict[str, str]) -> dict[str, Any]:
    """Return what a tablet needs to start a session by these rules, with views for players whom only it will know.

    `urls` are the addresses in its state, in which those of session 0 in the views are replaced.
    """
    table_session = _unstarted(club, rules)
    # Stands for its number, which only the tablet knows.
    any_number: Any = "{table}"
    table_session.table = any_number
    kept = _kept(request, club, table_session)
    # Until the club has the table, its hands have no pages.
    kept["table"]["look"] |= {"hand_page": "", "preview_page": "", "player_page": ""}
    return {
        **kept,
        "state": {**fixed_state(table_session), "urls": urls},
        "views_at": _views_at(club),
        "rules": table_session.rules,
        "basis": _basis(table_session),
    }


def _views_at(club: Club) -> dict[str, str]:
    """Return the addresses that the views of a table have which the club does not have yet."""
    return {word: reverse(view, args=[club.slug, 0]) for word, view in VIEWS.items()}


def _urls(club: Club) -> dict[str, str]:
    """Return the addresses in the state of a table that the club does not have yet."""
    views = _views_at(club)
    others = {"commands": "new-table-start", "take_in": "new-table-take-in", "state": "new-table"}
    return views | {word: reverse(name, args=[club.slug]) for word, name in others.items()}


def _unstarted(club, rules=""):
    """Return an unsaved session as the club would start it now, with four players whom only the tablet knows."""
    unknown = [Player(pk=seat_no, club=club) for seat_no in range(1, FOUR + 1)]
    table_session = unsaved_session(club, club.today, 1, unknown, rules or club.rules, None)
    table_session.pk = 0
    return table_session


def _basis(table_session: Session) -> str:
    """Return a digest of the rules by which a session would be started."""
    rules = [table_session.rules, table_session.edition, table_session.house_rules, table_session.club_hands]
    return sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]


# The start, once it is sent.


class NotStarted(ServiceError):
    """A start that the form refuses; `agree` are the ways to go on: the words of each, and the fields to add."""

    def __init__(self, sentence: str, agree: list[dict[str, Any]]) -> None:
        super().__init__(sentence)
        self.agree = agree


@require_POST
@never_cache
def start_new_table(request: TableRequest, slug: str) -> HttpResponse:
    membership = membership_of(request, slug)
    if membership is None:
        is_outsider = request.user.is_authenticated or has_keys(request)
        return refuse_in_json(Verdict.NONE if is_outsider else Verdict.SIGN_IN)
    if membership.role not in SCOREKEEPER:
        return refuse_in_json(Verdict.NO)
    sent, fault = read_command(request)
    key = None if fault else parse_uuid(sent.get("key"))
    if fault or key is None:
        return json_outcome(422, Outcome.UNREADABLE, fault or Reason.NO_KEY)
    request.membership, club = membership, membership.club
    try:
        table_session, is_new = start_once(club, key, partial(_start_as_sent, request, club, key, sent["body"]))
    except (ScoringError, ServiceError) as error:
        refusal = {"status": 422, "outcome": Outcome.INVALID, "message": str(error)}
        return JsonResponse(refusal | {"agree": getattr(error, "agree", [])}, status=422)
    status, outcome = (201, Outcome.RECORDED) if is_new else (200, Outcome.AGAIN)
    reply = {"status": status, "outcome": outcome, "message": f"Table {table_session.table} has started."}
    return JsonResponse(reply | {"state": full_state(table_session)}, status=status)


def _start_as_sent(request, club, key, body):
    """Start the session of a tablet's form; NotStarted if it no longer fits the club."""
    fields = {name: value for name, value in body.items() if isinstance(value, str)}
    form = StartForm(club, fields)
    if not form.is_valid():
        sentences = [str(sentence) for errors in form.errors.values() for sentence in errors]
        raise NotStarted(" ".join(sentences), list(_ways_on(form)))
    basis = _basis(_unstarted(club, form.cleaned_data["rules"]))
    if fields.get("basis", basis) != basis:
        raise NotStarted(RULES_CHANGED, [{"words": NEW_RULES, "fields": {"basis": basis}}])
    return start_as_entered(request, club, form, key)


def _ways_on(form: StartForm) -> Iterator[dict[str, Any]]:
    """Yield the possible answers to what the form asks."""
    asked = {"somebody_else": form.meant, "plays_twice": "plays_twice" in form.errors}
    for name, is_asked in asked.items():
        if is_asked:
            yield {"words": form.fields[name].label, "fields": {name: "on"}}
    if "date" in form.errors:
        today = form.club.today
        yield {"words": f"Use today’s date, {day_words(today)}", "fields": {"date": str(today)}}
    if day := form.fields["date"].widget.asked:
        yield {"words": DATE_SENTENCES["is_right"].format(day=day_words(day)), "fields": {"date_is_right": str(day)}}
    if "meeting" in form.errors:
        for number, words in form.meeting_choices:
            yield {"words": words, "fields": {"meeting": number}}
