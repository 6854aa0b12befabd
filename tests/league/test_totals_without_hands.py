"""Totals imported without their hands: what counts all the same, and that no page shows 0 for what is not known."""

import re
from html import unescape

import pytest
from django.urls import reverse

from sessions_app.exchange.exports.club_csv import standings_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.results_mail import mail_text, sessions_of
from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.league.records import TROPHIES, records, trophies_of
from sessions_app.league.standings import season_standings
from sessions_app.meetings.drawing import times_met
from sessions_app.models import Meeting, Player, Season, Session, Tally
from tests.factories import DAY, season
from tests.imported import import_totals_text, previewed_totals
from tests.logins import logins, signed_in

HEADER = "date,meeting,table,rules,recording,player,guest,seat,hands,won,gained,lost,net,balance,place\r\n"
NETS = {"Alice": (300, -60, 240), "Bob": (100, -100, 0), "Carol": (50, -290, -240)}


def table_of_three(hands="", won="", day="2026-11-12"):
    """The file of one table; the same hands and won for everyone, empty where they are not known."""
    return HEADER + "".join(
        f"{day},Tea,1,bmja,settle,{name},,{seat},{hands},{won},{gained},{lost},{net},{net},{seat}\r\n"
        for seat, (name, (gained, lost, net)) in enumerate(NETS.items(), 1)
    )


@pytest.fixture
def history(club, cast):
    """A season with one imported table of three, of whose hands nothing is known."""
    made = season(club)
    made.minimum_sessions, made.trophies = 1, list(TROPHIES)
    made.save()
    import_totals_text(club, table_of_three())
    return made


@pytest.fixture
def keeper(club):
    return signed_in(logins(club)["secretary"])


def text_of(client, name, *args, **asked):
    answer = client.get(reverse(name, args=args), asked)
    assert answer.status_code == 200
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_the_file_goes_out_as_it_came_in_and_again_changes_nothing(club, history):
    assert club_totals_csv(club, names=PROGRAMS).removeprefix("\ufeff") == table_of_three()
    assert import_totals_text(club, table_of_three()).summary == "Nothing changes"


def test_hands_that_become_known_replace_the_empty_cells(club, history):
    known = table_of_three().replace("Alice,,1,,,", "Alice,,1,12,5,")
    look = previewed_totals(club, known)
    assert look.plan.corrected == ["Table 1 on 12 November 2026 (Tea): hands, seats or balances."]
    import_totals_text(club, known, by_hand="file")
    alice = Tally.objects.get(player__full_name="Alice")
    assert (alice.hands, alice.won) == (12, 5)
    back = previewed_totals(club, table_of_three())
    assert back.plan.summary == "1 table corrected"


def test_won_may_be_known_where_the_hands_are_not(club, cast):
    season(club)
    import_totals_text(club, table_of_three().replace("Alice,,1,,,", "Alice,,1,,5,"))
    alice = Tally.objects.get(player__full_name="Alice")
    assert (alice.hands, alice.won) == (None, 5)


def test_nought_for_hands_nobody_counted_is_told_before_it_is_saved(club, history):
    found = previewed_totals(club, table_of_three(0, 0, "2026-11-05")).notes
    assert found[-1] == (
        "1 table with 0 hands will not count in any league table. "
        "Leave “hands” and “won” empty if you do not know them."
    )
    assert "0 hands" not in " ".join(previewed_totals(club, table_of_three()).notes)


@pytest.mark.parametrize(
    ("method", "shown"),
    [
        ("total", ["1 Alice 240 – 1 – –", "2 Bob 0 – 1 – –", "3 Carol −240 – 1 – –"]),
        ("average_session", ["1 Alice 240.0 – 1 – –", "2 Bob 0.0 – 1 – –", "3 Carol −240.0 – 1 – –"]),
        ("table_points", ["1 Alice 4.00 – 1 – –", "2 Bob 1.25 – 1 – –", "3 Carol 0.00 – 1 – –"]),
        ("beaten", ["1 Alice 100.0 – 1 – –", "2 Bob 50.0 – 1 – –", "3 Carol 0.0 – 1 – –"]),
    ],
)
def test_the_table_counts_such_a_session(club, history, keeper, method, shown):
    text = text_of(keeper, "standings", club.slug, season=history.pk, method=method)
    for row in shown:
        assert row in text
    assert "Totals without a number of hands" not in text


@pytest.mark.parametrize("name", ["standings", "noticeboard", "annual-meeting"])
def test_an_average_per_hand_says_why_nobody_is_there(club, history, keeper, name):
    text = text_of(keeper, name, club.slug)
    assert "None of these tables has a number of hands, so there is no average per hand." in text
    assert "has been played" not in text


def test_the_small_print_says_what_an_average_leaves_out(club, history, keeper):
    text = text_of(keeper, "standings", club.slug, season=history.pk)
    assert "Totals without a number of hands do not count here (1 table)." in text


def test_a_player_sees_dashes_and_never_nought(club, history, keeper, cast):
    text = text_of(keeper, "player", club.slug, cast.alice.pk)
    assert "Won or lost +240" in text
    assert "Average per hand –" in text
    assert "Mah-jongs – Best hand –" in text
    assert "As East – – – – Not East – – – –" in text
    assert "12 Nov 2026, table 1 1 of 3 – – +240 +240" in text
    assert "Bob – 1 1 0 – – –" in text
    assert "Carol – 1 1 0 – – –" in text
    assert "Meetings 1 of 1, 1 table" in text


def test_averages_use_the_sessions_of_known_hands_alone(club, history, keeper, cast):
    import_totals_text(club, table_of_three(16, 4, "2026-11-05"), accept_all="1")
    text = text_of(keeper, "player", club.slug, cast.alice.pk)
    # 240 points in 16 hands; with the other session it would be 480.
    assert "Won or lost +480" in text
    assert "Average per hand 15.0" in text
    assert "Mah-jongs 4 of 16 hands, 25%" in text


def test_the_annual_meeting_has_the_hands_that_are_known(club, history, keeper):
    text = text_of(keeper, "annual-meeting", club.slug)
    assert "Meetings 1 Tables played 1 Hands – Players 3" in text
    import_totals_text(club, table_of_three(16, 4, "2026-11-05"), accept_all="1")
    text = text_of(keeper, "annual-meeting", club.slug)
    assert "Tables played 2 Hands 16 Players 3" in text
    assert "The number of hands is not known for 1 table." in text


def test_five_at_a_table_played_the_hands_of_four(club, cast, keeper):
    season(club)
    rows = "".join(
        f"2026-11-12,,1,bmja,settle,{player},,{seat},{hands},1,0,0,0,0,1\r\n"
        for seat, (player, hands) in enumerate(zip(cast.all, (13, 13, 13, 13, 12), strict=True), 1)
    )
    import_totals_text(club, HEADER + rows)
    assert "Hands 16 Players 5" in text_of(keeper, "annual-meeting", club.slug)


def test_a_meeting_that_was_imported_names_who_came(club, history, keeper, cast):
    meeting = Meeting.objects.get()
    Player.objects.filter(pk=cast.carol.pk).update(left_on=DAY)
    assert "Who came: 3" in text_of(keeper, "meeting", club.slug, meeting.pk)
    member = signed_in(club.memberships.get(role="member").user)
    assert "Who came: 3 Alice, Bob, Carol" in text_of(member, "meeting", club.slug, meeting.pk)


def test_sheet_and_mail_show_a_dash(club, history, keeper):
    session = Session.objects.get()
    assert "Alice +240 240 – – +300 −60" in text_of(keeper, "session-sheet", club.slug, session.pk)
    meeting = session.meeting
    assert "  Alice      +240\n" in mail_text(meeting, sessions_of(meeting))


def test_records_and_trophies_by_hands_leave_them_out(club, history):
    assert records(club) == []
    Season.objects.create(
        club=club, name="Spring", rules=["bmja"], starts_on="2026-01-01", ends_on="2026-06-30", minimum_sessions=1
    )
    import_totals_text(club, table_of_three(day="2026-03-12"), accept_all="1")
    held = {trophy.key: [holder.name for holder in holders] for trophy, holders in trophies_of(history)}
    assert held["most_improved"] == []
    assert held["most_sessions"] == ["Alice", "Bob", "Carol"]


def test_who_met_there_has_met(club, history, cast):
    assert times_met(club, DAY)[cast.alice.pk, cast.bob.pk] == 1


def test_joining_two_players_adds_what_is_known(club, history, keeper, cast):
    text = text_of(keeper, "player-merge", club.slug, cast.alice.pk, other=cast.fay.pk)
    assert "merged 1 – – +240" in text


@pytest.mark.parametrize(("net", "shown", "in_the_file"), [(300, "6.3", "6.2500"), (-300, "−6.3", "-6.2500")])
def test_an_average_that_ends_in_a_half_is_shown_further_from_nought(club, cast, keeper, net, shown, in_the_file):
    made = season(club)
    line = f"2026-11-12,,1,bmja,settle,Alice,,1,48,9,,,{net},,\r\n"
    import_totals_text(club, HEADER + line, accept_all="1")
    assert f"Alice 1 of 3 tables {shown}" in text_of(keeper, "standings", club.slug, season=made.pk)
    assert f"Average per hand {shown} " in text_of(keeper, "player", club.slug, cast.alice.pk)
    assert f",{in_the_file}," in standings_csv(season_standings(made).rows, names=PROGRAMS)


@pytest.mark.parametrize("hands", ["", 16])
def test_the_first_season_is_ranked_by_session_whether_hands_are_known_or_not(club, cast, keeper, hands):
    import_totals_text(club, table_of_three(hands, hands and 4))
    form = keeper.get(reverse("seasons", args=[club.slug])).context["form"]
    assert form.get_initial_for_field(form.fields["method"], "method") == "average_session"


def test_a_season_after_another_is_ranked_like_that_one(club, history, keeper):
    form = keeper.get(reverse("seasons", args=[club.slug])).context["form"]
    assert form.get_initial_for_field(form.fields["method"], "method") == "average"


def test_a_club_without_results_ranks_its_first_season_by_session(club, keeper):
    form = keeper.get(reverse("seasons", args=[club.slug])).context["form"]
    assert form.get_initial_for_field(form.fields["method"], "method") == "average_session"
