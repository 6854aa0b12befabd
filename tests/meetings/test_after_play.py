"""After play: all tables are finished together, and the totals of a drawn table are entered from the seating draw."""

import pytest
from django.urls import reverse

from sessions_app.exchange.exports.results_mail import mail_html, result_of, sessions_of
from sessions_app.meetings.drawing import draw_meeting, start_all
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import DrawnTable, Player, Session, Tally
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor
from tests.factories import record, totals
from tests.logins import logins, signed_in

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


def filled(form, *nets):
    """The fields of the grid: these points for each drawn table in turn."""
    return {
        field.html_name: net
        for (_, people), table in zip(form.tables(), nets, strict=True)
        for (_, field), net in zip(people, table, strict=True)
    }


def test_the_totals_of_all_drawn_tables_are_one_grid_and_these_are_played_then(club, drawn):
    client = signed_in(logins(club)["secretary"])
    url = reverse("meeting-totals", args=[club.slug, drawn.pk])
    assert url in client.get(reverse("meeting", args=[club.slug, drawn.pk])).content.decode()
    form = client.get(url).context["form"]
    seats = [[word for word, _ in people] for _, people in form.tables()]
    assert seats == [["East", "South", "West", "North"]] * 2
    answer = client.post(url, filled(form, (30, -10, -10, -10), (-120, 40, 40, 40)))
    assert answer.url == reverse("meeting", args=[club.slug, drawn.pk])
    tables = list(DrawnTable.objects.filter(meeting=drawn).order_by("number"))
    found = [
        {tally.player_id: tally.net for tally in Tally.objects.filter(session=table.session_id)} for table in tables
    ]
    wanted = [(30, -10, -10, -10), (-120, 40, 40, 40)]
    assert found == [dict(zip(one.players, nets, strict=True)) for one, nets in zip(tables, wanted, strict=True)]
    page = client.get(answer.url).content.decode()
    assert "not started" not in page
    # Nothing is known of hands, and nothing says so in every line.
    assert "Best hand" not in page
    told = client.get(reverse("meeting-mail", args=[club.slug, drawn.pk]))
    assert "+30\n" in told.context["text"]
    assert "hand" not in told.context["text"]
    assert "The totals are attached. They open in any spreadsheet." in told.context["text"]
    sheet = mail_html("Results", sessions_of(drawn), result_of(drawn))
    assert "Hands" not in sheet
    assert "Hand by hand" not in sheet
    # The result comes before who is here.
    assert page.index("meeting-result") < page.index("name-buttons")


def test_a_table_left_blank_stays_drawn_and_one_that_does_not_add_up_is_asked_about(club, drawn):
    client = signed_in(logins(club)["secretary"])
    url = reverse("meeting-totals", args=[club.slug, drawn.pk])
    form = client.get(url).context["form"]
    answer = client.post(url, filled(form, (30, -10, -10, 0), ("",) * 4))
    assert f"Table 1 on {day_words(drawn.date)} adds up to +10, not 0." in answer.content.decode()
    answer = client.post(url, filled(form, (30, -10, "", -20), ("",) * 4))
    assert "won or lost as a whole number, such as -120." in answer.content.decode()
    assert not Session.objects.exists()
    assert client.post(url, filled(form, ("",) * 4, ("",) * 4)).status_code == 422
    client.post(url, filled(form, ("",) * 4, (30, -10, -10, -10)))
    assert [bool(one.session) for one in DrawnTable.objects.order_by("number")] == [False, True]


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
