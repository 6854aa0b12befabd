"""The secretary's house rules: the switches explained, editions saved, and nothing lost when something is wrong."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from clubscore.play.offered import describe_differences
from clubscore.scoring import RULE_SETS
from clubscore.scoring.switches import SWITCHES
from sessions_app.models import Change, Club, ClubRules, Meeting, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.rules.club_rules import save_version
from sessions_app.rules.switches import describe_changes, shown_switches
from sessions_app.table.sessions import start_session
from tests.factories import BY, record, totals
from tests.logins import logins, signed_in

LIMIT = "The limit is a whole number of tens, from 100 to 1,000,000. For example, 1,000."


@pytest.fixture
def users(club):
    return logins(club)


@pytest.fixture
def client(users):
    return signed_in(users["secretary"])


def address(club, rules=None):
    return reverse("house-rules", args=[club.slug]) + (f"?rules={rules}" if rules else "")


def fields(client, club, rules="bmja"):
    """Return what the page would post as it stands."""
    form = client.get(address(club, rules)).context["form"]
    posted = {field.html_name: field.value() for field in form}
    return {name: value for name, value in posted.items() if value not in (None, False)} | {"rules": rules}


def save(client, club, rules="bmja", **changed):
    posted = fields(client, club, rules) | changed
    return client.post(address(club), {name: value for name, value in posted.items() if value is not None})


def test_three_changes_make_one_edition(client, club, users):
    answer = save(client, club, limit="1,500", max_chows="4", goulash="false", note="Agreed in May")
    assert answer.url == address(club, "bmja")
    edition = ClubRules.objects.get()
    assert (edition.club, edition.rules, edition.number, edition.note, edition.made_by) == (
        club, "bmja", 1, "Agreed in May", users["secretary"],
    )  # fmt: skip
    assert edition.house_rules == {"limit": 1500, "max_chows": 4, "goulash": False}
    change = Change.objects.get()
    assert (change.action, change.subject_type, change.why) == ("edition", "clubrules", "Agreed in May")
    assert (change.before, change.after["house_rules"]) == ({"number": 0, "house_rules": {}}, edition.house_rules)
    page = client.get(answer.url)
    assert page.context["differences"] == [
        "The BMJA plays a limit of 1,000; your club plays a limit of 1,500.",
        "The BMJA plays one chow at most; your club plays any number of chows.",
        "The BMJA plays a goulash when nobody wins; your club plays no goulashes.",
    ]
    assert "Version 1 saved. New tables will use it." in page.content.decode()


def test_back_to_the_source_is_an_edition_too(client, club):
    save(client, club, limit="", limit_none="on")
    assert ClubRules.objects.get().house_rules == {"limit": None}
    save(client, club, limit="1000", limit_none=None)
    assert [edition.house_rules for edition in ClubRules.objects.order_by("number")] == [{"limit": None}, {}]


def test_nothing_changed_makes_no_edition(client, club):
    save(client, club)
    assert (ClubRules.objects.count(), Change.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("rules", "changed", "field", "sentence"),
    [
        ("bmja", {"limit": "plenty"}, "limit", SWITCHES["limit"].error),
        ("bmja", {"limit": "1005"}, "limit", LIMIT),
        ("bmja", {"limit": "1,000,010"}, "limit", LIMIT),
        (
            "bmja",
            {"starting_balance": "9" * 20},
            "starting_balance",
            "Enter the starting balance as a whole number, 1,000,000 at most. For example, 2,000.",
        ),
        ("u3a", {"east_max": "1000"}, "east_max", SWITCHES["east_max"].error),
        ("beginners", {"special_value": "1000001"}, "special_value", SWITCHES["special_value"].error),
        ("bmja", {"limit": ""}, "limit", SWITCHES["limit"].error),
        ("bmja", {"limit": "600", "limit_none": "on"}, "limit", "Choose “No limit” or enter a number, not both."),
        ("bmja", {"starting_balance": "-5"}, "starting_balance", SWITCHES["starting_balance"].error),
        ("bmja", {"east_mode": "triple"}, "east_mode", "Choose one of the options for “What East pays and receives”."),
        ("bmja", {"recording": None}, "recording", "Choose an option for “Paying or adding up”."),
        ("bmja", {"note": "x" * 201}, "note", "Enter at most 200 letters."),
        ("chinese_official", {"minimum_points": "89"}, "minimum_points", SWITCHES["minimum_points"].error),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(client, club, rules, changed, field, sentence):
    typed = {"starting_balance": "750"} | changed
    answer = save(client, club, rules, **typed)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors == {field: [sentence]}
    kept = {name: form[name].value() for name in typed}
    assert kept == {name: True if value == "on" else value for name, value in typed.items()}
    text = answer.content.decode()
    assert text.count(sentence) == 2
    assert f'href="#id_{field}' in text
    assert not ClubRules.objects.exists()


def test_an_edition_saved_meanwhile_is_not_written_over(client, club):
    posted = fields(client, club) | {"limit": "600"}
    save(client, club, max_chows="2")
    answer = client.post(address(club), posted)
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors() == [
        "Someone else saved version 1 first. Yours is not saved yet. Check both below."
    ]
    assert answer.context["form"]["limit"].value() == "600"
    assert ClubRules.objects.get().house_rules == {"max_chows": 2}
    client.post(address(club), posted | {"base": answer.context["base"]})
    assert ClubRules.objects.get(number=2).house_rules == {"limit": 600}


def test_each_rule_set_has_its_own_editions_and_another_can_be_the_clubs(client, club):
    save(client, club, limit="800")
    save(client, club, "western", limit="500")
    assert list(ClubRules.objects.order_by("rules").values_list("rules", "number")) == [("bmja", 1), ("western", 1)]
    client.post(reverse("house-rules-choose", args=[club.slug]), {"rules": "western"})
    assert Club.objects.get(pk=club.pk).rules == "western"
    assert Change.objects.last().after == {"rules": "western"}
    assert client.get(address(club)).context["in_force"].overrides == {"limit": 500}


def test_the_secretary_is_told_where_sessions_would_not_count_in_the_season(client, club):
    today = timezone.now().date()
    dates = {"starts_on": today - datetime.timedelta(days=9), "ends_on": today + datetime.timedelta(days=9)}
    Season.objects.create(club=club, name="This autumn", rules=["bmja"], **dates)
    warning = "Tables under these rules do not count in This autumn. To count them, change the season."

    def warns(answer):
        return warning in client.get(answer.url).content.decode()

    choose = reverse("house-rules-choose", args=[club.slug])
    assert not warns(save(client, club, limit="800"))
    assert warns(save(client, club, recording="straight"))
    assert warns(client.post(choose, {"rules": "western"}))
    Season.objects.update(rules=["bmja", "western"], recording="settle")
    assert not warns(client.post(choose, {"rules": "western"}))


def test_an_unknown_rule_set_is_not_chosen(client, club):
    client.post(reverse("house-rules-choose", args=[club.slug]), {"rules": "poker"})
    assert Club.objects.get(pk=club.pk).rules == "bmja"
    assert client.get(address(club, "poker")).status_code == 404


def test_an_earlier_edition_is_taken_up_again(client, club):
    save(client, club, limit="600")
    save(client, club, limit="800", max_chows="4")
    page = client.get(address(club, "bmja") + "&edition=1")
    posted = {field.html_name: field.value() for field in page.context["form"]}
    assert (posted["limit"], posted["max_chows"]) == ("600", "1")
    client.post(address(club), {k: v for k, v in posted.items() if v not in (None, False)} | {"rules": "bmja"})
    assert ClubRules.objects.get(number=3).house_rules == {"limit": 600}


def test_another_clubs_editions_are_not_seen(client, club, other_club):
    ClubRules.objects.create(club=other_club, rules="bmja", number=4, house_rules={"limit": 300})
    assert client.get(address(club)).context["in_force"].number == 0


@pytest.mark.usefixtures("that_afternoon")
def test_sessions_take_the_newest_edition_and_old_results_stay(client, club, cast):
    def play():
        fields = {"date": "2026-11-12", "table": str(Session.objects.count() + 1), "rules": "bmja", "plays_twice": "on"}
        fields |= {f"player_{place}": str(player.pk) for place, player in enumerate(cast.all[:4], 1)}
        assert client.post(reverse("session-start", args=[club.slug]), fields).status_code == 302
        session = Session.objects.latest("pk")
        return session, points(session)

    def points(session):
        body = totals(session, 2)
        body["hands"]["2"] = {"points": 50, "doubles": 5}
        assert record(session, body).outcome == "recorded"
        return net(session)

    def net(session):
        return {row.seat.seat_no: row.net for row in session.hands.latest("number").player_hands.all()}

    # 50 doubled five times is 1600: cut at 1000, East pays double.
    first, before = play()
    assert before == {1: -2000, 2: 4000, 3: -1000, 4: -1000}
    save(client, club, limit="600", east_mode="none")
    second, after = play()
    assert after == {1: -600, 2: 1800, 3: -600, 4: -600}
    assert net(first) == before
    # A hand played later at the first table, where Bob is East now, goes by the rules the table began with.
    assert points(first) == {1: -2000, 2: 6000, 3: -2000, 4: -2000}
    assert (first.house_rules, second.house_rules) == ({}, {"limit": 600, "east_mode": "none"})
    assert (first.house_version, second.house_version) == (0, 1)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_switch_is_explained_with_an_example(client, club, rules):
    page = client.get(address(club, rules))
    shown = [row["switch"] for _, rows in page.context["groups"] for row in rows]
    hands = {f"hand_{row.key}" for row in RULE_SETS[rules].special_hands}
    assert [one.key for one in shown]
    assert {one.key for one in shown} == {*RULE_SETS[rules].house_rules, *hands}
    text = page.content.decode()
    for one in shown:
        assert f'id="switch-{one.key}"' in text
        assert one.sentence
        if one.key in hands:
            continue
        assert one.examples
        assert all(example.sentence for example in one.examples)
    # One choice of each switch is what the standard rules have.
    marked = text.count(f'<span class="hint">{escape(RULE_SETS[rules].called)}</span>')
    assert marked == sum(not one.words.is_figure for one in shown)


def test_an_example_shows_the_club_before_and_after():
    house = RULE_SETS["bmja"].house({"limit": 1500})
    limit = shown_switches("bmja", house)[0][1][0]
    rows = [(row.value, row.outcome, row.is_sources, row.is_clubs) for row in limit.examples[0].rows]
    assert rows == [
        ("1,000", "South 1,000", True, False),
        ("1,500", "South 1,024", False, True),
        ("600", "South 600", False, False),
        ("No limit", "South 1,024", False, False),
    ]


def test_changes_between_two_editions_are_told():
    assert describe_changes("bmja", {"limit": 600}, {"max_chows": 4}) == [
        "Limit: 1,000 (was: 600)",
        "Chows in an ordinary Mah-jong: Any number of chows (was: One chow at most)",
    ]
    assert describe_differences("turner", {"recording": "settle"}) == [
        "Turner’s sheet plays that each player adds up their own score and nobody pays; your club plays that "
        "players pay each other."
    ]


def test_rules_from_a_day_to_come_are_those_of_its_sessions_and_not_of_todays(club, client, cast):
    later = club.today + datetime.timedelta(days=40)
    save_version(club, "bmja", {"limit": 800}, 0, by=BY)
    sent = fields(client, club) | {"limit": "500", "since": f"{later:%d/%m/%Y}"}
    answer = client.post(address(club), sent, follow=True).content.decode()
    assert f"Tables from {day_words(later)} on will use it." in answer
    assert f"<b>From {day_words(later)}</b> (version 2): Limit: 500 (was: 800)." in answer
    # Something else is changed before then: it does not take the place of what begins later.
    save_version(club, "bmja", {"limit": 700}, 2, by=BY)
    days = (club.today - datetime.timedelta(days=7), club.today, later - datetime.timedelta(days=1), later)
    found = [
        start_session(club, day, table, cast.all[:4], "bmja", None, by=BY).house_rules["limit"]
        for table, day in enumerate(days, 1)
    ]
    assert found == [800, 700, 700, 500]
    for meeting, limit in zip(Meeting.objects.of_club(club).order_by("date"), found, strict=True):
        page = client.get(reverse("meeting-rules", args=[club.slug, meeting.pk]))
        assert [switch.now for switch in page.context["differing"] if switch.key == "limit"] == [f"{limit}"]
        assert f" on {meeting.date.day} " in page.text.partition("</h1>")[0]
        # What is printed for the meeting has the limit of its day too.
        two_pages = client.get(reverse("meeting-rules", args=[club.slug, meeting.pk]), {"sheet": "1"})
        assert f"<li><b>Limit:</b> {limit}</li>" in two_pages.text
        sheet = client.get(reverse("score-sheet", args=[club.slug]), {"meeting": meeting.pk}).text
        assert f"limit {limit}</p>" in sheet
        assert f"No hand scores more than the limit of {limit}." in sheet
    # Of no day: today's.
    assert "limit 700</p>" in client.get(reverse("score-sheet", args=[club.slug])).text


def test_a_change_of_today_is_made_in_what_is_planned_too_unless_it_changes_that_itself(client, club):
    january = datetime.date(club.today.year + 1, 1, 1)
    save(client, club, limit="500", since=f"{january:%d/%m/%Y}")
    page = client.get(address(club)).text
    assert f"Also from {day_words(january)} on" in page
    answer = save(client, club, limit="800", goulash="false")
    shown = client.get(answer.url)
    assert f"From {day_words(january)} on, version 3 has the same changes." in shown.text
    found = {row.number: (row.since, row.house_rules) for row in ClubRules.objects.all()}
    # The limit of January is its own.
    assert found == {
        1: (january, {"limit": 500}),
        2: (club.today, {"limit": 800, "goulash": False}),
        3: (january, {"limit": 500, "goulash": False}),
    }
    # Each says what it changes in what counts until then, and the one that never counts says so.
    changes = [(row["version"].number, row["changes"], row["before"]) for row in shown.context["versions"]]
    assert changes[0] == (3, ["Limit: 500 (was: 800)"], 2)
    assert (changes[2][0], changes[2][2]) == (2, None)
    assert "Limit: 800 (was: 1,000)" in changes[2][1]
    assert "It never counts. Version 3 takes its place." in shown.text


def test_without_the_tick_what_is_planned_stays_as_it_is(client, club):
    january = datetime.date(club.today.year + 1, 1, 1)
    assert "also_later" not in client.get(address(club)).context["form"].fields
    save(client, club, limit="500", since=f"{january:%d/%m/%Y}")
    save(client, club, goulash="false", also_later=None)
    assert list(ClubRules.objects.order_by("number").values_list("since", flat=True)) == [january, club.today]
