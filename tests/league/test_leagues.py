"""Two leagues in one club: seasons, meetings, tables and papers of each; a club with one sees nothing of it."""

import datetime
import io
import uuid
import zipfile
from html import unescape

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from sessions_app.exchange.backups.club_backup import restore, write_zip
from sessions_app.exchange.exports.files import whole_club_files
from sessions_app.league.seasons import add_season, change_season, save_leagues
from sessions_app.models import Club, Meeting, Season
from sessions_app.people.log_pages import LogFilter, all_lines
from sessions_app.table.apply_command import move_session
from sessions_app.table.meeting_result import mail_subject
from sessions_app.table.season_assignment import misplaced_sessions
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, house, record, totals
from tests.imported import import_totals_text, previewed_totals
from tests.logins import signed_in

THURSDAY, TUESDAY = DAY, datetime.date(2026, 11, 17)
AUTUMN = (datetime.date(2026, 9, 1), datetime.date(2026, 12, 31))


@pytest.fixture
def thursdays(club, cast):
    """A club with one league: on a Thursday Alice, East, went Mah-jong with 100, and Bob had 20."""
    made = house(club, cast.all[:4])
    made.season.minimum_sessions = 1
    made.season.save()
    made.desk = signed_in(made.secretary)
    return made


@pytest.fixture
def both(thursdays, cast):
    """The same club with Tuesdays beside it, where Bob, East, went Mah-jong with 100."""
    club = thursdays.club
    save_leagues(club, ["Thursday", "Tuesday"], by=BY)
    thursdays.season.refresh_from_db()
    settings = {"rules": ["bmja"], "minimum_sessions": 1, "method": "total"}
    thursdays.tuesdays = add_season(club, "Autumn 2026", *AUTUMN, by=BY, league="Tuesday", **settings)
    Meeting.objects.create(club=club, date=TUESDAY, league="Tuesday")
    seated = [cast.bob, cast.alice, cast.carol, cast.dave]
    thursdays.tuesday = start_session(club, TUESDAY, 1, seated, "bmja", {}, by=BY)
    record(thursdays.tuesday, totals(thursdays.tuesday, 1, seat1=100))
    return thursdays


def page(desk, club, name, *args, **asked):
    answer = desk.get(reverse(name, args=[club.slug, *args]), asked)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def nets(desk, club, **asked):
    """Return each player's net in a league table, from its file."""
    rows = desk.get(reverse("standings-csv", args=[club.slug]), asked).content.decode("utf-8-sig").splitlines()
    heads = rows[0].split(",")
    return {cells[heads.index("Player")]: cells[-4] for cells in (row.split(",") for row in rows[1:])}


def test_dates_that_overlap_offer_a_second_league_and_with_it_they_may(thursdays):
    club, seasons = thursdays.club, reverse("seasons", args=[thursdays.club.slug])
    sent = {"name": "Autumn 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-31", "rules": ["bmja"]}
    sent |= {"recording": "settle", "method": "total", "minimum_sessions": "1"}
    refused = thursdays.desk.post(seasons, sent | {"name": "Another"})
    assert refused.status_code == 422
    assert reverse("leagues", args=[club.slug]) in refused.content.decode()
    thursdays.desk.post(reverse("leagues", args=[club.slug]), {"league_1": "Thursday", "league_2": "Tuesday"})
    club.refresh_from_db()
    assert club.leagues == ["Thursday", "Tuesday"]
    assert [*Season.objects.values_list("league", flat=True), *Meeting.objects.values_list("league", flat=True)] == [
        "Thursday",
        "Thursday",
    ]
    assert thursdays.desk.post(seasons, sent | {"league": "Thursday", "name": "Another"}).status_code == 422
    assert thursdays.desk.post(seasons, sent | {"league": "Tuesday"}).status_code == 302
    assert [str(season) for season in Season.objects.order_by("pk")] == [
        "Thursday, Autumn 2026",
        "Tuesday, Autumn 2026",
    ]


def test_a_second_league_needs_two_names(thursdays):
    refused = thursdays.desk.post(reverse("leagues", args=[thursdays.club.slug]), {"league_2": "Tuesday"})
    assert refused.status_code == 422
    assert "Enter a name for each of the two leagues." in refused.content.decode()


def test_each_league_counts_its_own_meetings(both):
    # East is paid double by each of three: 3 × 200.
    assert both.tuesday.season == both.tuesdays
    assert both.table_session.season == both.season
    thursday, tuesday = ({*nets(both.desk, both.club, league=name)} for name in both.club.leagues)
    assert thursday == tuesday == {"Alice", "Bob", "Carol", "Dave"}
    first = {name: page(both.desk, both.club, "standings", league=name) for name in both.club.leagues}
    assert "Thursday, Autumn 2026" in first["Thursday"]
    assert "By total" in first["Tuesday"]
    assert "in the league “Tuesday”" in first["Tuesday"]
    assert nets(both.desk, both.club, season=both.tuesdays.pk)["Bob"] == "600"


def test_a_meeting_belongs_to_the_league_of_its_weekday_until_someone_says_otherwise(both):
    meetings = reverse("meetings", args=[both.club.slug])
    both.desk.post(meetings, {"date": "2026-12-01", "league": ""})
    both.desk.post(meetings, {"date": "2026-12-03", "league": ""})
    both.desk.post(meetings, {"date": "2026-12-05", "league": ""})
    both.desk.post(meetings, {"date": "2026-12-12", "league": "Tuesday"})
    both.desk.post(meetings, {"date": "2026-12-19", "league": ""})
    planned = Meeting.objects.filter(date__month=12).order_by("date").values_list("league", flat=True)
    assert list(planned) == ["Tuesday", "Thursday", "Thursday", "Tuesday", "Tuesday"]


def test_a_meeting_that_goes_to_the_other_league_takes_its_results_along(both):
    change = reverse("meeting-change", args=[both.club.slug, both.tuesday.meeting_id])
    sent = {"date": TUESDAY.isoformat(), "league": "Thursday"}
    change_season(both.season, by=BY, locked=True)
    refused = both.desk.post(change, sent)
    assert refused.status_code == 422
    assert "The season “Thursday, Autumn 2026” is locked." in unescape(refused.content.decode())
    both.tuesday.refresh_from_db()
    assert (both.tuesday.meeting.league, both.tuesday.season) == ("Tuesday", both.tuesdays)
    change_season(both.season, by=BY, locked=False)
    assert both.desk.post(change, sent).status_code == 302
    both.tuesday.refresh_from_db()
    assert both.tuesday.season == both.season
    assert {tally.season for tally in both.tuesday.tallies.all()} == {both.season}
    assert nets(both.desk, both.club, season=both.tuesdays.pk) == {}
    [line] = [line.sentence for line in all_lines(both.club, LogFilter()) if "league Thursday" in line.sentence]
    assert line.endswith(": league Thursday (was Tuesday).")


def test_a_table_that_moves_to_a_meeting_of_the_other_league_counts_there(both):
    assert move_session(both.tuesday, uuid.uuid4(), THURSDAY, 5, "", by=BY).is_done
    both.tuesday.refresh_from_db()
    assert both.tuesday.season == both.season
    assert not list(misplaced_sessions(both.club))


def test_a_table_without_a_meeting_makes_one_in_the_league_of_its_weekday(both, cast):
    found = [
        start_session(both.club, day, 1, cast.all[:4], "bmja", {}, by=BY).season
        for day in (datetime.date(2026, 11, 24), datetime.date(2026, 11, 26))
    ]
    assert found == [both.tuesdays, both.season]


@pytest.mark.parametrize(
    "name", ["noticeboard", "annual-meeting", "trophies", "standings", "honours", "season-pictures"]
)
def test_a_page_shows_the_first_league_or_the_one_that_is_asked_for(both, name):
    assert "Thursday, Autumn 2026" in page(both.desk, both.club, name)
    assert "Tuesday, Autumn 2026" in page(both.desk, both.club, name, league="Tuesday")


def test_a_player_of_both_has_a_page_for_each(both, cast):
    club = both.club
    tuesday = page(both.desk, club, "player", cast.bob.pk, season=both.tuesdays.pk)
    assert "+600" in tuesday
    assert "+600" not in page(both.desk, club, "player", cast.bob.pk, season=both.season.pk)


def test_a_player_s_page_begins_with_the_league_where_they_were_last(both, cast):
    assert "+600" in page(both.desk, both.club, "player", cast.bob.pk)
    assert "+600" not in page(both.desk, both.club, "player", cast.bob.pk, league="Thursday")


def test_certificates_to_print_are_those_of_each_league(both):
    sheets = page(both.desk, both.club, "prints")
    for season in (both.season, both.tuesdays):
        for name in ("certificates", "season-certificates"):
            assert f"{reverse(name, args=[both.club.slug])}?season={season.pk}" in sheets


def test_the_page_that_moves_a_table_names_the_league(both):
    assert "it counts in the season Tuesday, Autumn 2026." in page(
        both.desk, both.club, "session-move", both.tuesday.pk
    )


def test_links_between_pages_stay_in_the_league(both):
    Club.objects.update(shows_standings=True, public_names="full")
    asked = f"?season={both.tuesdays.pk}"
    assert reverse("trophies", args=[both.club.slug]) + asked in page(
        both.desk, both.club, "honours", season=both.tuesdays.pk
    )
    assert reverse("public-standings", args=[both.club.slug]) + asked in page(
        both.desk, both.club, "public-results", season=both.tuesdays.pk
    )


def test_totals_of_a_league_without_a_season_are_not_explained_by_the_other_s(both):
    both.tuesday.delete()
    both.tuesdays.delete()
    head = "date,meeting,table,rules,recording,player,guest,seat,hands,won,gained,lost,net,balance,place\n"
    nets = {"Alice": 60, "Bob": -20, "Carol": -20, "Dave": -20}
    lines = [f"2026-11-24,,1,bmja,settle,{name},no,,,,,,{net},," for name, net in nets.items()]
    preview = previewed_totals(both.club, head + "\n".join(lines) + "\n")
    assert "1 table (24 November 2026) will count once you add a season for those days." in preview.notes


def test_public_pages_have_both(both):
    Club.objects.update(shows_standings=True, shows_meetings=True, public_names="full")
    public = reverse("public-standings", args=[both.club.slug])
    assert '<p class="lead">Thursday, Autumn 2026' in both.desk.get(public).content.decode()
    assert (
        '<p class="lead">Tuesday, Autumn 2026' in both.desk.get(public, {"season": both.tuesdays.pk}).content.decode()
    )


def test_messages_calendars_and_public_results_name_the_league(both):
    Club.objects.update(shows_standings=True, shows_meetings=True, public_names="full")
    meeting = both.tuesday.meeting
    assert mail_subject(meeting) == "Bramley: results of 17 November 2026 (Tuesday)"
    Meeting.objects.create(club=both.club, date=both.club.today, league="Tuesday", name="Christmas")
    calendar = both.desk.get(reverse("public-meetings-calendar", args=[both.club.slug])).content.decode()
    assert r"SUMMARY:Bramley: Tuesday\, Christmas" in calendar
    assert "17 November 2026, Tuesday</h1>" in page(both.desk, both.club, "public-result", meeting.pk)


def test_handicaps_come_from_the_season_before_of_the_same_league(both):
    """Thursday's last season ended after Tuesday's: the Tuesday of now looks back at its own."""
    summer = {"rules": ["bmja"], "by": BY}
    dates = datetime.date(2026, 1, 1), datetime.date(2026, 3, 31)
    own = add_season(both.club, "Winter", *dates, league="Tuesday", **summer)
    add_season(both.club, "Summer", datetime.date(2026, 4, 1), datetime.date(2026, 8, 31), league="Thursday", **summer)
    assert Season.objects.before(both.tuesdays).first() == own


def test_files_know_the_league(both):
    for what in ("seasons", "meetings"):
        answer = both.desk.get(reverse("export-csv", args=[both.club.slug]), {"what": what})
        assert [row.rsplit(",", 1)[1] for row in answer.content.decode().splitlines()] == [
            "League",
            "Thursday",
            "Tuesday",
        ]
    of_tuesdays = {"what": "totals", "season": both.tuesdays.pk}
    rows = both.desk.get(reverse("export-csv", args=[both.club.slug]), of_tuesdays).content.decode().splitlines()[1:]
    assert {row[:10] for row in rows} == {TUESDAY.isoformat()}
    content = both.desk.get(reverse("export-zip", args=[both.club.slug])).getvalue()
    names = [name for name in zipfile.ZipFile(io.BytesIO(content)).namelist() if name.startswith("standings/")]
    assert sorted(names) == [
        "standings/thursday-2026-09-01-to-2026-12-31.csv",
        "standings/tuesday-2026-09-01-to-2026-12-31.csv",
    ]


def test_the_command_asks_which_league(both):
    asked = {
        "starts_on": AUTUMN[0],
        "ends_on": AUTUMN[1],
        "club": both.club.slug,
        "method": "total",
        "minimum_sessions": 1,
    }
    with pytest.raises(CommandError, match="Thursday or Tuesday"):
        call_command("export_standings", **asked, stdout=io.StringIO())
    out = io.StringIO()
    call_command("export_standings", **asked, league="Tuesday", stdout=out)
    assert out.getvalue().splitlines()[1].startswith("1,Bob,1,1,1,600,600,600.0000")


def test_totals_count_in_the_league_of_their_weekday(both, tmp_path):
    rows = ["date,table,rules,player,hands,won,net"]
    for day, net in (("2026-11-24", 50), ("2026-11-26", 70)):
        rows += [f"{day},1,bmja,Alice,8,4,{net}", f"{day},1,bmja,Bob,8,4,{-net}", f"{day},1,bmja,Carol,8,0,0"]
    (tmp_path / "totals.csv").write_text("\n".join(rows))
    call_command("import_totals", str(tmp_path / "totals.csv"), club=both.club.slug, stdout=io.StringIO())
    found = Season.objects.filter(sessions__imported=True).order_by("sessions__date").values_list("league", flat=True)
    assert list(found) == ["Tuesday", "Thursday"]


def test_a_backup_of_the_club_has_both(both, tmp_path):
    with (tmp_path / "club.zip").open("wb") as file:
        write_zip(both.club, file)
    restore(tmp_path / "club.zip", "copy")
    copy = Club.objects.get(slug="copy")
    assert copy.leagues == ["Thursday", "Tuesday"]
    assert set(copy.meetings.values_list("date", "league")) == {(THURSDAY, "Thursday"), (TUESDAY, "Tuesday")}
    assert nets(both.desk, both.club, league="Tuesday")["Bob"] == "600"


def test_leagues_are_renamed_and_one_without_meetings_goes(both):
    save_leagues(both.club, ["Experienced", "Tuesday", "Beginners"], by=BY)
    both.season.refresh_from_db()
    both.table_session.meeting.refresh_from_db()
    assert (both.season.league, both.table_session.meeting.league) == ("Experienced", "Experienced")
    leagues = reverse("leagues", args=[both.club.slug])
    gone = {"league_1": "Experienced", "league_2": "", "league_3": "Beginners"}
    refused = both.desk.post(leagues, gone)
    assert "The league Tuesday has 1 meeting and the season Tuesday, Autumn 2026." in refused.content.decode()
    twice = both.desk.post(leagues, gone | {"league_2": "Tuesday", "league_3": "tuesday"})
    assert twice.status_code == 422
    both.desk.post(leagues, {"league_1": "Experienced", "league_2": "Tuesday", "league_3": ""})
    both.club.refresh_from_db()
    assert both.club.leagues == ["Experienced", "Tuesday"]
    history = [line.sentence for line in all_lines(both.club, LogFilter())]
    assert any(sentence.endswith(" changed the club’s leagues: Experienced and Tuesday.") for sentence in history)


def test_a_league_added_by_mistake_goes_with_its_empty_season(thursdays):
    club, leagues = thursdays.club, reverse("leagues", args=[thursdays.club.slug])
    save_leagues(club, ["Thursday", "Tuesday"], by=BY)
    add_season(club, "Autumn 2026", *AUTUMN, by=BY, league="Tuesday", rules=["bmja"])
    planned = Meeting.objects.create(club=club, date=TUESDAY, league="Tuesday")
    gone = {"league_1": "Thursday", "league_2": ""}
    assert "The league Tuesday has 1 meeting. Move" in thursdays.desk.post(leagues, gone).content.decode()
    planned.delete()
    assert thursdays.desk.post(leagues, gone).status_code == 302
    club.refresh_from_db()
    assert (club.leagues, [str(season) for season in Season.objects.all()]) == ([], ["Autumn 2026"])
    assert Season.objects.get() == thursdays.season


def test_a_page_of_leagues_left_open_removes_none_that_was_added_since(both):
    leagues = reverse("leagues", args=[both.club.slug])
    assert 'name="shown" value="[&quot;Thursday&quot;, &quot;Tuesday&quot;]"' in both.desk.get(leagues).content.decode()
    save_leagues(both.club, ["Thursday", "Tuesday", "Beginners"], by=BY)
    left_open = {"shown": '["Thursday", "Tuesday"]', "league_1": "Thursdays", "league_2": "Tuesday", "league_3": ""}
    said = both.desk.post(leagues, left_open, follow=True).content.decode()
    assert "Someone else has changed the leagues." in said
    both.club.refresh_from_db()
    assert both.club.leagues == ["Thursday", "Tuesday", "Beginners"]


def test_a_meeting_held_says_more_of_its_weekday_than_one_that_is_planned(both):
    party = both.club.today + datetime.timedelta(days=28)
    party += datetime.timedelta(days=(1 - party.weekday()) % 7)  # a Tuesday
    Meeting.objects.create(club=both.club, date=party, name="Party", league="Thursday")
    assert Meeting.objects.league_of(both.club, party + datetime.timedelta(days=7)) == "Tuesday"


def test_the_roll_of_honour_of_all_time_is_that_of_a_league(both):
    both.tuesday.state = "finished"
    both.tuesday.save()
    first = page(both.desk, both.club, "honours", all=1)
    assert (
        'href="?all=1&amp;league=Tuesday">Tuesday, all time</a>'
        in both.desk.get(reverse("honours", args=[both.club.slug])).content.decode()
    )
    assert "<b>Alice</b>, <a" in first
    assert "<b>Bob</b>, <a" not in first
    tuesday = page(both.desk, both.club, "honours", all=1, league="Tuesday")
    assert "<b>Bob</b>, <a" in tuesday
    assert "<b>Alice</b>, <a" not in tuesday
    # The other league may have seen it.
    assert "Not yet seen in this league" in tuesday


def test_totals_carry_the_league_and_come_back_into_it(both):
    """Tuesdays' league once met on a Thursday, which no weekday tells."""
    text = both.desk.get(reverse("totals-csv", args=[both.club.slug, both.tuesday.pk])).content.decode("utf-8-sig")
    heads, *rows = [row.split(",") for row in text.splitlines()]
    assert (heads[-1], {row[-1] for row in rows}) == ("League", {"Tuesday"})
    moved = text.replace(TUESDAY.isoformat(), "2026-12-03").replace(f"{TUESDAY.day} November 2026", "3 December 2026")
    assert {row.league for row in previewed_totals(both.club, moved).rows} == {"Tuesday"}
    import_totals_text(both.club, moved, accept_all="1")
    assert Meeting.objects.get(date=datetime.date(2026, 12, 3)).league == "Tuesday"
    # What is here already stays where it was put since.
    Meeting.objects.filter(date=TUESDAY).update(league="Thursday")
    assert {row.league for row in previewed_totals(both.club, text).rows} == {""}


def test_of_a_club_that_is_left_with_one_league_nothing_is_named(thursdays):
    club = thursdays.club
    save_leagues(club, ["Thursday", "Tuesday"], by=BY)
    save_leagues(club, ["Thursday", ""], by=BY)
    thursdays.season.refresh_from_db()
    assert (club.leagues, thursdays.season.league, str(thursdays.season)) == ([], "", "Autumn 2026")


@pytest.mark.parametrize("name", ["meetings", "seasons", "standings", "noticeboard", "prints", "club", "exports"])
def test_a_club_with_one_league_sees_nothing_of_leagues(thursdays, name):
    text = page(thursdays.desk, thursdays.club, name)
    assert 'name="league"' not in text
    assert "?league=" not in text
    assert reverse("leagues", args=[thursdays.club.slug]) not in text


def test_files_of_a_club_with_one_league_have_no_column_for_it(thursdays):
    for what in ("seasons", "meetings", "totals"):
        text = thursdays.desk.get(reverse("export-csv", args=[thursdays.club.slug]), {"what": what}).content.decode()
        assert "eague" not in text.splitlines()[0]


def test_a_new_season_ranks_as_the_last_of_its_own_league(both):
    Season.objects.filter(league="Thursday").update(best_n=5)
    Season.objects.filter(league="Tuesday").update(best_n=3)
    sent = {"league": "Tuesday", "name": "Spring 2027", "starts_on": "2027-01-01", "ends_on": "2027-05-31"}
    sent |= {"rules": ["bmja"], "recording": "settle", "method": "total", "minimum_sessions": "1"}
    assert both.desk.post(reverse("seasons", args=[both.club.slug]), sent).status_code == 302
    assert Season.objects.get(name="Spring 2027").best_n == 3


@pytest.mark.parametrize(
    ("league", "name", "shown"),
    [
        ("A", "Autumn 2026", "A, Autumn 2026"),
        ("", "2026", "2026"),
    ],
)
def test_a_season_is_shown_with_its_league_where_there_are_several(league, name, shown):
    assert str(Season(league=league, name=name)) == shown


def test_leagues_with_other_letters_have_files_of_their_own(both):
    save_leagues(both.club, ["星期四", "星期二"], by=BY)
    names = [name for name, _ in whole_club_files(both.club, DAY) if name.startswith("standings/")]
    dates = "2026-09-01-to-2026-12-31.csv"
    assert sorted(names) == [f"standings/星期二-{dates}", f"standings/星期四-{dates}"]


def test_a_cup_of_a_league_with_a_long_name_begins_with_the_season(both):
    save_leagues(both.club, ["Thursday afternoons", "Tuesday"], by=BY)
    assert 'value="Autumn 2026"' in page(both.desk, both.club, "cups")


def test_a_scorekeeper_moves_no_results_to_the_other_league(both):
    change = reverse("meeting-change", args=[both.club.slug, both.tuesday.meeting_id])
    desk = signed_in(both.scorekeeper)
    assert 'name="league"' not in desk.get(change).content.decode()
    assert desk.post(change, {"date": TUESDAY.isoformat(), "league": "Thursday", "place": "Hall"}).status_code == 302
    both.tuesday.refresh_from_db()
    assert (both.tuesday.meeting.place, both.tuesday.meeting.league) == ("Hall", "Tuesday")
    planned = Meeting.objects.create(club=both.club, date=datetime.date(2026, 12, 1), league="Tuesday")
    desk.post(
        reverse("meeting-change", args=[both.club.slug, planned.pk]), {"date": "2026-12-01", "league": "Thursday"}
    )
    planned.refresh_from_db()
    assert planned.league == "Thursday"


def test_a_meeting_comes_back_from_its_file_into_its_own_league(both):
    # A meeting of Tuesdays' league that was on a Thursday.
    file = both.desk.get(reverse("export-night", args=[both.club.slug]), {"meeting": both.tuesday.meeting_id})
    text = file.content.decode().replace(TUESDAY.isoformat(), "2026-11-26")
    both.tuesday.delete()
    sent = {"text": text, "do": "record"}
    imported = both.desk.post(reverse("import-night", args=[both.club.slug]), sent)
    assert imported.status_code == 302
    meeting = Meeting.objects.get(date=datetime.date(2026, 11, 26))
    assert meeting.league == "Tuesday"
    assert [session.season for session in meeting.sessions.all()] == [both.tuesdays]
