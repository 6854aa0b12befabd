"""What any import costs is bounded, each bound is a sentence, and whatever is sent is no fault of the site."""

import html
import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.models import Command, Player, Throttle
from sessions_app.people.throttling import IMPORT, count_try
from tests.afternoon import new_key
from tests.exchange.test_sheet_import import pages  # noqa: F401
from tests.exchange.test_spreadsheets import excel
from tests.exchange.test_take_in import keeper, message, parts  # noqa: F401
from tests.exchange.test_take_in import post as send_code
from tests.exchange.test_take_in_at_desk import NIGHT, desk, errors, names  # noqa: F401
from tests.logins import logins, signed_in
from tests.share import shared

TWO = "2025-01-01,1,bmja,Ann,,,4\n2025-01-01,1,bmja,Bob,,,-4\n"
HEADINGS = "date,table,rules,player,hands,won,net\n"


@pytest.fixture
def secretary(club):
    return signed_in(logins(club)["secretary"])


class TestOneTable:
    """The rows of a table are compared with its others in time proportional to the file."""

    def test_ten_thousand_at_one_table_are_refused_for_their_number(self, club, desk):  # noqa: F811
        rows = "".join(f"2025-01-01,1,bmja,Player {number},,,0\n" for number in range(9_999))
        assert errors(desk.look("totals", HEADINGS + rows)) == [
            "Choose a smaller file: at most 400 players at once, and this one has 9,999."
        ]

    def test_rules_that_contradict_an_earlier_row_are_refused_with_the_first_that_does(self, club, desk):  # noqa: F811
        header = "date,table,rules,recording,player,seat,hands,won,net\n"
        rows = ["bmja,,Ann,1", "bmja,,Bob,1", "u3a,,Cy,", "bmja,straight,Di,3"]
        text = header + "".join(f"2025-01-01,1,{row},,,0\n" for row in rows)
        assert desk.look("totals", text).context["preview"].refused == [
            "Line 4: table 1 has other rules, or is recorded otherwise, in line 2.",
            "Line 5: table 1 has other rules, or is recorded otherwise, in line 2.",
        ]


class TestNames:
    """Each new name is compared with every player, so that what both numbers make together is bounded."""

    @pytest.fixture
    def crowd(self, club):
        players = [Player(club=club, full_name=f"Player {number}", short_name=f"P{number}") for number in range(2_000)]
        Player.objects.bulk_create(players)

    SENTENCE = (
        "Choose a shorter list, of at most 100 new names. This one has 101, and each is compared with the club’s "
        "2,000 players."
    )

    def test_a_list_of_players(self, club, crowd, desk):  # noqa: F811
        lines = [f"Newcomer {number}" for number in range(101)]
        assert errors(desk.look("players", "\n".join(lines))) == [self.SENTENCE]
        known = [f"Player {number}" for number in range(500)]
        assert desk.look("players", "\n".join([*known, *lines[:3]])).status_code == 200

    def test_totals(self, club, crowd, desk):  # noqa: F811
        rows = "".join(f"2025-01-01,{number % 20 + 1},bmja,Newcomer {number},,,0\n" for number in range(101))
        assert errors(desk.look("totals", HEADINGS + rows)) == [self.SENTENCE]

    def test_a_clubs_own_spreadsheet(self, club, crowd, pages):  # noqa: F811
        page = pages.looked_at("Date,Name,Score\n" + "".join(f"4/9/25,Newcomer {one},0\n" for one in range(101)))
        assert (page.status_code, page.context["errors"]) == (422, [self.SENTENCE])


class TestWidth:
    """Every column is a field on the next page, and every row is read as wide as the widest."""

    def test_more_columns_than_a_page_can_send_on_are_refused(self, club, pages):  # noqa: F811
        sheets = [(f"Season {number}", [["Name", *range(300)], ["Ann", *range(300)]]) for number in range(4)]
        page = pages.choose(excel(*sheets))
        [sentence] = page.context["form"].non_field_errors()
        assert (page.status_code, sentence.endswith("or import some sheets at a time.")) == (422, True)

    def test_as_many_as_are_allowed_can_be_sent_on(self, club, pages):  # noqa: F811
        rows = [["Name", *(f"{day % 28 + 1}/{day % 12 + 1}/25" for day in range(28))], ["Ann", *[1] * 28]]
        page = pages.choose(excel(*((f"Season {number}", rows) for number in range(40))))
        assert page.status_code == 200
        assert len(page.content) < 8_000_000
        assert pages.columns(page).status_code in (200, 422)

    def test_one_long_row_among_thousands_is_refused(self, club, pages):  # noqa: F811
        page = pages.choose("Ann,1\n" * 11_000 + "," * 399 + "x\n")
        assert page.status_code == 422
        [sentence] = page.context["form"].non_field_errors()
        assert sentence.startswith("Choose a smaller file")


CELLS = [["Name", "4/9/25"], ["Ann", "4"], ["Bob", "-4"]]


def kept_as(*sheets):
    """What a page keeps of a file whose sheets have these values."""
    names = ("name", "rows", "hidden_rows", "hidden_columns")
    sheets = [dict(zip(names, sheet, strict=False)) if isinstance(sheet, list) else sheet for sheet in sheets]
    return json.dumps({"sheets": sheets, "hidden_sheets": []})


KEPT = kept_as(["A", CELLS, [], []])
LAYOUT = ["dates across", 0, ["player", "result"], True, ""]


def layout(**changes):
    places = {"shape": 0, "header": 1, "columns": 2, "used": 3, "years": 4}
    made = [*LAYOUT]
    for name, value in changes.items():
        made[places[name]] = value
    return [[made], "day", "bmja", "settle", "own"]


class TestKept:
    """The pages carry the file along, so that what comes back may be anything."""

    def saved(self, club, secretary, kept, choices):
        fields = {"kept": kept, "choices": choices, "checked": "1", "accept_all": "1", "do": "record", FIELD: ACCEPTED}
        return secretary.post(reverse("import-totals", args=[club.slug]), fields)

    @pytest.mark.parametrize(
        "choices",
        [
            *map(
                json.dumps,
                [
                    layout(header=float("inf")), layout(header=float("nan")), layout(header=10**400),
                    layout(header="x"), layout(columns=None), layout(columns=[["player"], "result"]),
                    layout(shape=[]), layout(shape={}), [[["list"]], "day", "bmja", "settle", "own"],
                    [[LAYOUT], [], "bmja", "settle", "own"], [[LAYOUT], "day", [], "settle", "own"],
                    [[LAYOUT], "day", {}, "settle", "own"],
                    [[LAYOUT], "day", "bmja", [], "own"], [7, "day", "bmja", "settle", "own"], "x", 7, None, [], {},
                ],
            ),
            "[" * 100_000, "", "\x00",
        ],
        ids=lambda text: text[:40],
    )  # fmt: skip
    def test_choices_that_no_page_makes(self, club, secretary, choices):
        assert self.saved(club, secretary, KEPT, choices).status_code == 422
        assert names(club) == []

    @pytest.mark.parametrize(
        "kept",
        [
            kept_as(*[["A", [["x"]], [], []]] * 1_000), kept_as(*[["A", [], [], []]] * 1_000),
            kept_as(["A", CELLS]), kept_as(["A", CELLS, 3, 4, 5]), kept_as(["A", CELLS, [None], [], []]),
            kept_as(["A", {"a": 1}, [], []]), kept_as(["A", 7, [], []]),
            kept_as(["A", [[""] * 400_000], [], []]), kept_as(7), kept_as({}), kept_as(None), "7", "{}", "null",
            '{"sheets": 7}', KEPT.replace('[]}', '[["Old", "x"]]}'),
        ],
        ids=lambda kept: kept[:60],
    )  # fmt: skip
    def test_files_that_no_page_keeps(self, club, secretary, kept):
        assert self.saved(club, secretary, kept, json.dumps(layout())).status_code == 422
        assert names(club) == []

    @pytest.mark.parametrize("letter", ["\x00", "\x1b", "\ud800", "\u200b"], ids=ascii)
    def test_a_name_with_what_cannot_be_shown_comes_in_without(self, club, secretary, letter):
        cells = [CELLS[0], [f"An{letter}n", "4"], CELLS[2]]
        kept = kept_as([f"A{letter}", cells, [], []])
        assert self.saved(club, secretary, kept, json.dumps(layout())).status_code == 302
        assert names(club) == ["Ann", "Bob"]

    def test_rows_hidden_that_are_not_there_do_no_harm(self, club, secretary):
        kept = kept_as(["A", CELLS, [-1, 10**9], [10**9], [[10**9, 1]]])
        assert self.saved(club, secretary, kept, json.dumps(layout())).status_code == 302


class TestCode:
    """The text of a code may say anything of itself."""

    @pytest.mark.parametrize("name", ["club", "device", "session", "made_at", "key"])
    def test_lists_within_lists_at_any_depth(self, at_home, keeper, name):  # noqa: F811
        command = {"key": new_key(), "kind": "note", "body": {"text": "Tea"}}
        made = message(at_home, command)
        (made if name in made else command)[name] = "nested"
        text = json.dumps(made)
        for depth in shared(range(500, 1_000, 3)):
            nested = text.replace('"nested"', "[" * depth + "]" * depth)
            assert send_code(keeper, at_home, parts(nested)[0]).status_code in (200, 422)
        assert Command.objects.filter(kind="note").count() == 0

    def test_numbers_that_no_database_has(self, at_home, keeper):  # noqa: F811
        made = message(at_home, {"key": new_key(), "kind": "note", "body": {"text": "Tea"}}, session=10**30)
        assert send_code(keeper, at_home, parts(made)[0]).status_code == 422


class TestADay:
    """What a club looks at and imports in a day is bounded, far above forty files."""

    SENTENCE = "Your club has checked and imported as much as it can in a day. Try again in 24 hours."

    @pytest.fixture
    def spent(self, club):
        assert IMPORT.tries >= 40 * 10
        count_try(IMPORT, str(club.pk), number=IMPORT.tries)

    @staticmethod
    def again(client, page):
        """Press the button of the page that says to wait, with all that it keeps."""
        fields = {}
        for name, text in page.context["sent"]:
            fields.setdefault(name, []).append(text)
        for name, texts in fields.items():
            kept = re.findall(
                rf'<textarea name="{re.escape(name)}" hidden>\n(.*?)</textarea>', page.content.decode(), re.S
            )
            assert [html.unescape(text) for text in kept] == texts
        return client.post(page.request["PATH_INFO"], fields)

    @pytest.mark.parametrize("page", ["players", "totals", "night"])
    def test_it_is_said_with_the_text_kept_and_the_next_day_it_goes_on(self, club, desk, spent, page):  # noqa: F811
        text = {"players": "Ann Brown\n", "totals": HEADINGS + TWO, "night": NIGHT.read_text()}[page]
        for answer in (desk.look(page, text), desk.take_in(page, text)):
            assert (answer.status_code, answer.context["errors"]) == (422, [self.SENTENCE])
        assert names(club) == []
        Throttle.objects.update(ends_at=timezone.now())
        assert self.again(desk.client, answer).status_code == 302
        assert names(club) != []

    def test_what_was_changed_on_a_page_stays(self, club, pages):  # noqa: F811
        first = pages.choose("Name;4/9/25\nAnn;4\nBob;-4\n")
        second = pages.columns(first)
        count_try(IMPORT, str(club.pk), number=IMPORT.tries - 2)
        answer = pages.check(second, **{"cell-0-1-1": "4o", field_of("Bob"): "guest"})
        assert (answer.status_code, answer.context["errors"]) == (422, [self.SENTENCE])
        assert names(club) == []
        Throttle.objects.update(ends_at=timezone.now())
        look = self.again(pages.client, answer).context["preview"]
        assert look.names.new_guests == {"Bob"}
        assert "“4o”" in look.questions[0].sentence

    def test_hands_of_another_tablet(self, at_home, keeper):  # noqa: F811
        made = message(at_home, {"key": new_key(), "kind": "note", "body": {"text": "Tea"}})
        count_try(IMPORT, str(at_home.club.pk), number=IMPORT.tries)
        assert send_code(keeper, at_home, parts(made)[0]).status_code == 200
        count_try(IMPORT, str(at_home.club.pk), str(at_home.table_session.pk), number=IMPORT.tries - 1)
        answer = send_code(keeper, at_home, parts(made)[0], do="record")
        assert (answer.status_code, answer.context["errors"]) == (422, [self.SENTENCE])
        assert Command.objects.filter(kind="note").count() == 0
        Throttle.objects.update(ends_at=timezone.now())
        assert self.again(keeper, answer).status_code == 200
        assert Command.objects.filter(kind="note").count() == 1

    def test_another_club_and_reading_the_page_are_not_counted(self, club, other_club, spent):
        logins(other_club)
        client = signed_in(other_club.memberships.get(role="secretary").user)
        text = {"text": "Ann Brown\n", "do": "record", "key": "k"}
        assert client.get(reverse("import-players", args=[other_club.slug])).status_code == 200
        assert client.post(reverse("import-players", args=[other_club.slug]), text).status_code == 302
