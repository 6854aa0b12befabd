"""A session that a tablet starts without the network: the pages it keeps for it, and the start once it is sent."""

import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.sticks import STICK_SETS
from clubscore.table.outcomes import Outcome, Reason
from sessions_app.models import Club, Player, Recording, Session
from sessions_app.people.dates import DATE_SENTENCES, day_words
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.people.transactions import ServiceError
from sessions_app.table.board import WINDS_SPRITE, SessionBoard, sheet_look
from sessions_app.table.forms import ArriveForm, LeaveForm
from sessions_app.table.ledger import StoredLedger
from sessions_app.table.sessions import start_once, started_by, unsaved_session
from sessions_app.table.start_form import StartForm
from sessions_app.table.state import fixed_state
from sessions_app.table.views.command_requests import read_command
from sessions_app.table.views.hand_entry import next_hand_page
from sessions_app.table.views.sessions import start_as_entered
from sessions_app.table.views.table import NOTHING_NEW, full_state, json_outcome, refuse_in_json
from sessions_app.table.views.views_of_table import anyone_at, penalty_context, seating_forms
from sessions_app.web.access import MemberRequest, TableRequest, Verdict, club_member, has_keys, membership_of
from sessions_app.web.requests import parse_uuid

FOUR = 4
NEW_RULES = "Use the new rules"
RULES_CHANGED = f"The club’s rules have changed since this table started. Select “{NEW_RULES}”, or ask the secretary."


@require_safe
@club_member(*SCOREKEEPER)
def new_table(request: MemberRequest, club: Club, rules: str = "") -> HttpResponse:
    if request.htmx:
        return HttpResponse(status=NOTHING_NEW)
    if started := _started(request, club):
        return redirect("table", club.slug, started.pk)
    table_session = _unstarted(club, rules)
    sides = zip(("bottom", "right", "top", "left"), WINDS, range(1, FOUR + 1), strict=True)
    context = {
        "club": club,
        "table_session": table_session,
        "can_write": True,
        "page": {
            "sides": [(side, wind, seat_no, "", 0) for side, wind, seat_no in sides],
            "wind_of_round": "",
            "winds_sprite": static(WINDS_SPRITE),
            "goulash": False,
        },
        "start": _start_data(club, rules),
    }
    return render(request, "table/new_table.html", context)


@require_safe
@club_member(*SCOREKEEPER)
def new_table_hand(request: MemberRequest, club: Club, rules: str = "") -> HttpResponse:
    if started := _started(request, club):
        return redirect("hand-new", club.slug, started.pk)
    return next_hand_page(request, club, _unstarted(club, rules))


@require_safe
@club_member(*SCOREKEEPER)
def new_table_page(request: HttpRequest, club: Club, page: str, rules: str = "") -> HttpResponse:
    """Show a page of a table that is not started, with one player in place of all; or of the session, once started."""
    if started := _started(request, club):
        return redirect(page, club.slug, started.pk)
    table_session = _unstarted(club, rules)
    context = {"club": club, "table_session": table_session, **CONTEXTS[page](table_session, anyone_at(club))}
    return render(request, f"table/{page.replace('-', '_')}.html", context)


def _empty_sheet(table_session, anyone):
    ledger = StoredLedger(table_session, (), (), {}, {})
    board = SessionBoard(ledger, sheet_look(table_session, (), "scorekeeper", ()))
    return {"board": board, "is_scorekeeper": True, "keeps_score": True}


# What each page shows, by its URL name at a started session.
CONTEXTS = {
    "penalty": lambda table_session, anyone: penalty_context(table_session, [anyone]),
    "seating": lambda table_session, anyone: seating_forms(table_session.club, [anyone], [anyone]),
    "arrive": lambda table_session, anyone: {"form": ArriveForm(table_session.club, [])},
    "leave": lambda table_session, anyone: {"form": LeaveForm([anyone])},
    "session-sheet": _empty_sheet,
}


def _started(request: HttpRequest, club: Club) -> Session | None:
    key = parse_uuid(request.GET.get("new", ""))
    return started_by(club, key) if key else None


def _unstarted(club, rules="", players=FOUR, house_rules=None, sticks=""):
    """Return an unsaved session as the club would start it now, with players whom only the tablet knows."""
    if rules and rules not in RULE_SETS:
        raise Http404("No such rules")
    unknown = [Player(pk=seat_no, club=club) for seat_no in range(1, players + 1)]
    table_session = unsaved_session(club, club.today, 1, unknown, rules or club.rules, house_rules, sticks=sticks)
    table_session.pk = 0
    return table_session


def _start_data(club: Club, rules: str) -> dict[str, Any]:
    """Return what a tablet needs to start a session by these rules, or by the club's usual ones."""
    table_session = _unstarted(club, rules)
    urls = {name: reverse(page, args=[club.slug]) for name, page in PAGES.items()}
    if rules:
        urls |= {name: reverse(PAGES[name], args=[club.slug, rules]) for name in BY_RULES}
    return {
        "state": {**fixed_state(table_session), "urls": urls},
        "names": {player.pk: player.name for player in Player.objects.of_club(club).present()},
        "rules": table_session.rules,
        "pages": {key: reverse("new-table", args=[club.slug, key]) for key in RULE_SETS if key != club.rules},
        "basis": _basis(table_session),
        "settles": table_session.recording == Recording.SETTLE,
        "seatings": {number: _first_seating(table_session, number) for number in table_session.rule_set.players},
    }


PAGES = {
    "commands": "new-table-start",
    "state": "new-table",
    "table": "new-table",
    "entry": "new-table-hand",
    "penalty": "new-table-penalty",
    "seating": "new-table-seating",
    "arrive": "new-table-arrive",
    "leave": "new-table-leave",
    "sheet": "new-table-sheet",
    "take_in": "new-table-take-in",
}
BY_RULES = ("table", "entry", "penalty", "sheet")


def _first_seating(table_session: Session, number: int) -> dict[str, Any]:
    """Return who sits where at first at a table of so many, and what each starts with, by the sticks."""
    club, rules, house_rules = table_session.club, table_session.rules, table_session.house_rules
    by_sticks = {sticks: _unstarted(club, rules, number, house_rules, sticks) for sticks in ("", *STICK_SETS)}
    balances = {sticks: session.starting_balance for sticks, session in by_sticks.items()}
    return {"chairs": by_sticks[""].seating, "balances": balances}


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
        return json_outcome(400, Outcome.UNREADABLE, fault or Reason.NO_KEY)
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
    asked = {"somebody_else": form.meant, "plays_twice": form.asks_about_open_tables}
    for name, is_asked in asked.items():
        if is_asked:
            yield {"words": form.fields[name].label, "fields": {name: "on"}}
    if "date" in form.errors:
        today = form.club.today
        yield {"words": f"Use today’s date, {day_words(today)}", "fields": {"date": str(today)}}
    if day := form.fields["date"].widget.asked:
        yield {"words": DATE_SENTENCES["is_right"].format(day=day_words(day)), "fields": {"date_is_right": str(day)}}
    if "meeting" in form.errors:
        for number, words in form.fields["meeting"].choices[1:]:
            yield {"words": words, "fields": {"meeting": number}}
