"""Totals brought along from elsewhere: what is written, what is refused, and that twice changes nothing."""

import datetime
import io

import pytest
from django.core.management import CommandError, call_command

from sessions_app.exchange.exports.csv_files import PROGRAMS, csv_text, file_name, guarded, unguarded
from sessions_app.exchange.exports.session_csv import (
    TOTALS_COLUMNS,
    club_totals_csv,
    session_totals_csv,
    session_totals_file_name,
)
from sessions_app.exchange.imports.sheet_shapes import MEANINGS
from sessions_app.models import Change, Club, Import, Meeting, Player, Season, Seat, Session, Tally

HEADER = "date,meeting,table,rules,recording,player,guest,seat,hands,won,gained,lost,net,balance,place\n"


TABLE = (
    "2026-11-12,Club,1,bmja,,Alice,,1,12,5,500,-100,400,2400,1\n"
    "2026-11-12,Club,1,bmja,,Bob,,2,12,3,100,-50,50,2050,2\n"
    "2026-11-12,Club,1,bmja,,Carol,yes,3,12,2,40,-490,-450,1550,3\n"
    "2026-11-12,Club,1,bmja,,Dave,,4,0,0,0,0,0,2000,\n"
)


ALICE = TABLE[: TABLE.index("\n") + 1]


ACCOUNTS = [("Alice", 1, 12, 5, 500, -100, 400, 2400), ("Bob", 2, 12, 3, 100, -50, 50, 2050)]


@pytest.fixture
def load(tmp_path, db):
    """Write a file and import it into the club bramley; text becomes UTF-8."""

    def loaded(content, *options, club="bramley"):
        file = tmp_path / "totals.csv"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        out, err = io.StringIO(), io.StringIO()
        call_command("import_totals", str(file), "--club", club, *options, stdout=out, stderr=err)
        return out.getvalue() + err.getvalue()

    return loaded


def everything():
    """All that an import may write, to compare before and after."""
    tables = (Club, Meeting, Session, Seat, Tally, Player, Season, Import, Change)
    return [list(model.objects.order_by("pk").values()) for model in tables]


def accounts():
    tallies = Tally.objects.select_related("player", "seat").order_by(
        "session__date", "session__table", "seat__seat_no"
    )
    return [(t.player.full_name, t.seat.seat_no, t.hands, t.won, t.gained, t.lost, t.net, t.balance) for t in tallies]


def refusal(load, content, *options):
    before = everything()
    with pytest.raises(CommandError) as refused:
        load(content, *options)
    assert everything() == before
    first, *sentences = str(refused.value).split("\n")
    assert first == "Nothing was imported."
    return sentences


@pytest.mark.parametrize("separator", ";\t")
def test_sheets_with_semicolons_or_tabs_between_the_cells(load, separator):
    assert load((HEADER + TABLE).replace(",", separator)) == "1 new table.\n"
    assert accounts()[:2] == ACCOUNTS


def test_club_players_and_sessions_are_made(load):
    assert load(HEADER + TABLE) == "1 new table.\n"
    club = Club.objects.get()
    assert (club.slug, club.name, club.rules) == ("bramley", "Bramley", "bmja")
    session = Session.objects.get()
    facts = (session.date, session.meeting.name, session.table, session.rules, session.recording, session.state)
    assert facts == (datetime.date(2026, 11, 12), "Club", 1, "bmja", "settle", "finished")
    assert (session.imported, session.starting_balance, session.house_rules) == (True, 2000, {})
    assert accounts() == [
        *ACCOUNTS,
        ("Carol", 3, 12, 2, 40, -490, -450, 1550),
        ("Dave", 4, 0, 0, 0, 0, 0, 2000),
    ]
    assert list(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == ["Carol"]


def test_it_is_logged_without_names(load):
    load(HEADER + TABLE)
    change = Change.objects.get(action="import totals")
    assert (change.name, change.after["counts"]) == ("command line", {"new": 1, "corrected": 0, "gone": 0})
    assert "Alice" not in str((change.before, change.after))


def test_twice_changes_nothing(load):
    load(HEADER + TABLE)
    before = everything()
    assert load(HEADER + TABLE) == "Nothing changes.\n"
    assert everything() == before


def test_round_trip_is_byte_for_byte(load):
    names = ["Nobody", "=1+1", "+Ann", "'=quoted", "''-x", "@home", 'Ann "Nan" B', "Zoë, Ltd", "-120"]
    rows = [["2026-11-12", "-club", 1, "u3a", "straight", name, "", "", 4, 1, 5, -5, 0, 7, 1] for name in names]
    first = csv_text(HEADER.strip().split(","), rows).encode()
    load(first, club="one")
    exported = club_totals_csv(Club.objects.get(slug="one"), names=PROGRAMS).encode()
    assert exported == first
    load(exported, club="two")
    assert club_totals_csv(Club.objects.get(slug="two"), names=PROGRAMS).encode() == first
    assert sorted(Player.objects.filter(club__slug="two").values_list("full_name", flat=True)) == sorted(names)


def test_arrivals_keep_an_empty_seat(load):
    late = "2026-11-12,Club,1,bmja,,Fay,,,2,0,0,-10,-10,,\n"
    load(HEADER + TABLE + late, "--accept")
    seat = Seat.objects.get(player__full_name="Fay")
    assert (seat.seat_no, seat.at_start) == (5, False)
    assert Tally.objects.get(seat=seat).balance == 1990
    assert session_totals_csv(Session.objects.get(), PROGRAMS).split("\r\n")[5] == (
        "2026-11-12,Club,1,bmja,settle,Fay,,,2,0,0,-10,-10,1990,3"
    )


def test_places_leave_out_who_played_no_hand(load):
    load(HEADER + TABLE)
    lines = session_totals_csv(Session.objects.get(), PROGRAMS).split("\r\n")
    assert [line.rsplit(",", 1)[1] for line in lines[1:5]] == ["1", "2", "3", ""]


def test_only_the_starred_columns(load):
    load("player,net,won,hands,rules,table,date\nAlice,-5,0,9,bmja,2,2026-11-12\n", "--accept")
    assert accounts() == [("Alice", 1, 9, 0, 0, -5, -5, -5)]


def test_byte_order_mark_other_columns_and_empty_lines(load):
    header = "\ufeffDate,Table,Rules,Player,Hands,Won,Net,Shoes\r\n"
    assert load(header + "\r\n2026-11-12,1,BMJA,Al,1,0,0,red\r\n,,,,,,,\r\n") == "1 new table.\n"


OTHER = TABLE.replace("500,-100,400,2400", "500,-90,410,2410").replace("100,-50,50,2050", "100,-60,40,2040")


REFUSED = [
    "Table 1 on 12 November 2026 (Club): Alice +400 → +410 and Bob +50 → +40.",
    "To use the file’s results, use --replace.",
]


def test_figures_entered_here_are_kept_unless_it_is_said_otherwise(load):
    load(HEADER + TABLE)
    Import.objects.all().delete()
    assert refusal(load, HEADER + OTHER) == REFUSED
    assert load(HEADER + OTHER, "--replace") == "1 table corrected.\n"


def test_a_file_imported_again_corrects_its_tables(load):
    load(HEADER + TABLE)
    assert refusal(load, HEADER + OTHER) == REFUSED
    assert load(HEADER + OTHER, "--replace") == "1 table corrected.\n"
    assert accounts()[0] == ("Alice", 1, 12, 5, 500, -90, 410, 2410)
    assert Import.objects.latest("pk").tables[0]["before"]["results"][0]["net"] == 400
    before = everything()
    load(HEADER + OTHER)
    assert everything() == before


def test_a_file_imported_again_can_swap_seats_and_rules(load):
    load(HEADER + TABLE)
    swapped = TABLE.replace("Alice,,1", "Alice,,9").replace("Bob,,2", "Bob,,1").replace("Alice,,9", "Alice,,2")
    load(HEADER + swapped.replace("bmja,", "u3a,"), "--replace")
    assert [account[:2] for account in accounts()] == [("Bob", 1), ("Alice", 2), ("Carol", 3), ("Dave", 4)]
    assert Session.objects.get().rules == "u3a"


def test_a_player_can_be_added_to_a_table_that_is_there(load):
    load(HEADER + TABLE)
    load(HEADER + "2026-11-12,Club,1,bmja,,Fay,,5,2,0,0,-10,-10,1990,\n", "--accept")
    assert [account[:2] for account in accounts()][-1] == ("Fay", 5)
    assert Session.objects.count() == 1


def test_somebody_elses_seat(load):
    load(HEADER + TABLE)
    assert refusal(load, HEADER + "2026-11-12,Club,1,bmja,,Fay,,2,2,0,0,-10,-10,,\n") == [
        "Line 2: 2026-11-12 (Club), table 1, Fay: seat 2 is someone else’s here."
    ]


def test_being_a_guest_follows_the_newest_row(load):
    rows = "2026-11-{day},,1,bmja,,Gil,{guest},,3,0,,,0,,\n"
    load(HEADER + rows.format(day=19, guest="") + rows.format(day=12, guest="yes"))
    assert not Player.objects.get().guest
    load(HEADER + rows.format(day="05", guest="yes"))
    assert not Player.objects.get().guest
    load(HEADER + rows.format(day=26, guest="yes"))
    assert Player.objects.get().guest


def test_sessions_count_in_their_season_and_raise_its_version(load, club):
    autumn = Season.objects.create(
        club=club, name="Autumn", starts_on="2026-09-01", ends_on="2026-12-31", rules=["bmja"]
    )
    load(HEADER + TABLE + TABLE.replace(",1,bmja,", ",2,u3a,"), "--accept")
    assert list(Session.objects.order_by("table").values_list("season", flat=True)) == [autumn.pk, None]
    assert list(Tally.objects.filter(session__table=1).values_list("season", flat=True)) == [autumn.pk] * 4
    autumn.refresh_from_db()
    assert autumn.version == 2
    load(HEADER + TABLE, "--beside")
    autumn.refresh_from_db()
    assert autumn.version == 2


def test_a_locked_season_is_left_alone(load, club):
    Season.objects.create(
        club=club, name="Autumn", starts_on="2026-09-01", ends_on="2026-12-31", rules=["bmja"], locked=True
    )
    assert refusal(load, HEADER + TABLE)[0] == (
        "Line 2: 2026-11-12 (Club), table 1, Alice is in the season Autumn, which is locked."
    )


def test_a_table_played_here_is_corrected_at_the_table(load):
    load(HEADER + TABLE)
    Session.objects.update(imported=False)
    load(HEADER + TABLE)
    assert refusal(load, HEADER + TABLE.replace("12,5,500", "12,6,500")) == [
        "Line 2: 2026-11-12 (Club), table 1, Alice was played hand by hand here, with other figures. "
        "Correct it at the table."
    ]


def test_a_merged_player_is_who_he_was_merged_into(load, cast):
    Player.objects.create(club=cast.alice.club, full_name="Alison", merged_into=cast.alice)
    load(HEADER + TABLE.replace("Alice", "Alison"))
    assert Tally.objects.get(seat__seat_no=1).player == cast.alice
    twice = refusal(load, HEADER + TABLE.replace("Bob,,2", "Alison,,2").replace("-12", "-19"))
    assert twice[0] == "Alice has 2 results on 19 November 2026: 400 and 50."


def one_row(**changed):
    cells = {
        "date": "2026-11-12", "meeting": "", "table": "1", "rules": "bmja", "recording": "", "player": "Al",
        "guest": "", "seat": "", "hands": "9", "won": "2", "gained": "30", "lost": "-10",
        "net": "20", "balance": "", "place": "",
    }  # fmt: skip
    return HEADER + ",".join((cells | changed).values()) + "\n"


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", ["This one is empty"]),
        (b"\x89PNG\r\n\x1a\n", ["is damaged, or is not a spreadsheet"]),
        (HEADER.replace("seat,", "net,") + ALICE, ["Choose “Won or lost” for one column only."]),
        (HEADER + TABLE + "2026-11-12,Club\n", ["Cell F6: the name is missing."]),
        (one_row(net="2x"), ["Cell M2:", "“2x”, which is not a whole number"]),
        (one_row(net=""), ["Cell M2:", "is missing"]),
        (one_row(net="9" * 5000), ["Cell M2:", "more than 8 digits"]),
        (one_row(hands="-1"), ["Cell I2: hands is -1."]),
        (one_row(hands="many"), ["Cell I2: hands is “many”, which is not a whole number."]),
        (one_row(won="10"), ["Cell J2: hands won is 10, but only 9 were played."]),
        (one_row(net="21"), ["Cell M2: the result is 21, which contradicts gained 30 and lost -10."]),
        (one_row(gained="", lost="-10", net="-20"), ["Cell M2: the result is -20, which contradicts lost -10."]),
        (one_row(table="0"), ["Cell C2: table is 0."]),
        (one_row(seat="6"), ["Cell H2: seat is 6."]),
        (one_row(date="11/31/2026"), ["Cell A2:", "not in the calendar"]),
        (one_row(date="2026-02-30"), ["Cell A2:", "not in the calendar"]),
        (one_row(date="12 Nob 2026"), ["Cell A2:", "is not a date"]),
        (one_row(date="0206-11-12"), ["Cell A2:", "whose year is wrong"]),
        (one_row(player=" "), ["Cell F2: the name is missing."]),
        (one_row(player="x" * 121), ["is longer than 120 letters"]),
        (one_row(player="A\x00l"), ["is damaged, or is not a spreadsheet"]),
        (one_row(guest="perhaps"), ["Cell G2: guest is “perhaps”"]),
        (one_row(rules="poker"), ["No rules here are called “poker”."]),
        (one_row(recording="both"), ["“both” does not say how the results were recorded."]),
        (HEADER + TABLE + ALICE, ["Alice has 2 results on 12 November 2026: 400 and 400."]),
        (HEADER + TABLE.replace("bmja,,Bob", "u3a,,Bob"), ["Line 3: table 1 has other rules"]),
        (
            HEADER + "".join(one_row(net=f"x{n}").split("\n", 1)[1] for n in range(30)),
            ["Cell M2: what Al won or lost is “x0”", "And "],
        ),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_cells_and_nothing_is_saved(load, content, named):
    said = "\n".join(refusal(load, content))
    assert [words for words in named if words not in said] == []


def test_of_two_at_one_seat_the_second_gets_the_next(load):
    load(HEADER + TABLE.replace("Bob,,2", "Bob,,1"))
    assert [account[:2] for account in accounts()] == [("Alice", 1), ("Carol", 3), ("Dave", 4), ("Bob", 5)]


def test_a_file_that_is_not_there_and_a_bad_club(load, tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file or directory."):
        call_command("import_totals", str(tmp_path / "none.csv"), "--club", "bramley")
    with pytest.raises(CommandError, match="letters, numbers and hyphens only"):
        load(HEADER, club="no such/club")


# A tablet writes the same (tests/javascript).
CELLS = [
    ("=SUM(A1)", "'=SUM(A1)"),
    ("+1+1", "'+1+1"),
    ("-2+3", "'-2+3"),
    ("@x", "'@x"),
    ("\tx", "'\tx"),
    (" =x", "' =x"),
    ("＝x", "'＝x"),
    ("'=x", "''=x"),
    ("-120", "-120"),
    ("-0.5000", "-0.5000"),
    ("O'Dea", "O'Dea"),
    ("'Arry", "'Arry"),
    ("a;=1+1;b", "a;'=1+1;b"),
    ("a;'=1+1;-b", "a;''=1+1;'-b"),
    ('a;"=1+1;b', "a;'\"=1+1;b"),
    ('a; ""\t"+1', 'a; ""\t\'"+1'),
    ("a\n=1+1", "a\n'=1+1"),
    ("Tea; cake", "Tea; cake"),
    (-120, "-120"),
    (None, ""),
]


@pytest.mark.parametrize(("cell", "written"), CELLS)
def test_formulas_are_made_harmless_and_numbers_left_alone(cell, written):
    assert guarded(cell) == written
    assert unguarded(written) == ("" if cell is None else str(cell))


def test_csv_is_rfc_4180_with_a_byte_order_mark():
    assert csv_text(["a", "b"], [['x "y"', "1,2"], ["line\nbreak", "ë"]]).encode() == (
        '\ufeffa,b\r\n"x ""y""","1,2"\r\n"line\nbreak",ë\r\n'.encode()
    )


def test_file_names_say_club_date_and_content(load):
    load(HEADER + TABLE)
    assert session_totals_file_name(Session.objects.get()) == "bramley-2026-11-12-table-1-totals.csv"
    assert file_name("bramley", None, "Ärger: /etc") == "bramley-arger-etc.csv"


def test_every_column_of_the_totals_is_read_again_but_the_place():
    """The place follows from the nets; any other column that is not read would be lost in a club's own file."""
    assert set(TOTALS_COLUMNS) - set(MEANINGS) == {"place"}
