"""Taking in at the desk: players, totals and afternoons are looked at first, saved when accepted, and only once."""

import csv
import io
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from filelock import FileLock

from sessions_app.exchange.exports.club_csv import players_csv
from sessions_app.exchange.exports.meeting import meeting_json, meetings_with_hands
from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.exchange.imports.meeting import Brought, import_meeting_file, load_meeting, preview_meeting_file
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.people_list import read_people
from sessions_app.exchange.imports.players import import_players, preview_players
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import read_text
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.models import Change, Club, Contact, Player, Season, Session, Tally
from sessions_app.people import transactions
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.merging import erase_player, merge_players
from sessions_app.people.players import add_player, change_player_facts, public_names, set_contact
from tests.clubs import everything_of
from tests.factories import BY, DAY, record, season, table_in_play, totals
from tests.logins import logins, signed_in
from tests.queries import assert_the_same_for_more_rows
from tests.reconciled import reconcile

NIGHT = Path(__file__).parent.parent / "data" / "club-night.json"
TOTALS = Path(__file__).parent.parent / "data" / "season-totals.csv"


@pytest.fixture
def jean(club):
    return add_player(club, "Jean Atkins", by=BY)


@pytest.fixture
def desk(club):
    """The secretary's browser; `look` and `take_in` press the two buttons of a page."""
    browser = signed_in(logins(club)["secretary"])

    class Desk:
        client = browser

        def look(self, page, text, **more):
            fields = {"text": text, "checked": "1", **more}
            return self.client.post(reverse(f"import-{page}", args=[club.slug]), fields)

        def take_in(self, page, text, **more):
            return self.look(page, text, **{"do": "record", "key": "k1", FIELD: ACCEPTED, **more})

    return Desk()


def names(club):
    return sorted(str(player) for player in Player.objects.of_club(club))


def called(club):
    return dict(Player.objects.of_club(club).values_list("full_name", "short_name"))


def errors(answer):
    return answer.context["form"].non_field_errors() if "form" in answer.context else answer.context["errors"]


class TestPlayers:
    def test_looking_saves_nothing(self, club, desk, jean):
        before = everything_of(club)
        answer = desk.look("players", "name,guest\nAnn Brown,\nRoy Parr,yes\n")
        assert answer.status_code == 200
        look = answer.context["preview"]
        assert (look.new, look.faults, look.left_out) == (["Ann Brown", "Roy Parr"], [], [])
        assert everything_of(club) == before

    def test_accepted_they_are_on_the_list_and_twice_is_once(self, club, desk):
        text = "Name;Guest;Known as\r\nAnn Brown;;Annie\r\nRoy Parr;yes;\r\n"
        assert desk.take_in("players", text).status_code == 302
        kept = Player.objects.of_club(club).order_by("full_name").values_list("full_name", "short_name", "guest")
        assert list(kept) == [("Ann Brown", "Annie", False), ("Roy Parr", "Roy", True)]
        lines = Change.objects.count()
        assert desk.take_in("players", text).status_code == 302
        assert desk.take_in("players", text, key="k2").status_code == 302
        assert (len(names(club)), Change.objects.count()) == (2, lines)
        sentence = log_page(club, LogFilter()).lines[0].sentence
        assert sentence == "bramley-secretary imported a list of players, 2 new."

    def test_a_doubtful_name_is_asked_about_and_nothing_is_saved_before_the_answer(self, club, desk, jean):
        text = "Jean Atkin\nAnn Brown\n"
        answer = desk.look("players", text)
        page = answer.content.decode()
        assert "Same as Jean Atkins" in page
        assert "Someone new: member" in page
        refused = desk.take_in("players", text)
        assert (refused.status_code, refused.context["errors"]) == (422, ["Line 1: choose who Jean Atkin is."])
        assert 'value="Ann Brown"' in refused.content.decode()
        assert names(club) == ["Jean Atkins"]
        assert desk.take_in("players", text, kind_1=jean.pk).status_code == 302
        assert names(club) == ["Ann Brown", "Jean Atkins"]
        assert desk.take_in("players", text, key="k2", kind_1="new-member").status_code == 302
        assert names(club) == ["Ann Brown", "Jean Atkin", "Jean Atkins"]

    @pytest.mark.parametrize("text", ["Atkins, Jean\nAtkins, Bob\n", 'name\n"Atkins, Jean"\n"Atkins, Bob"\n'])
    def test_the_surname_first_is_turned_round_unless_somebody_says_it_is_right(self, club, desk, text):
        page = desk.look("players", text)
        assert page.context["preview"].new == ["Jean Atkins", "Bob Atkins"]
        bob = page.context["preview"].people[1].listed.key
        assert desk.take_in("players", text, **{f"name_{bob}": "Atkins, Bob"}).status_code == 302
        assert names(club) == ["Atkins, Bob", "Jean Atkins"]

    def test_nicknames_are_told_apart_from_first_names_by_the_first_line(self, club, desk):
        text = "Blodwen,Pixie\nTheodora,Bunty\nAnn Brown,Annie\n"
        page = desk.look("players", text)
        assert page.context["preview"].new == ["Pixie Blodwen", "Bunty Theodora", "Ann Brown"]
        assert desk.take_in("players", f"Name, Nickname\n{text}").status_code == 302
        assert called(club) == {"Blodwen": "Pixie", "Theodora": "Bunty", "Ann Brown": "Annie"}

    def test_the_surname_first_of_somebody_on_the_list_is_theirs(self, club, desk, jean):
        look = desk.look("players", "Atkins, Jean\nMabel, Mabs\n").context["preview"]
        assert (look.here, look.new) == (["Jean Atkins"], ["Mabs Mabel"])
        assert desk.take_in("players", "Mrs Jean Atkins\n").status_code == 422

    def test_another_clubs_player_is_no_answer(self, club, other_club, desk, jean):
        eve = add_player(other_club, "Jean Atkins", by=BY)
        refused = desk.take_in("players", "Jean Atkin\n", kind_1=eve.pk)
        assert refused.status_code == 422
        assert names(club) == ["Jean Atkins"]

    def test_every_fault_is_told_with_its_line_and_nothing_is_saved(self, club, desk):
        text = (
            "name,guest,left on,email,agreed on,in public\nAnn Brown,perhaps,,,,\n,yes,,,,\nRoy Parr,,31/31/2026,,,\n"
            "Ken Long,,,ken@example.org,,\nZoë Kent,,,,,loud\nAnn Long,,,,,\nann long,,,,,\n"
        )
        answer = desk.take_in("players", text)
        assert answer.status_code == 422
        assert answer.context["errors"] == [
            "Line 6: in public is “loud”; it can be initials, short, full, off, or empty.",
            "Enter the date on which they agreed that you keep their email address and telephone number, or leave "
            "those out.",
            "Line 2: guest is “perhaps”; it can be yes, or empty for a member.",
            "Line 4: the date they left is “31/31/2026”, which is not in the calendar. Enter it like 12/11/2026.",
        ]
        left_out = [(person.listed.where, person.listed.why) for person in answer.context["preview"].left_out]
        assert left_out == [("Line 3", "no name"), ("Line 8", "the same name as line 7")]
        assert "perhaps" in answer.content.decode()
        assert names(club) == []

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    def test_encodings_and_separators_of_spreadsheets(self, club, desk, encoding, separator):
        text = separator.join(["First name", "Surname", "Guest"]) + "\r\n" + separator.join(["Zoë", "O’Dea", "yes"])
        file = SimpleUploadedFile("list.csv", text.encode(encoding))
        assert desk.take_in("players", "", file=file).status_code == 302
        assert (names(club), Player.objects.get().guest) == (["Zoë O’Dea"], True)

    @pytest.mark.parametrize("heading", ["Player’s name", "Player's name"])
    def test_a_heading_with_an_apostrophe_names_no_player(self, club, desk, heading):
        assert desk.take_in("players", f"{heading},Guest\nZoë O’Dea,yes\n").status_code == 302
        assert names(club) == ["Zoë O’Dea"]

    def test_what_is_too_much_or_nothing_is_refused_in_a_sentence(self, club, desk):
        for text, expected in (("", "Paste the text, or choose a file."), ("A" * 1_000_001, "Choose a smaller file")):
            answer = desk.look("players", text)
            assert (answer.status_code, expected in str(answer.context["form"].errors)) == (422, True)
        many = "\n".join(f"Ann Number{n}" for n in range(1001))
        assert "at most 1000" in errors(desk.look("players", many))[0]
        file = SimpleUploadedFile("list.csv", b"\x81\x8d\x8f\x90")
        assert "Choose a text file" in errors(desk.look("players", "", file=file))[0]

    def test_formulas_come_in_and_go_out_harmless(self, club):
        import_players(club, read_text("=1+1 Brown\n"), {}, "k", by=BY)
        out = players_csv(club)
        assert "'=1+1 Brown" in out
        again = read_people(read_text(out)).people
        assert [row.name for row in again] == ["=1+1 Brown"]

    def test_queries_do_not_grow_with_the_club(self, club):
        def grow(rows):
            Player.objects.bulk_create(Player(club=club, full_name=f"Qq{n} Xx{rows}") for n in range(rows))

        assert_the_same_for_more_rows(grow, lambda: preview_players(club, read_text("Ann Brown\nRoy Parr\n"), {}), 3)


class TestContacts:
    TEXT = "name,email\n" + "".join(f"Ann {name},{name.lower()}@example.org\n" for name in ("Brown", "Grey", "White"))

    def test_people_without_a_date_are_one_problem_with_one_answer(self, club, desk):
        look = desk.look("players", self.TEXT).context["preview"]
        assert look.faults == [
            "Enter the date on which they agreed that you keep their email address and telephone number, or leave "
            "those out."
        ]
        assert look.not_agreed == 3
        assert not names(club)

    def test_names_come_in_without_addresses_at_one_press(self, club, desk):
        look = desk.look("players", self.TEXT, contacts="leave out").context["preview"]
        assert (look.faults, look.adds) == ([], 3)
        assert desk.take_in("players", self.TEXT, contacts="leave out").status_code == 302
        assert len(names(club)) == 3
        assert not Contact.objects.exists()

    def test_they_all_agreed_on_one_date(self, club, desk):
        assert desk.take_in("players", self.TEXT, agreed_on="2026-09-03").status_code == 302
        assert {str(day) for day in Contact.objects.values_list("agreed_on", flat=True)} == {"2026-09-03"}
        assert Contact.objects.count() == 3

    def test_a_date_that_cannot_be_is_refused_with_the_list_kept(self, club, desk):
        answer = desk.take_in("players", self.TEXT, agreed_on="soon")
        assert answer.context["errors"] == ["Enter the date on which they all agreed, for example 12/11/2026."]
        assert "white@example.org" in answer.content.decode()


class TestHostile:
    """What no page sends is answered with a sentence or taken as nothing, never with a fault."""

    @pytest.mark.parametrize("key", ["\x00", "x" * 5000, "'; --"])
    def test_a_key_that_is_none(self, club, desk, key):
        assert desk.take_in("players", "Ann Brown\n", key=key).status_code == 302
        assert names(club) == ["Ann Brown"]

    @pytest.mark.parametrize(
        "text",
        ["\x00", "Ann\x00Brown", '"', "a,b\nc,d,e,f,g", "name\n" + "x" * 200_000, "\ufeff"],
        ids=("nul", "nul in a name", "quote", "ragged", "long", "mark"),
    )
    def test_lists_of_rubbish(self, club, desk, text):
        for page in ("players", "totals", "night"):
            assert desk.take_in(page, text).status_code == 422, page
        assert names(club) == []

    @pytest.mark.parametrize(
        "line",
        [
            {"before": 1, "kind": "note", "text": "a\x00b"},
            {"before": 1, "kind": "fine", "by": "Margaret H", "to": None, "amount": 10**30, "why": ""},
            {"before": 1, "kind": "exchange", "players": ["Margaret H", {}]},
            {"before": 1, "kind": "seating", "seats": {"E": "Margaret H"}},
            {"before": 1, "kind": "seating", "seats": [], "sits_out": 3},
            {"before": 10**30, "kind": "loan"},
            7,
        ],
        ids=str,
    )
    def test_lines_between_the_hands_that_cannot_be(self, club, desk, line):
        night = json.loads(NIGHT.read_text())
        night["tables"][0]["lines"] = [line]
        assert desk.take_in("night", json.dumps(night)).status_code in (302, 422)
        if line != {"before": 1, "kind": "note", "text": "a\x00b"}:
            assert names(club) == []

    def test_nearly_the_same_name_twice_in_a_list_is_told(self, club, desk):
        look = desk.look("players", "Jean Atkins\nRoy Parr\nJean Atkin\n").context["preview"]
        sentence = (
            "Line 3: Jean Atkin and Jean Atkins are nearly the same name. If they are one person, leave one of them "
            "out."
        )
        assert (look.notes, look.adds) == ([sentence], 3)


class TestRoundTrips:
    """Taken out, taken into an empty club, taken out again: byte for byte."""

    def test_players(self, club, other_club):
        zoe, jean, guest, gone = (
            add_player(club, name, guest=name == "Pat Guest", by=BY)
            for name in ("Zoë “Zed” Kent, Dr", "Jean Atkins", "Pat Guest", "Roy Gone")
        )
        add_player(club, "Jean Atkins (Wool)", by=BY)
        merge_players(add_player(club, "Jean Atkyns", by=BY), jean, by=BY)
        change_player_facts(gone, left_on=DAY, by=BY)
        change_player_facts(zoe, in_public="initials", beginner=True, by=BY)
        set_contact(zoe, "zoe@example.org", "+44 1234 5678", DAY, by=BY)
        erase_player(add_player(club, "Gone Forever", by=BY), by=BY)
        out = players_csv(club, contacts=True)
        assert preview_players(other_club, read_text(out), {}).faults == []
        import_players(other_club, read_text(out), {}, "k", by=BY)
        assert players_csv(other_club, contacts=True) == out
        assert Player.objects.get(club=other_club, full_name="Jean Atkyns").merged_into.full_name == "Jean Atkins"
        assert Player.objects.get(club=other_club, beginner=True).full_name == zoe.full_name
        assert Contact.objects.get(club=other_club).telephone == "+44 1234 5678"

    def test_totals(self, club, other_club, desk):
        text = TOTALS.read_text(encoding="utf-8-sig")
        people = {field_of(row["player"]): "new" for row in csv.DictReader(io.StringIO(text))}
        assert desk.take_in("totals", text, **people).status_code == 302
        out = club_totals_csv(club)
        there = signed_in(logins(other_club)["secretary"])
        fields = {"text": out, "do": "record", FIELD: ACCEPTED, **people}
        assert there.post(reverse("import-totals", args=[other_club.slug]), fields).status_code == 302
        assert club_totals_csv(other_club) == out
        assert sorted(row["Won or lost"] for row in csv.DictReader(io.StringIO(out.lstrip("\ufeff")))) == sorted(
            row["net"] for row in csv.DictReader(io.StringIO(text))
        )

    def test_an_afternoon_of_three_tables(self, club, other_club, desk):
        text = NIGHT.read_text()
        assert desk.take_in("night", text).status_code == 302
        club.name = other_club.name = "Bramley u3a Mah-jong Group"
        Club.objects.filter(pk__in=[club.pk, other_club.pk]).update(name=club.name)
        out = meeting_json(meetings_with_hands(club)[0])
        load_meeting(read_meeting_file(out.encode()), BY, brought=Brought(other_club))
        assert meeting_json(meetings_with_hands(other_club)[0]) == out
        answer, given = json.loads(out), json.loads(text)
        assert answer["session_totals"] == given["session_totals"]
        assert [table["final"] for table in answer["tables"]] == [table["final"] for table in given["tables"]]
        runnings = [[hand["running"] for hand in table["hands"]] for table in answer["tables"]]
        assert runnings == [[hand["running"] for hand in table["hands"]] for table in given["tables"]]

    def test_an_afternoon_with_seatings_fines_and_comings_and_goings(self, club, other_club, cast):
        session = table_in_play(club, cast.all[:4])
        for kind, body in (
            ("hand", totals(session, 1, seat1=100)),
            ("seating", {"exchange": ["2", "3"]}),
            ("fine", {"by": "2", "to": "4", "amount": 30, "why": "Talked"}),
            ("hand", totals(session, 3, seat3=64, seat1=8)),
            ("arrive", {"player": cast.fay.pk}),
            ("note", {"text": "Tea"}),
        ):
            assert record(session, body, kind).outcome == "recorded", kind
        assert record(session, totals(session, 2, seat2=32)).outcome == "recorded"
        assert record(session, {"by": "1", "to": None, "amount": 10, "why": ""}, "fine").outcome == "recorded"
        Club.objects.filter(pk=other_club.pk).update(name=club.name)
        Player.objects.filter(club=other_club).update(guest=True)
        out = meeting_json(session.meeting)
        loaded = load_meeting(read_meeting_file(out.encode()), BY, brought=Brought(other_club))
        assert loaded.notes == []
        assert meeting_json(meetings_with_hands(other_club)[0]) == out
        by_name = [Tally.objects.filter(club=one).values_list("player__full_name", "net") for one in (club, other_club)]
        nets = [dict(rows) for rows in by_name]
        assert nets[0] == nets[1]
        assert sum(nets[0].values()) == -10


class TestTotals:
    HEAD = "date,table,rules,player,hands,won,net\n"

    def test_a_doubtful_name_becomes_the_person_it_is(self, club, desk, jean):
        text = self.HEAD + "2025-11-12,1,bmja,Jean Atkin,8,2,40\n2025-11-12,1,bmja,Roy Parr,8,2,-40\n"
        [choice] = desk.look("totals", text).context["preview"].names.choices
        assert choice.options == [(str(jean.pk), "Jean Atkins"), ("new", "Someone new")]
        assert choice.is_unsure
        assert not Session.objects.exists()
        assert desk.take_in("totals", text).status_code == 422
        assert not Session.objects.exists()
        assert desk.take_in("totals", text, **{field_of("Jean Atkin"): jean.pk}).status_code == 302
        assert Tally.objects.get(player=jean).net == 40
        assert names(club) == ["Jean Atkins", "Roy Parr"]

    def test_looking_tells_what_it_would_do_and_does_nothing(self, club, desk):
        text = self.HEAD + "2025-11-12,1,bmja,Ann Brown,8,2,40\n2025-11-12,1,bmja,Roy Parr,8,2,-40\n"
        look = desk.look("totals", text).context["preview"]
        assert look.names.new == ["Ann Brown", "Roy Parr"]
        assert look.will_be.when == "One day: 12 November 2025. 1 meeting, 2 results."
        assert look.notes == ["1 table (12 November 2025) will count once you add a season for those days."]
        assert not Session.objects.exists()
        assert names(club) == []

    def test_looking_tells_how_days_were_read_what_counts_nowhere_and_who_becomes_a_guest(self, club, desk, jean):
        season(club)
        head = self.HEAD.replace("\n", ",guest\n")
        desk.take_in("totals", head + "2025-11-12,1,bmja,Jean Atkins,8,2,40,\n", accept_all="1")
        rows = (
            "3.9.2025,1,bmja,Ann Brown,8,2,40,\n12 Nov 2026,1,bmja,Jean Atkins,8,2,40,y\n"
            "12-11-2026,2,western,Ann Brown,8,2,40,\n"
        )
        look = desk.look("totals", head + rows).context["preview"]
        assert look.will_be.when == ("First day: 3 September 2025. Last day: 12 November 2026. 2 meetings, 3 results.")
        assert look.notes == [
            "1 table (3 September 2025) will count once you add a season for those days.",
            "1 table (12 November 2026) will not count in any league table, as the season “Autumn 2026” does not count "
            "Western (h2g2), settled.",
            "Jean Atkins is now a guest, not a member, as the newest line says.",
        ]

    def test_a_table_that_does_not_add_up_is_told(self, club, desk):
        rows = "2025-11-12,1,bmja,Ann Brown,8,2,4900\n2025-11-12,2,bmja,Roy Parr,8,2,40\n2025-11-12,2,bmja,Jo,8,2,-40\n"
        look = desk.look("totals", self.HEAD + rows).context["preview"]
        assert [question.sentence for question in look.questions] == [
            "Table 1 on 12 November 2025 adds up to +4,900, not 0."
        ]

    def test_numbers_as_people_write_them(self, club, desk):
        rows = '2025-11-12,1,bmja,Ann Brown,8,2,"1,250"\n2025-11-12,1,bmja,Roy Parr,8,2,−120\n'
        assert desk.take_in("totals", self.HEAD + rows, accept_all="1").status_code == 302
        assert sorted(Tally.objects.values_list("net", flat=True)) == [-120, 1250]

    def test_names_in_other_letter_case_are_one_player_and_the_first_spelling_stays(self, club, desk):
        rows = "2025-11-12,1,bmja,Ann Brown,8,2,40\n2025-11-13,1,bmja,ANN BROWN,8,2,20\n"
        assert desk.take_in("totals", self.HEAD + rows, accept_all="1").status_code == 302
        assert names(club) == ["Ann Brown"]
        assert Player.objects.get().tallies.count() == 2
        twice = desk.take_in("totals", self.HEAD + rows.replace("-13", "-14").replace("-12", "-14"))
        assert errors(twice)[0] == "Ann Brown has 2 results on 14 November 2025: 40 and 20."

    def test_recorded_straight_the_net_holds_against_what_passed_between_the_players(self, club, desk):
        head = self.HEAD.replace("\n", ",recording,gained,lost\n")
        row = "2025-11-12,1,turner,Ann Brown,8,2,40,{},60,-10\n"
        assert "contradicts gained 60 and lost -10" in errors(desk.take_in("totals", head + row.format("settle")))[0]
        assert desk.take_in("totals", head + row.format("straight")).status_code == 302
        assert Tally.objects.values_list("net", "gained", "lost").get() == (40, 40, 0)

    def test_other_figures_of_the_same_file_are_shown_and_take_the_place_of_the_first(self, club, desk):
        text = self.HEAD + "2025-11-12,1,bmja,Ann Brown,8,2,40\n2025-11-12,1,bmja,Roy Parr,8,2,-40\n"
        desk.take_in("totals", text)
        other = text.replace(",40", ",60").replace(",-40", ",-60")
        sentence = "Table 1 on 12 November 2025: Ann Brown +40 → +60 and Roy Parr −40 → −60."
        assert sentence in desk.look("totals", other).content.decode()
        assert sorted(Tally.objects.values_list("net", flat=True)) == [-40, 40]
        # As what is asked is left out, it is beside the first, whose figures nobody said to change.
        assert desk.take_in("totals", other, where="beside").status_code == 422
        assert desk.take_in("totals", other).status_code == 302
        assert sorted(Tally.objects.values_list("net", flat=True)) == [-60, 60]

    def test_twice_changes_nothing(self, club, desk):
        text = self.HEAD.replace(",", ";") + "2025-11-12;1;bmja;Ann Brown;8;2;40\n2025-11-12;1;bmja;Roy Parr;8;2;-40\n"
        desk.take_in("totals", text)
        before = everything_of(club)
        assert desk.take_in("totals", text).status_code == 302
        assert everything_of(club) == before


class TestAfternoon:
    def test_looked_at_then_recorded_into_this_club_and_over(self, club, desk):
        text = NIGHT.read_text()
        answer = desk.look("night", text)
        look = answer.context["preview"]
        assert (len(look.names.new), look.adds, len(look.tables)) == (13, 37, 3)
        assert "The file is from Bramley u3a Mah-jong Group. It will be imported into Bramley." in look.notes
        assert not Session.objects.exists()
        assert names(club) == []
        assert desk.take_in("night", text).status_code == 302
        assert Session.objects.of_club(club).count() == 3
        assert desk.take_in("night", text).status_code == 302
        assert Session.objects.of_club(club).count() == 3

    def test_what_cannot_be_read_is_told(self, club, desk):
        answer = desk.look("night", "{")
        assert (answer.status_code, errors(answer)) == (422, ["The file is not JSON: line 1, column 2."])
        assert re.search(r"<textarea[^>]*>\s*\{", answer.content.decode())

    def test_a_hand_that_cannot_be_is_named(self, club, desk):
        night = json.loads(NIGHT.read_text())
        night["tables"][0]["hands"][0]["input"]["hands"]["N"] = {"tiles": "1C 1C 1C 1C 1C"}
        answer = desk.take_in("night", json.dumps(night))
        assert answer.status_code == 422
        assert errors(answer)[0].startswith("Table 1, hand 1:")
        assert not Session.objects.exists()
        assert names(club) == []


class TestNamesOfAnAfternoon:
    NAMES = ("Jean Atkins", "Jean Adams", "Jean Atkinson", "Bartholomew Featherstonehaugh", "Pat K")

    @pytest.fixture
    def loaded(self, club):
        """An afternoon of people whom the club has never heard of, four at a table and one sitting out."""
        start = {"seats": dict(zip("ESWN", self.NAMES[:4], strict=True)), "sits_out": self.NAMES[4]}
        night = {"club": "B", "date": "2026-11-12", "tables": [{"table": 1, "start": start, "hands": []}]}
        load_meeting(read_meeting_file(json.dumps(night).encode()), BY, brought=Brought(club))
        return list(Player.objects.of_club(club).order_by("pk"))

    def test_a_club_that_shows_first_names_shows_no_surname(self, club, loaded):
        club.public_names = "short"
        assert list(public_names(club, loaded).values()) == ["Jean", "Jean A 1", "Jean A 2", "Bartholomew", "Pat K"]

    def test_the_list_of_players_goes_out_and_in(self, club, other_club, loaded):
        long = "Bartholomew Featherstonehaugh"
        Player.objects.filter(full_name=long).update(short_name=f"{long}s")
        Player.objects.filter(full_name="Pat K").update(full_name="Pat " + "K" * 116)
        out = players_csv(club)
        import_players(other_club, read_text(out), {}, "k", by=BY)
        assert players_csv(other_club) == out

    def test_whoever_has_a_long_short_name_can_be_changed(self, club, desk, loaded):
        pat = loaded[-1]
        Player.objects.filter(pk=pat.pk).update(short_name="K" * 40)
        answer = desk.client.post(
            reverse("player-change", args=[club.slug, pat.pk]), {"full_name": "Pat K", "short_name": "K" * 40}
        )
        assert answer.status_code == 302


def test_a_line_between_the_hands_that_names_nobody_is_refused(club):
    night = json.loads(NIGHT.read_text())
    night["tables"][0]["lines"] = [{"before": 1, "kind": "fine", "by": "Nobody", "amount": 3}]
    with pytest.raises(ImportRefused, match="“fine” names someone who is not at the table"):
        load_meeting(read_meeting_file(json.dumps(night).encode()), BY, brought=Brought(club))


class TestOthersAreNotKeptWaiting:
    """What is looked at is worked out next to the database's one writer, and what is written is written together."""

    HEAD = "date,table,rules,player,hands,won,net\n"

    @pytest.fixture
    def busy(self, monkeypatch):
        """Someone else is writing all the while, and nobody waits long for that."""
        if connection.vendor != "sqlite":
            pytest.skip("PostgreSQL has many writers.")
        monkeypatch.setattr(transactions, "MAX_WAIT", 0.2)

        @contextmanager
        def writer():
            with FileLock(f"{connection.settings_dict['NAME']}.lock"):
                yield

        return writer

    @staticmethod
    def night(hands, tables=1, number_of=4):
        """An afternoon of typed totals; a fine, a seating and a hand taken out stand between its hands."""
        given = {"hands": {wind: {"total": 8} for wind in "SWN"} | {"E": {"total": 40}}, "mahjong": {"by": "E"}}
        out = {"before": 1, "kind": "taken out", "input": given}
        lines = [
            {"before": 1, "kind": "note", "text": "Tea"},
            {"before": 2, "kind": "fine", "by": "Ann 1", "to": None, "amount": 30, "why": "Talked"},
            {"before": 2, "kind": "exchange", "players": ["Bob 1", "Cy 1"]},
            out,
        ]
        rows = []
        for table in range(1, tables + 1):
            names = [f"{name} {table}" for name in ("Ann", "Bob", "Cy", "Di")[:number_of]]
            out["seats"] = dict(zip("ESWN", names, strict=False))
            start = {"seats": out["seats"], "sits_out": None}
            hands_of_table = [{"number": n, "input": given} for n in range(1, hands + 1)]
            more = {"lines": lines} if hands and table == 1 else {}
            rows.append({"table": table, "rules": "bmja", "start": start, "hands": hands_of_table, **more})
        return json.dumps({"club": "Bramley", "date": "2026-11-12", "tables": rows})

    @pytest.mark.django_db(transaction=True)
    def test_looking_waits_for_nobody_who_writes(self, club, desk, busy):
        rows = self.HEAD + "2025-11-12,1,bmja,Zoe Quill,8,2,40\n2025-11-12,1,bmja,Roy Parr,8,2,-40\n"
        before = everything_of(club)
        with busy():
            for page, text in (("night", NIGHT.read_text()), ("totals", rows), ("players", "Ann Brown\n")):
                answer = desk.look(page, text)
                assert (page, answer.status_code) == (page, 200)
                assert page == "totals" or answer.context["preview"].adds, page
        assert everything_of(club) == before

    @pytest.mark.django_db(transaction=True)
    def test_who_waits_too_long_for_another_writer_is_told_so_and_nothing_is_kept(self, club, desk, busy):
        desk.client.raise_request_exception = False
        with busy():
            began = time.monotonic()
            answer = desk.take_in("players", "Ann Brown\n")
            waited = time.monotonic() - began
        assert (answer.status_code, "too busy at the moment" in answer.content.decode()) == (503, True)
        assert 0.2 <= waited < 5
        assert names(club) == []
        # Who gave up waiting does not come in afterwards, and keeps nobody out.
        assert desk.take_in("players", "Ann Brown\n").status_code == 302
        assert names(club) == ["Ann Brown"]

    @pytest.mark.django_db(transaction=True)
    def test_writers_who_can_wait_come_in_one_after_the_other(self, busy, monkeypatch):
        monkeypatch.setattr(transactions, "MAX_WAIT", 20)
        inside, most = [], []

        def write():
            with transactions.writers_lock():
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.01)
                inside.pop()

        with ThreadPoolExecutor(8) as pool:
            with busy():
                waiting = [pool.submit(write) for _ in range(24)]
                time.sleep(0.1)
                assert most == []
            for one in waiting:
                one.result(timeout=20)
        assert most == [1] * 24

    def questions(self, do, club, hands):
        with CaptureQueriesContext(connection) as queries:
            do(club, self.night(hands), {}, by=BY)
        return len(queries)

    def test_the_questions_to_the_database_do_not_grow_with_the_hands(self, club, other_club):
        asked = [self.questions(preview_meeting_file, *one) for one in ((club, 3), (other_club, 30))]
        assert asked[0] == asked[1] < 120

    def test_a_hand_taken_in_asks_as_much_as_one_sent_from_a_table(self, club, other_club):
        """Its entry, results, payments and tallies, the session, the season, the log and the command itself."""
        few, many = [self.questions(import_meeting_file, *one) for one in ((club, 3), (other_club, 30))]
        assert many - few <= 27 * 13

    def test_written_together_is_as_written_one_by_one(self, club):
        """Every stored figure follows from the ledger, the log has a line for each entry, and Undo takes the last."""
        text = self.night(6)
        found = preview_meeting_file(club, text, {}, by=BY)
        loaded = import_meeting_file(club, text, {}, by=BY)
        assert (found.tables, found.adds) == (loaded.tables, loaded.recorded) == (loaded.tables, 11)
        assert found.notes == [*loaded.made, *loaded.notes]
        session = Session.objects.get(club=club)
        assert reconcile() == []
        kinds = ["note", "hand", "take_out", "hand", "fine", "seating", *["hand"] * 5, "finish"]
        logged = Change.objects.filter(session=session).exclude(action="start").order_by("pk")
        assert sorted(logged.values_list("action", flat=True)) == sorted(kinds)
        assert session.commands.count() == len(kinds)
        for kind in ("undo", "undo"):
            assert record(session, {}, kind).outcome == "recorded", kind
        assert session.entries.active().filter(kind="hand").count() == 5
        assert reconcile() == []

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({"hands": 501}, "at most 500 hands at once, and this one has 505"),
            ({"hands": 0, "tables": 41}, "at most 40 tables at once, and this one has 41"),
        ],
        ids=("hands", "tables"),
    )
    def test_an_afternoon_larger_than_any_is_refused(self, club, desk, given, expected):
        assert expected in errors(desk.look("night", self.night(**given)))[0]

    def test_totals_beyond_what_a_club_has_are_refused(self, club, desk):
        rows = "".join(f"{1900 + n // 300}-11-12,{n % 300 + 1},bmja,Ann,8,2,0\n" for n in range(10_001))
        assert "at most 10,000 results at once" in errors(desk.look("totals", self.HEAD + rows))[0]
        rows = "".join(f"2025-11-12,{n + 1},bmja,Member {n},8,2,0\n" for n in range(401))
        assert "at most 400 players at once" in errors(desk.look("totals", self.HEAD + rows))[0]

    def test_members_beyond_what_a_club_has_are_refused(self, club, desk):
        night = json.loads(self.night(1)) | {"members": [f"Member {n}" for n in range(400)]}
        assert "at most 400 players at once" in errors(desk.look("night", json.dumps(night)))[0]

    def test_a_locked_season_is_told_when_looking(self, club, desk):
        Season.objects.filter(pk=season(club).pk).update(locked=True)
        look = desk.look("night", self.night(1)).context["preview"]
        assert look.faults
        assert "locked" in look.faults[0]
