"""A game brought with the join code: nothing of it counts, is read or shown before the club has taken it in."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.exchange.backups.club_backup import club_models
from sessions_app.meetings.services import end_joining_code, new_joining_code
from sessions_app.models import Change, Meeting, Player, Season, Session, WaitingGame
from sessions_app.people.codes import JOIN_CODE, TABLE_KEY
from sessions_app.people.dates import day_words
from sessions_app.people.merging import erase_player
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session
from tests.factories import BY, house
from tests.logins import logins, signed_in
from tests.table.test_table_key import answers
from tests.web.test_walk import TABLE, all_arguments, with_cookies

BRING = "game-into-joined-club"


@pytest.fixture
def own(club, cast):
    """A club with a table of today, people who are not at it, and a join code."""
    for name in ("Margaret Hall", "Alan Cooper", "Barbara Field", "Keith Jarvis"):
        add_player(club, name, by=BY)
    table = start_session(club, club.today, 1, cast.all[:4], "bmja", {}, by=BY)
    return {"club": club, "table": table, "code": new_joining_code(table.meeting, by=BY), "users": logins(club)}


@pytest.fixture
def stranger(own):
    client = Client()
    assert client.post(reverse("join"), {"code": own["code"]}).url == reverse("join-tables")
    return client


def game(names, date, hands=1, **more):
    """A game as a tablet writes it: each hand won by the first player, from the wall, with 100 against nothing."""
    seats = dict(zip("ESWN", names, strict=True))
    scores = {wind: {"total": 100 if wind == "E" else 0} for wind in "ESWN"}
    won = {"rules": "bmja", "hands": scores, "mahjong": {"by": "E", "from": "wall"}}
    table = {"table": 9, "rules": "bmja", "players": names, "start": {"seats": seats, "sits_out": None}}
    table["hands"] = [{"number": number + 1, "input": won} for number in range(hands)]
    return json.dumps({"club": "Bramley", "date": str(date), "tables": [table], **more})


def everything(club):
    return [model.objects.of_club(club).count() for model in (Player, Session, Meeting, Season, Change)]


@pytest.mark.parametrize("do", ["", "record"])
@pytest.mark.parametrize(
    ("names", "date", "more"),
    [
        (["Margaret", "Alan", "Barbara", "Keith"], "2026-10-04", {}),
        (["Barbara Feild", "Keth Jarvis", "Alan Cooper", "Margaret Hall"], "1931-10-04", {"meeting": {"name": "Evil"}}),
        (["Ann", "Bob", "Cy", "Di"], "2031-10-04", {"members": [f"Rubbish Person{number}" for number in range(390)]}),
    ],
)
def test_a_stranger_learns_and_changes_nothing(own, stranger, names, date, more, do):
    before = everything(own["club"])
    answer = stranger.post(reverse(BRING), {"text": game(names, date, 30, **more), "do": do}, follow=True)
    assert answer.status_code == 200
    assert "What you brought is with Bramley now." in answer.text
    assert not [name for name in ("Hall", "Cooper", "Field", "Jarvis") if name in answer.text]
    assert everything(own["club"]) == before
    [waiting] = WaitingGame.objects.of_club(own["club"])
    assert json.loads(waiting.text)["date"] == date


def test_a_scorekeeper_opens_it_says_who_is_who_and_takes_it_in(own, stranger):
    club, keeper = own["club"], signed_in(own["users"]["scorekeeper"])
    stranger.post(
        reverse(BRING), {"text": game(["Margaret", "Alan Cooper", "Barbara Field", "Keith Jarvis"], club.today)}
    )
    page = keeper.get(reverse("club", args=[club.slug]))
    assert "Games wait for you." in page.text
    assert "Games wait" not in signed_in(own["users"]["member"]).get(reverse("club", args=[club.slug])).text
    desk = signed_in(own["users"]["secretary"]).get(reverse("desk", args=[club.slug]))
    assert "Games to import" in desk.text
    [waiting] = WaitingGame.objects.of_club(club)
    opened = f"{reverse('import-game', args=[club.slug])}?waiting={waiting.pk}"
    assert opened in keeper.get(reverse("waiting-games", args=[club.slug])).text
    preview = keeper.get(opened)
    [choice] = preview.context["preview"].names.choices
    (margaret_hall, name), *_ = choice.options
    assert f"It will be table 9 on {day_words(club.today)}" in keeper.post(
        opened, {"text": waiting.text, choice.field: margaret_hall}
    ).text.replace("\n", " ")
    assert name == "Margaret Hall"
    fields = {"text": waiting.text, "do": "record", choice.field: margaret_hall}
    assert keeper.post(opened, fields).url == reverse("waiting-games", args=[club.slug])
    [session] = Session.objects.of_club(club).filter(table=9)
    assert (session.date, session.meeting) == (club.today, own["table"].meeting)
    margaret = session.seats.get(player__full_name="Margaret Hall")
    assert session.tallies.get(seat=margaret).net == 600
    assert not WaitingGame.objects.exists()


def test_what_is_left_out_waits_until_it_is_imported_or_discarded(own, stranger):
    club, keeper = own["club"], signed_in(own["users"]["scorekeeper"])
    one, two = (json.loads(game(["Ann", "Ben", "Cy", "Di"], club.today, hands, game=f"g-{hands}")) for hands in (1, 2))
    text = json.dumps([one, two])
    stranger.post(reverse(BRING), {"text": text})
    [waiting] = WaitingGame.objects.of_club(club)
    opened = f"{reverse('import-game', args=[club.slug])}?waiting={waiting.pk}"
    refused = keeper.post(opened, {"text": text, "leave_out": ["0", "1"], "do": "record"})
    assert (refused.status_code, "Every game is left out. Untick one of them." in refused.text) == (422, True)
    assert 'value="record"' not in refused.text
    done = keeper.post(opened, {"text": text, "leave_out": ["0"], "do": "record"}, follow=True)
    assert "The game is in Bramley now, hand by hand. What you left out still waits here." in done.text
    assert (WaitingGame.objects.count(), Session.objects.of_club(club).count()) == (1, 2)
    assert "What you left out" not in keeper.post(opened, {"text": text, "do": "record"}, follow=True).text
    assert (WaitingGame.objects.count(), Session.objects.of_club(club).count()) == (0, 3)


def test_whoever_else_finds_no_game_and_a_discarded_one_is_gone(own, stranger, other_club):
    club = own["club"]
    stranger.post(reverse(BRING), {"text": "no game at all"})
    [waiting] = WaitingGame.objects.of_club(club)
    discard = reverse("waiting-game-discard", args=[club.slug, waiting.pk])
    opened = f"{reverse('import-game', args=[club.slug])}?waiting={waiting.pk}"
    others = signed_in(logins(other_club)["secretary"])
    assert others.post(reverse("waiting-game-discard", args=[other_club.slug, waiting.pk])).status_code == 404
    assert others.get(f"{reverse('import-game', args=[other_club.slug])}?waiting={waiting.pk}").status_code == 404
    assert [stranger.post(discard).status_code, stranger.get(opened).status_code] == [302, 302]
    keeper = signed_in(own["users"]["scorekeeper"])
    assert keeper.get(opened).status_code == 422
    assert keeper.post(discard).status_code == 302
    assert not WaitingGame.objects.exists()


def test_no_more_than_forty_a_day_each_once_and_of_a_bounded_size(own, stranger):
    for number in range(42):
        answer = stranger.post(reverse(BRING), {"text": f"game {number}"})
    assert (answer.status_code, WaitingGame.objects.count()) == (422, JOIN_CODE.sent.tries)
    assert JOIN_CODE.sent.tries == 40
    assert stranger.post(reverse(BRING), {"text": "game 1"}).status_code == 302
    assert stranger.post(reverse(BRING), {"text": "x" * 1_000_001}).status_code == 422
    assert stranger.post(reverse(BRING), {"text": "a\x00b"}).status_code == 422
    assert WaitingGame.objects.count() == 40


def test_it_ends_with_the_code_and_goes_with_a_person_and_into_the_backup(own, stranger):
    club = own["club"]
    stranger.post(reverse(BRING), {"text": game(["Margaret Hall", "A", "B", "C"], club.today)})
    stranger.post(reverse(BRING), {"text": "another game"})
    assert WaitingGame in club_models()
    erase_player(Player.objects.get(full_name="Margaret Hall"), by=BY)
    assert [waiting.text for waiting in WaitingGame.objects.all()] == ["another game"]
    end_joining_code(own["table"].meeting, by=BY)
    assert stranger.post(reverse(BRING), {"text": "a third"}).url == reverse("game-into-club")
    assert WaitingGame.objects.count() == 1


def test_the_join_code_opens_what_its_row_says_and_names_nobody_who_is_not_at_a_table(club, cast):
    at_home = house(club, cast.all[:4])
    table = start_session(club, club.today, 1, cast.all[:4], "bmja", {}, by=BY)
    player = add_player(club, "Margaret Hall", by=BY)
    code, nobody = new_joining_code(table.meeting, by=BY), Client()
    joined = Client()
    joined.post(reverse("join"), {"code": code})
    ids = {word for name in TABLE for word in all_arguments(name) if word.endswith("_id")}
    values = {
        **dict.fromkeys(ids, 1),
        "slug": club.slug,
        "session_id": table.pk,
        "meeting_id": table.meeting_id,
        "season_id": at_home.season.pk,
        "player_id": player.pk,
        "key": at_home.hand_key,
        "token": "x" * 22,
        "uidb64": "MQ",
        "rules": "bmja",
    }
    differ = set()
    for name in TABLE:
        address = reverse(name, kwargs={word: values[word] for word in all_arguments(name)})
        if answers(joined, address) != answers(nobody, address):
            differ.add(name)
        assert "Hall" not in with_cookies(joined.cookies).get(address).text
    assert differ == {"join-tables", "game-into-joined-club"} == JOIN_CODE.reads
    assert set(TABLE) >= TABLE_KEY.reads | TABLE_KEY.writes
