"""What a change would do, before it is done: every hand that differs, before and after, and the questions it opens."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubscore.scoring.rotation import Chairs
from clubscore.table.command_kinds import CORRECT, KINDS, CommandKind
from clubscore.table.entry_score import questions_about_totals
from sessions_app.models import Club, Entry, Season, Session
from sessions_app.people.permissions import SECRETARY
from sessions_app.table.preview import Preview, PreviewRow, preview_command
from sessions_app.table.season_assignment import is_locked
from sessions_app.table.views.entry_page import seats_of

# Who is asked whether a hand is right, where the club asks for that; and who agreed to one.


def is_asked(table_session: Session) -> bool:
    """Say whether the table asks: nothing is asked about a practice table, where nothing counts."""
    return table_session.club.asks_agreement and not table_session.practice


def who_agrees(request: HttpRequest, table_session: Session, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return who may agree, of players as the hand-entry page names them: all but the one who holds the tablet."""
    holds = getattr(request.membership, "chair", "")
    return [seat for seat in seats if seat["number"] != holds] if is_asked(table_session) else []


def is_unagreed(table_session: Session, entry: Entry) -> bool:
    """Say whether a hand was left, or changed, without anybody having agreed to it, and the table asks for it."""
    return is_asked(table_session) and entry.body.get("agreed") == ""


def agreed_name(entry: Entry, names: dict[str, str]) -> str:
    """Name who agreed to a hand, empty where nobody did; `names` by seat number as a string."""
    return names.get(entry.body.get("agreed"), "")


class Refused(ValueError):
    """The change cannot be made; `error` is the scorer's, the rotation's or the service's."""

    def __init__(self, message, error):
        super().__init__(message)
        self.message = message
        self.error = error


@dataclass(frozen=True)
class Cell:
    net: int | None
    balance: int | None
    name: str
    differs: bool = False
    balance_differs: bool = False


@dataclass(frozen=True)
class Line:
    """One hand as it was or as it will be."""

    kind: str
    word: str
    number: int | str
    east: str
    out: str
    east_differs: bool
    out_differs: bool
    cells: tuple[Cell, ...]


def preview_page(
    request: HttpRequest, club: Club, table_session: Session, entry: Entry, sent: dict[str, Any], body_json: str = ""
) -> HttpResponse:
    """Answer with the preview of a command; Refused where it cannot be carried out."""
    preview = preview_command(table_session.pk, sent)
    if preview.message:
        raise Refused(preview.message, preview.error)
    kind, is_hand = KINDS[sent["kind"]], entry.kind == Entry.Kind.HAND
    words = kind.preview if is_hand else kind.other_preview
    number = entry.hand.number if hasattr(entry, "hand") and not entry.taken_out else ""
    rows = changed_rows(preview)
    locked = locked_season(request, table_session) if kind is CORRECT else None
    context = {
        "club": club,
        "table_session": table_session,
        "heading": words.heading.format(number),
        "summary": summary(rows, preview),
        "changes": preview.changes,
        "doubtful": doubtful_in(request, preview, table_session, kind, sent["body"]),
        "questions": preview.questions,
        "rows": rows,
        "totals": total_lines(preview),
        "names": list(preview.names.values()),
        "has_sitter": any(row.sits_out for row in [*preview.before, *preview.after]),
        "sent": sent,
        "body_json": body_json,
        "outbox_body": json.dumps(sent["body"]),
        "outbox_words": words.saved_as.format(number),
        "confirm_url": address(club, table_session, f"hand-{kind.key.replace('_', '-')}", entry),
        "confirm_words": words.button,
        "locked_season": locked,
        "back_url": address(club, table_session, "hand", entry)
        if is_hand
        else reverse("table", args=[club.slug, table_session.pk]),
        **({} if locked else asked_with(request, club, table_session, entry, kind)),
    }
    return render(request, "table/hand_preview.html", context)


def doubtful_in(
    request: HttpRequest, preview: Preview, table_session: Session, kind: CommandKind, body: dict[str, Any]
) -> list[str]:
    """Return the questions about totals typed without JavaScript; the tablet's script has asked its own."""
    if "body" in request.POST or request.method != "POST" or not kind.has_entry_body:
        return []
    names = {str(chair): name for chair, name in preview.names.items()}
    asked = questions_about_totals(table_session, kind.entry_body(body))
    return [f"{names.get(seat, '?')}: {question}" for seat, question in asked.items()]


def locked_season(request: HttpRequest, table_session: Session) -> Season | None:
    """Return the locked season of a session where the secretary asks, who corrects a hand of it; else None."""
    is_secretary = request.membership.role in SECRETARY
    return table_session.season if is_secretary and is_locked(table_session) else None


def asked_with(
    request: HttpRequest, club: Club, table_session: Session, entry: Entry, kind: CommandKind
) -> dict[str, Any]:
    """Return who may agree to a hand corrected or put in, and where it is entered again."""
    if not kind.has_entry_body:
        return {}
    seats, _ = seats_of(table_session, Chairs.from_dict(entry.hand.chairs))
    wrong_url = address(club, table_session, "hand-change" if kind is CORRECT else "hand-insert", entry)
    return {"agree_seats": who_agrees(request, table_session, seats), "wrong_url": wrong_url}


def address(club: Club, table_session: Session, name: str, entry: Entry) -> str:
    return reverse(name, args=[club.slug, table_session.pk, entry.key])


def summary(rows: list[list[Line]], preview: Preview) -> str:
    """Say in a sentence how far the change reaches."""
    same = sum(row in preview.before for row in preview.after)
    if not rows:
        return "No scores change."
    hands = "One hand changes" if len(rows) == 1 else f"{len(rows)} hands change"
    return f"{hands}; {same} {'stays' if same == 1 else 'stay'} as before." if same else f"{hands}."


def changed_rows(preview: Preview) -> list[list[Line]]:
    """Return the hands that differ, each as its lines before and after, in the order they will stand."""
    was = {row.key: row for row in preview.before}
    will = {row.key: row for row in preview.after}
    keys = [row.key for row in preview.after]
    for place, row in enumerate(preview.before):
        if row.key not in will:
            earlier = {other.key for other in preview.before[:place]}
            keys.insert(sum(key in earlier for key in keys), row.key)
    return [pair(was.get(key), will.get(key), preview.names) for key in keys if was.get(key) != will.get(key)]


def pair(was: PreviewRow | None, will: PreviewRow | None, names: Mapping[int, str]) -> list[Line]:
    lines = []
    if was:
        lines.append(line("was", "before" if will else "removed", was, None, names))
    if will:
        lines.append(line("will", "after" if was else "new", will, was, names))
    return lines


def line(kind: str, word: str, row: PreviewRow, other: PreviewRow | None, names: Mapping[int, str]) -> Line:
    """Make the line of a hand; `other` is the same hand before the change, what differs from it is marked."""
    return Line(
        kind=kind,
        word=word,
        number=row.number,
        east=row.east,
        out=row.sits_out,
        east_differs=other is not None and other.east != row.east,
        out_differs=other is not None and other.sits_out != row.sits_out,
        cells=tuple(cell(row, other, chair, name) for chair, name in names.items()),
    )


def cell(row: PreviewRow, other: PreviewRow | None, chair: int, name: str) -> Cell:
    net, balance = row.nets.get(chair), row.running.get(chair)
    if other is None:
        return Cell(net, balance, name)
    return Cell(net, balance, name, other.nets.get(chair) != net, other.running.get(chair) != balance)


def total_lines(preview: Preview) -> list[Line]:
    """Return the totals before and after."""
    return [
        Line("was", "before", "", "", "", False, False, totals(preview, preview.tallies_before)),
        Line("will", "after", "", "", "", False, False, totals(preview, preview.tallies_after)),
    ]


def totals(preview: Preview, tallies: Any) -> tuple[Cell, ...]:
    before = preview.tallies_before
    return tuple(
        Cell(
            tallies[chair].net,
            None,
            name,
            tallies is not before and (chair not in before or before[chair].net != tallies[chair].net),
        )
        for chair, name in preview.names.items()
    )
