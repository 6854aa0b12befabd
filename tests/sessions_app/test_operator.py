"""The operator's page: for a superuser alone, with numbers and names of clubs, and nothing that a club has entered."""

import pytest
from django.conf import settings
from django.urls import reverse

from sessions_app.backups import whole
from sessions_app.models import User

from .page_cast import house, signed_in


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("olive", password=None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Let the installation's folder be an empty one."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    (tmp_path / "backups").mkdir()
    return tmp_path


def test_it_counts_and_shows_nothing_entered(club, cast, operator, folder):
    made = house(club, cast.all[:4])
    text = signed_in(operator).get(reverse("operator")).text
    row = text.split("Bramley</th>")[1].split("</tr>")[0]
    assert [cell.split(">")[1] for cell in row.split("</td>")[:4]] == ["5", "1", "1", "3"]
    entered = ("Alice", "Autumn 2026", "bramley-secretary", made.table_session.scoring_key)
    assert [word for word in entered if word in text] == []
    assert f"<dd>{settings.VERSION}</dd>" in text


def test_nobody_else_learns_that_it_is_there(club, cast):
    made = house(club, cast.all[:4])
    for who in (made.secretary, None):
        assert signed_in(who).get(reverse("operator")).status_code == 404


@pytest.mark.parametrize(("rows", "clubs"), [(1, 1), (1, 20)])
def test_it_costs_the_same_for_many_clubs(operator, folder, django_assert_max_num_queries, rows, clubs):
    from sessions_app.models import Club

    for number in range(clubs):
        Club.objects.create(name=f"Club {number}", slug=f"club-{number}")
    client = signed_in(operator)
    client.get(reverse("operator"))
    with django_assert_max_num_queries(12):
        client.get(reverse("operator"))


def test_it_says_what_needs_seeing_to(operator, folder):
    assert "There is no backup yet" in signed_in(operator).get(reverse("operator")).text
    old = folder / "backups" / f"20200101-000000-backup{whole.vendor().SUFFIX}"
    old.write_bytes(b"x" * 2048)
    text = signed_in(operator).get(reverse("operator")).text
    assert "The newest backup is older than two days." in text
    assert "The newest backup has not been tried out." in text
    assert "1 January 2020, 00:00" in text
