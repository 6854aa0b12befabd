"""What waits on a tablet, imported by its code: every way it can be broken, and each key exactly once."""

import base64
import json
import re
import uuid
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from sessions_app.models import Change, Command, Entry, Hand
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from tests.afternoon import new_key, totals
from tests.factories import record, table_in_play
from tests.logins import logins, signed_in
from tests.reconciled import reconcile
from tests.table.test_table_key import by_key

TABLET = Actor(name="tablet at table 1")


@pytest.fixture
def keeper(at_home):
    return signed_in(at_home.scorekeeper)


def at(at_home, name):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk])


def words(page):
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


def check(text):
    return f"{zlib.crc32(text.encode()):08x}"


def parts(message, pieces=1, version=1, how="z"):
    """Make the parts of a code by hand, as the format is described; of a message, or of its text."""
    text = (message if isinstance(message, str) else json.dumps(message)).encode()
    deflater = zlib.compressobj(wbits=-15)
    packed = deflater.compress(text) + deflater.flush() if how == "z" else text
    payload = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    size = -(-len(payload) // pieces)
    split = [payload[start : start + size] for start in range(0, len(payload), size)]
    whole, of = check(payload), len(split)
    return [f"CS{version}{how}.{whole}.{number}.{of}.{check(one)}.{one}." for number, one in enumerate(split, 1)]


def message(at_home, *commands, **more):
    return {
        "club": at_home.club.slug,
        "session": at_home.table_session.pk,
        "device": "Blue tablet",
        "commands": list(commands),
        **more,
    }


def evening(at_home):
    """Two hands one after the other, and the first of them changed afterwards."""
    first, second, change = new_key(), new_key(), new_key()
    return [
        {"key": first, "kind": "hand", "body": totals("2", s2=40), "after": at_home.hand_key},
        {"key": second, "kind": "hand", "body": totals("3", s3=20), "after": first,
         "made_at": "2026-11-12T14:05:00.000Z"},
        {"key": change, "kind": "correct", "body": {"entry": first, "body": totals("2", s2=64)}},
    ]  # fmt: skip


def post(client, at_home, text, **more):
    return client.post(at(at_home, "take-in"), {"text": text, **more})


def test_a_note_is_shown_with_its_words(at_home, keeper):
    note = {"key": new_key(), "kind": "note", "body": {"text": "Tea at four."}}
    assert "A note Tea at four." in words(post(keeper, at_home, parts(message(at_home, note))[0]))


def test_it_is_looked_at_first_and_recorded_in_order(at_home, keeper):
    commands = evening(at_home)
    text = "\n".join(parts(message(at_home, *commands)))
    page = words(post(keeper, at_home, text))
    assert "3 entries from the tablet; 3 of them are not here yet." not in page
    assert "3 entries from the tablet." in page
    assert (
        "A hand: Bob goes Mah-jong Alice: total 0; Bob: total 40; Carol: total 0; Dave: total 0 "
        "A hand: Carol goes Mah-jong entered at 14:05 Alice: total 0; Bob: total 0; Carol: total 20; Dave: total 0 "
        "A change of a hand: Bob goes Mah-jong Alice: total 0; Bob: total 64; Carol: total 0; Dave: total 0"
    ) in page
    assert Entry.objects.count() == 1
    page = words(post(keeper, at_home, text, do="record"))
    assert page.count("saved now") == 3
    assert "Everything in the code is now here." in page
    assert [str(key) for key in Entry.objects.values_list("key", flat=True)] == [
        at_home.hand_key, commands[0]["key"], commands[1]["key"],
    ]  # fmt: skip
    change = Change.objects.filter(action="hand").last()
    assert (change.user, change.why) == (at_home.scorekeeper, "imported from a tablet’s code")
    assert Command.objects.get(key=commands[0]["key"]).device == "Blue tablet"
    assert reconcile() == []


def test_typed_totals_that_the_rules_make_unlikely_are_asked_about_before_it_is_recorded(at_home, keeper):
    win = {"key": new_key(), "kind": "hand", "body": totals("2", s2=4, s3=33), "after": at_home.hand_key}
    change = {"key": new_key(), "kind": "correct", "body": {"entry": win["key"], "body": totals("2", s2=5001)}}
    text = parts(message(at_home, win, change))[0]
    asked = re.findall(r'class="please-check">([^<]*)<', post(keeper, at_home, text).text)
    assert asked == [
        "Bob: A winner scores at least 20. Is 4 right?",
        "Carol: British totals are even. Is 33 right?",
        "Bob: The limit is 1,000. Is 5,001 right?",
    ]
    done = post(keeper, at_home, text, do="record").text
    assert ("Everything in the code is now here." in done, "please-check" in done) == (True, False)


def test_taking_it_in_twice_and_sending_it_later_change_nothing(at_home, keeper):
    commands = evening(at_home)
    text = "\n".join(parts(message(at_home, *commands), pieces=4))
    post(keeper, at_home, text, do="record")
    before = (Entry.objects.count(), Change.objects.count(), Hand.objects.count())
    page = words(post(keeper, at_home, text))
    assert "All of this is here already." in page
    assert page.count("saved already") == 3
    assert words(post(keeper, at_home, text, do="record")).count("saved already") == 3
    for command in commands:
        sent = {**command, "device": "Blue tablet", "why": ""}
        assert apply_command(at_home.table_session.pk, sent, TABLET).outcome == "again"
    assert (Entry.objects.count(), Change.objects.count(), Hand.objects.count()) == before


def test_what_the_tablet_has_sent_meanwhile_is_told_as_here(at_home, keeper):
    commands = evening(at_home)
    apply_command(at_home.table_session.pk, commands[0], TABLET)
    page = words(post(keeper, at_home, parts(message(at_home, *commands))[0]))
    assert "3 entries from the tablet. 2 are not here yet." in page
    assert "A hand: Bob goes Mah-jong saved already" in page


def test_a_file_does_as_well_and_so_does_text_that_a_message_has_broken(at_home, keeper):
    code = parts(message(at_home, *evening(at_home)), pieces=3)
    file = SimpleUploadedFile("code.txt", "\n".join(code).encode(), "text/plain")
    assert "3 entries from the tablet." in words(keeper.post(at(at_home, "take-in"), {"file": file}))
    mail = "Dear Pat,\n" + "\n> ".join(re.findall(".{1,60}", " ".join(reversed(code)))).replace("> ", "")
    assert "3 entries from the tablet." in words(post(keeper, at_home, mail + "\nYours, Bob"))
    addresses = " ".join(f"http://hall:8000/c/bramley/sessions/1/take-in/#{part}" for part in code)
    assert "3 entries from the tablet." in words(post(keeper, at_home, addresses))
    plain = parts(message(at_home, *evening(at_home)), how="j")
    assert "3 entries from the tablet." in words(post(keeper, at_home, plain[0]))


def cut_off(code):
    return code[0][:-1]


def changed(code):
    at = len(code[0]) - 9
    return code[0][:at] + ("A" if code[0][at] != "A" else "B") + code[0][at + 1 :]


BROKEN = {
    "empty": (lambda code: " \n", "Paste the text of the code, or choose its file."),
    "no code": (lambda code: "Dear Pat", "Paste the text of the code, which begins with CS1."),
    "cut off": (cut_off, "The end of the code is missing. Copy or scan it again."),
    "cut off in its head": (lambda code: code[0][:14], "The end of the code is missing."),
    "changed": (changed, "Part 1 of 1 has a mistake in it. Copy or scan it again."),
    "newer": (lambda code: code[0].replace("CS1", "CS2", 1), "This code is from a newer version of Cl"),
    "unknown packing": (lambda code: code[0].replace("CS1z", "CS1q", 1), "This code is from a newer version"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_way_it_can_be_broken_has_a_sentence(at_home, keeper, name):
    spoil, sentence = BROKEN[name]
    answer = post(keeper, at_home, spoil(parts(message(at_home, *evening(at_home)))))
    assert (answer.status_code, sentence in words(answer)) == (422, True), words(answer)
    assert "There is a problem" in words(answer)
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("left", "sentence"),
    [([2, 0], "Part 2 of 3 is"), ([0, 1], "Part 3 of 3 is"), ([1], "Parts 1 and 3 of 3 are")],
)
def test_missing_parts_are_named(at_home, keeper, left, sentence):
    code = parts(message(at_home, *evening(at_home)), pieces=3)
    assert f"{sentence} missing." in words(post(keeper, at_home, "\n".join(code[number] for number in left)))


def test_parts_of_two_codes_are_not_mixed(at_home, keeper):
    one, other = (parts(message(at_home, *evening(at_home)), pieces=2) for _ in range(2))
    assert "These are parts of different codes" in words(post(keeper, at_home, one[0] + other[1]))


def test_another_tables_code_names_the_table(at_home, keeper, cast):
    other = table_in_play(at_home.club, cast.all[:4], number=2)
    code = parts(message(at_home, *evening(at_home), session=other.pk))
    assert "This code is from table 2, 12 November 2026. Import it on that table’s page." in words(
        post(keeper, at_home, code[0])
    )
    code = parts(message(at_home, *evening(at_home), session=other.pk + 1000))
    assert "This code is from a table that is not here." in words(post(keeper, at_home, code[0]))


def test_another_clubs_code_is_refused_and_its_table_not_named(at_home, keeper, other_club):
    code = parts(message(at_home, *evening(at_home), club=other_club.slug))
    assert "This code is from a table of another club." in words(post(keeper, at_home, code[0]))


@pytest.mark.parametrize(
    ("commands", "sentence"),
    [
        ([], "There is nothing in this code."),
        (["x"], "Entry 1 of this code cannot be read."),
        ([{"key": "x", "kind": "hand"}], "Entry 1 of this code cannot be read. A command needs a key."),
        ([{"key": str(uuid.uuid4()), "kind": "void"}], "Entry 1 of this code cannot be read."),
        ([{"key": str(uuid.uuid4()), "kind": "note", "body": {"text": "x"}}] * 501, "This code has 501 entries"),
    ],
)
def test_what_is_no_list_of_commands_is_refused(at_home, keeper, commands, sentence):
    assert sentence in words(post(keeper, at_home, parts(message(at_home, *commands))[0]))


@pytest.mark.parametrize("what", [[], 7, "x", None, {"commands": {}}, {"session": "1", "commands": [1]}])
def test_any_other_json_is_refused(at_home, keeper, what):
    assert post(keeper, at_home, parts(what)[0]).status_code == 422


def test_a_code_that_unfolds_without_end_is_refused(at_home, keeper):
    assert "The code has a mistake in it" in words(post(keeper, at_home, parts({"x": "0" * 3_000_000})[0]))


def test_what_follows_a_refused_line_waits_for_it(at_home, keeper):
    commands = evening(at_home)
    commands[0]["body"]["mahjong"] = {"by": "9"}
    page = words(post(keeper, at_home, parts(message(at_home, *commands))[0], do="record"))
    assert "Some entries could not be saved. Nothing is lost. They are still on the tablet." in page
    assert "not imported: Choose a player who is playing in this hand." in page
    assert page.count("not imported yet") == 2
    assert Entry.objects.count() == 1


def test_a_hand_for_a_place_that_is_taken_waits_beside_the_other(at_home, keeper):
    record(at_home.table_session, totals("1", s1=8))
    page = words(post(keeper, at_home, parts(message(at_home, evening(at_home)[0]))[0], do="record"))
    assert "kept as a second version, until someone chooses" in page


def test_at_a_finished_table_it_is_kept_for_the_secretary(at_home, keeper):
    record(at_home.table_session, {}, kind="finish")
    page = words(post(keeper, at_home, parts(message(at_home, evening(at_home)[0]))[0], do="record"))
    assert "kept for the secretary to check" in page


def test_what_the_secretary_alone_may_do_is_not_done_by_code(at_home, keeper):
    record(at_home.table_session, {}, kind="finish")
    code = parts(message(at_home, {"key": new_key(), "kind": "reopen", "body": {}}))
    assert "not imported: ask the secretary to import this" in words(post(keeper, at_home, code[0], do="record"))
    at_home.table_session.refresh_from_db()
    assert not at_home.table_session.is_open
    assert "saved now" in words(post(signed_in(at_home.secretary), at_home, code[0], do="record"))


def test_another_tablet_of_the_table_may_take_it_in(at_home):
    code = parts(message(at_home, *evening(at_home)))
    assert "saved now" in words(post(by_key(at_home.table_session), at_home, code[0], do="record"))


def test_nobody_else_may(at_home, other_club):
    address = at(at_home, "take-in")
    assert Client().get(address).status_code == 302
    assert signed_in(at_home.member).get(address).status_code == 403
    assert signed_in(logins(other_club)["secretary"]).get(address).status_code == 404


def test_a_file_that_is_no_text_is_refused(at_home, keeper):
    for content, sentence in ((b"\xff\xfe\x00", "This file is not the text of a code"), (b"x" * 500_001, "too large")):
        answer = keeper.post(at(at_home, "take-in"), {"file": SimpleUploadedFile("code.txt", content)})
        assert (answer.status_code, sentence in words(answer)) == (422, True)
