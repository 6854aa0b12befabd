"""What is kept about people: the plain page, the zip for a person, erasure with every total right, retention."""

import datetime
import io
import json
import re
import uuid
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.exports.club_csv import standings_csv
from sessions_app.exchange.exports.session_csv import club_totals_csv, session_hands_csv
from sessions_app.league.standings import season_standings
from sessions_app.meetings.fees import save_fees
from sessions_app.meetings.services import attend, save_reply
from sessions_app.models import Change, Command, HandQuery, Membership, PairWish, Player, User
from sessions_app.people.clubs import give_login
from sessions_app.people.log import Actor
from sessions_app.people.merging import erase_login, erase_player, notes_about
from sessions_app.people.players import add_player, change_player_facts, set_contact
from sessions_app.people.transactions import ServiceError
from sessions_app.table.apply_command import apply_command
from sessions_app.table.hand_queries import answer_query, ask_query
from tests.afternoon import BY, hand, send
from tests.factories import house, table_in_play
from tests.lifted_log import lifted_log
from tests.logins import signed_in
from tests.page_csv import rows_of_text
from tests.queries import at_most
from tests.reconciled import reconcile

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def at_home(club, cast):
    made = house(club, cast.all[:4])
    hand(made.table_session, "2", s2=40)
    return made


@pytest.fixture
def over(at_home):
    send(at_home.table_session, "finish", why="Alice had to go home")
    return at_home


def opened(response):
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(response.content)) as file:
        return {name: file.read(name).decode("utf-8-sig") for name in file.namelist()}


def all_figures(at_home):
    """Return every CSV of the club but the log, with Alice's name where "Former player 1" stands."""
    texts = [
        club_totals_csv(at_home.club), session_hands_csv(at_home.table_session),
        standings_csv(season_standings(at_home.season).rows),
    ]  # fmt: skip
    return [sorted(text.replace("Former player 1", "Alice").splitlines()) for text in texts]


def test_everything_about_a_player_is_handed_over(at_home, cast):
    address = reverse("player-data", args=[at_home.club.slug, cast.bob.pk])
    files = opened(signed_in(at_home.secretary).get(address))
    facts = json.loads(files["player.json"])
    assert (facts["full_name"], facts["guest"], facts["club"]) == ("Bob", False, "Bramley")
    [session] = rows_of_text(files["sessions.csv"])
    # He pays East twice 100 and gets 20 from two others, -160; then he wins 40, of which East pays twice: +160.
    assert (session["player"], session["hands"], session["won"], session["net"]) == ("Bob", "2", "1", "0")
    hands = rows_of_text(files["hands.csv"])
    assert [(row["hand"], row["wind"], row["total"], row["won"]) for row in hands] == [
        ("1", "S", "20", ""), ("2", "S", "40", "yes"),
    ]  # fmt: skip
    assert all("Alice" not in text for text in files.values())
    assert Change.objects.latest("pk").after == {"what": "everything kept about one player"}


def words_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<body>")[2]).replace("&#x27;", "’").split())


def test_one_page_says_it_in_words_to_read_or_print(at_home, cast):
    PairWish.objects.create(club=at_home.club, first=cast.bob, second=cast.fay, kind="apart")
    set_contact(cast.bob, "bob@example.org", "07700 900123", datetime.date(2026, 9, 1), by=BY)
    save_fees(at_home.table_session.meeting, {cast.bob.pk: (Decimal("1.00"), Decimal("0.50"), False)}, by=BY)
    address = reverse("player-data", args=[at_home.club.slug, cast.bob.pk])
    files = opened(signed_in(at_home.secretary).get(address))
    # It is the first that one sees.
    assert next(iter(files)) == "to-read-or-print.html"
    words = words_of(files["to-read-or-print.html"])
    assert words.startswith("What Bramley keeps about Bob On ")
    for sentence in (
        "Bob, called Bob at the table. You are a member.",
        "Email: bob@example.org. Telephone: 07700 900123. You agreed to this on 1 September 2026.",
        # −160 in the first hand and +160 in the second.
        "You sat at 1 table, from 12 November 2026 to 12 November 2026. Altogether 0.",
        "2 of your hands are kept, with their score.",
        "12 November 2026: £1.50, not paid",
        "Kept apart: Fay",
        "is about your entry in the list of players.",
    ):
        assert sentence in words, words
    assert "Alice" not in words
    assert "@page{size:A4" in files["to-read-or-print.html"]


def test_the_page_of_an_account(at_home):
    files = opened(signed_in(at_home.member).get(reverse("my-data", args=[at_home.club.slug])))
    words = words_of(files["to-read-or-print.html"])
    assert "Username: bramley-member. No email address." in words
    assert "In Bramley: member, and not one of the players." in words
    assert "Your password is kept so that nobody can read it." in words


def test_the_meetings_somebody_came_to_and_the_fees_noted_for_them_are_handed_over(at_home, cast):
    meeting = at_home.table_session.meeting
    attend(meeting, {cast.bob.pk: "here", cast.alice.pk: "late"}, by=BY)
    save_reply(meeting, cast.bob, False, by=BY)
    save_fees(meeting, {cast.bob.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    address = reverse("player-data", args=[at_home.club.slug, cast.bob.pk])
    [row] = rows_of_text(opened(signed_in(at_home.secretary).get(address))["meetings.csv"])
    assert (row["date"], row["came"]) == ("2026-11-12", "yes")
    assert (row["table_fee"], row["refreshments"], row["paid"]) == ("1.00", "0.50", "yes")
    assert row["said_coming"] == "no"


def test_everything_about_a_login_is_handed_over_to_itself_alone(at_home):
    files = opened(signed_in(at_home.member).get(reverse("my-data", args=[at_home.club.slug])))
    facts = json.loads(files["login.json"])
    assert (facts["login"], facts["role"]) == ("bramley-member", "Member")
    assert "argon2$" not in files["login.json"].casefold()
    assert rows_of_text(files["log.csv"]) == []


def test_the_page_says_who_to_ask_and_lists_players_for_the_secretary_alone(at_home):
    address = reverse("data", args=[at_home.club.slug])
    for who, is_listed in ((at_home.member, False), (at_home.secretary, True)):
        text = signed_in(who).get(address).text
        assert ("bramley-secretary" in text, "Download<span" in text) == (True, is_listed)


# What the page says for each row of the table in docs/data.md, by the row's first words.
SAID = {
    "full name, short name, date of leaving": "Your full name, your short name, and the day you left",
    "member or guest": "Whether you are a member, a guest or a beginner",
    "what the player is called in public": "What you have chosen to be called in public",
    "email address and phone number": "Your email address and your phone number are kept only if you have agreed",
    "who sat where, every hand": "The tables where you sat, the dates, and every hand you held",
    "who came to a meeting, and seating requests": "The meetings you came to, and your seating requests",
    "a game brought with the join code": "Your name in a game that someone brought to a meeting, until the club",
    "which player each name in an imported file is": "Which player each name in an imported file was.",
    "who won a cup, as the secretary": "The cups you won, by year",
    "who said that they are coming": "whether you said you were coming",
    "the address of a player’s own link": "Your own link for meetings",
    "what someone owed for a meeting": "What you owed for a meeting",
    "what someone owed as a yearly subscription": "and for your subscription, and whether you have paid",
    "account: username, name": "Your username, your name and your email address if you gave them, your role",
    "password, as an Argon2 hash": "Your password in a scrambled form",
    "the code from the phone": "If you sign in with a code from your phone: what the site needs to check it",
    "who changed what and when": "What you changed in the club’s records and when, under your username at the time",
    "notes at a table, reasons for penalties": "Notes and reasons that other people wrote",
    "score queries and answers": "Your score queries and the secretary’s answers",
    "what a tablet sent": "What your tablet sent",
    "wrong passwords and codes": "How many times a wrong password was tried",
    "sign-ins": "Where you are signed in: the kind of device, since when, and the day you last used it there",
}


def test_the_page_says_all_that_the_table_says(at_home):
    """A row that is new in docs/data.md wants a sentence on the page that members read."""
    at_home.club.keeps_fees = True
    at_home.club.save()
    text = signed_in(at_home.member).get(reverse("data", args=[at_home.club.slug])).text
    table = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    lines = table.split("| --- | --- | --- | --- |\n")[1].split("\n\n")[0].splitlines()
    kept = [line.split("|")[1].strip() for line in lines]
    assert [line.count("|") for line in lines] == [5] * len(SAID)
    assert [row for row in kept if not row.startswith(tuple(SAID))] == []
    assert [row for row in SAID if not any(line.startswith(row) for line in kept)] == []
    assert [said for said in SAID.values() if said not in text] == []
    at_home.club.keeps_fees = False
    at_home.club.save()
    assert "What you owed" not in signed_in(at_home.member).get(reverse("data", args=[at_home.club.slug])).text


def test_erasing_empties_the_names_and_leaves_every_figure(over, cast):
    before = all_figures(over)
    assert erase_player(cast.alice, by=BY) == "Former player 1"
    assert all_figures(over) == before
    alice = Player.objects.get(pk=cast.alice.pk)
    assert (alice.full_name, alice.short_name, alice.left_on) == ("", "", timezone.now().date())
    assert reconcile() == []
    assert "Alice" not in " ".join(Change.objects.values_list("why", flat=True))
    assert Change.objects.filter(session=over.table_session).exclude(why="").count() == 0
    assert Change.objects.latest("pk").action == "erase"


def test_erasing_again_or_at_an_open_table_is_refused(at_home, cast):
    with pytest.raises(ServiceError, match="Alice has a seat at table 1 of 12 November 2026, which is still open"):
        erase_player(cast.alice, by=BY)
    erase_player(cast.fay, by=BY)
    with pytest.raises(ServiceError, match="already been erased"):
        erase_player(cast.fay, by=BY)


def test_those_joined_into_a_player_are_erased_with_them(over, cast):
    Player.objects.filter(pk=cast.fay.pk).update(merged_into=cast.alice)
    erase_player(cast.alice, by=BY)
    assert sorted(Player.objects.exclude(erased_as="").values_list("erased_as", flat=True)) == [
        "Former player 1", "Former player 2",
    ]  # fmt: skip
    assert not Player.objects.filter(full_name__in=["Alice", "Fay"]).exists()


def test_wishes_go_with_the_player(over, cast):
    PairWish.objects.create(club=over.club, first=cast.alice, second=cast.fay, kind="apart")
    PairWish.objects.create(club=over.club, first=cast.bob, second=cast.fay, kind="apart")
    erase_player(cast.alice, by=BY)
    assert [wish.first for wish in PairWish.objects.all()] == [cast.bob]


def test_the_words_about_a_hand_go_with_the_player(over, cast):
    entry = over.table_session.entries.get(key=over.hand_key)
    answer_query(ask_query(entry, "Was Alice East?", by=BY), "stands", "Alice was.", by=BY)
    erase_player(cast.alice, by=BY)
    assert [(one.text, one.answer, one.outcome) for one in HandQuery.objects.all()] == [("", "", "stands")]


def test_what_a_login_asked_is_taken_out_and_erased_with_it(at_home):
    entry = at_home.table_session.entries.get(key=at_home.hand_key)
    ask_query(entry, "Was it concealed?", by=Actor.of_user(at_home.member))
    address = reverse("my-data", args=[at_home.club.slug])
    kept = rows_of_text(opened(signed_in(at_home.member).get(address))["score-queries.csv"])
    assert [(row["hand"], row["asked"], row["question"], row["answered"]) for row in kept] == [
        ("1", "yes", "Was it concealed?", "")
    ]
    call_command("erase_login", "bramley-member")
    assert [(one.text, one.name) for one in HandQuery.objects.all()] == [("", "")]


def test_a_login_is_erased_but_for_a_clubs_last_secretary(at_home, capsys):
    member = at_home.member
    User.objects.filter(pk=member.pk).update(first_name="Mo", last_name="Brown", email="mo@club.example")
    call_command("erase_login", "bramley-member")
    name = f"former-login-{member.pk}"
    assert capsys.readouterr().out == f"bramley-member is erased and is now called {name}.\n"
    member.refresh_from_db()
    assert (member.username, member.first_name, member.last_name, member.email) == (name, "", "", "")
    assert (member.is_active, member.has_usable_password(), member.memberships.count()) == (False, False, 0)
    with pytest.raises(CommandError, match="A club needs a secretary"):
        call_command("erase_login", "bramley-secretary")
    with pytest.raises(CommandError, match="There is no account nobody"):
        call_command("erase_login", "nobody")


def erase(over, player, **posted):
    address = reverse("player-erase", args=[over.club.slug, player.pk])
    return signed_in(over.secretary).post(address, posted)


@pytest.mark.parametrize(
    ("posted", "expected"),
    [
        ({}, "Enter the player’s full name"),
        ({"name": "Alicia", "sure": "on"}, "Enter the name as it appears here: Alice."),
        ({"name": "Alice"}, "Select “I know that this cannot be undone”."),
    ],
)
def test_the_page_asks_twice(over, cast, posted, expected):
    answer = erase(over, cast.alice, **posted)
    assert answer.status_code == 422
    assert expected in answer.text
    assert Player.objects.get(pk=cast.alice.pk).full_name == "Alice"


def test_the_page_says_beforehand_that_it_cannot_be_undone_and_then_does_it(over, cast):
    send(over.table_session, "reopen")
    send(over.table_session, "note", {"text": "alice was late"})
    send(over.table_session, "finish")
    page = signed_in(over.secretary).get(reverse("player-erase", args=[over.club.slug, cast.alice.pk]))
    assert "This cannot be undone" in page.text
    assert "table 1 of 12 November 2026" in page.text
    assert erase(over, cast.alice, name=" alice ", sure="on").status_code == 302
    assert Player.objects.get(pk=cast.alice.pk).erased_as == "Former player 1"
    assert signed_in(over.secretary).get(
        reverse("player-erase", args=[over.club.slug, cast.alice.pk])
    ).status_code == 404  # fmt: skip


def test_notes_at_any_number_of_tables_are_found_in_one_query(over, cast):
    for number, text in enumerate(("Tea at three", "Alice was late", "ALICE paid"), 2):
        session = table_in_play(over.club, cast.all[:4], number=number)
        send(session, "note", {"text": text})
    with at_most(1):
        assert [session.table for session in notes_about(cast.alice)] == [3, 4]


def with_account(over, player):
    """Give the club's member a name and an address, and make it this player's login."""
    User.objects.filter(pk=over.member.pk).update(first_name="Alice", last_name="Brown", email="alice@club.example")
    Membership.objects.filter(user=over.member).update(player=player)
    return User.objects.get(pk=over.member.pk)


def test_the_account_of_an_erased_player_is_erased_with_them(over, cast):
    user = with_account(over, cast.alice)
    page = signed_in(over.secretary).get(reverse("player-erase", args=[over.club.slug, cast.alice.pk])).text
    assert "The account “bramley-member” has a name, and perhaps an email address." in page
    assert "alice@club.example" not in page
    assert erase(over, cast.alice, name="Alice", sure="on", login="on").status_code == 302
    user.refresh_from_db()
    assert (user.username, user.get_full_name(), user.email) == (f"former-login-{user.pk}", "", "")
    assert (user.is_active, user.memberships.count()) == (False, 0)


def test_an_account_that_is_not_to_be_erased_stays_without_its_player(over, cast):
    user = with_account(over, cast.alice)
    assert erase(over, cast.alice, name="Alice", sure="on").status_code == 302
    user.refresh_from_db()
    assert (user.email, user.memberships.get().player) == ("alice@club.example", None)


def test_an_account_of_another_club_too_is_not_erased_and_the_page_says_so(over, cast, other_club):
    user = with_account(over, cast.alice)
    Membership.objects.create(user=user, club=other_club, role="member")
    page = signed_in(over.secretary).get(reverse("player-erase", args=[over.club.slug, cast.alice.pk])).text
    assert "stays, with its name and email address, because it also belongs to another club" in page
    assert "alice@club.example" not in page
    assert other_club.name not in page
    assert erase(over, cast.alice, name="Alice", sure="on", login="on").status_code == 302
    user.refresh_from_db()
    assert (user.email, user.memberships.count()) == ("alice@club.example", 2)
    assert user.memberships.get(club=over.club).player is None


def test_the_last_secretary_is_not_erased_with_their_player(over, cast):
    Membership.objects.filter(user=over.secretary).update(player=cast.alice)
    answer = erase(over, cast.alice, name="Alice", sure="on", login="on")
    assert (answer.status_code, "A club needs a secretary" in answer.text) == (422, True)
    assert Player.objects.get(pk=cast.alice.pk).full_name == "Alice"


def test_the_command_names_the_login_it_leaves(over, cast, capsys):
    with_account(over, cast.alice)
    Player.objects.filter(pk=cast.alice.pk).update(left_on=datetime.date(2010, 1, 1))
    call_command("retention", "--do")
    assert (
        "Their account bramley-member is not erased. To erase it, run erase_login bramley-member."
        in capsys.readouterr().out
    )


def test_reasons_are_forgotten_where_somebody_sat_under_another_name_or_gave_the_seat_away(at_home, cast):
    """Fay sat by mistake where Alice did, and Alice stood there twice: what was said of either goes."""
    send(at_home.table_session, "change_player", {"seat": "1", "player": cast.fay.pk}, why="It was Fay")
    send(at_home.table_session, "finish", why="Fay had a train")
    gus = add_player(at_home.club, "Gus", by=BY)
    Player.objects.filter(pk=cast.fay.pk).update(merged_into=gus)
    change_player_facts(cast.fay, in_public="short", by=BY, why="Fay asked")
    assert Change.objects.exclude(why="").count() == 3
    erase_player(cast.alice, by=BY)
    assert list(Change.objects.exclude(why="").values_list("why", flat=True)) == ["Fay asked"]
    erase_player(gus, by=BY)
    assert Change.objects.exclude(why="").count() == 0


def test_what_a_player_chose_to_be_called_goes_but_for_the_wish_to_be_on_no_list(over, cast):
    Player.objects.filter(pk=cast.alice.pk).update(in_public="full", left_on="2026-01-02")
    Player.objects.filter(pk=cast.fay.pk).update(in_public="off", guest=True)
    for player in (cast.alice, cast.fay):
        erase_player(player, by=BY)
    today = timezone.now().date()
    found = Player.objects.filter(pk__in=[cast.alice.pk, cast.fay.pk]).order_by("pk")
    assert [(one.in_public, one.left_on, one.guest) for one in found] == [("", today, False), ("off", today, True)]


def test_what_a_player_wished_and_asked_from_a_tablet_is_handed_over(at_home, cast):
    PairWish.objects.create(club=at_home.club, first=cast.bob, second=cast.fay, kind="apart")
    entry = at_home.table_session.entries.get(key=at_home.hand_key)
    ask_query(entry, "Was it concealed?", by=Actor(name="{2}, tablet at table 1"))
    ask_query(entry, "Is East right?", by=Actor(name="{1}, tablet at table 1"))
    address = reverse("player-data", args=[at_home.club.slug, cast.bob.pk])
    files = opened(signed_in(at_home.secretary).get(address))
    assert rows_of_text(files["wishes.csv"]) == [{"wish": "Kept apart", "with": "Fay"}]
    assert [(row["hand"], row["asked"], row["question"]) for row in rows_of_text(files["score-queries.csv"])] == [
        ("1", "yes", "Was it concealed?")
    ]


def test_a_login_erased_is_named_by_the_log_alone(at_home):
    user = at_home.secretary
    User.objects.filter(pk=user.pk).update(first_name="Sal", last_name="Grey", last_login=timezone.now())
    before = User.objects.get(pk=user.pk)
    by, joined = Actor.of_user(before), before.date_joined
    command = {"key": str(uuid.uuid4()), "kind": "note", "body": {"text": "Tea"}}
    apply_command(at_home.table_session.pk, command, by)
    give_login(at_home.club, "next", "secretary", by=BY)
    erase_login(before, by=BY)
    after = User.objects.get(pk=user.pk)
    assert after.last_login is None
    assert after.date_joined > joined
    assert "Sal Grey" not in Command.objects.values_list("name", flat=True)
    assert Change.objects.filter(name="Sal Grey").exists()


def test_a_guest_who_never_played_is_due_too(at_home, capsys):
    add_player(at_home.club, "Gail Later", guest=True, by=BY)
    old = add_player(at_home.club, "Gwen Earlier", guest=True, by=BY)
    long_ago = timezone.now() - datetime.timedelta(days=3 * 366)
    # PostgreSQL lets nobody touch the triggers of a table while something of it is still to be checked.
    connection.check_constraints()
    with lifted_log():
        Change.objects.filter(subject_type="player", subject_id=str(old.pk)).update(at=long_ago)
    call_command("retention")
    assert capsys.readouterr().out.splitlines()[:-1] == ["bramley: Gwen Earlier is due to be erased."]


def test_retention_tells_which_backups_hold_the_old_names(over, cast, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    (tmp_path / "backups").mkdir()
    names = ("20260101-033000-backup.sqlite3", "20260101-033000-club-bramley.zip", "20990101-033000-backup.sqlite3")
    for name in names:
        (tmp_path / "backups" / name).write_bytes(b"x")
    call_command("retention")
    assert "old names" not in capsys.readouterr().out
    erase_player(cast.alice, by=BY)
    call_command("retention")
    printed = [line for line in capsys.readouterr().out.splitlines() if "old names" in line]
    assert sorted(printed) == [
        f"{tmp_path / 'backups' / name} was made before the newest erasure and holds old names." for name in names[:2]
    ]


def test_retention_lists_first_and_erases_when_told(over, cast, capsys):
    old = timezone.now().date() - datetime.timedelta(days=7 * 366)
    Player.objects.filter(pk=cast.fay.pk).update(left_on=old)
    Player.objects.filter(pk=cast.bob.pk).update(guest=True)
    over.table_session.__class__.objects.update(date=timezone.now().date() - datetime.timedelta(days=3 * 366))
    call_command("retention")
    printed = capsys.readouterr().out
    assert printed.splitlines()[:2] == ["bramley: Bob is due to be erased.", "bramley: Fay is due to be erased."]
    assert not Player.objects.exclude(erased_as="").exists()
    call_command("retention", "--do", "--guests-for", "0")
    assert "bramley: Fay is now Former player 1." in capsys.readouterr().out
    call_command("retention", "--club", "bramley", "--left-for", "0", "--do")
    assert "bramley: Bob is now Former player 2." in capsys.readouterr().out
