"""The backup that a secretary downloads: a club comes back from it, and no account's password or address is in it."""

import io
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sessions_app.exchange.backups.club_backup import restore
from sessions_app.exchange.backups.databases import snapshot
from sessions_app.models import Club, Membership, OldAddress, Player, Session, User
from sessions_app.people.role_views import VISIBLE, visible_to
from tests.factories import house
from tests.logins import logins, signed_in


@pytest.mark.postgres
def test_a_club_comes_back_from_the_download(club, cast, tmp_path):
    at_home = house(club, cast.all[:4])
    User.objects.filter(pk=at_home.member.pk).update(email="member@example.org", password="argon2$secret")
    client = signed_in(at_home.secretary)
    exports = reverse("exports", args=[club.slug])
    assert "No backup yet" in client.get(exports).content.decode()
    answer = client.get(reverse("backup-zip", args=[club.slug]))
    assert answer["Content-Disposition"] == f'attachment; filename="{club.slug}-{club.today}-backup.zip"'
    assert f"Last backup: {club.today.day} {club.today:%B %Y}." in client.get(exports).content.decode()
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        everything = "".join(file.read(name).decode() for name in file.namelist())
    assert "Alice" in everything
    assert "member@example.org" not in everything
    assert "argon2" not in everything
    path = tmp_path / "backup.zip"
    path.write_bytes(answer.content)
    restore(path, "again")
    again = Club.objects.get(slug="again")
    assert again.name == club.name
    names = [sorted(Player.objects.of_club(one).values_list("full_name", flat=True)) for one in (club, again)]
    assert names[0] == names[1]
    assert Session.objects.of_club(again).get().entries.count() == at_home.table_session.entries.count()
    back = Membership.objects.get(club=again, role="member").user
    assert (back.email, back.has_usable_password()) == ("", False)


@pytest.fixture
def downloaded(club, cast, tmp_path):
    at_home = house(club, cast.all[:4])
    OldAddress.objects.create(club=club, slug="tiles")
    path = tmp_path / "backup.zip"
    path.write_bytes(signed_in(at_home.secretary).get(reverse("backup-zip", args=[club.slug])).content)
    return path


@pytest.mark.postgres
def test_no_account_without_a_password_is_taken_for_another(downloaded):
    for slug in ("again", "and-again"):
        restore(downloaded, slug)
    logins = Membership.objects.filter(role="member").values_list("user", flat=True)
    assert len(logins) == len(set(logins)) == 3


@pytest.mark.postgres
@pytest.mark.parametrize("slug", ["again", "tiles"])
def test_an_address_that_a_club_has_is_no_other_clubs_old_one(downloaded, club, slug):
    OldAddress.objects.all().delete()
    if slug == "again":
        Club.objects.filter(pk=club.pk).update(slug="tiles")
    restore(downloaded, slug)
    assert not OldAddress.objects.filter(slug="tiles").exists()
    assert OldAddress.objects.get().club.slug == slug


@pytest.mark.django_db(transaction=True)
def test_others_go_on_writing_while_a_backup_is_downloaded():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks nothing here")
    before = connection.transaction_mode
    with CaptureQueriesContext(connection) as asked, snapshot():
        assert connection.transaction_mode == "DEFERRED"
    assert [query["sql"] for query in asked.captured_queries if "BEGIN" in query["sql"]] == ["BEGIN DEFERRED"]
    assert connection.transaction_mode == before


@pytest.mark.postgres
def test_who_can_see_what_says_what_each_role_may_open(club, cast):
    Club.objects.filter(pk=club.pk).update(keeps_fees=True, shows_honours=True, public_names="short")
    club.refresh_from_db()
    clients = {role: signed_in(user) for role, user in logins(club).items()}
    may = dict(visible_to(club))
    assert (may["The roll of honour"], may["The league table and results"]) == ("Everyone", "Members")
    opened_by = {
        "Everyone": ["member", "scorekeeper", "secretary"], "Members": ["member", "scorekeeper", "secretary"],
        "Scorekeepers and the secretary": ["scorekeeper", "secretary"], "The secretary": ["secretary"],
    }  # fmt: skip
    for words, name, _, _ in VISIBLE:
        address = reverse(name, args=[club.slug, *([cast.alice.pk] if name == "player-change" else [])])
        found = [role for role in clients if clients[role].get(address).status_code == 200]
        assert sorted(found) == sorted(opened_by[may[words]]), words
