"""Marks that nobody sees leave names and cells, every dash is a minus in a figure, and a Mac's CSV keeps its accents.

Web pages, emails and phones put such marks into what is copied from them: "‎100" is read by people as 100.
"""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sessions_app.models import Player
from sessions_app.people.players import add_player
from tests.exchange.test_enter_totals import page, players  # noqa: F401
from tests.exchange.test_enter_totals import rows as tallies
from tests.exchange.test_sheet_import import nets, pages, sentences  # noqa: F401
from tests.exchange.test_take_in_at_desk import NIGHT, desk, errors, names  # noqa: F401
from tests.factories import BY
from tests.table.test_paper import by_seat, check, four, keeper, line, said  # noqa: F401

# Left-to-right and right-to-left marks, an override, zero-width blanks and joiners, a byte-order mark, a soft hyphen.
MARKS = "\u200e\u200f\u202e\u200b\u200d\u2060\ufeff\u00ad"
# Hyphens, dashes, a real minus, small and full-width ones.
MINUSES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
# No two of them are alike, so that none is asked about.
PEOPLE = (
    "Agnes Beryl Connie Doris Elsie Freda Gladys Hilda Ivy Joyce Kitty Lilian Mabel Nora Olive Phyllis Queenie Rita"
)


def test_a_loss_is_one_whatever_its_minus(club, pages):  # noqa: F811
    lost = dict(zip(PEOPLE.split(), [*MINUSES, *(f"{mark}-" for mark in MARKS)], strict=True))
    lines = "".join(f"{name},03/10/2025,{minus}100\n" for name, minus in lost.items())
    look = pages.looked_at(f"Name,Date,Score\nAnn Abel,03/10/2025,{100 * len(lost)}\n{lines}")
    assert sentences(look) == []
    pages.save(look)
    assert nets(club) == {"Ann Abel": 100 * len(lost), **dict.fromkeys(lost, -100)}


def test_a_cell_with_a_minus_alone_is_somebody_who_did_not_play(club, pages):  # noqa: F811
    people = dict(zip(PEOPLE.split(), MINUSES, strict=False))
    away = "".join(f"{name},100,{minus}\n" for name, minus in people.items())
    pages.saved(f"Name,3 Oct 2025,10 Oct 2025\n{away}Bob Bain,{-100 * len(MINUSES)},50\nCy Cole,0,-50\n")
    assert nets(club) == {
        **dict.fromkeys(people, 100), "Bob Bain": 50 - 100 * len(MINUSES), "Cy Cole": -50,
    }  # fmt: skip


@pytest.mark.parametrize("hyphen", ["\u2010", "\u2011", "\uff0d"], ids=ascii)
def test_a_date_has_any_hyphen(club, pages, hyphen):  # noqa: F811
    text = f"Name,Date,Score\nAnn Abel,2025{hyphen}10{hyphen}03,4\nBob Bain,3{hyphen}10{hyphen}25,-4\n"
    look = pages.looked_at(text)
    assert [row.date.isoformat() for row in look.context["preview"].rows] == ["2025-10-03"] * 2


# All at once: one that stayed would be seen.
@pytest.mark.parametrize("mark", [MARKS, *(pytest.param(mark, marks=pytest.mark.long) for mark in MARKS)], ids=ascii)
class TestMarks:
    def test_a_clubs_own_list_means_the_people_who_are_there(self, club, pages, mark):  # noqa: F811
        add_player(club, "Ann Abel", by=BY)
        ann, bob = f"{mark}Ann{mark} Abel,03/10/2025,{mark}100{mark}", f"Bob Bain,{mark}03/10/2025,-100"
        pages.saved(f"Name,Date,Score\n{ann}\n{bob}\n")
        assert nets(club) == {"Ann Abel": 100, "Bob Bain": -100}

    def test_cells_changed_on_the_page(self, club, pages, mark):  # noqa: F811
        look = pages.looked_at("Name,Date,Score\nAnn Abel,03/10/2025,1oo\nBob Bain,03/10/2025,-100\n")
        pages.save(look, **{"cell-0-1-2": f"{mark}100"})
        assert nets(club) == {"Ann Abel": 100, "Bob Bain": -100}

    def test_totals_as_export_writes_them(self, club, desk, mark):  # noqa: F811
        text = f"date,table,rules,player,hands,won,net\n2025-10-03,1,bmja,An{mark}n Abel,,,{mark}100\n"
        assert desk.take_in("totals", text + f"{mark}2025-10-03,1,bmja,Bob Bain,,,\u2011100\n").status_code == 302
        assert nets(club) == {"Ann Abel": 100, "Bob Bain": -100}

    def test_players(self, club, desk, mark):  # noqa: F811
        assert desk.take_in("players", f"{mark}Ann{mark} Abel\nBob Bain{mark}\n").status_code == 302
        assert names(club) == ["Ann Abel", "Bob Bain"]

    def test_a_past_meeting(self, club, desk, mark):  # noqa: F811
        night = NIGHT.read_text().replace("Margaret", f"Marg{mark}aret")
        assert mark in night or json.dumps(mark)[1:-1] in night
        assert desk.take_in("night", night).status_code == 302
        assert not Player.objects.filter(full_name__contains=mark).exists()
        assert Player.objects.filter(full_name__startswith="Margaret").exists()

    def test_a_player_added_on_the_page(self, club, desk, mark):  # noqa: F811
        fields = {"full_name": f"Zed{mark} Zero", "short_name": f"Z{mark}"}
        desk.client.post(reverse("players", args=[club.slug]), fields)
        assert list(Player.objects.values_list("full_name", "short_name")) == [("Zed Zero", "Z")]

    def test_typed_totals(self, club, page, mark):  # noqa: F811
        assert page.enter(f"{mark}120", f"{mark}\u2011120").status_code == 302
        assert [row[1] for row in tallies(club)] == [120, -120]

    def test_a_paper_sheet(self, keeper, four, mark):  # noqa: F811
        scores, sheet = {1: 0, 2: f"{mark}8", 3: 0, 4: 0}, {1: f"{mark}1968", 2: "2048", 3: "1992", 4: "1992"}
        assert said(check(keeper, four, **line(1, scores, "S", sheet)), "problem") == []


@pytest.mark.parametrize("minuses", [MINUSES[:3], MINUSES[3:6], MINUSES[6:9], MINUSES[7:]], ids=ascii)
def test_a_paper_sheets_own_total_may_be_a_loss(keeper, four, minuses):  # noqa: F811
    one, two, three = minuses
    # Bob wins 8 as South, so East loses 16 and the others 8, from 0.
    fields = line(1, by_seat(0, 8, 0, 0), "S", {1: f"{one}16", 2: "32", 3: f"{two}8", 4: f"{three} 8"})
    answer = check(keeper, four, **fields)
    assert said(answer, "difference", "problem") == []
    assert answer["difference"].startswith("The sheet’s totals agree with ours")


class TestFromAMac:
    """“CSV (Macintosh)” is Mac Roman, and ends its lines with a carriage return alone."""

    TEXT = "Name,Date,Score\rRené Roux,03/10/2025,100\rZoë Zander,03/10/2025,-100\r"

    def test_names_keep_their_accents(self, club, pages):  # noqa: F811
        pages.saved(self.TEXT.encode("mac_roman"))
        assert nets(club) == {"René Roux": 100, "Zoë Zander": -100}

    def test_so_do_those_of_a_list_of_players(self, club, desk):  # noqa: F811
        file = SimpleUploadedFile("players.csv", "Name\rRené Roux\rZoë Zander\r".encode("mac_roman"))
        assert desk.take_in("players", "", file=file).status_code == 302
        assert names(club) == ["René Roux", "Zoë Zander"]

    @pytest.mark.parametrize(("encoding", "end"), [("utf-8", "\r"), ("cp1252", "\r\n"), ("cp1252", "\n")])
    def test_other_files_are_read_as_before(self, club, pages, encoding, end):  # noqa: F811
        pages.saved(self.TEXT.replace("\r", end).encode(encoding))
        assert nets(club) == {"René Roux": 100, "Zoë Zander": -100}
