"""Who really sat where in a hand already recorded: a line of seating goes before it."""

from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from clubscore.scoring.rotation import Chairs
from sessions_app.forms.ledger import ExchangeForm, SeatingForm
from sessions_app.models import PlayerHand
from sessions_app.queries.sheet import session_sheet
from sessions_app.services.sessions import current_chairs
from sessions_app.views.board import command_fields
from sessions_app.views.decorators import SCORING, at_table
from sessions_app.views.door import back_to_table, send
from sessions_app.views.forms import posted
from sessions_app.views.hand_change import played_hand_or_404


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def hand_seating(request, club, table_session, key):
    entry = played_hand_or_404(club, table_session, key)
    sheet, chairs = session_sheet(table_session), Chairs.from_dict(entry.hand.chairs)
    present = [seat for seat in sheet.seats if seat.chair in chairs.at_table]
    played = played_winds(entry.hand) or {wind: str(seat) for wind, seat in chairs.seated.items()}
    form = SeatingForm(present, posted(request), initial=played, prefix="seating")
    if request.method == "POST" and form.is_valid():
        line = {"before": str(entry.key), "kind": "seating", "body": form.body([str(seat) for seat in chairs.out])}
        answer = send(request, table_session, "insert", line)
        if answer.outcome != "invalid":
            return back_to_table(request, club, table_session, answer)
        form.add_error(None, answer.message)
    context = {
        "club": club,
        "table_session": table_session,
        "entry": entry,
        "form": form,
        "exchange_form": ExchangeForm(present, prefix="exchange"),
        **command_fields(sheet, current_chairs(table_session)),
    }
    return render(request, "sessions_app/hand_seating.html", context, status=422 if form.errors else 200)


def played_winds(hand):
    """Return who had which wind when the hand was scored; a hand open to question may be in other chairs by now."""
    rows = PlayerHand.objects.filter(hand=hand).exclude(wind="").values_list("wind", "seat__chair")
    return {wind: str(chair) for wind, chair in rows}
