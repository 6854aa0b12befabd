"""Lists of people as clubs keep them, in a few presses: what is read, asked and left out, and what can be changed."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sessions_app.models import Contact, Player
from sessions_app.people.merging import NAMELESS
from sessions_app.people.players import add_player
from tests.factories import BY
from tests.logins import logins, signed_in

LISTS = Path(__file__).parent.parent / "data" / "people-lists"
UNTIDY = """
Ann Abbott; Barbara Baker, Babs; Carol Carter; Derek Dawson; Elsie Ellis; Mrs. Frances Foster; Gwen Green;
Harold Hughes; Iris Irving, guest; Jean Smith; Jean Smith (Wareham); Ken King; Lynne O'Lewis; Maureen D’Arcy-Moore;
Norman Nash; Olive Owen; P. Price; Queenie Quinn; Roy Quinn; Zoë Šimková; Siân Llŷr; Tom Taylor, former; Una Upton;
Vera Vaughan; Walter van der Berg; Dr Xanthe Xavier; Yvonne York; Zachary Zeal, Zac; Amy-Louise Ames; Brian Bell;
Cath Crowe; Dot Drew; Ed Eve; Fay Field; Gill Gray; Hugh Hay; Ida Ingle; Jo Jay; Kit Kaye
"""
NUMBERS = {
    "Ann Abbott": ("ann.abbott@example.org", "07700 900101"),
    "Barbara Baker": ("", "07700 900102"),
    "Carol Carter": ("", "07700 900103"),
    "Derek Dawson": ("derek@example.org", ""),
    "Gwen Green": ("", "01929 555107"),
    "Ken King": ("ken.king@example.org", "07700 900112"),
}


@pytest.fixture
def desk(club):
    """A secretary's browser: each call is a press of a button, with what is on the page and what is changed there."""
    client = signed_in(logins(club)["secretary"])

    class Desk:
        def press(self, page=None, do="", **changed):
            fields = {"do": do, "key": "k"} | changed
            if page is not None:
                fields |= {"kept": page.context["kept"], **page.context["preview"].typed}
                for checked in [*page.context["preview"].people, *page.context["preview"].left_out]:
                    row = checked.listed
                    shown = {"name": row.name, "short_name": row.short_name, "kind": checked.chosen}
                    if page.context["preview"].has_contacts:
                        shown |= {"email": row.email, "telephone": row.telephone}
                    names = ["kind"] if row.kind == "out" else shown
                    fields |= {f"{name}_{row.key}": shown[name] for name in names}
                fields |= changed
            return client.post(reverse("import-players", args=[club.slug]), fields)

        def choose(self, name):
            return self.press(file=SimpleUploadedFile(name, (LISTS / name).read_bytes()))

    return Desk()


def people(club):
    """Return everyone by name: a guest, a former member, or nothing of both."""
    found = Player.objects.of_club(club).exclude(full_name="")
    return {str(one): "former" if one.left_on else "guest" if one.guest else "" for one in found}


def test_an_untidy_list_ends_right(club, desk):
    page = desk.choose("members-untidy.txt")
    refused = desk.press(page, "record")
    assert refused.status_code == 422
    assert refused.context["errors"] == [
        "Enter the date on which they agreed that you keep their email address and telephone number, or leave those "
        "out.",
        *["Line 19: “Queenie Quinn & Roy Quinn” was one line. Choose for each person, or leave one out."] * 2,
    ]
    assert not people(club)
    left_out = [(one.listed.text, one.listed.why) for one in page.context["preview"].left_out]
    assert left_out == [
        ("Members of Wareham u3a Mah-jong 2025/26", "not a name"),
        ("Vera Vaughan", "the same name as line 25"),
        ("Total 40 members", "not a name"),
    ]
    # Found by the link, checked, two answers, imported: five presses.
    answers = {"kind_19a": "member", "kind_19b": "member", "contacts": "agreed", "agreed_on": "12/11/2026"}
    assert desk.press(page, "record", **answers).status_code == 302
    expected = [line.strip().split(", ") for line in UNTIDY.split(";")]
    assert people(club) == {
        name: said[0] if said and said[0] in ("guest", "former") else "" for name, *said in expected
    }
    short_names = dict(Player.objects.values_list("full_name", "short_name"))
    assert (short_names["Barbara Baker"], short_names["Zachary Zeal"]) == ("Babs", "Zac")
    assert {str(one.player): (one.email, one.telephone) for one in Contact.objects.all()} == NUMBERS


def test_a_list_of_beacon_ends_right(club, desk):
    page = desk.choose("beacon-members.xlsx")
    assert page.context["preview"].notes == [
        "Of two telephone numbers, we take the mobile.",
        "Your file also has Mem No, Title, Class, Joined and Notes. We leave that out.",
    ]
    assert desk.press(page, "record", contacts="agreed", agreed_on="12/11/2026").status_code == 302
    assert people(club) == {"Margaret Abbott": "", "William Baker": "", "Jane O'Hara": "former", "Ann Ng": ""}
    assert Player.objects.get(full_name="Margaret Abbott").short_name == "Maggie"
    assert Player.objects.get(full_name="Jane O'Hara").left_on == club.today
    assert {str(one.player): one.telephone for one in Contact.objects.all()} == {
        "Margaret Abbott": "07700 900201", "William Baker": "01929 555002", "Jane O'Hara": "07700900203"
    }  # fmt: skip


def test_what_is_changed_in_the_table_is_what_is_saved(club, desk):
    page = desk.press(text="Members 2026\nJaen Smith\nBob Brown\nCarol Carter, carol@example.org\n")
    changed = {
        "name_2": "Jean Smith", "short_name_2": "Jeannie", "kind_2": "guest", "kind_3": "out",
        "email_4": "c.carter@example.org", "contacts": "agreed", "agreed_on": "12/11/2026",
        "kind_1": "member", "name_1": "Members 2026",
    }  # fmt: skip
    again = desk.press(page, **changed)
    assert again.context["preview"].new == ["Members 2026", "Jean Smith", "Carol Carter"]
    assert desk.press(again, "record", **changed).status_code == 302
    assert people(club) == {"Members 2026": "", "Jean Smith": "guest", "Carol Carter": ""}
    assert Player.objects.get(full_name="Jean Smith").short_name == "Jeannie"
    assert Contact.objects.get().email == "c.carter@example.org"


def test_a_name_close_to_a_players_is_asked_about_also_when_it_was_typed_on_the_page(club, desk):
    jean = add_player(club, "Jean Smith", by=BY)
    page = desk.press(text="Jane Smythe\n")
    refused = desk.press(page, "record", name_1="Jean Smyth")
    assert refused.context["errors"] == ["Line 1: choose who Jean Smyth is."]
    assert desk.press(refused, "record", kind_1=jean.pk).status_code == 302
    assert people(club) == {"Jean Smith": ""}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Queenie & Roy Quinn", ["Queenie Quinn", "Roy Quinn"]),
        ("Queenie Quinn and Roy", ["Queenie Quinn", "Roy Quinn"]),
        ("CARTER Carol", ["Carol Carter"]),
        ("van der Berg, Walter", ["Walter van der Berg"]),
        ("Margaret Jones (Peggy)", ["Margaret Jones"]),
        ("Jean Smith, Treasurer", ["Jean Smith"]),
        ("Jean Smith\tJean Smith", ["Jean Smith"]),
        ("Anderson, Andy", ["Andy Anderson"]),
        ("Smith, M", ["M Smith"]),
        ("* Norman Nash", ["Norman Nash"]),
        ("Membership list\nJean Smith", ["Jean Smith"]),
        ("Jean Smith\nTotal: 12", ["Jean Smith"]),
        ("Jean Smith (Treasurer)\nJean Smith", ["Jean Smith (Treasurer)", "Jean Smith"]),
        ("Group list\nName\tRole\nJean Smith\tTea", ["Jean Smith"]),
        ("Forename,Surname\nQueenie & Roy,Quinn", ["Queenie Quinn", "Roy Quinn"]),
        ("Name,Status\nJean Smith,Resigned\nAnn Bell,Visitor", ["Jean Smith", "Ann Bell"]),
    ],
)
def test_ways_to_write_people(club, desk, line, expected):
    shown = [person.listed.name for person in desk.press(text=line).context["preview"].people]
    assert shown == expected


def test_one_person_with_an_and_in_the_name(club, desk):
    page = desk.press(text="Ann Bell\nTea and Cakes\n")
    answers = {"name_2a": "Tea and Cakes", "kind_2a": "member", "kind_2b": "out"}
    assert desk.press(page, "record", **answers).status_code == 302
    assert people(club) == {"Ann Bell": "", "Tea and Cakes": ""}


def test_a_long_list_can_be_changed_anywhere_and_is_saved(club, desk):
    page = desk.press(text="".join(f"Qq{number} Xx{number}\n" for number in range(800)))
    assert desk.press(page, "record", name_700="Zoe Last").status_code == 302
    assert len(people(club)) == 800
    assert "Zoe Last" in people(club)


def test_who_said_no_has_no_contact_whatever_day_the_others_agreed(club, desk):
    page = desk.press(
        text="name,email,consent\nAnn Lee,ann@example.org,No\nBob Roe,bob@example.org,\nCy Ash,cy@example.org,yes"
    )
    assert desk.press(page, "record", contacts="agreed", agreed_on="12/11/2026").status_code == 302
    assert sorted(Contact.objects.values_list("email", flat=True)) == ["bob@example.org", "cy@example.org"]
    assert people(club) == {"Ann Lee": "", "Bob Roe": "", "Cy Ash": ""}


def test_a_cell_that_cannot_be_read_costs_no_other(club, desk):
    page = desk.press(text="name,guest,beginner,left on\nAnn Lee,maybe,yes,2020-01-01\n")
    assert desk.press(page, "record", kind_2="former").status_code == 302
    ann = Player.objects.get(full_name="Ann Lee")
    assert (str(ann.left_on), ann.beginner) == ("2020-01-01", True)


def test_who_was_erased_elsewhere_stays_a_beginner(club, desk):
    page = desk.press(text=f"name,beginner,in public\n{NAMELESS} 3,yes,\n")
    assert desk.press(page, "record").status_code == 302
    assert Player.objects.get().beginner


def test_a_name_changed_to_one_that_the_club_has_stays_so(club, desk):
    add_player(club, full_name="Elizabeth Lee", by=BY)
    page = desk.press(text="Bunty Lee\nBob Brown\n")
    again = desk.press(page, name_1="Elizabeth Lee")
    assert again.context["preview"].here == ["Elizabeth Lee"]
    assert desk.press(again, "record").status_code == 302
    assert people(club) == {"Elizabeth Lee": "", "Bob Brown": ""}


def test_a_long_list_keeps_what_was_changed_and_can_be_sent(club, desk):
    """Four hundred who all said yes, and a title that is somebody after all."""
    rows = "".join(f"Ann {chr(65 + one // 20)}a{chr(97 + one % 20)}son,a{one}@example.org,Yes\n" for one in range(400))
    page = desk.press(text=f"name,email,consent\nList of Smith,,\n{rows}")
    again = desk.press(page, kind_2="member", contacts="agreed", agreed_on="12/11/2026")
    assert desk.press(again, "record", contacts="agreed", agreed_on="12/11/2026").status_code == 302
    assert (Player.objects.filter(full_name="List of Smith").count(), Contact.objects.count()) == (1, 400)


def test_names_only_and_then_not_keeps_what_was_corrected(club, desk):
    page = desk.press(text="Ann Lee, ann@example.org\n")
    without = desk.press(page, contacts="leave out", email_1="lee@example.org")
    assert desk.press(without, "record", contacts="agreed", agreed_on="12/11/2026").status_code == 302
    assert Contact.objects.get().email == "lee@example.org"


def test_a_day_that_is_none_loses_nothing(club, desk):
    page = desk.press(text="Ann Lee, ann@example.org\n")
    refused = desk.press(page, "record", contacts="agreed", agreed_on="0026-09-03", name_1="Anne Lee")
    assert refused.context["errors"] == ["Enter the date on which they all agreed, for example 12/11/2026."]
    assert refused.context["preview"].new == ["Anne Lee"]


def test_a_merged_player_whose_other_half_is_left_out_is_asked_about(club, desk):
    page = desk.press(text="name,joined into,in public\nAnn Lee,,\nAnn Leigh,Ann Lee,\n")
    refused = desk.press(page, "record", kind_2="out")
    assert refused.context["errors"] == ["Line 3: Ann Leigh is merged into Ann Lee, who is not on the list."]


@pytest.mark.parametrize("text", ["SUSAN NG", "First name,Surname\nSUSAN,NG"])
def test_a_short_surname_in_capitals_stays_behind(desk, text):
    assert desk.press(text=text).context["preview"].new == ["Susan NG"]
