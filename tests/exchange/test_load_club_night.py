"""An afternoon loaded from its file: the totals, what is reported, and that a second load changes nothing."""

import copy
import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.session_csv import (
    club_hands_csv,
    session_hands_csv,
    session_hands_file_name,
    session_totals_csv,
)
from sessions_app.exchange.imports.meeting import preview_meeting
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.models import (
    Change,
    Club,
    Command,
    Entry,
    Hand,
    Meeting,
    Player,
    PlayerHand,
    Season,
    Seat,
    Session,
    Tally,
)
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from tests.queries import at_most

FILE = Path(__file__).parent.parent / "data" / "club-night.json"
AFTERNOON = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture
def load(tmp_path, db):
    """Load an afternoon (or raw bytes) and return what was said on standard error, and the totals."""

    def loaded(data, *options):
        file = tmp_path / "afternoon.json"
        file.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        out, err = io.StringIO(), io.StringIO()
        call_command("load_club_night", str(file), "--json", *options, stdout=out, stderr=err)
        return err.getvalue(), json.loads(out.getvalue())

    return loaded


@pytest.fixture
def afternoon():
    return copy.deepcopy(AFTERNOON)


@pytest.fixture
def short(afternoon):
    """The first five hands of the table of three, with nothing said about what follows."""
    table = afternoon["tables"][2]
    hands = [{"input": hand["input"]} for hand in table["hands"][:5]]
    return {
        "club": "Bramley",
        "date": "2026-11-12",
        "tables": [{"table": 3, "rules": "u3a", "players": table["players"], "hands": hands}],
    }


def everything():
    tables = (Club, Meeting, Season, Player, Session, Seat, Entry, Command, Tally, Change)
    return [list(model.objects.order_by("pk").values()) for model in tables]


def session(table):
    return Session.objects.get(table=table)


def send(table, kind, body, why=""):
    command = {"key": f"00000000-0000-4000-8000-{Command.objects.count():012}", "kind": kind, "body": body, "why": why}
    answer = apply_command(session(table).pk, command, Actor(name="Sam"))
    assert answer.outcome == "recorded", answer.message


def section(said, heading):
    """Return the indented lines under a heading."""
    if heading not in said:
        return []
    rest = said.split(heading + "\n", 1)[1].split("\n")
    return [line.strip() for line in rest[: next(n for n, line in enumerate(rest) if not line.startswith("  "))]]


def differing(said):
    return section(said, "Different from the file:")


class TestTheAfternoon:
    def test_totals_are_exactly_those_expected(self, load):
        said, totals = load(FILE.read_bytes())
        assert [table["table"] for table in totals["tables"]] == [1, 2, 3]
        assert [table["final"] for table in totals["tables"]] == [table["final"] for table in AFTERNOON["tables"]]
        assert list(totals["session_totals"].items()) == list(AFTERNOON["session_totals"].items())
        assert differing(said) == []

    def test_what_is_missing_is_made(self, load):
        said, _ = load(FILE.read_bytes())
        assert said.split("\n")[:2] == [
            "The club Bramley u3a Mah-jong Group was made, at /c/bramley-u3a-mah-jong-group/.",
            f"13 new players: {', '.join(AFTERNOON['members'])}.",
        ]
        assert list(Player.objects.filter(guest=True)) == []
        season = Season.objects.get()
        assert (season.name, season.rules, season.recording) == ("2026", ["bmja", "u3a"], "settle")
        facts = Session.objects.order_by("table").values_list("table", "rules", "season", "state", "imported")
        assert list(facts) == [
            (1, "bmja", season.pk, "open", False),
            (2, "bmja", season.pk, "open", False),
            (3, "u3a", season.pk, "open", False),
        ]

    def test_a_season_and_players_that_are_there_are_used(self, load):
        club = Club.objects.create(name=AFTERNOON["club"], slug="bramley")
        season = Season.objects.create(
            club=club, name="Autumn", starts_on="2026-09-01", ends_on="2026-12-31", rules=["bmja"]
        )
        roy = Player.objects.create(club=club, full_name="roy S")
        said, totals = load(FILE.read_bytes())
        assert "12 new players: " in said
        assert list(Season.objects.all()) == [season]
        assert Seat.objects.filter(player=roy).count() == 1
        assert totals["session_totals"] == AFTERNOON["session_totals"]
        assert session(3).season is None

    def test_a_new_season_keeps_clear_of_its_neighbours(self, load, short):
        club = Club.objects.create(name="Bramley", slug="bramley")
        Season.objects.create(club=club, name="2026", starts_on="2026-01-01", ends_on="2026-06-30", rules=["bmja"])
        said, _ = load(short)
        assert "New season: 2026 (2), from 1 July 2026 to 31 December 2026." in said

    def test_words_without_json(self, db):
        out = io.StringIO()
        call_command("load_club_night", str(FILE), stdout=out, stderr=io.StringIO())
        lines = out.getvalue().split("\n")
        assert lines[2] == "Table 3: Maureen D 4411, Alan C -2253, Barbara F -2158"
        assert lines[3].startswith("All tables, best first: Sheila P 6370, Maureen D 4411, Pauline B 3686, ")


class TestDoubtfulTotals:
    def test_an_odd_total_is_asked_about_and_loaded(self, load):
        said, _ = load(FILE.read_bytes())
        # Maureen D's 37 stands in the file, entered as a total.
        assert section(said, "Check these totals:") == [
            "Table 3, hand 3: Maureen D: British totals are even. Is 37 right?"
        ]


class TestTwice:
    def test_nothing_changes(self, load):
        _, first = load(FILE.read_bytes())
        before = everything()
        said, second = load(FILE.read_bytes())
        assert everything() == before
        assert second == first
        assert "Everything was here already. Nothing was changed." in said

    def test_corrections_in_between_stay_and_the_file_differs_from_them(self, load):
        load(FILE.read_bytes())
        entries = list(session(2).entries.order_by("position"))
        total = {**entries[6].body, "mahjong": None, "hands": {}}
        send(2, "correct", {"entry": str(entries[6].key), "body": total}, "wrong winner")
        send(2, "take_out", {"entry": str(entries[11].key)})
        send(2, "insert", {"before": str(entries[1].key), "kind": "hand", "body": {}})
        send(1, "fine", {"by": "1", "to": None, "amount": 10})
        send(3, "change_player", {"seat": "2", "player": Player.objects.get(full_name="Ken L").pk})
        before = everything()
        said, totals = load(FILE.read_bytes())
        assert everything() == before
        assert "Table 1: Margaret H ends with -3,676 here, -3,666 in the file." in differing(said)
        assert totals["tables"][2]["final"] == {"Maureen D": 4411, "Ken L": -2253, "Barbara F": -2158}

    def test_undone_corrections_are_none(self, load, short):
        load(short)
        send(3, "take_out", {"entry": str(session(3).entries.first().key)})
        send(3, "undo", {})
        said, _ = load(short)
        assert differing(said) == []

    def test_a_longer_file_adds_its_hands(self, load, afternoon):
        rest = afternoon["tables"][1]["hands"][9:]
        del afternoon["tables"][1]["hands"][9:]
        load(afternoon)
        afternoon["tables"][1]["hands"] += rest
        _, totals = load(afternoon)
        assert totals["session_totals"] == AFTERNOON["session_totals"]

    def test_other_hands_at_the_same_table_are_refused(self, load, short):
        load(short)
        before = everything()
        short["tables"][0]["hands"][1]["input"]["hands"]["S"] = {"total": 2}
        with pytest.raises(CommandError) as refused:
            load(short)
        assert str(refused.value) == (
            "Nothing was loaded: Table 3, hand 2 has changed since you last imported it. "
            "Correct it at the table, or take that import back first."
        )
        assert everything() == before

    def test_a_table_of_other_players_is_not_touched(self, load, short):
        load(short)
        short["tables"][0]["players"] = ["Ann", "Bob", "Cat"]
        short["tables"][0]["hands"] = []
        with pytest.raises(CommandError, match="Table 3 of 12 November 2026 is in this club already, with other hands"):
            load(short)


class TestGenerous:
    def test_only_what_is_needed(self, load, short):
        said, totals = load(short)
        assert (differing(said), list(totals["session_totals"])) == ([], ["Maureen D", "Barbara F", "Alan C"])
        assert totals["session_totals"] == AFTERNOON["tables"][2]["hands"][4]["running"]

    def test_house_rules_of_the_table(self, load, short):
        short["tables"][0]["house_rules"] = {"recording": "straight", "starting_balance": 900}
        load(short)
        table = session(3)
        assert (table.recording, table.starting_balance) == ("straight", 1200)
        assert Season.objects.get().recording == "straight"

    def test_words_in_any_letter_case(self, load, short):
        hand = short["tables"][0]["hands"][3]["input"]
        hand["hands"] = {wind.lower(): form for wind, form in hand["hands"].items()}
        hand["mahjong"] = {**hand["mahjong"], "by": "s", "from": "n"}
        _, totals = load(short)
        assert totals["session_totals"] == AFTERNOON["tables"][2]["hands"][4]["running"]

    def test_who_is_no_member_is_a_guest(self, load, short):
        load({**short, "members": ["Alan C", "Maureen D", "Ken L"]})
        assert list(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == ["Barbara F"]
        assert Player.objects.count() == 4

    @pytest.mark.parametrize(
        "listed",
        [{"players": ["Ann", "Bob", "Cat", "Dora"]}, {"players": ["Ann", "Bob", "Cat"]}],
        ids=["among the players", "among the members"],
    )
    def test_arriving_and_leaving(self, load, listed):
        """Dora comes for the second hand and takes the empty chair, Ann leaves before the third."""

        def hand(seats, winner):
            hands = {wind: {"total": 50 if wind == winner else 0} for wind in seats}
            given = {"rules": "bmja", "hands": hands, "mahjong": {"by": winner}}
            return {"seats": seats, "sits_out": None, "input": given}

        table = {
            "table": 1,
            **listed,
            "start": {"seats": {"E": "Ann", "S": "Bob", "W": "Cat"}, "sits_out": None},
            "hands": [
                hand({"E": "Ann", "S": "Bob", "W": "Cat"}, "E"),
                hand({"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dora"}, "S"),
                hand({"E": "Bob", "S": "Cat", "W": "Dora"}, "E"),
            ],
        }
        members = ["Ann", "Bob", "Cat", "Dora"]
        said, totals = load({"club": "Bramley", "date": "2026-11-12", "members": members, "tables": [table]})
        assert differing(said) == []
        assert [entry.kind for entry in session(1).entries.order_by("position")] == [
            "hand", "arrive", "hand", "leave", "hand",
        ]  # fmt: skip
        assert totals["session_totals"] == {"Bob": 300, "Ann": 100, "Dora": -150, "Cat": -250}

    @pytest.mark.parametrize("told_by", ["the start", "the first hand"])
    @pytest.mark.parametrize(
        ("winds", "after_the_deal"),
        [
            ("EWN", {"E": "Bob", "S": "Cat", "W": "Ann"}),
            ("ESN", {"E": "Bob", "W": "Cat", "N": "Ann"}),
            ("ESW", {"E": "Bob", "S": "Cat", "N": "Ann"}),
        ],
        ids=["South empty", "West empty", "North empty"],
    )
    def test_three_players_round_any_empty_seat_but_easts(self, load, winds, after_the_deal, told_by):
        """The winds pass round four seats, one of them empty; Cat has a pung of the own wind in the first hand.

        4 points for an exposed pung of winds, doubled for the own wind: Bob pays Cat 8, both pay East's 50 twice.
        """
        seats = dict(zip(winds, ["Ann", "Bob", "Cat"], strict=True))
        own = winds[2]
        hands = [
            {"E": {"total": 50}, winds[1]: {}, own: {"sets": [f"exposed pung {own}"]}},
            {"E": {}, winds[1]: {"total": 20}, own: {}},
            {wind: {"total": 30 if wind == "E" else 0} for wind in after_the_deal},
        ]
        sat = [seats, seats, after_the_deal]
        winners = ["E", winds[1], "E"]
        table = {
            "table": 1,
            "start": {"seats": seats if told_by == "the start" else None},
            "hands": [
                {"seats": seated, "sits_out": None, "input": {"hands": hand, "mahjong": {"by": by}}}
                for seated, hand, by in zip(sat, hands, winners, strict=True)
            ],
        }
        said, totals = load({"club": "Bramley", "date": "2026-11-12", "tables": [table]})
        assert differing(said) == []
        # Bob's 20 are 40 from East and 20 from Cat; then Bob is East and gets 60 from each.
        assert totals["session_totals"] == {"Bob": -108 + 60 + 120, "Ann": 200 - 40 - 60, "Cat": -92 - 20 - 60}
        chairs = session(1).seating["winds"]
        names = {seat.seat_no: seat.player.full_name for seat in session(1).seats.all()}
        assert {wind: names[seat] for wind, seat in zip("ESWN", chairs, strict=True) if seat} == after_the_deal

    def test_lines_tell_who_comes_goes_and_returns(self, load):
        """Dora and Ed leave at once; Dora comes back as Ann and Bob change places: nothing of it is guessed."""

        def hand(winner, *others):
            hands = {wind: {"total": 10 if wind == winner else 0} for wind in (winner, *others)}
            return {"input": {"hands": hands, "mahjong": {"by": winner}}}

        table = {
            "table": 1,
            "players": ["Ann", "Bob", "Cat", "Dora", "Ed"],
            "hands": [hand(*"ESWN"), hand(*"ESW"), hand(*"EWSN")],
            "lines": [
                {"before": 2, "kind": "leave", "player": "Dora"},
                {"before": 2, "kind": "leave", "player": "Ed"},
                {"before": 3, "kind": "arrive", "player": "Dora"},
                {"before": 3, "kind": "exchange", "players": ["Ann", "Bob"]},
            ],
        }
        said, totals = load({"club": "Bramley", "date": "2026-11-12", "tables": [table]})
        assert differing(said) == []
        # 20 from each: from three, from two, and then Bob is East and gets it from three.
        assert totals["session_totals"] == {"Ann": 80, "Bob": 20, "Ed": 0, "Dora": -40, "Cat": -60}
        assert [seat.player.full_name for seat in session(1).seats.all()] == ["Ann", "Bob", "Cat", "Dora", "Ed"]


class TestDisagreement:
    def test_what_follows_from_the_hand_before(self, load, afternoon):
        hand = afternoon["tables"][0]["hands"][4]
        hand["wind_of_round"], hand["goulash"], hand["sits_out"] = "W", False, "Sheila P"
        said, totals = load(afternoon)
        assert differing(said) == [
            "Table 1, hand 5: the file has Sheila P sitting out, but in the rotation it is Derek T.",
            "Table 1, hand 5: the file has West as wind of the round, but in the rotation it is East.",
            "Table 1, hand 5: it is a goulash, but the file does not say so.",
        ]
        assert totals["session_totals"] == AFTERNOON["session_totals"]

    def test_seats_that_contradict_the_file_itself(self, load, afternoon):
        seats = afternoon["tables"][1]["hands"][5]["seats"]
        seats["E"], seats["S"] = seats["S"], seats["E"]
        said, totals = load(afternoon)
        assert [line[:24] for line in differing(said)][:2] == ["Table 2, hand 6: the fil"] * 2
        assert totals["session_totals"] == AFTERNOON["session_totals"]

    def test_tiles_stay_with_the_person(self, load):
        """The file has the second hand's East and South the other way round: each keeps the own total."""
        first = {"input": {"hands": {"E": {"total": 0}, "S": {"total": 0}, "W": {"total": 20}}, "mahjong": {"by": "W"}}}
        second = {
            "seats": {"E": "Cat", "S": "Bob", "W": "Ann"},
            "input": {"hands": {"E": {"total": 10}, "S": {"total": 0}, "W": {"total": 4}}, "mahjong": {"by": "E"}},
        }
        table = {"players": ["Ann", "Bob", "Cat"], "hands": [first, second]}
        said, totals = load({"club": "Bramley", "date": "2026-11-12", "tables": [table]})
        assert differing(said)[0] == "Table 1, hand 2: the file has Cat as East; in the rotation it is Bob."
        # Hand 1: Ann (East) -40, Bob -20, Cat +60. Hand 2: Bob is East, Cat gets 20 of him and 10 of Ann, who gets 8.
        assert totals["session_totals"] == {"Cat": 90, "Ann": -42, "Bob": -48}

    def test_figures(self, load, afternoon):
        table = afternoon["tables"][2]
        table["hands"][3]["net_by_player"]["Alan C"] += 1
        table["hands"][7]["expect"]["hands"]["E"]["total"] += 2
        table["final"]["Alan C"] = 0
        said, totals = load(afternoon)
        lines = differing(said)
        hands = AFTERNOON["tables"][2]["hands"]
        net = hands[3]["net_by_player"]["Alan C"]
        assert f"Table 3, hand 4: Alan C has {net:+} here, {net + 1:+} in the file." in lines
        assert "Table 3: Alan C ends with -2,253 here, 0 in the file." in lines
        assert totals["session_totals"] == AFTERNOON["session_totals"]

    def test_an_absent_player_who_plays(self, load, short):
        said, _ = load({**short, "absent": ["Alan C"]})
        assert differing(said) == ["Alan C is absent in the file, but also plays."]


def changed(*path, value):
    data = copy.deepcopy(AFTERNOON)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return data


SIXTH = ("tables", 1, "hands", 5)
FIVE = ("tables", 0, "hands", 12)
STARTED = ("tables", 0, "start")
NO_AFTERNOON = "This is not the file of a meeting:"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is not JSON: line 1, column 1."),
        (b"\x89PNG\xff", "The file is not UTF-8 text."),
        (FILE.read_bytes()[:40000], "The file is not JSON: line "),
        (b'{"club": NaN}', "The file is not JSON: a number is too large, or it is nested too deeply."),
        (b"[" * 100_000, "The file is not JSON: a number is too large, or it is nested too deeply."),
        (b"x" * 20_000_001, "Choose a smaller file, of at most 20 megabytes."),
        (b"[]", f"{NO_AFTERNOON} it is not a JSON object."),
        (b"{}", f"{NO_AFTERNOON} the file has no tables."),
        (changed("club", value=3), f"{NO_AFTERNOON} the club's name is missing."),
        (changed("date", value="2026-02-30"), f"{NO_AFTERNOON} its date is not a date. Enter it like 2026-11-12."),
        (changed("tables", 1, value=3), f"{NO_AFTERNOON} table 2 of the file is not an object."),
        (changed(*SIXTH, value=None), f"{NO_AFTERNOON} table 2, hand 6 is not an object."),
        (changed(*SIXTH, "input", value=None), f"{NO_AFTERNOON} table 2, hand 6 has no input."),
        (changed(*SIXTH, "net_by_player", value=[]), f"{NO_AFTERNOON} table 2, hand 6: net_by_player is not an object"),
        (changed(*SIXTH, "input", "foo", value=1), "Table 2, hand 6: The hand has the field “foo”"),
        (changed(*SIXTH, "input", "mahjong", value="E"), "Table 2, hand 6: "),
        (
            changed(*SIXTH, "input", "mahjong", "by", value="Q"),
            "Table 2, hand 6: Choose a player who is playing in this hand.",
        ),
        (changed(*SIXTH, "input", "hands", "E", value={"tiles": "0X"}), "Table 2, hand 6: East's hand has an unknown"),
        (
            changed("date", value="0206-11-12"),
            f"{NO_AFTERNOON} the year of its date is wrong. Enter a year from 1900 to 2999.",
        ),
        (
            changed("tables", value=[AFTERNOON["tables"][1]] * 2),
            "Table 2 is in the file twice, with the same hands",
        ),
        (changed(*SIXTH, "number", value=5), "Table 2, hand 6: its number in the file is 5. Number the hands 1, 2, 3"),
        (changed(*SIXTH, "number", value="6"), 'Table 2, hand 6: its number in the file is "6". Number the hands 1'),
        (
            changed(*SIXTH, "seats", "S", value="Paulin B"),
            "Table 2, hand 6: Paulin B is not in the table’s list of players.",
        ),
        (changed(*FIVE, "sits_out", value="Jan A"), "Table 1, hand 13: Jan A is not in the table’s list of players."),
        (
            changed(*STARTED, "sits_out", value="Jan A"),
            "Table 1, at the start: Jan A is not in the table’s list of players.",
        ),
        (changed(*SIXTH, "seats", "S", value="Keith J"), "Table 2, hand 6: Keith J sits at two winds. Correct one of"),
        (changed(*SIXTH, "seats", value={"E": "Keith J", "S": "Roy S"}), "Table 2, hand 6: name who is East, and two"),
        (changed(*STARTED, "seats", "E", value=None), "Table 1: name who is East, and two or three others."),
        (changed("tables", 2, "rules", value="poker"), "Table 3: There are no rules called poker"),
        (changed("tables", 2, "house_rules", value={"foo": 1}), "Table 3: The house rule foo is not known."),
    ],
)
def test_a_broken_file_changes_nothing_at_all(load, data, sentence):
    with pytest.raises(CommandError) as refused:
        load(data)
    assert str(refused.value).startswith(f"Nothing was loaded: {sentence}")
    assert "\n" not in str(refused.value)
    assert everything() == [[]] * 10


def test_a_refusal_names_a_player_who_came_later(load):
    night = copy.deepcopy(AFTERNOON)
    one = night["tables"][1]
    one["players"] = [*one["players"], "Jan A"]
    one["lines"] = [{"before": 1, "kind": kind, "player": "Jan A"} for kind in ("arrive", "leave", "leave")]
    with pytest.raises(CommandError, match="Table 2, hand 1: Jan A is not at this table"):
        load(json.dumps(night).encode())


def test_a_preview_refuses_a_table_with_more_than_a_session_may_have(club):
    night = copy.deepcopy(AFTERNOON)
    night["tables"][1]["lines"] = [{"before": 1, "kind": "note", "text": "Tea"}] * 1100
    meeting_file = read_meeting_file(json.dumps(night).encode())
    with pytest.raises(ImportRefused, match="^Table 2: "):
        preview_meeting(meeting_file, Actor(name="The test"), club, {})


def test_a_file_that_is_not_there(db):
    with pytest.raises(CommandError, match="The file none.json cannot be read: No such file or directory."):
        call_command("load_club_night", "none.json")


class TestFilesOfASession:
    def test_hands_with_running_totals(self, load):
        load(FILE.read_bytes())
        table = Session.objects.select_related("meeting").get(table=1)
        with at_most(3):
            text = session_hands_csv(table, PROGRAMS)
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
        assert len(rows) == 13 * 5
        for hand in AFTERNOON["tables"][0]["hands"]:
            of_hand = {row["player"]: row for row in rows if row["hand"] == str(hand["number"])}
            assert {name: int(row["running"]) for name, row in of_hand.items()} == hand["running"]
            assert {row["wind"]: name for name, row in of_hand.items() if row["wind"] != "out"} == hand["seats"]
            assert {row["goulash"] for row in of_hand.values()} == {"yes" if hand["goulash"] else ""}
        assert rows[1] == {
            "date": "2026-11-12", "meeting": "", "table": "1", "hand": "1", "wind_of_round": "E", "goulash": "",
            "result": "won", "player": "Derek T", "wind": "S", "points": "54", "doubles": "2", "total": "216",
            "special": "", "fishing_for": "", "won": "yes", "net": "864", "running": "864", "balance": "2464",
            "question": "", "limited": "", "won_from": "Brian W", "won_how": "",
        }  # fmt: skip

    def test_no_column_of_the_hands_stays_empty(self, load):
        load(FILE.read_bytes())
        Meeting.objects.update(name="Tea")
        Hand.objects.update(question="Who had it?", goulash=True)
        PlayerHand.objects.filter(won=True).update(special="Purity", limited=True)
        PlayerHand.objects.filter(won=False).update(fishing_for="Purity")
        rows = list(
            csv.DictReader(
                io.StringIO(club_hands_csv(Club.objects.get(), names=PROGRAMS).removeprefix("\ufeff"), newline="")
            )
        )
        assert [name for name in rows[0] if not any(row[name] for row in rows)] == []

    def test_fines_stand_between_the_hands(self, load, short):
        load(short)
        send(3, "fine", {"by": "1", "to": "2", "amount": 30})
        rows = session_hands_csv(session(3), PROGRAMS).split("\r\n")
        before = AFTERNOON["tables"][2]["hands"][4]["running"]
        start = session(3).starting_balance
        paid, got = before["Maureen D"] - 30, before["Alan C"] + 30
        assert rows[-3:-1] == [
            f"2026-11-12,,3,,,,fine,Maureen D,,,,,,,,-30,{paid},{start + paid},,,,",
            f"2026-11-12,,3,,,,fine,Alan C,,,,,,,,30,{got},{start + got},,,,",
        ]

    def test_totals(self, load, short):
        load(short)
        lines = session_totals_csv(session(3), PROGRAMS).split("\r\n")
        ends = {line.split(",")[5]: int(line.split(",")[12]) for line in lines[1:-1]}
        assert ends == AFTERNOON["tables"][2]["hands"][4]["running"]
        assert [line.split(",")[14] for line in lines[1:-1]] == ["1", "3", "2"]

    def test_file_name(self, load, short):
        load(short)
        assert session_hands_file_name(session(3)) == "bramley-2026-11-12-table-3-hands.csv"
