"""An import is one thing: imported again it takes its own place, and taken back it leaves nothing behind.

The rows are those of a group that corrects its sheet and imports it again.
"""

import csv
import io
import json
import uuid
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from sessions_app.exchange.backups.club_backup import restore, write_zip
from sessions_app.exchange.exports.files import whole_club_files
from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.summary import FIELD
from sessions_app.models import Change, Club, Import, Meeting, Player, Season, Session, Tally
from sessions_app.people.merging import erase_player
from sessions_app.people.players import rename_player
from tests.factories import BY
from tests.logins import logins, signed_in

pytestmark = pytest.mark.postgres

DAYS = {
    "2026-09-03": {"Ann Abel": 120, "Bob Bell": -40, "Cy Cole": -100, "Di Dean": 20},
    "2026-09-10": {"Ann Abel": -30, "Bob Bell": 60, "Cy Cole": -50, "Di Dean": 20},
    "2026-09-17": {"Ann Abel": 10, "Bob Bell": -70, "Cy Cole": 90, "Di Dean": -30},
    "2026-09-24": {"Ann Abel": 15, "Bob Bell": 5, "Cy Cole": -45, "Di Dean": 25},
}
AGAIN = "Player,Date,Net\n" + "".join(f"{who},{day},{net}\n" for day, nets in DAYS.items() for who, net in nets.items())
OTHER_PERSON = AGAIN.replace("Ann Abel,2026-09-10", "Eve Ely,2026-09-10")
OTHER_DATE = AGAIN.replace("2026-09-10", "2026-09-11")
TABLES = (
    "Player,Date,Table,Net\nAnn Abel,2026-10-08,1,10\nBob Bell,2026-10-08,1,-10\nCy Cole,2026-10-08,1,5\n"
    "Di Dean,2026-10-08,1,-5\nEve Ely,2026-10-08,2,20\nFay Fox,2026-10-08,2,-20\nGuy Gill,2026-10-08,2,8\n"
    "Hal Hunt,2026-10-08,2,-8\n"
)
SWAPPED = TABLES.replace(",1,", ",x,").replace(",2,", ",1,").replace(",x,", ",2,")
NIGHT = Path(__file__).parent.parent / "data" / "club-night.json"
SUMS = {"Ann Abel": 115, "Bob Bell": -45, "Cy Cole": -105, "Di Dean": 35}


def secretary(club):
    member = club.memberships.filter(role="secretary").first()
    return signed_in(member.user if member else logins(club)["secretary"])


def sums(club):
    """Return everyone's total in the tables that count."""
    found = {}
    for tally in Tally.objects.of_club(club).filter(session__practice=False).select_related("player"):
        found[str(tally.player)] = found.get(str(tally.player), 0) + tally.net
    return found


def days(club):
    found = Session.objects.of_club(club).filter(practice=False).order_by("date", "table")
    return [(str(day), table) for day, table in found.values_list("date", "table")]


def by_page(club, tmp_path):
    """Return a function that imports a spreadsheet by its three pages, and returns the third page and the answer."""
    client, url = secretary(club), reverse("import-totals", args=[club.slug])

    def run(content, name="results.csv", **answers):
        page = client.post(url, {"file": SimpleUploadedFile(name, content.encode())})
        fields = {"kept": page.context["kept"], "file_name": page.context["file_name"]}
        choices = page.context["choices"]
        fields |= {name: getattr(choices, name) for name in ("order", "rules", "recording", "figures")}
        for sheet in page.context["sheets"]:
            fields |= {f"shape-{sheet.number}": sheet.layout.shape, f"header-{sheet.number}": sheet.header}
            fields |= {column.field: column.meaning for column in sheet.columns}
        look = client.post(url, fields)
        fields = {name: look.context[name] for name in ("kept", "choices", "file_name")} | {"checked": "1"}
        preview = look.context["preview"]
        if answers.pop("ticks_all", False):
            fields["accept"] = [question.key for question in preview.questions]
        answer = client.post(url, fields | {"do": "record", FIELD: preview.will_be.key} | answers)
        return preview.plan, answer.status_code == 302

    return run


def by_command(club, tmp_path):
    def run(content, name="results.csv", **answers):
        rows = csv.DictReader(io.StringIO(content))
        lines = [f"{row['Date']},{row.get('Table', 1)},bmja,{row['Player']},,,{row['Net']}" for row in rows]
        (tmp_path / name).write_text("\n".join(["date,table,rules,player,hands,won,net", *lines]))
        options = [f"--{option}" for option in answers or ("replace",)]
        command = ["import_totals", str(tmp_path / name), "--club", club.slug, *options]
        try:
            call_command(*command, stdout=io.StringIO(), stderr=io.StringIO())
        except CommandError as error:
            return str(error), False
        return "", True

    return run


@pytest.fixture(params=[by_page, by_command])
def bring(request, club, tmp_path):
    Player.objects.of_club(club).delete()
    return request.param(club, tmp_path)


def test_the_same_file_after_a_player_was_renamed_changes_nothing(club, bring):
    assert bring(AGAIN)[1]
    ann = Player.objects.get(full_name="Ann Abel")
    rename_player(ann, "Ann Carter", "Ann", by=BY)
    assert bring(AGAIN)[1]
    assert sums(club) == {"Ann Carter": 115, "Bob Bell": -45, "Cy Cole": -105, "Di Dean": 35}
    assert Player.objects.of_club(club).count() == 4


def test_another_person_takes_the_place_of_the_one_that_was_wrong(club, bring):
    assert bring(AGAIN)[1]
    kept = dict(Session.objects.values_list("date", "pk"))
    assert bring(OTHER_PERSON)[1]
    assert sums(club) == SUMS | {"Ann Abel": 145, "Eve Ely": -30}
    assert dict(Session.objects.values_list("date", "pk")) == kept
    assert not [session for session in Session.objects.all() if sum(session.tallies.values_list("net", flat=True))]


def test_a_corrected_date_moves_its_table(club, bring):
    assert bring(AGAIN)[1]
    assert bring(OTHER_DATE)[1]
    assert sums(club) == SUMS
    assert [day for day, _ in days(club)] == ["2026-09-03", "2026-09-11", "2026-09-17", "2026-09-24"]
    assert not Meeting.objects.filter(date="2026-09-10").exists()


def test_tables_numbered_the_other_way_round_count_once(club, bring):
    assert bring(TABLES)[1]
    ann = Tally.objects.get(player__full_name="Ann Abel").session_id
    assert bring(SWAPPED)[1]
    assert sums(club)["Ann Abel"] == 10
    assert days(club) == [("2026-10-08", 1), ("2026-10-08", 2)]
    assert Tally.objects.get(player__full_name="Ann Abel").session_id == ann
    assert Session.objects.get(pk=ann).table == 2


@pytest.mark.parametrize("other", [OTHER_DATE, SWAPPED.replace("2026-10-08", "2026-10-15")])
def test_beside_it_is_asked_about_as_it_would_count_twice(club, bring, other):
    first = AGAIN if other == OTHER_DATE else TABLES
    assert bring(first)[1]
    before = sums(club)
    assert not bring(other, "another.csv", **{"beside": "1", "where": "beside"})[1]
    assert sums(club) == before


def test_the_page_says_what_changes(club, tmp_path):
    bring = by_page(club, tmp_path)
    bring(AGAIN)
    lines = AGAIN.splitlines(keepends=True)
    longer = "".join([*lines[:1], *lines[5:]]).replace("Cole,2026-09-24,-45", "Cole,2026-09-24,-55")
    longer = longer.replace("Dean,2026-09-24,25", "Dean,2026-09-24,35")
    longer += "Ann Abel,2026-10-01,8\nBob Bell,2026-10-01,-8\n"
    plan, is_saved = bring(longer)
    assert plan.summary == "1 table corrected, 1 new, 1 no longer in the file"
    assert plan.corrected == ["Table 1 on 24 September 2026: Cy Cole −45 → −55 and Di Dean +25 → +35."]
    assert plan.gone == ["Table 1 on 3 September 2026: Ann Abel +120, Bob Bell −40, Cy Cole −100, Di Dean +20."]
    assert is_saved
    assert [day for day, _ in days(club)] == ["2026-09-10", "2026-09-17", "2026-09-24", "2026-10-01"]


def test_tables_are_listed_in_the_order_of_their_days(club, tmp_path):
    """A sheet with its newest day first, then one in which an earlier day comes last and a first one is no longer."""
    head, *lines = AGAIN.splitlines(keepends=True)
    bring = by_page(club, tmp_path)
    plan, _ = bring(head + "".join(reversed(lines[4:])))
    in_order = ["10 September 2026", "17 September 2026", "24 September 2026"]
    assert [line.partition(" on ")[2].partition(":")[0] for line in plan.new] == in_order
    bring(head + "".join(lines[8:]) + "".join(lines[:4]))
    page = secretary(club).get(reverse("import-back", args=[club.slug, Import.objects.latest("pk").pk]))
    assert [(words.partition(", ")[2], what) for _, words, what in page.context["tables"]] == [
        ("3 September 2026", "new"),
        ("10 September 2026", "no longer in the file"),
    ]


def test_on_the_command_line_nothing_is_removed_unseen(club, tmp_path):
    bring = by_command(club, tmp_path)
    bring(AGAIN)
    shorter = "".join(AGAIN.splitlines(keepends=True)[:13])
    refusal, is_saved = bring(shorter, **{"no-color": "1"})
    assert not is_saved
    assert refusal.splitlines()[1].startswith("No longer in the file: Table 1 on 24 September 2026: Ann Abel +15")
    assert bring(shorter, accept="1")[1]
    assert len(days(club)) == 3


def test_the_clubs_own_file_after_a_player_was_renamed_changes_nothing(club, tmp_path):
    by_command(club, tmp_path)(AGAIN)
    out = tmp_path / "totals.csv"
    out.write_text(club_totals_csv(club))
    rename_player(Player.objects.get(full_name="Bob Bell"), "Bob Baker", "Bob", by=BY)
    call_command("import_totals", str(out), "--club", club.slug, stdout=io.StringIO())
    assert sums(club) == {"Ann Abel": 115, "Bob Baker": -45, "Cy Cole": -105, "Di Dean": 35}


def test_what_was_corrected_here_is_asked_about(club, tmp_path):
    bring = by_page(club, tmp_path)
    bring(AGAIN)
    session = Session.objects.get(date="2026-09-10")
    client = secretary(club)
    url = reverse("enter-totals", args=[club.slug])
    fields = {"date": "2026-09-10", "table": "1", "rules": "bmja", "recording": "settle", "session": session.pk}
    for number, tally in enumerate(session.tallies.order_by("seat__seat_no"), 1):
        net = tally.net + {"Ann Abel": 10, "Bob Bell": -10}.get(str(tally.player), 0)
        fields |= {f"player_{number}": tally.player_id, f"net_{number}": net}
    assert client.post(url, fields | {"why": "Misread"}).status_code == 302
    corrected = SUMS | {"Ann Abel": 125, "Bob Bell": -55}
    assert sums(club) == corrected
    changed = AGAIN.replace("Abel,2026-09-24,15", "Abel,2026-09-24,17").replace(
        "Bell,2026-09-24,5", "Bell,2026-09-24,3"
    )
    plan, is_saved = bring(changed)
    assert plan.by_hand == ["Table 1 on 10 September 2026: Ann Abel −20 → −30 and Bob Bell +50 → +60."]
    assert (is_saved, sums(club)) == (False, corrected)
    assert bring(changed, by_hand="keep")[1]
    assert sums(club) == SUMS | {"Ann Abel": 127, "Bob Bell": -57}
    # It is still known as corrected here at the next import.
    plan, is_saved = bring(changed, by_hand="file")
    assert len(plan.by_hand) == 1
    assert sums(club) == SUMS | {"Ann Abel": 117, "Bob Bell": -47}


def test_what_was_cancelled_here_does_not_come_back_unasked(club, tmp_path):
    bring = by_page(club, tmp_path)
    bring(AGAIN)
    session, client = Session.objects.get(date="2026-09-17"), secretary(club)
    client.post(reverse("session-void", args=[club.slug, session.pk]), {"key": uuid.uuid4(), "why": "Not played"})
    changed = AGAIN.replace("Abel,2026-09-24,15", "Abel,2026-09-24,17")
    changed = changed.replace("Bell,2026-09-24,5", "Bell,2026-09-24,3")
    plan, is_saved = bring(changed)
    assert (len(plan.by_hand), is_saved) == (1, False)
    assert plan.by_hand[0].endswith("This table was cancelled here.")
    assert bring(changed, by_hand="keep")[1]
    assert [day for day, _ in days(club)] == ["2026-09-03", "2026-09-10", "2026-09-24"]


# Taking an import back.


def files_of(club):
    return {name: text for name, text in whole_club_files(club, club.today) if "log" not in name and "READ" not in name}


def test_an_import_of_400_rows_taken_back_leaves_every_file_as_it_was(club, tmp_path):
    Player.objects.create(club=club, full_name="Ann Abel", short_name="Ann", guest=True)
    Meeting.objects.create(club=club, date="2026-03-05", name="Tea", place="Village hall")
    names = ["Ann Abel", *(f"Player {chr(65 + at)} {chr(75 + at)}ole" for at in range(9))]
    rows = ["Player,Date,Table,Net,Guest"]
    for week in range(40):
        day = f"2026-{1 + week // 4:02}-{5 + 7 * (week % 4):02}"
        for at, name in enumerate(names):
            net = (at + week) * 2 if at % 2 == 0 else -(at - 1 + week) * 2
            rows.append(f"{name},{day},{1 + at // 5 if at < 8 else 2},{net},")
    before, seasons = files_of(club), list(Season.objects.values("pk", "name", "starts_on"))
    bring = by_page(club, tmp_path)
    _, is_saved = bring("\n".join(rows), seasons="on", ticks_all=True)
    assert is_saved
    assert (Tally.objects.of_club(club).count(), Season.objects.of_club(club).count() > len(seasons)) == (400, True)
    assert files_of(club) != before
    row = Import.objects.get()
    client, url = secretary(club), reverse("import-back", args=[club.slug, row.pk])
    assert f'href="{url}"' in client.get(reverse("log", args=[club.slug])).content.decode()
    assert "80 tables" in client.get(url).content.decode()
    assert client.post(url).status_code == 302
    assert files_of(club) == before
    assert list(Season.objects.values("pk", "name", "starts_on")) == seasons
    assert Player.objects.get(club=club, full_name="Ann Abel").guest
    assert f'href="{url}"' not in client.get(reverse("log", args=[club.slug])).content.decode()
    assert "took back the import of results.csv" in client.get(reverse("log", args=[club.slug])).content.decode()


def test_of_two_the_later_is_taken_back_first_and_the_first_stands_again(club, tmp_path):
    Player.objects.of_club(club).delete()
    bring, before = by_page(club, tmp_path), files_of(club)
    bring(AGAIN)
    first = files_of(club)
    bring(OTHER_DATE.replace("Ann Abel,2026-09-24", "Eve Ely,2026-09-24"))
    one, two = Import.objects.order_by("pk")
    assert two.in_place_of == one
    client = secretary(club)
    answer = client.post(reverse("import-back", args=[club.slug, one.pk]))
    assert answer.status_code == 409
    assert "Take back the import of results.csv first." in answer.content.decode()
    for row, files in ((two, first), (one, before)):
        assert client.post(reverse("import-back", args=[club.slug, row.pk])).status_code == 302
        assert files_of(club) == files
    assert not Player.objects.of_club(club).exists()


def test_what_was_changed_since_is_named_and_nothing_is_taken_back(club, tmp_path):
    by_page(club, tmp_path)(AGAIN)
    session = Session.objects.get(date="2026-09-17")
    client = secretary(club)
    client.post(reverse("session-void", args=[club.slug, session.pk]), {"key": uuid.uuid4(), "why": "Not played"})
    before = sums(club)
    row = Import.objects.get()
    answer = client.post(reverse("import-back", args=[club.slug, row.pk]))
    assert (answer.status_code, sums(club)) == (409, before)
    assert "Table 1 on 17 September 2026 was changed since." in answer.content.decode()
    with pytest.raises(CommandError, match="Table 1 on 17 September 2026 was changed since"):
        call_command("take_back_import", club.slug, str(row.pk))


def test_by_command_and_only_by_a_secretary(club, tmp_path):
    Player.objects.of_club(club).delete()
    before = files_of(club)
    by_command(club, tmp_path)(AGAIN)
    row = Import.objects.get()
    url = reverse("import-back", args=[club.slug, row.pk])
    secretary(club)
    assert signed_in(club.memberships.get(role="scorekeeper").user).post(url).status_code == 403
    out = io.StringIO()
    call_command("take_back_import", club.slug, stdout=out)
    assert out.getvalue().startswith(f"{row.pk}: results.csv, ")
    call_command("take_back_import", club.slug, str(row.pk), stdout=io.StringIO())
    assert files_of(club) == before
    assert Change.objects.filter(action="take back", subject_id=str(row.pk)).count() == 1


# Other ways in.


def totals_entered(client, club, table, day, nets, **more):
    fields = {"date": day, "table": table, "rules": "bmja", "recording": "settle"} | more
    for number, (player, net) in enumerate(nets.items(), 1):
        fields |= {f"player_{number}": player.pk, f"net_{number}": net}
    return client.post(reverse("enter-totals", args=[club.slug]), fields)


def sentences_of(answer):
    return [question.sentence for question in answer.context["table_questions"]]


def test_totals_entered_twice_are_asked_about_and_count_once(club, cast):
    client, nets = secretary(club), dict(zip(cast.all[:4], (100, -30, -40, -30), strict=True))
    assert totals_entered(client, club, 1, "2026-10-08", nets).status_code == 302
    for table, day, words in ((2, "2026-10-08", "Table 2 on 8 October"), (1, "2026-10-09", "Table 1 on 9 October")):
        answer = totals_entered(client, club, table, day, nets)
        sentence = f"{words} 2026 has the same players and results as table 1 on 8 October 2026."
        assert (answer.status_code, sentences_of(answer)) == (422, [sentence])
    assert Session.objects.of_club(club).count() == 1
    key = answer.context["table_questions"][0].key
    assert totals_entered(client, club, 1, "2026-10-09", nets, accept=[key]).status_code == 302


def test_someone_at_two_tables_of_one_round_is_asked_about(club, cast):
    client = secretary(club)
    alice, bob, carol, dave, *others = cast.all
    assert totals_entered(client, club, 1, "2026-10-08", {alice: 10, bob: -10, carol: 4, dave: -4}).status_code == 302
    answer = totals_entered(client, club, 2, "2026-10-08", {alice: 6, others[0]: -6})
    assert sentences_of(answer) == ["Alice is at table 1 (+10) and table 2 (+6) on 8 October 2026."]


def test_a_cancelled_table_that_was_entered_again_is_asked_about_before_it_counts_again(club, cast):
    client, (alice, bob) = secretary(club), cast.all[:2]
    totals_entered(client, club, 1, "2026-10-08", {alice: 10, bob: -10})
    first = Session.objects.get()
    client.post(reverse("session-void", args=[club.slug, first.pk]), {"key": uuid.uuid4(), "why": "Misread"})
    totals_entered(client, club, 1, "2026-10-08", {alice: 12, bob: -12})
    url = reverse("session-count", args=[club.slug, first.pk])
    answer = client.post(url, {"key": uuid.uuid4()})
    assert answer.status_code == 422
    assert sentences_of(answer) == [
        "Alice has +12 and +10 at table 1 on 8 October 2026.",
        "Bob has −12 and −10 at table 1 on 8 October 2026.",
    ]
    assert sums(club) == {"Alice": 12, "Bob": -12}
    keys = [question.key for question in answer.context["table_questions"]]
    assert client.post(url, {"key": uuid.uuid4(), "accept": keys}).status_code == 302
    assert sums(club) == {"Alice": 22, "Bob": -22}


def test_a_meetings_file_taken_back_leaves_every_file_as_it_was(club):
    Player.objects.of_club(club).delete()
    before = files_of(club)
    client, text = secretary(club), NIGHT.read_text()
    answer = client.post(reverse("import-night", args=[club.slug]), {"text": text, "do": "record"})
    assert answer.status_code == 302
    assert Session.objects.of_club(club).count() == 3
    row = Import.objects.get()
    assert "3 tables" in client.get(reverse("import-back", args=[club.slug, row.pk])).content.decode()
    assert client.post(reverse("import-back", args=[club.slug, row.pk])).status_code == 302
    assert files_of(club) == before
    page = client.get(reverse("log", args=[club.slug]) + "?before=100000").content.decode()
    assert "at a table that was taken back" in page
    # Nothing of it is in the way of the same file again.
    assert client.post(reverse("import-night", args=[club.slug]), {"text": text, "do": "record"}).status_code == 302
    assert Session.objects.of_club(club).count() == 3


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"date": "2026-11-12"', '"date": "2026-11-13"'),
        ('"date": "2026-11-12"', '"meeting": {"name": "Tea"}, "date": "2026-11-12"'),
        ('"table": 1,', '"table": 9,'),
    ],
    ids=("another day", "another name", "another number"),
)
def test_a_meetings_file_brought_again_as_another_meeting_is_asked_about(club, was, now):
    client, url, text = secretary(club), reverse("import-night", args=[club.slug]), NIGHT.read_text()
    assert client.post(url, {"text": text, "do": "record"}).status_code == 302
    before = sums(club)
    assert text.count(was) == 1
    answer = client.post(url, {"text": text.replace(was, now), "do": "record"})
    assert answer.status_code == 422
    assert any("same players and results as" in sentence for sentence in sentences_of(answer))
    assert sums(club) == before


def test_a_meetings_file_brought_again_is_there_already_or_says_what_to_do(club):
    client, url, text = secretary(club), reverse("import-night", args=[club.slug]), NIGHT.read_text()
    client.post(url, {"text": text, "do": "record"})
    before = sums(club)
    assert (
        "All of this was here already" in client.post(url, {"text": text, "do": "record"}, follow=True).content.decode()
    )
    night = json.loads(text)
    night["tables"][0]["hands"][0]["input"]["mahjong"] = None
    answer = client.post(url, {"text": json.dumps(night), "do": "record"})
    assert list(answer.context["form"].non_field_errors()) == [
        "Table 1, hand 1 has changed since you last imported it. Correct it at the table, or take that import back "
        "first."
    ]
    assert sums(club) == before


def test_totals_of_a_table_that_was_played_on_tablets_are_asked_about(club):
    client = secretary(club)
    client.post(reverse("import-night", args=[club.slug]), {"text": NIGHT.read_text(), "do": "record"})
    played = Session.objects.of_club(club).order_by("table").first()
    nets = {tally.player: tally.net for tally in played.tallies.select_related("player")}
    answer = totals_entered(client, club, 9, str(played.date), nets, rules=played.rules)
    assert any("has the same players and results as table" in sentence for sentence in sentences_of(answer))


def test_a_club_brought_to_another_server_can_still_take_its_import_back(club, tmp_path):
    Player.objects.of_club(club).delete()
    by_page(club, tmp_path)(AGAIN)
    by_page(club, tmp_path)(OTHER_PERSON)
    write_zip(club, tmp_path / "club.zip")
    restore(tmp_path / "club.zip", "again")
    again = Club.objects.get(slug="again")
    call_command("take_back_import", "again", str(Import.objects.of_club(again).latest("pk").pk), stdout=io.StringIO())
    assert sums(again) == SUMS
    assert sums(club) == SUMS | {"Ann Abel": 145, "Eve Ely": -30}


def test_an_erased_name_is_not_kept_with_the_import(club, tmp_path):
    by_page(club, tmp_path)(AGAIN)
    ann = Player.objects.get(full_name="Ann Abel")
    erase_player(ann, by=BY)
    assert field_of("Ann Abel") not in Import.objects.get().names
    assert field_of("Bob Bell") in Import.objects.get().names
