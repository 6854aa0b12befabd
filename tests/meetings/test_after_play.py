"""After play: all tables are finished together, and the totals of a drawn table are entered from the seating draw."""

import pytest
from django.urls import reverse

from sessions_app.meetings.drawing import draw_meeting, start_all
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import DrawnTable, Player, Session, Tally
from sessions_app.people.log import Actor
from tests.page_cast import logins, record, signed_in, totals

BY = Actor(name="The test")


@pytest.fixture
def drawn(club):
    """A meeting of today with eight people, drawn at two tables."""
    players = [Player.objects.create(club=club, full_name=f"Player {n}", short_name=f"P{n}") for n in range(8)]
    meeting = plan_meeting(club, club.today, by=BY)
    attend(meeting, {player.pk: "here" for player in players}, by=BY)
    draw_meeting(meeting, by=BY)
    return meeting


def test_all_tables_with_a_hand_are_finished_together(club, drawn):
    client = signed_in(logins(club)["scorekeeper"])
    start_all(drawn, by=BY)
    one, two = Session.objects.filter(meeting=drawn).order_by("table")
    record(one, totals(one, 1, seat1=64))
    page = client.get(reverse("meeting", args=[club.slug, drawn.pk])).content.decode()
    assert "Finish the meeting" not in page
    record(two, totals(two, 1, seat1=64))
    page = client.get(reverse("meeting", args=[club.slug, drawn.pk])).content.decode()
    assert "Finish 2 tables" in page
    answer = client.post(reverse("meeting-finish", args=[club.slug, drawn.pk]), follow=True)
    assert "Finished: table 1 and table 2." in answer.content.decode()
    assert set(Session.objects.filter(meeting=drawn).values_list("state", flat=True)) == {"finished"}


def test_a_table_without_a_hand_is_left_as_it_is(club, drawn):
    start_all(drawn, by=BY)
    one, two = Session.objects.filter(meeting=drawn).order_by("table")
    record(one, totals(one, 1, seat1=64))
    signed_in(logins(club)["scorekeeper"]).post(reverse("meeting-finish", args=[club.slug, drawn.pk]))
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.state, two.state) == ("finished", "open")


def test_totals_begin_with_the_people_of_the_draw_and_their_table_is_played_then(club, drawn):
    client = signed_in(logins(club)["secretary"])
    url = reverse("enter-totals", args=[club.slug])
    tables = list(DrawnTable.objects.filter(meeting=drawn).order_by("number"))
    for table in tables:
        form = client.get(url, {"meeting": drawn.pk}).context["form"]
        shown = [form[f"player_{number}"].value() for number in range(1, 5)]
        assert (form["table"].value(), shown) == (table.number, table.players)
        fields = {name: form[name].value() for name in ("date", "meeting", "table", "round", "rules", "recording")}
        fields |= {f"player_{number}": player for number, player in enumerate(shown, 1)}
        fields |= {f"net_{number}": net for number, net in enumerate(("30", "-10", "-10", "-10"), 1)}
        answer = client.post(url, fields)
    assert answer.url == reverse("meeting", args=[club.slug, drawn.pk])
    assert not DrawnTable.objects.filter(meeting=drawn, session=None).exists()
    assert Tally.objects.of_club(club).count() == 8
    assert "not started" not in client.get(answer.url).content.decode()


def test_blank_sheets_of_the_drawn_tables_have_the_names_in_their_seats(club, drawn):
    client = signed_in(logins(club)["scorekeeper"])
    sheets = f"{reverse('score-sheet', args=[club.slug])}?meeting={drawn.pk}"
    assert sheets in client.get(reverse("meeting", args=[club.slug, drawn.pk])).content.decode()
    shown = [(sheet.table, sheet.names) for sheet in client.get(sheets).context["sheets"]]
    names = {player.pk: player.full_name for player in Player.objects.all()}
    tables = DrawnTable.objects.filter(meeting=drawn).order_by("number")
    assert shown == [(table.number, [names[player] for player in table.players]) for table in tables]
    start_all(drawn, by=BY)
    assert sheets not in client.get(reverse("meeting", args=[club.slug, drawn.pk])).content.decode()
