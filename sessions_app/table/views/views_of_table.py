"""The views of a table besides its board, for the tablet to show without loading a page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sessions_app.models import Club, Player, Seat, Session
from sessions_app.people.permissions import SCORING, players_offered
from sessions_app.table.forms import ArriveForm, LeaveForm
from sessions_app.table.sessions import open_tables
from sessions_app.table.views.entries import penalty_context
from sessions_app.table.views.hand_entry import next_hand_context
from sessions_app.table.views.table import command_fields
from sessions_app.web.access import TableRequest, at_table

# Stands for any player: the tablet puts the players who are at the table in its place.
ANYONE = "{seat}"


def anyone_at(club: Club) -> Seat:
    return Seat(seat_no=0, player=Player(pk=0, club=club, full_name=ANYONE, short_name=ANYONE))


@require_safe
@never_cache
@at_table(*SCORING)
def views(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Answer with the views as templates, each as the page at its own address has it; none of a finished session."""
    if not table_session.is_open:
        return HttpResponse(status=204)
    shared = {"club": club, "table_session": table_session, "can_write": True, **command_fields(table_session)}
    contexts = {
        "hand_entry.html": next_hand_context(request, club, table_session),
        "penalty.html": penalty_context(table_session, [anyone_at(club)]),
        "arrive.html": {"form": _arrive_form(request, club, table_session)},
        "leave.html": {"form": LeaveForm([anyone_at(club)])},
    }
    return HttpResponse("".join(_drawn(request, page, shared | own) for page, own in contexts.items()))


def _drawn(request: HttpRequest, page: str, context: dict[str, Any]) -> str:
    context = {**context, "view": page.removesuffix(".html"), "view_base": "table/view.html"}
    return render_to_string(f"table/{page}", context, request)


def _arrive_form(request: TableRequest, club: Club, table_session: Session) -> ArriveForm:
    playing = {} if table_session.practice else open_tables(club.pk, table_session.date, besides=table_session)
    return ArriveForm(club, [], players=players_offered(request.membership, table_session), playing=playing)
