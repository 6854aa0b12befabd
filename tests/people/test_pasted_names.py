"""What is pasted beside a name never becomes one: addresses, telephone numbers, “(guest)” and numbers before it."""

import pytest
from django.urls import reverse

from sessions_app.exchange.exports.club_csv import players_csv
from sessions_app.exchange.imports.people_list import read_people
from sessions_app.exchange.imports.players import import_players, preview_players
from sessions_app.exchange.imports.sheet_values import ImportRefused, read_date
from sessions_app.exchange.imports.spreadsheets import read_text
from sessions_app.models import Contact, Player
from sessions_app.people.players import add_player, free_short_name, set_contact
from tests.factories import BY
from tests.logins import logins, signed_in

PASTED = (
    "Tim Tull; 07700 900555\nLynne Lewin <lynne@example.org>\nNora Quail 07700 900777\n"
    "Ivy Irons (guest)\n7. Fred Foss\n"
)


def test_names_are_the_names_alone(club):
    assert preview_players(club, read_text(PASTED), {"contacts": "leave out"}).new == [
        "Tim Tull", "Lynne Lewin", "Nora Quail", "Ivy Irons", "Fred Foss"
    ]  # fmt: skip


def test_contact_details_beside_names_ask_for_consent(club):
    preview = preview_players(club, read_text(PASTED), {})
    assert preview.not_agreed == 3
    with pytest.raises(ImportRefused, match="Enter the date on which they agreed"):
        import_players(club, read_text(PASTED), {}, "key", by=BY)
    assert not Player.objects.filter(full_name="Tim Tull").exists()


def test_with_a_date_of_consent_they_are_kept_as_contact_details(club):
    import_players(club, read_text(PASTED), {"agreed_on": "12/11/2026"}, "key", by=BY)
    found = {str(one.player): (one.email, one.telephone) for one in Contact.objects.filter(player__club=club)}
    assert found == {
        "Tim Tull": ("", "07700 900555"),
        "Lynne Lewin": ("lynne@example.org", ""),
        "Nora Quail": ("", "07700 900777"),
    }
    ivy, fred = Player.objects.get(full_name="Ivy Irons"), Player.objects.get(full_name="Fred Foss")
    assert (ivy.guest, fred.short_name) == (True, "Fred")


@pytest.mark.parametrize(
    ("line", "name", "email", "telephone"),
    [
        ("Ann Bell, ann@example.org, 01929 555123", "Ann Bell", "ann@example.org", "01929 555123"),
        ("Ann Bell\t+44 7700 900456", "Ann Bell", "", "+44 7700 900456"),
        ("Ann Bell (01929) 555 777", "Ann Bell", "", "(01929) 555 777"),
        ("Ann Bell - tel: 01929 555123", "Ann Bell", "", "01929 555123"),
        ("12) Ann Bell mob 07700900456", "Ann Bell", "", "07700900456"),
        ("3 Ann Bell", "Ann Bell", "", ""),
        ("Ann Bell email: ann@example.org", "Ann Bell", "ann@example.org", ""),
        ("1.\tAnn Bell", "Ann Bell", "", ""),
        ("Name,Email\nAnn Bell 07700 900456,ann@example.org", "Ann Bell", "ann@example.org", "07700 900456"),
    ],
)
def test_ways_to_write_them(line, name, email, telephone):
    [row] = read_people(read_text(line)).people
    assert (row.name, row.email, row.telephone) == (name, email, telephone)


def test_a_name_typed_with_an_address_is_asked_for_alone(club):
    client = signed_in(logins(club)["secretary"])
    for name in ("Lynne Lewin <lynne@example.org>", "Nora Quail 07700 900777"):
        page = client.post(reverse("players", args=[club.slug]), {"full_name": name})
        assert "Enter the name alone." in page.content.decode()
    assert not Player.objects.filter(full_name__contains="0").exists()


class TestAddAPlayer:
    FIELDS = {"full_name": "Lynne Lewin", "email": "lynne@example.org", "telephone": "07700 900777"}

    def test_a_secretary_adds_one_with_email_and_telephone(self, club):
        client = signed_in(logins(club)["secretary"])
        page = client.post(reverse("players", args=[club.slug]), self.FIELDS)
        assert "Enter the date the player agreed to this" in page.content.decode()
        assert not Player.objects.filter(full_name="Lynne Lewin").exists()
        assert (
            client.post(reverse("players", args=[club.slug]), self.FIELDS | {"agreed_on": "12/11/2026"}).status_code
            == 302
        )
        kept = Contact.objects.get(player__full_name="Lynne Lewin")
        assert (kept.email, kept.telephone) == ("lynne@example.org", "07700 900777")

    def test_a_scorekeeper_neither_sees_the_fields_nor_keeps_them(self, club):
        client = signed_in(logins(club)["scorekeeper"])
        url = reverse("players", args=[club.slug])
        assert "Telephone" not in client.get(url).content.decode()
        assert client.post(url, self.FIELDS | {"agreed_on": "12/11/2026"}).status_code == 302
        assert not Contact.objects.exists()


def test_names_at_the_table_tell_people_apart(club):
    names = ["Jean Smith", "Jean Smith (Treasurer)", "Harold Pemberton", "Harold Hughes", "Mrs. P. Ackroyd", "Dot Lee",
             "Ann Bell", "Ann Brown"]  # fmt: skip
    import_players(club, read_text("\n".join(f"{name},," for name in names)), {}, "key", by=BY)
    short = dict(Player.objects.filter(full_name__in=names).values_list("full_name", "short_name"))
    assert short == {
        "Jean Smith": "Jean S",
        "Jean Smith (Treasurer)": "Jean (Treasurer)",
        "Harold Pemberton": "Harold P",
        "Harold Hughes": "Harold H",
        "Mrs. P. Ackroyd": "Mrs A",
        "Dot Lee": "Dot",
        "Ann Bell": "Ann Be",
        "Ann Brown": "Ann Br",
    }


def test_a_second_one_of_a_first_name_is_told_from_the_first(club):
    add_player(club, "Harold Hughes", by=BY)
    assert free_short_name("Harold Pemberton", {"harold"}, ["Harold Hughes"]) == "Harold P"


@pytest.mark.parametrize(
    ("number", "cell", "opened"),
    [
        # As a spreadsheet shows and saves it again: figures alone lose their 0, and a plus makes a formula.
        ("07700900999", "07700 900999", "07700 900999"),
        ("+44 7700 900456", "(+44) 7700 900456", "+44 7700 900456"),
        ("+447700900456", "(+44) 7700900456", "+44 7700900456"),
        ("(01929) 555 777", "(01929) 555 777", "(01929) 555 777"),
    ],
)
def test_telephone_numbers_survive_a_spreadsheet(club, number, cell, opened):
    player = add_player(club, "Ann Bell", by=BY)
    set_contact(player, "", number, read_date("12/11/2026"), by=BY)
    [line] = [line for line in players_csv(club, contacts=True).splitlines() if "Ann Bell" in line]
    assert f",{cell}," in line
    [row] = read_people(read_text(f"name,phone,agreed on\nAnn Bell,{cell},12/11/2026")).people
    assert row.telephone == opened


def test_a_telephone_number_without_its_zero_gets_it_back():
    [row] = read_people(read_text("name,phone,agreed on\nAnn Bell,7700900999,12/11/2026")).people
    assert row.telephone == "07700900999"
