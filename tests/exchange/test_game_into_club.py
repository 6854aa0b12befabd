"""A game that a tablet kept comes into a club: finished if it was, as a table of the meeting of its day, once only."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.imports.games import import_games, preview_games
from sessions_app.exchange.imports.meeting import import_meeting_file
from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.take_back import take_back
from sessions_app.league.seasons import add_season, save_leagues
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Import, Meeting, Player, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.table.sessions import start_session
from tests.factories import BY, record
from tests.logins import logins, signed_in

NAMES = ["Joan", "Bob", "Carol"]


def game(names=NAMES, day=None, finished=True, key="game-1", rules="bmja", total=20):
    """Return the file of a game of one hand: South goes Mah-jong, by default with 20, and East pays double."""
    seats = dict(zip("ESW", names, strict=True))
    hand = {
        "number": 1,
        "seats": seats,
        "sits_out": None,
        "input": {
            "id": "t1h01",
            "rules": rules,
            "wind_of_round": "E",
            "hands": {"E": {}, "S": {"total": total}, "W": {}},
            "mahjong": {"by": "S", "from": None},
        },
    }
    table = {
        "table": 1,
        "rules": rules,
        "house_rules": {},
        "starting_balance": 2660,
        "sticks": "",
        "players": names,
        "start": {"seats": seats, "sits_out": None},
        "hands": [hand],
        "lines": [],
        "finished": finished,
        "final": dict(zip(names, (-2 * total, 3 * total, -total), strict=True)),
    }
    meeting = {"name": f"Played elsewhere, 19:30: {', '.join(names)}"}
    facts = {
        "club": "A game at home",
        "game": key,
        "date": str(day or timezone.localdate()),
        "meeting": meeting,
        "members": [],
    }
    return json.dumps({**facts, "tables": [table]})


def take_in(club, text, **chosen):
    return import_games(club, text, chosen, by=BY)


def preview(club, text, **chosen):
    return preview_games(club, text, chosen, by=BY)


@pytest.mark.parametrize(("finished", "state"), [(True, "finished"), (False, "open")])
def test_a_game_arrives_finished_if_it_was(club, cast, finished, state):
    take_in(club, game(finished=finished))
    assert Session.objects.get().state == state


def test_it_is_a_table_of_the_days_meeting_beside_those_that_are_there(club, cast):
    party = plan_meeting(club, club.today, "Christmas party", by=BY)
    start_session(club, club.today, 1, cast.all[2:], "bmja", {}, by=BY, meeting_name=party.name)
    take_in(club, game())
    assert list(Session.objects.order_by("table").values_list("table", "meeting", "state")) == [
        (1, party.pk, "open"),
        (2, party.pk, "finished"),
    ]
    assert list(Meeting.objects.all()) == [party]


def test_a_table_that_starts_afterwards_is_not_asked_for_its_meeting(club, cast):
    take_in(club, game())
    client = signed_in(logins(club)["scorekeeper"])
    fields = {"date": str(club.today), "table": "2", "rules": "bmja"}
    fields |= {f"player_{place}": str(player.pk) for place, player in enumerate(cast.all[:4], 1)}
    assert client.post(reverse("session-start", args=[club.slug]), fields).status_code == 302
    assert Meeting.objects.count() == 1


def test_a_meeting_played_elsewhere_of_an_earlier_version_is_not_one_to_play_at(club, cast):
    Meeting.objects.create(club=club, date=club.today, name="Played elsewhere, 00:21: Joan, Roy, Ann, Ted")
    today = plan_meeting(club, club.today, by=BY)
    assert list(Meeting.objects.to_play_at(club)) == [today]


def test_it_comes_in_once(club, cast):
    take_in(club, game())
    assert (preview(club, game()).adds, take_in(club, game())) == ([], [])
    assert Session.objects.count() == 1
    # Two of the same people that began in one minute are two, by their keys.
    take_in(club, game(key="game-2", total=22))
    assert sorted(Session.objects.values_list("table", flat=True)) == [1, 2]


def test_a_game_that_version_1_0_brought_is_known_by_its_day_minute_and_players(club, cast):
    older = json.loads(game())
    del older["game"]
    import_meeting_file(club, json.dumps(older), {}, by=BY)
    assert (len(preview(club, game()).known), take_in(club, game())) == (1, [])


def test_which_of_two_meetings_is_asked_by_their_names(club, cast):
    plan_meeting(club, club.today, by=BY)
    evening = plan_meeting(club, club.today, "Evening", by=BY)
    look = preview(club, game())
    [(name, _, meetings, _)] = look.days
    assert [words for _, words in meetings] == ["Today’s meeting", "Evening"]
    with pytest.raises(ImportRefused, match=r"^Which meeting is this table part of\?$"):
        take_in(club, game())
    assert not Session.objects.exists()
    take_in(club, game(), **{name: str(evening.pk)})
    assert Session.objects.get().meeting == evening


def test_on_a_day_without_a_meeting_it_makes_the_meeting_of_that_day(club, cast):
    take_in(club, game(day=club.today - timedelta(days=2)))
    assert list(Meeting.objects.values_list("date", "name")) == [(club.today - timedelta(days=2), "")]


# The page speaks of players and tables.


def test_only_those_who_are_new_are_called_new_and_everyones_total_is_shown(club, cast):
    Player.objects.create(club=club, full_name="Joan Reed", short_name="Joan")
    look = preview(club, game(["Joan", "Bob", "Ted"]))
    assert [choice.name for choice in look.names.choices if choice.is_unsure] == ["Joan"]
    assert (look.names.new, look.totals) == (["Ted"], {"Bob": 60, "Ted": -20, "Joan": -40})
    assert [(one.table, one.day_words) for one in look.games] == [(1, day_words(club.today))]
    again = preview(club, game(["Joan", "Bob", "Ted"]), **{field_of("Joan"): "new"})
    assert again.names.new == ["Joan", "Ted"]


def test_the_page_says_nothing_of_files(club, cast):
    Player.objects.create(club=club, full_name="Joan Reed", short_name="Joan")
    client = signed_in(logins(club)["scorekeeper"])
    address = reverse("import-game", args=[club.slug])
    page = client.post(address, {"text": game(["Joan", "Bob", "Ted"])}).text
    shown = page.partition("<main")[2].partition("</textarea>")[2]
    assert "file" not in shown.partition("<script")[0]
    assert "1 new player<" in shown
    assert f"It will be table 1 on {club.today.day} {club.today:%B %Y}, already finished." in shown
    joan = Player.objects.get(full_name="Joan Reed")
    done = client.post(address, {"text": game(["Joan", "Bob", "Ted"]), "do": "record", field_of("Joan"): joan.pk})
    # Where the tablet notes which club has it.
    assert (done.status_code, done.url) == (302, f"{reverse('games')}#brought")
    assert {str(seat.player) for seat in Session.objects.get().seats.all()} == {"Joan Reed", "Bob", "Ted"}
    assert f"This game is in {club.name} already." in client.post(address, {"text": game(["Joan", "Bob", "Ted"])}).text


# Several at once.


def games(*files):
    return json.dumps([json.loads(file) for file in files])


def evenings(today, number, names=NAMES):
    """Return games of as many evenings before today, each with another total."""
    return games(
        *(game(names, today - timedelta(days=day), key=f"g-{day}", total=20 + 2 * day) for day in range(number))
    )


def test_several_come_in_together_with_one_answer_for_each_name_and_go_back_together(club, cast):
    """East pays double: over two evenings with 20 and 22 Joan Reed loses 84, Ted wins 126, Una loses 42."""
    joan = Player.objects.create(club=club, full_name="Joan Reed", short_name="Joan")
    text = evenings(club.today, 2, ["Joan", "Ted", "Una"])
    look = preview(club, text)
    assert [choice.name for choice in look.names.choices] == ["Joan"]
    with pytest.raises(ImportRefused, match="Choose who “Joan” is"):
        take_in(club, text)
    assert not Session.objects.exists()
    chosen = {field_of("Joan"): str(joan.pk)}
    assert preview(club, text, **chosen).totals == {"Ted": 126, "Una": -42, "Joan Reed": -84}
    assert len(take_in(club, text, **chosen)) == 2
    assert sorted(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == ["Ted", "Una"]
    assert {session.state for session in Session.objects.all()} == {"finished"}
    [row] = Import.objects.all()
    assert (row.words, len(row.tables)) == ("2 games", 2)
    take_back(row, by=BY)
    assert not Session.objects.exists()
    assert not Player.objects.filter(full_name="Ted").exists()


def test_of_several_those_that_are_here_or_left_out_or_cannot_be_read_stay_where_they_are(club, cast):
    take_in(club, game(key="g-0"))
    broken = json.loads(game(key="g-9"))
    broken["tables"][0]["hands"][0]["input"]["hands"]["S"] = {"total": -3}
    text = games(game(key="g-0"), game(key="g-1", total=22), json.dumps(broken), game(key="g-3", total=24))
    look = preview(club, text)
    assert [(bool(one.is_known), bool(one.fault), one.comes_in) for one in look.games] == [
        (True, False, False), (False, False, True), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert [one.table for one in look.adds] == [2, 3]
    with pytest.raises(ImportRefused, match="^This game, hand 1: "):
        take_in(club, text)
    assert [one.file.game for one in take_in(club, text, leave_out=["2", "3"])] == ["g-1"]
    assert Session.objects.count() == 2


def test_of_two_versions_of_a_game_the_longer_one_comes_in_and_one_without_hands_never(club, cast):
    empty, older = json.loads(game(key="g-2")), json.loads(game(key="g-1"))
    empty["tables"][0]["hands"] = []
    note = {"before": 2, "kind": "note", "text": "Tea"}
    longer = json.loads(game(key="g-1"))
    longer["tables"][0]["lines"] = [note]
    text = json.dumps([older, longer, empty])
    look = preview(club, text)
    assert [one.fault for one in look.games] == [
        "It is here twice. The other one has as many hands or more.", "", "No hand was saved in it."
    ]  # fmt: skip
    assert len(take_in(club, text, leave_out=["0", "2"])) == 1
    assert Session.objects.get().entries.count() == 2
    with pytest.raises(ImportRefused, match="This is not a file of games for a club"):
        preview(club, "[]")


def test_a_table_without_a_key_that_goes_on_is_the_same_table(club, cast):
    plan_meeting(club, club.today, "Tea", by=BY)
    file = json.loads(game(key="", finished=False))
    take_in(club, json.dumps(file))
    file["tables"][0]["lines"] = [{"before": 2, "kind": "note", "text": "Tea"}]
    take_in(club, json.dumps(file))
    assert Session.objects.get().entries.count() == 2


def test_a_season_is_made_for_the_days_and_rules_of_all(club, cast):
    text = games(game(key="g-1"), game(key="g-2", rules="western", total=30))
    [made, counts] = preview(club, text).notes
    assert made.startswith(f"New season: {club.today.year}, from 1 January")
    assert counts == f"2 games will count in the season “{club.today.year}”."
    take_in(club, text)
    assert {session.season for session in Session.objects.all()} == {Season.objects.get()}


def test_which_season_is_asked_where_the_club_has_two_leagues_and_the_day_has_no_meeting(club, cast):
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    day = club.today - timedelta(days=club.today.weekday() + 4)
    for league in club.leagues:
        begins, ends = day - timedelta(days=200), day + timedelta(days=100)
        add_season(club, "This year", begins, ends, league=league, rules=["bmja"], by=BY)
        plan_meeting(club, day - timedelta(days=7), league, by=BY)
    last = Meeting.objects.get(name="Thursday")
    last.league = "Thursday"
    last.save()
    Meeting.objects.filter(name="Tuesday").delete()
    look = preview(club, game(day=day))
    assert (look.league, dict(look.leagues)["Tuesday"]) == ("Thursday", "Tuesday, This year")
    assert look.notes == ["1 game will count in the season “Thursday, This year”."]
    take_in(club, game(day=day), league="Tuesday")
    assert str(Session.objects.get().season) == "Tuesday, This year"
    # Where a meeting says it, nobody is asked.
    assert preview(club, game(day=day, key="game-2")).leagues == []


def test_a_game_with_the_results_of_a_table_that_is_there_is_asked_about(club, cast):
    take_in(club, game())
    [question] = preview(club, game(key="game-2")).table_questions
    assert question.sentence.startswith("Table 2 on")
    with pytest.raises(ImportRefused, match="has the same players and results as table 1"):
        take_in(club, game(key="game-2"))
    assert len(take_in(club, game(key="game-2"), accept=[question.key])) == 1


def test_a_file_that_a_tablet_saved_is_looked_at_like_what_it_brings(club, cast):
    client, address = signed_in(logins(club)["secretary"]), reverse("import-game", args=[club.slug])
    file = SimpleUploadedFile("mah-jong games for a club.json", evenings(club.today, 2).encode())
    look = client.post(address, {"file": file})
    assert len(look.context["preview"].adds) == 2
    done = client.post(address, {"text": look.context["text"], "do": "record"})
    assert (done.status_code, Session.objects.count()) == (302, 2)
    # Import leads to the page; a copy of all games is another file.
    assert f'href="{address}"' in client.get(reverse("imports", args=[club.slug])).text
    refused = client.post(address, {"text": '{"what": "Games of mah-jong, a copy made by Clubscore", "games": []}'})
    assert (refused.status_code, "Read a copy of games back on a tablet first." in refused.text) == (422, True)


def test_no_more_than_fifty_games_or_six_hundred_hands_come_at_once(club, cast):
    with pytest.raises(ImportRefused, match="at most 50 games at once, and this one has 51"):
        preview(club, evenings(club.today, 51))
    long_game = json.loads(game())
    [table] = long_game["tables"]
    table["hands"] = [{**table["hands"][0], "number": number} for number in range(1, 602)]
    with pytest.raises(ImportRefused, match="at most 600 hands"):
        preview(club, json.dumps(long_game))
    # The page says so to the tablet, which brings no more.
    page = Client().get(reverse("game-into-club")).text
    assert 'data-most-games="50" data-most-entries="600"' in page


def with_a_second_hand(file):
    """Return the file of the same game when it has gone on: Carol wins with 20, Bob is East."""
    data = json.loads(file)
    [table] = data["tables"]
    [first] = table["hands"]
    given = {**first["input"], "hands": {"E": {}, "S": {"total": 20}, "N": {}}}
    table["hands"].append({**first, "number": 2, "seats": {"E": "Bob", "S": "Carol", "N": "Joan"}, "input": given})
    del table["final"]
    return json.dumps(data)


def test_a_game_that_went_on_is_looked_at_as_its_hands_were_corrected_at_the_club(club, cast):
    """Corrected to 40, hand 1 makes Joan lose 80 and Carol 40; in hand 2 Bob loses 40, Joan 20, and Carol wins 60."""
    take_in(club, game(finished=False))
    session = Session.objects.get()
    [entry] = session.entries.all()
    body = {**entry.body, "hands": {**entry.body["hands"], "2": {"total": 40}}}
    assert record(session, {"entry": str(entry.key), "body": body}, kind="correct").outcome == "recorded"
    longer = with_a_second_hand(game(finished=False))
    look = preview(club, longer)
    assert look.totals == {"Bob": 80, "Carol": 20, "Joan": -100}
    assert take_in(club, longer)[0].totals == look.totals
