"""Whose results these are: members, guests or nobody; and what clubs write around a name or behind a figure."""

import io

import pytest
from django.core.management import CommandError, call_command

from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.sheet_values import read_name, without_remark
from sessions_app.models import Player, Tally
from tests.exchange.test_sheet_import import nets, pages, sentences  # noqa: F401

HEAD = "Player,Date,Net\n"


def day(date, **nets):
    return "".join(f"{name.replace('_', ' ')},{date},{net}\n" for name, net in nets.items())


PLACEHOLDERS = HEAD + day("2025-09-04", Ann_Abel=-60, Bob_Bell=-40, Cy_Cole=-100, Guest=200)
PLACEHOLDERS += day("2025-09-11", Ann_Abel=-30, Bob_Bell=60, Visitor=-50, Guest=20)
PLACEHOLDERS += day("2025-09-18", Ann_Abel=-10, Bob_Bell=10, Dummy=0, Nobody=0)
TWO_ANNS = HEAD + day("2025-09-04", Ann=120, Bob=-120) + day("2025-09-11", Ann_A=-30, Bob=30)
TWO_ANNS += day("2025-09-18", Ann_B=10, Bob=-10)


def chosen(look):
    return {choice.name: choice.chosen for choice in look.names.everyone}


def test_every_new_name_is_a_member_a_guest_or_left_out(club, pages):  # noqa: F811
    page = pages.looked_at(PLACEHOLDERS)
    look = page.context["preview"]
    assert chosen(look) == {
        "Ann Abel": "new", "Bob Bell": "new", "Cy Cole": "new", "Guest": "guest", "Visitor": "guest", "Dummy": "out",
        "Nobody": "out",
    }  # fmt: skip
    assert dict(look.names.everyone[0].options)["out"] == "Leave out"
    assert look.will_be.left_out == ["2 results of Dummy and Nobody."]
    assert pages.save(page).status_code == 302
    assert set(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == {"Guest", "Visitor"}
    assert not Player.objects.filter(full_name__in=("Dummy", "Nobody")).exists()


def test_what_was_guessed_of_a_name_can_be_changed(club, pages):  # noqa: F811
    page = pages.looked_at(PLACEHOLDERS)
    answers = {field_of("Cy Cole"): "guest", field_of("Visitor"): "out", field_of("Dummy"): "new"}
    page = pages.check(page, **answers)
    assert page.context["preview"].will_be.left_out == ["2 results of Visitor and Nobody."]
    assert pages.save(page, **pages.everything(page) | answers).status_code == 302
    assert set(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == {"Guest", "Cy Cole"}
    assert Player.objects.filter(full_name="Dummy", guest=False).exists()


@pytest.mark.parametrize("name", ["Bye", "No one", "Empty", "blank", "None", "n/a", "N.N.", "Dummy 2"])
def test_names_of_nobody_begin_as_left_out(club, pages, name):  # noqa: F811
    look = pages.looked_at(HEAD + day("2025-09-04", Ann=40, Bob=-40) + f"{name},2025-09-04,0\n").context["preview"]
    assert look.names.left_out == [read_name(name)[0]]


def test_a_name_that_fits_two_people_is_open_until_someone_says_who(club, pages):  # noqa: F811
    page = pages.looked_at(TWO_ANNS)
    assert sentences(page) == ["Choose who “Ann” is: Ann A, Ann B or someone new."]
    assert "Choose who this is" in page.content.decode()
    for ticks in ({}, pages.everything(page)):
        assert pages.save(page, **ticks).status_code == 422
    assert not Tally.objects.exists()
    [who] = page.context["preview"].names.choices
    ann_b = next(value for value, name in who.options if name.startswith("Ann B"))
    assert pages.save(page, **{who.field: ann_b}).status_code == 302
    assert nets(club) == {"Ann B": 130, "Ann A": -30, "Bob": -100}


def test_a_nickname_like_that_of_somebody_who_played_that_day_is_asked_about(club, pages):  # noqa: F811
    text = HEAD + "Barbara (Babs) Baker,2025-09-04,40\nBabs Baker,2025-09-04,-40\n"
    assert sentences(pages.looked_at(text)) == ["Choose who “Babs Baker” is: Barbara (Babs) Baker or someone new."]


def test_the_command_refuses_it_too_whatever_is_accepted(club, tmp_path):
    file = tmp_path / "two.csv"
    file.write_text(TWO_ANNS)
    with pytest.raises(CommandError, match="Choose who “Ann” is"):
        call_command("import_totals", file, "--club", club.slug, "--accept", stderr=io.StringIO())
    assert not Tally.objects.exists()


@pytest.mark.parametrize(
    "text",
    ["Ann Abel [E]", "E: Ann Abel", "East: Ann Abel", "Ann Abel - East", "🏆 Ann Abel", "Ann Abel 🏆",
     "Ann Abel 07700 900123", "Ann Abel MBE", "Ann Abel, OBE", "[3] Ann Abel", "Ann Abel (tel. 01234 567890)"],
)  # fmt: skip
def test_what_stands_around_a_name_is_a_remark(text):
    assert read_name(text) == ("Ann Abel", False)


@pytest.mark.parametrize("name", ["Ann East", "E. Smith", "Ann-Marie Abel", "Jo O’Neil", "W. West", "N North"])
def test_names_that_look_like_remarks_stay(name):
    assert read_name(name) == (name, False)


@pytest.mark.parametrize(
    ("text", "figure"),
    [("460 W", "460"), ("60*", "60"), ("-40 (late)", "-40"), ("1,250†", "1,250"), ("(60) *", "(60)"), ("460W", "460")],
)
def test_what_stands_behind_a_figure_is_a_remark(text, figure):
    assert without_remark(text) == figure


@pytest.mark.parametrize("text", ["60 L", "60 lost", "60L", "120 pts", "12 Nov 2025", "ten", "4/9/25 won", "4O", "1l"])
def test_what_may_say_who_lost_or_is_a_date_is_no_remark(text):
    assert without_remark(text) == text


def test_remarks_are_named_in_one_line(club, pages):  # noqa: F811
    look = pages.looked_at("Name,4/9/25,18/9/25\nAnn Abel [E],460 W,-60*\nBob Bell,-460,60\n").context["preview"]
    assert look.notes == [
        "Read without what stands around a name or behind a figure: Ann Abel [E], 460 W and -60*."
    ]  # fmt: skip
    assert {person.name: person.total for person in look.will_be.people} == {"Ann Abel": 400, "Bob Bell": -400}
