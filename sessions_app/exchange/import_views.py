"""Import players, past totals, past meetings and hands from another tablet: checked first, saved when accepted."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils.dateparse import parse_date, parse_datetime
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.play.command_kinds import NOTE, kind_of
from clubscore.play.drawn_hands import say_at
from clubscore.play.entered_hand import questions_about_totals
from clubscore.play.outcomes import Outcome
from clubscore.scoring import RULE_SETS
from clubscore.scoring.words import listed
from sessions_app.exchange.forms import ROUNDS, ROWS, ImportForm, MeetingTotalsForm, TakeInForm, TotalsForm
from sessions_app.exchange.imports.entered_totals import (
    NoReason,
    QuestionsOpen,
    SeasonLocked,
    save_totals,
    sessions_at_table,
)
from sessions_app.exchange.imports.games import import_games, preview_games
from sessions_app.exchange.imports.meeting import import_meeting_file, preview_meeting_file
from sessions_app.exchange.imports.players import import_players as import_players_list
from sessions_app.exchange.imports.players import preview_players
from sessions_app.exchange.imports.sheet_values import ImportRefused, text_of
from sessions_app.exchange.imports.spreadsheets import read_text, read_workbook, workbook_from_text
from sessions_app.exchange.imports.take_back import tables_in_words, take_back, why_not
from sessions_app.exchange.imports.totals import what_counts_nowhere
from sessions_app.exchange.imports.totals_plan import Answers
from sessions_app.exchange.imports.waiting_code import WaitingCode, check_place, read_code
from sessions_app.exchange.sheet_views import ALREADY, first_step, sheet_steps
from sessions_app.meetings.views import get_meeting
from sessions_app.models import Club, Command, DrawnTable, Import, Meeting, Season, Seat, Session, WaitingGame
from sessions_app.people.codes import SAFE
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor
from sessions_app.people.permissions import SCOREKEEPER, SECRETARY, may_send
from sessions_app.people.throttling import IMPORT, in_minutes, note_try
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.club_rules import rules_in_force, versions_in_force
from sessions_app.table.apply_command import apply_command
from sessions_app.table.views.pending_commands import LONGEST, MAX_HANDS, command_words, declared_words
from sessions_app.table.what_will_be import TableQuestion
from sessions_app.web.access import MemberRequest, TableRequest, actor, at_table, club_member
from sessions_app.web.requests import new_key, parse_id, posted, row_from_query

KEY = re.compile(r"[0-9a-z-]{1,40}\Z")
TITLES = {
    "players": "Import players",
    "totals": "Import past totals",
    "night": "Import a past meeting",
    "game": "Put games into the club",
}


def _limited(*table: str) -> Callable[[Any], Any]:
    """Bound what a club, or one table, looks at and imports in a day; the page that says so keeps all that was sent."""

    def decorate(view: Any) -> Any:
        @wraps(view)
        def limited(request: Any, club: Club, *args: Any) -> HttpResponse:
            what = [str(club.pk), *table, *(str(session.pk) for session in args if isinstance(session, Session))]
            minutes = note_try(IMPORT, *what) if request.method == "POST" else 0
            if not minutes:
                return view(request, club, *args)
            sentence = f"Your club has checked and imported as much as it can in a day. {in_minutes(minutes)}"
            sent = [(name, text) for name, texts in request.POST.lists() for text in texts]
            context = {"club": club, "errors": [sentence], "sent": sent}
            return render(request, "exchange/import_wait.html", context, status=422)

        return limited

    return decorate


@require_safe
@club_member(*SECRETARY)
def imports(request: HttpRequest, club: Club) -> HttpResponse:
    return render(request, "exchange/imports.html", {"club": club})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
@_limited()
def import_players(request: MemberRequest, club: Club) -> HttpResponse:
    """Import people: any list of them is shown as a table, which can be changed before it is saved."""
    form = ImportForm(posted(request), request.FILES or None)
    context: dict[str, Any] = {}
    try:
        if "kept" in request.POST:
            book = workbook_from_text(request.POST["kept"])
        elif form.is_bound and form.is_valid():
            content = form.cleaned_data["file"]
            book = read_workbook(content) if content else read_text(form.cleaned_data["text"])
        else:
            return _import_page(request, club, "players", form, 422 if form.errors else 200)
        context["kept"] = book.as_text()
        if request.POST.get("do") == "record":
            try:
                added = import_players_list(club, book, request.POST, _key(request), by=actor(request))
            except ImportRefused as refused:
                context["errors"] = refused.sentences
            else:
                messages.success(request, f"{added} player{'' if added == 1 else 's'} added." if added else ALREADY)
                return redirect("players", club.slug)
        context["preview"] = preview_players(club, book, request.POST)
    except ImportRefused as refused:
        form = ImportForm({"text": request.POST.get("text", "")})
        form.add_error(None, refused.sentences)
        return _import_page(request, club, "players", form, 422)
    context |= {"club": club, "key": _key(request), "today": club.today}
    return render(request, "exchange/import_people.html", context, status=422 if context.get("errors") else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
@_limited()
def import_totals(request: MemberRequest, club: Club) -> HttpResponse:
    """Import totals from any spreadsheet: choose it, say which column is what, check and save."""
    form = ImportForm(posted(request), request.FILES or None)
    try:
        if "kept" in request.POST:
            return sheet_steps(request, club)
        if form.is_bound and form.is_valid():
            content = form.cleaned_data["file"]
            book = read_workbook(content) if content else read_text(form.cleaned_data["text"])
            return first_step(request, club, book, form.cleaned_data["file_name"])
    except ImportRefused as refused:
        form.add_error(None, refused.sentences)
    return _import_page(request, club, "totals", form, 422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
@_limited()
def import_night(request: MemberRequest, club: Club) -> HttpResponse:
    def preview(text):
        return preview_meeting_file(club, text, request.POST, by=actor(request))

    def save(text):
        loaded = import_meeting_file(club, text, request.POST, by=actor(request), file_name=_file_name(request))
        number = len(loaded.tables)
        return f"{number} table{'' if number == 1 else 's'} imported, hand by hand." if loaded.recorded else ALREADY

    return _import(request, club, "night", preview, save, resolve_url("club", club.slug))


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
@_limited("game")
def import_game(request: MemberRequest, club: Club) -> HttpResponse:
    """Put games that no club has into the club, with their players, their rules and every hand.

    They come from this tablet, or wait for the club.
    """
    waiting = row_from_query(request, WaitingGame.objects.of_club(club), "waiting")

    def preview(text):
        return preview_games(club, text, request.POST, by=actor(request))

    def save(text):
        games, still = import_games(club, text, request.POST, by=actor(request)), ""
        if waiting and preview(text).shown:
            still = " What you left out still waits here."
        elif waiting:
            waiting.delete()
        what = "The game is" if len(games) == 1 else f"{len(games)} games are"
        return f"{what} in {club.name} now, hand by hand.{still}" if games else ALREADY

    form = ImportForm(posted(request), request.FILES or None)
    if waiting and request.method in SAFE:
        form = ImportForm({"text": waiting.text})
    # Back where it came from: its tablet notes there that the club has it.
    then = resolve_url("waiting-games", club.slug) if waiting else f"{resolve_url('games')}#brought"
    return _import(request, club, "game", preview, save, then, form)


def _file_name(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    return str(file.name) if isinstance(file, UploadedFile) else request.POST.get("file_name", "")


def _import(request, club, kind, preview, save, then, form=None):
    """Show the form, then a preview, then import; the form keeps what was typed."""
    form = form or ImportForm(posted(request), request.FILES or None)
    context, saves = {}, request.POST.get("do") == "record"
    if form.is_bound and form.is_valid():
        try:
            text = context["text"] = text_of(form.cleaned_data["file"]) or form.cleaned_data["text"]
            if saves:
                messages.success(request, save(text))
                return redirect(then)
            context["preview"] = preview(text)
        except ImportRefused as refused:
            form.add_error(None, str(refused).splitlines())
            if saves:
                with suppress(ImportRefused):
                    context["preview"] = preview(text)
    return _import_page(request, club, kind, form, 422 if form.errors else 200, **context)


def _import_page(request, club, kind, form, status, **more):
    context = {"club": club, "kind": kind, "title": TITLES[kind], "form": form, "key": _key(request), **more}
    return render(request, f"exchange/import{'_game' if kind == 'game' else ''}.html", context, status=status)


def _key(request):
    """Return the page's own key, so that a second press changes nothing; a new one if it has none."""
    key = request.POST.get("key", "")
    return key if KEY.match(key) else new_key()


# Import hands from another tablet's code: checked first, recorded once.

WHY = "imported from a tablet’s code"

HERE_ALREADY: dict[str, str] = {
    Command.Outcome.APPLIED: "saved already",
    Command.Outcome.CONTESTED: "here already, and one of the hands to check",
    Command.Outcome.LATE: "here already, and kept for the secretary to check",
    Command.Outcome.DROPPED: "left out already",
}

DONE = {
    Outcome.RECORDED: "saved now",
    Outcome.AGAIN: "saved already",
    Outcome.CONTESTED: "kept as a second version, until someone chooses",
    Outcome.LATE: "kept for the secretary to check",
}

NOT_ALLOWED = "not imported: ask the secretary to import this"
HELD_BACK = "not imported yet: sort out the entry above, then import the same code again"


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
@_limited()  # A tablet without an account can spend what its own table has, and no more.
def take_in(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    form = TakeInForm(posted(request), request.FILES)
    context = {"club": club, "table_session": table_session, "form": form}
    if request.method != "POST" or not form.is_valid():
        return _code_page(request, context, 422 if form.errors else 200)
    try:
        code = read_code(form.code)
        check_place(code, table_session)
    except ImportRefused as error:
        form.add_error("text", str(error))
        return _code_page(request, context, 422)
    if request.POST.get("do") == "record":
        rows = _record(request, table_session, code)
        context |= {"rows": rows, "is_done": True, "is_well": all(row.is_well for row in rows)}
    else:
        rows = _rows_before(table_session, code)
        context |= {"text": form.code, "rows": rows, "new": sum(not row.state for row in rows)}
    return _code_page(request, context)


@require_safe
@club_member(*SCOREKEEPER)
def take_in_new_table(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the page on which a tablet goes on with a table that another started without the network."""
    return _code_page(request, {"club": club, "form": TakeInForm()})


@require_safe
def take_in_game(request: HttpRequest) -> HttpResponse:
    """Show the page on which a browser takes over a game from another one, without the server."""
    return _code_page(request, {"club": None, "form": TakeInForm()})


def _code_page(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "exchange/take_in.html", context, status=status)


@dataclass(frozen=True)
class WaitingRow:
    """One entry of the code in words: what it is, when it was made, and its state; "" if it is not here yet."""

    words: str
    at: datetime | None
    state: str
    details: tuple[str, ...]
    is_well: bool
    questions: tuple[str, ...]


def _rows_before(table_session: Session, code: WaitingCode) -> list[Any]:
    keys = [command["key"] for command in code.commands]
    outcomes = Command.objects.filter(session=table_session, key__in=keys).values_list("key", "outcome")
    states = {str(key): HERE_ALREADY[outcome] for key, outcome in outcomes}
    make_row = _row_maker(table_session)
    return [make_row(command, states.get(command["key"], "")) for command in code.commands]


def _record(request: TableRequest, table_session: Session, code: WaitingCode) -> list[Any]:
    """Apply each command in order; after a refused entry the rest is held back."""
    rows, make_row, is_held = [], _row_maker(table_session), False
    for command in code.commands:
        if is_held:
            rows.append(make_row(command, HELD_BACK, False))
            continue
        if not may_send(request.membership, table_session, command["kind"], command["body"]):
            rows.append(make_row(command, NOT_ALLOWED, False))
            continue
        answer = apply_command(table_session.pk, {**command, "why": command["why"] or WHY}, by=actor(request))
        table_session.refresh_from_db()
        is_well = answer.outcome in DONE
        rows.append(make_row(command, DONE.get(answer.outcome) or f"not imported: {answer.message}", is_well))
        # Later entries depend on an entry.
        kind = kind_of(command["kind"])
        is_held = not is_well and kind is not None and kind.adds_entry
    return rows


def _row_maker(table_session: Session) -> Callable[..., Any]:
    """Return a function that makes a command's row, with the names of the table."""
    seats = Seat.objects.filter(session=table_session).select_related("player")
    names, say = {str(seat.seat_no): seat.player.name for seat in seats}, say_at(table_session.rules)

    def make_row(command, state, is_well=True):
        kind, body = kind_of(command["kind"]), command["body"]
        entry = kind.entry_body(body) if kind else None
        entry = entry if isinstance(entry, dict) else {}
        hands: Any = entry.get("hands") if isinstance(entry.get("hands"), dict) else {}
        tiles = sorted((seat, form) for seat, form in hands.items() if isinstance(form, dict))[:MAX_HANDS]
        details = tuple(f"{names.get(seat, '?')}: {declared_words(form, say)}"[:LONGEST] for seat, form in tiles)
        if kind is NOTE:
            details = (str(body.get("text", ""))[:LONGEST],)
        asked = {} if state else questions_about_totals(table_session, entry)
        questions = tuple(f"{names.get(seat, '?')}: {question}" for seat, question in sorted(asked.items()))
        words = command_words(command["kind"], body, names, say)
        return WaitingRow(words, _time(command["made_at"]), state, details, is_well, questions[:MAX_HANDS])

    return make_row


def _time(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found and found.tzinfo else None


# Enter one table's totals on a page.


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def enter_totals(request: MemberRequest, club: Club) -> HttpResponse:
    initial = _initial_totals(request, club)
    form = TotalsForm(club, posted(request), initial=initial)
    on_its_day = (initial[name] for name in ("date", "rules", "recording", "league"))
    season = Season.objects.on(club, *on_its_day) if "date" in request.GET else None
    is_locked = season is not None and season.locked
    table_questions: Sequence[TableQuestion] = ()
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        rows, given = form.totals_rows(), {"nth": asked["round"], "instead_of": asked["session"]}
        done, is_locked, table_questions = _save(
            request, form, partial(save_totals, club, rows, by=actor(request), **given)
        )
        if done:
            return _saved(request, club, form, *done)
    before = _replaced_session(club, form["session"].value())
    context = {
        "club": club,
        "form": form,
        "before": before,
        "is_locked": is_locked,
        "table_questions": table_questions,
        "accepted": request.POST.getlist("accept"),
    }
    return render(request, "exchange/enter_totals.html", context, status=422 if form.errors else 200)


def _save(request: MemberRequest, form: Form, save: Callable[..., Any]) -> tuple[Any, bool, Sequence[TableQuestion]]:
    """Return what was saved, whether a season is locked, and what is asked about; what is wrong is in the form."""
    answers, table_questions = Answers.of(request.POST), tuple[TableQuestion, ...]()
    try:
        return save(answers=answers), False, ()
    except NoReason as error:
        form.add_error("why", str(error))
    except (ServiceError, ImportRefused) as error:
        form.add_error(None, error.sentences if isinstance(error, ImportRefused) else str(error))
        answers = replace(answers, opens_lock=answers.opens_lock or isinstance(error, SeasonLocked))
        table_questions = error.table_questions if isinstance(error, QuestionsOpen) else table_questions
    return None, answers.opens_lock, table_questions


def _saved(request: MemberRequest, club: Club, form: TotalsForm, session: Session, is_changed: bool) -> HttpResponse:
    """Say what was saved, and go on with the next table or to the sheet of this one."""
    what = "are saved" if is_changed else "were here already. Nothing was changed"
    messages.success(request, f"The totals of {session.table_words} on {day_words(session.date)} {what}.")
    if is_changed and session.season_id is None:
        of_day = Season.objects.of_day(club, session.date).filter(league=session.meeting.league).first()
        messages.warning(request, *what_counts_nowhere([(session, of_day)]))
    DrawnTable.objects.filter(meeting=session.meeting, number=session.table, session=None).update(session=session)
    if request.POST.get("do") == "next":
        nth = form.cleaned_data["round"]
        return redirect(f"{reverse('enter-totals', args=[club.slug])}?meeting={session.meeting_id}&round={nth}")
    return redirect("session-sheet", club.slug, session.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def meeting_totals(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Enter the totals of all drawn tables of a meeting at once; they have been played then."""
    meeting, is_locked = get_meeting(club, meeting_id), False
    form = MeetingTotalsForm(meeting, rules_in_force(club, on=meeting.date).house.recording, posted(request))
    table_questions: Sequence[TableQuestion] = ()
    if request.method == "POST" and form.is_valid():
        done, is_locked, table_questions = _save(request, form, partial(_save_drawn, form, by=actor(request)))
        if done:
            numbers = listed([f"table {drawn.number}" for drawn, _ in form.rows], "and")
            messages.success(request, f"The totals of {numbers} are saved.")
            return redirect("meeting", club.slug, meeting.pk)
    context = {
        "club": club,
        "meeting": meeting,
        "form": form,
        "is_locked": is_locked,
        "table_questions": table_questions,
        "accepted": request.POST.getlist("accept"),
    }
    return render(request, "exchange/meeting_totals.html", context, status=422 if form.errors else 200)


def _save_drawn(form: MeetingTotalsForm, *, by: Actor, answers: Answers) -> int:
    """Write the totals of the drawn tables that have some, all or nothing; return how many tables.

    What is asked of any of them is asked about at once.
    """
    club = form.meeting.club
    table_questions: list[TableQuestion] = []
    with write_transaction():
        for drawn, rows in form.rows:
            nth = sessions_at_table(club, rows[0]).count() + 1
            try:
                drawn.session, _ = save_totals(club, rows, by=by, nth=nth, answers=answers)
            except QuestionsOpen as error:
                table_questions += error.table_questions
            else:
                drawn.save(update_fields=["session"])
        if table_questions:
            raise QuestionsOpen(*table_questions)
    return len(form.rows)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def import_back(request: MemberRequest, club: Club, import_id: int) -> HttpResponse:
    """Show an import with its tables, and take it back once that is confirmed."""
    row = get_object_or_404(Import.objects.of_club(club), pk=import_id)
    refused = why_not(row)
    if request.method == "POST" and not refused:
        try:
            stay = take_back(row, by=actor(request))
        except ImportRefused as error:
            refused = error.sentences
        else:
            messages.success(request, f"The import of {row.words} is taken back.")
            if stay:
                messages.warning(request, f"Still on the list of players, as they are in use: {listed(stay, 'and')}.")
            return redirect("log", club.slug)
    context = {"club": club, "row": row, "tables": tables_in_words(row), "refused": refused}
    return render(request, "exchange/import_back.html", context, status=409 if request.method == "POST" else 200)


def _initial_totals(request: MemberRequest, club: Club) -> dict[str, Any]:
    """Return what the form begins with: the meeting or the session of the address, else today and the next table."""
    session = _find(Session.objects.of_club(club), request.GET.get("session"))
    meeting = session.meeting if session else _find(Meeting.objects.of_club(club), request.GET.get("meeting"))
    day = meeting.date if meeting else _day(request.GET.get("date", "")) or club.today
    rules = session.rules if session else club.rules
    version = versions_in_force(club, day).get(rules)
    house = RULE_SETS[rules].house(version.house_rules if version else {})
    wanted = request.GET.get("round", "")
    nth = int(wanted) if wanted in map(str, ROUNDS) else 1
    initial = {
        "date": day,
        "meeting": meeting and meeting.pk,
        "league": meeting.league if meeting else Meeting.objects.league_of(club, day),
        "table": parse_id(request.GET.get("table", "")) or _next_table(club, day, nth),
        "round": nth,
        "rules": rules,
        "recording": session.recording if session else house.recording,
    }
    players = request.GET.getlist("player")[: len(ROWS)]
    initial |= {f"player_{number}": parse_id(player) for number, player in enumerate(players, 1)}
    if session:
        seats = session.seats.order_by("seat_no")
        initial |= {f"player_{number}": seat.player_id for number, seat in zip(ROWS, seats, strict=False)}
    if session and _replaced_session(club, session.pk):
        initial |= {"table": session.table, "round": max(session.round, 1), "session": session.pk}
        for number, tally in enumerate(_tallies(session) if session.imported else [], 1):
            initial |= {f"player_{number}": tally.player_id, f"net_{number}": tally.net, f"hands_{number}": tally.hands}
    return initial


def _day(text: str) -> date | None:
    with suppress(ValueError):
        return parse_date(text)
    return None


def _find(rows, text):
    """Return the row with the id in this text, or None; without an id, the database is not asked."""
    pk = parse_id(str(text or ""))
    return None if pk is None else rows.filter(pk=pk).first()


def _tallies(session):
    return session.tallies.select_related("player").order_by("seat__seat_no")


def _next_table(club: Club, day: date, nth: int) -> int:
    """Return the first table that has not had this round; in the first round, the one after the last."""
    rounds = Counter(Session.objects.of_club(club).filter(date=day, practice=False).values_list("table", flat=True))
    return next((table for table in sorted(rounds) if rounds[table] < nth), max(rounds, default=0) + 1)


def _replaced_session(club, pk):
    """Return the session that the totals replace: one without entries, or one of totals that fits on the page."""
    session = _find(Session.objects.of_club(club).filter(void=False), pk)
    if session is None or not session.imported:
        return session if session and not session.entries.active().exists() else None
    players = [tally.player for tally in _tallies(session)]
    fits = len(players) <= len(ROWS) and all(one.full_name and not one.merged_into_id for one in players)
    return session if fits else None
