"""Typing in a whole paper sheet: the page, its balances while it is typed, and recording its hands."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.play.outcomes import Outcome
from clubscore.play.seatings import deals
from clubscore.scoring.words import whole
from sessions_app.models import Club, Session
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.rules.tags import engine_files
from sessions_app.table.paper import (
    ROWS,
    PaperHand,
    PaperRow,
    PaperTable,
    compare,
    decided_keys,
    paper_table,
    record,
    work_out,
)
from sessions_app.table.views.command_requests import build_command
from sessions_app.web.access import actor, at_table
from sessions_app.web.requests import new_key, parse_uuid

NOTHING = "Enter what each player scored in the first hand, for example 64."

NO_DISCARDER = (
    "A paper score sheet does not say who discarded the winning tile. At this table the discarder pays more. "
    "Enter the hands one by one."
)

ALREADY_SAVED = "this hand was already saved. Clear this row, then change the hand on its own page."


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def paper(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if table_session.discarder_pays_more:
        messages.error(request, NO_DISCARDER)
        return redirect("table", club.slug, table_session.pk)
    if request.method == "POST":
        return _posted(request, club, table_session)
    if not table_session.is_open:
        messages.error(request, "This table is finished. The secretary can open it again.")
        return redirect("table", club.slug, table_session.pk)
    table = paper_table(table_session)
    return _page(request, club, table, read_paper({}, table.columns))


@require_POST
@at_table(*SCOREKEEPER)
def paper_check(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    table = paper_table(table_session)
    hands = work_out(table, read_paper(request.POST, table.columns))
    return JsonResponse({"difference": compare(table, hands), "rows": [_row_json(hand) for hand in hands]})


def _posted(request, club, table_session):
    table = paper_table(table_session)
    rows = read_paper(request.POST, table.columns)
    hands = work_out(table, rows)
    difference = compare(table, hands)
    if request.POST.get("do") == "check":
        return _page(request, club, table, rows, hands, difference)
    if not hands or any(hand.problems for hand in hands):
        return _refuse(request, club, table, rows, hands, difference)
    if not request.POST.get("meant") and any(said.kind == "asked" for hand in hands for said in hand.said):
        return _refuse(request, club, table, rows, hands, difference)
    sent = build_command(request, "hand", {})
    known = {name: sent[name] for name in ("after", "seats", "device")}
    done, refusal = record(table, hands, **known, by=actor(request), membership=request.membership)
    if refusal is None:
        return _recorded(request, club, table_session, hands)
    return _partly_recorded(request, club, table_session, hands, done, refusal)


def _recorded(request, club, table_session, hands):
    messages.success(request, _recorded_words(len(hands)))
    for said in (said for hand in hands for said in hand.said if said.kind == "difference"):
        messages.warning(request, said.words)
    messages.info(request, "If the sheet has penalties, enter them now with “Penalty”.")
    to = reverse("table", args=[club.slug, table_session.pk])
    return JsonResponse({"to": to}) if _wants_json(request) else redirect(to)


def _partly_recorded(request, club, table_session, hands, done, refusal):
    """Show what is left, beginning with the row that was refused."""
    table_session.refresh_from_db()
    table = paper_table(table_session)
    rows = [replace(hand.row, at=at) for at, hand in enumerate(hands[done:], 1)]
    rows += read_paper({}, table.columns)[len(rows) :]
    hands = work_out(table, rows)
    difference = compare(table, hands)
    hands[0].add_problem(ALREADY_SAVED if refusal.outcome is Outcome.REFUSED else refusal.message, "winner")
    if done and not _wants_json(request):
        messages.success(request, _recorded_words(done))
    return _refuse(request, club, table, rows, hands, difference, done)


def _recorded_words(number: int) -> str:
    return "1 hand is recorded." if number == 1 else f"{number} hands are recorded."


def _refuse(request, club, table, rows, hands, difference, done=0):
    if not _wants_json(request):
        return _page(request, club, table, rows, hands, difference, status=422)
    answer = {
        "difference": difference,
        "nothing": "" if hands else NOTHING,
        "rows": [_row_json(hand) for hand in hands],
    }
    if done:
        answer |= {"recorded": _recorded_words(done), "page": _page_json(club, table)}
    return JsonResponse(answer, status=422)


def _wants_json(request):
    return request.accepts("application/json") and not request.accepts("text/html")


def _row_json(hand: PaperHand) -> dict[str, Any]:
    return {
        "key": hand.row.key,
        "running": hand.running and {seat: whole(balance) for seat, balance in hand.running.items()},
        "said": [{"kind": one.kind, "words": one.words, "name": one.name, "seat": one.seat} for one in hand.said],
    }


def _page_json(club: Club, table: PaperTable) -> dict[str, Any]:
    """Return what the page's script needs besides what is typed."""
    here = (club.slug, table.session.pk)
    seats = [{"number": str(seat), "name": table.names[seat]} for seat in table.columns]
    rules = {"rules": table.session.rules, "house_rules": table.session.house_rules}
    question = {"ask": "deals", "chairs": table.seating.to_dict(), "seats": seats, **rules}
    return {
        "title": f"Paper score sheet, table {table.session.table} – {club.name}",
        "seats": seats,
        "deals": deals(table.seating, table.house, [], table.names),
        "engine": {"files": engine_files(), "question": question},
        "number": table.first_number,
        "after": table.last_entry or "",
        "believed": json.dumps({wind: str(seat) for wind, seat in table.seating.seated.items()}),
        "keys": [new_key() for _ in range(ROWS)],
        "decided": decided_keys(table.session),
        "storage": f"paper-{table.session.pk}",
        "urls": {"check": reverse("paper-check", args=here), "save": reverse("paper", args=here)},
    }


def _page(request, club, table, rows, hands=None, difference="", status=200):
    refused = status != 200
    told = ("problem", "asked") if refused else ()
    problems = [(hand.row.at, said) for hand in hands or [] for said in hand.said if said.kind in told]
    context = {
        "club": club,
        "table_session": table.session,
        "data": _page_json(club, table),
        "columns": [(seat, table.names[seat]) for seat in table.columns],
        "rows": _shown_rows(table, rows, hands or []),
        "difference": difference,
        "problems": [
            (f"{said.name}_{at}_{said.seat}" if said.seat else f"{said.name}_{at}", said.words) for at, said in problems
        ],
        "nothing": NOTHING if refused and not hands else "",
        "asks": refused and any(said.kind == "asked" for _, said in problems),
    }
    return render(request, "table/paper.html", context, status=status)


def _shown_rows(table: PaperTable, rows: list[PaperRow], hands: list[PaperHand]) -> list[dict[str, Any]]:
    """Make the rows for the template; of the blank ones only the first's deal is known."""
    hand_at = {hand.row.at: hand for hand in hands}
    shown, number = [], table.first_number - 1
    for row in rows:
        hand = hand_at.get(row.at)
        number = hand.number if hand else number + 1
        seating = hand.seating if hand else table.seating if row.at == 1 else None
        cells = [_cell(table, row, hand, seating, seat) for seat in table.columns]
        said = hand.said if hand else []
        shown.append({"row": row, "number": number, "seating": seating, "cells": cells, "said": said})
    return shown


def _cell(table, row, hand, seating, seat):
    wind = seating.wind_of(seat) if seating else None
    return {
        "seat": seat,
        "name": table.names[seat],
        "wind": wind or "",
        "sits_out": seating is not None and wind is None,
        "total": row.totals[str(seat)],
        "sheet": row.sheet[str(seat)],
        "balance": hand.running[seat] if hand and hand.running else None,
        "is_wrong": bool(hand) and ("total", str(seat)) in {(said.name, said.seat) for said in hand.problems},
    }


# Reading a posted sheet.

MAX_TEXT = 40


def read_paper(post: Mapping[str, str], columns: Iterable[int]) -> list[PaperRow]:
    """Return the typed rows in order, blank ones too; `columns` are the seat numbers that have a column."""

    def text(name: str) -> str:
        return " ".join(post.get(name, "").split())[:MAX_TEXT]

    return [
        PaperRow(
            at=at,
            key=parse_uuid(post.get(f"key_{at}")) or new_key(),
            totals={str(seat): text(f"total_{at}_{seat}") for seat in columns},
            winner=text(f"winner_{at}"),
            sheet={str(seat): text(f"sheet_{at}_{seat}") for seat in columns},
        )
        for at in range(1, ROWS + 1)
    ]
