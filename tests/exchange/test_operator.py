"""The operator's page: for a superuser who gave a code, with counts and names of clubs, and nothing entered."""

import os
import re
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from sessions_app.exchange.backups import full_backup as whole
from sessions_app.exchange.backups import retention as kept
from sessions_app.models import Club, User
from tests.factories import house
from tests.logins import signed_in
from tests.queries import assert_the_same_for_more_rows

pytestmark = pytest.mark.postgres


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("olive", password=None)


def with_code(user):
    """Return a client on which the user has given a code from their phone."""
    phone, _ = TOTPDevice.objects.get_or_create(user=user, name="phone")
    client = signed_in(user)
    session = client.session
    session[DEVICE_ID_SESSION_KEY] = phone.persistent_id
    session.save()
    return client


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Let the installation's folder be an empty one."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    (tmp_path / "backups").mkdir()
    return tmp_path


def test_it_counts_and_shows_nothing_entered(club, cast, operator, folder):
    made = house(club, cast.all[:4])
    text = with_code(operator).get(reverse("operator")).text
    row = text.split("Bramley</th>")[1].split("</tr>")[0]
    assert [cell.split(">")[1] for cell in row.split("</td>")[:4]] == ["5", "1", "1", "3"]
    entered = ("Alice", "Autumn 2026", "bramley-secretary", made.table_session.scoring_key)
    assert [word for word in entered if word in text] == []
    assert f"<dd>{settings.VERSION}</dd>" in text


@pytest.mark.parametrize("sends", [False, True])
def test_it_says_how_email_is_switched_on(operator, folder, settings, sends):
    settings.SENDS_MAIL, settings.DEFAULT_FROM_EMAIL = sends, "club@example.org"
    text = with_code(operator).get(reverse("operator")).text
    assert ("Emails come from club@example.org." in text, "MAIL_FROM=" in text) == (sends, not sends)


def test_nobody_else_learns_that_it_is_there(club, cast):
    made = house(club, cast.all[:4])
    for who in (made.secretary, None):
        assert signed_in(who).get(reverse("operator")).status_code == 404


def test_without_a_code_in_this_sign_in_it_leads_to_giving_or_setting_one_up(operator, folder):
    """A password that somebody saw does not open the page, nor does a sign-in from before there was a code."""
    client, page = signed_in(operator), reverse("operator")
    answer = client.get(page, follow=True)
    assert answer.redirect_chain == [(f"{reverse('phone-code')}?next=%2Foperator%2F", 302)]
    assert "The operator’s page opens only with a code from your phone." in answer.text
    given = with_code(operator)
    assert given.get(page).status_code == 200
    assert client.get(page).url == f"{reverse('sign-in-code')}?next=%2Foperator%2F"
    TOTPDevice.objects.all().delete()
    assert given.get(page).status_code == 302


def test_the_phone_of_another_account_opens_nothing(operator, club, folder):
    client = with_code(operator)
    TOTPDevice.objects.update(user=User.objects.create_user("eve"))
    assert client.get(reverse("operator")).status_code == 302


def test_a_phone_that_gave_no_code_yet_opens_nothing(operator, folder):
    client = with_code(operator)
    TOTPDevice.objects.update(confirmed=False)
    assert client.get(reverse("operator")).status_code == 302


def test_it_costs_the_same_for_many_clubs(operator, folder):
    def grow(rows):
        Club.objects.bulk_create(Club(name=f"Club {rows} {n}", slug=f"club-{rows}-{n}") for n in range(rows))

    client = with_code(operator)
    assert_the_same_for_more_rows(grow, lambda: client.get(reverse("operator")), 13)


def test_it_says_what_needs_seeing_to(operator, folder):
    kept.note_failure("There is no room.")
    text = with_code(operator).get(reverse("operator")).text
    assert "There is no backup yet" in text
    assert "failed: There is no room.</p>" in text
    old = folder / "backups" / f"20200101-000000-backup{whole.vendor().SUFFIX}"
    old.write_bytes(b"x" * 2048)
    text = with_code(operator).get(reverse("operator")).text
    assert "The newest backup is older than two days." in text
    assert "1 January 2020, 00:00" in text


def test_it_knows_of_a_backup_written_to_another_disk(operator, folder, tmp_path):
    """What the command said of its last try is shown, wherever the file went; a later failure too."""
    away = tmp_path / "other-disk"
    away.mkdir()
    path = away / f"{timezone.now():%Y%m%d-%H%M%S}-backup{whole.vendor().SUFFIX}"
    kept.note_success(kept.read_backup(path))
    text = with_code(operator).get(reverse("operator")).text
    assert f"<b>{path}</b>. It was restored and checked." in text
    assert ("There is no backup yet" in text, "older than two days" in text) == (False, False)
    kept.note_failure("There is no room left.")
    text = with_code(operator).get(reverse("operator")).text
    assert "failed: There is no room left.</p>" in text
    assert str(path) in text


def test_a_backup_dated_ahead_does_not_hide_that_there_is_none_of_today(operator, folder):
    """The last one made is the newest, whatever the clock said when others were made."""

    def made(name):
        path = folder / "backups" / f"{name}-backup{whole.vendor().SUFFIX}"
        path.write_bytes(b"x")
        return kept.read_backup(path)

    made("20990101-000000")
    text = with_code(operator).get(reverse("operator")).text
    assert "The newest backup is dated in the future. Check the computer&#x27;s clock." in text
    kept.note_success(made("20260101-000000"))
    text = with_code(operator).get(reverse("operator")).text
    assert "The newest backup is older than two days." in text


def test_a_monitor_hears_of_backups_that_are_missing_old_or_failed(client, db, folder, caplog):
    def told():
        answer = client.get("/readyz?backup")
        return answer.status_code, answer.text

    assert told() == (503, "There is no backup yet. Run ./run backup, and schedule it every night.\n")
    # A monitor asks every minute: it is no fault each time.
    assert not caplog.records
    assert client.get("/readyz").status_code == 200
    made = folder / "backups" / f"{timezone.now():%Y%m%d-%H%M%S}-backup.sqlite3"
    made.touch()
    assert told() == (200, "ready\n")
    made.rename(folder / "backups" / f"{timezone.now() - timedelta(hours=49):%Y%m%d-%H%M%S}-backup.sqlite3")
    assert told() == (503, "The newest backup is older than two days.\n")
    kept.note_failure("the disk is full.")
    assert re.fullmatch(
        r"The newest backup is older than two days\.\nThe last backup, on .*, failed: the disk is full\.\n", told()[1]
    )


def test_that_no_backup_is_newer_than_two_days_is_an_error_once_a_day(db, folder, caplog):
    def heard():
        caplog.clear()
        # Two processes ask.
        kept.complain()
        kept.complain()
        return [record.message for record in caplog.records if record.levelname == "ERROR"]

    applied = MigrationRecorder.Migration.objects
    applied.update(applied=timezone.now() - timedelta(hours=47))
    assert heard() == []
    applied.update(applied=timezone.now() - timedelta(hours=49))
    assert heard() == ["There is no backup yet. Run ./run backup, and schedule it every night."]
    assert heard() == []
    [note] = (folder / "said").glob("*.said")
    os.utime(note, (time.time() - 25 * 3600,) * 2)
    (folder / "backups" / f"{timezone.now() - timedelta(hours=49):%Y%m%d-%H%M%S}-backup.sqlite3").touch()
    assert heard() == ["The newest backup is older than two days."]
    note.unlink()
    (folder / "backups" / f"{timezone.now():%Y%m%d-%H%M%S}-backup.sqlite3").touch()
    assert heard() == []
    kept.note_failure("the disk is full.")
    [said] = heard()
    assert said.startswith("The last backup, on ")
    assert said.endswith(", failed: the disk is full.")
