"""The views of a table: the page of each fetches the others as templates, so that going to another loads nothing."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubscore.play.board import SIDES
from clubscore.scoring.rotation import WINDS
from sessions_app.models import Club, Player, Seat, Session
from sessions_app.people.permissions import SCOREKEEPER, may_write, players_offered
from sessions_app.table.board import WINDS_SPRITE
from sessions_app.table.forms import (
    COMMAND_FORMS,
    ArriveForm,
    ChangePlayerForm,
    ExchangeForm,
    SeatingForm,
)
from sessions_app.table.season_assignment import is_locked
from sessions_app.table.sessions import open_tables
from sessions_app.table.views.board_page import board_context, command_fields
from sessions_app.table.views.hand_entry_page import next_hand_context
from sessions_app.web.access import TableRequest, at_table

# Stands for any player: the tablet puts the players who are at the table in its place.
ANYONE = "{seat}"


def anyone_at(club: Club) -> Seat:
    return Seat(seat_no=0, player=Player(pk=0, club=club, full_name=ANYONE, short_name=ANYONE))


def beside(request: TableRequest, table_session: Session, known: dict[str, Any]) -> dict[str, Any]:
    """Return for a page of an open table how its board looks, whether it has views, and what its state needs.

    `known` is the context of the board. A finished table has no views, and neither has one for who may not write there.
    """
    of_state = {name: known[name] for name in OF_STATE}
    return {"look": known["board"].look, "has_views": may_write(request.membership, table_session)} | of_state


@require_safe
@never_cache
@at_table(*SCOREKEEPER)
def views(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Answer with the views of an open table, which its pages fetch once they are there; nothing where it has none."""
    has_views = may_write(request.membership, table_session)
    known = board_context(request, club, table_session) if has_views else {}
    return HttpResponse(draw_views(request, club, table_session, known) if has_views else "")


def draw_views(request: TableRequest, club: Club, table_session: Session, known: dict[str, Any]) -> SafeString:
    """Draw the views of a table as HTML templates; `known` is the context of its board, if the club has the table."""
    fields = {name: known[name] for name in FIELDS} if known else command_fields(table_session)
    shared = {"club": club, "table_session": table_session, "can_write": True, **fields}
    makers = _makers(request, club, table_session, known)
    return mark_safe("".join(_drawn(request, shared, view, *make()) for view, make in makers.items()))


# What every form at a table carries, and what the state of a table says, as the context of its board names them.
FIELDS = ("command_key", "command_after", "command_seats")
OF_STATE = ("everybody", "command_after", "next_number", "recent_commands")

Makers = dict[str, Callable[[], tuple[str, dict[str, Any]]]]


def _makers(request: TableRequest, club: Club, table_session: Session, known: dict[str, Any]) -> Makers:
    """Return what makes each view: its template, and what that shows."""
    anyone, offered = [anyone_at(club)], players_offered(request.membership, table_session)
    # Of a table that the club does not have yet, only the tablet knows the hands. In a locked season the page of the
    # server says how they are changed.
    of_club: Makers = {"changes": lambda: ("last_changes", {"lines": None})}
    if not is_locked(table_session):
        of_club["hand"] = lambda: ("hand_of_table", {})
    return {
        **(of_club if table_session.pk else {}),
        "table": lambda: ("table", known) if known else _board_without_names(),
        "hand_entry": lambda: ("hand_entry", next_hand_context(request, club, table_session, known)),
        "seating": lambda: ("seating", seating_forms(club, anyone, anyone, players=offered)),
        "arrive": lambda: (
            "arrive",
            {"form": ArriveForm(club, [], players=offered, playing=playing_elsewhere(table_session))},
        ),
        **{kind: partial(_form_of, kind, anyone) for kind in COMMAND_FORMS},
        "sheet": lambda: (
            "session_sheet",
            {"keeps_score": True, "is_scorekeeper": request.membership.role in SCOREKEEPER},
        ),
    }


def _form_of(kind: str, seats: list[Seat]) -> tuple[str, dict[str, Any]]:
    return "command_form", {"form": COMMAND_FORMS[kind](seats), "kind": kind}


def _board_without_names() -> tuple[str, dict[str, Any]]:
    """Return the board of a table that the club does not have yet."""
    sides = [(side, wind, seat, "", 0, 0) for side, wind, seat in zip(SIDES, WINDS, range(1, 5), strict=True)]
    page = {
        "sides": sides,
        "wind_of_round": "",
        "winds_sprite": static(WINDS_SPRITE),
        "goulash": False,
        "last_hands": "",
    }
    return "new_table", {"page": page}


def _drawn(request: HttpRequest, shared: dict[str, Any], view: str, page: str, context: dict[str, Any]) -> str:
    context = {**shared, **context, "view": view, "view_base": "table/view.html"}
    return render_to_string(f"table/{page}.html", context, request)


# The forms.


def playing_elsewhere(table_session: Session) -> Any:
    """Return the open tables of that day at which the club's players sit; none for practice."""
    club_id, date = table_session.club_id, table_session.date
    return {} if table_session.practice else open_tables(club_id, date, besides=table_session)


def seating_forms(
    club: Club, present: Sequence[Seat], everyone: Sequence[Seat], now: Any = None, players: Any = None
) -> dict[str, Any]:
    """Return the forms of who sits where: for the seats at the table, who sits there now, and the players offered."""
    return {
        "seating_form": SeatingForm(present, initial=now),
        "exchange_form": ExchangeForm(present),
        "player_form": ChangePlayerForm(club, everyone, players=players),
    }
