"""A club's first season ranks by what needs no number of hands, and who is left out of a table is named above it."""

import re
from html import unescape

from django.urls import reverse

from sessions_app.models import Season
from tests.factories import season
from tests.imported import import_totals_text
from tests.league.test_totals_without_hands import HEADER, table_of_three
from tests.logins import logins, signed_in


def text_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_a_first_season_is_offered_by_average_per_session(club, cast):
    client = signed_in(logins(club)["secretary"])
    form = client.get(reverse("seasons", args=[club.slug])).context["form"]
    assert form["method"].value() == "average_session"


def test_a_next_season_keeps_what_the_club_chose(club, cast):
    season(club)
    client = signed_in(logins(club)["secretary"])
    form = client.get(reverse("seasons", args=[club.slug])).context["form"]
    assert form["method"].value() == Season.objects.get(club=club).method


def test_who_is_left_out_is_named_above_the_table_and_total_is_the_total(club, cast):
    made = season(club)
    made.minimum_sessions = 1
    made.save()
    import_totals_text(club, table_of_three())
    known = HEADER + "".join(
        f"2026-11-19,Tea,1,bmja,settle,{name},,{seat},8,2,{max(net, 0)},{min(net, 0)},{net},{net},{seat}\r\n"
        for seat, (name, net) in enumerate((("Alice", 10), ("Bob", -10)), 1)
    )
    import_totals_text(club, known)
    client = signed_in(logins(club)["secretary"])
    text = text_of(client.get(reverse("standings", args=[club.slug]), {"season": made.pk}))
    left_out = (
        "Not in this order, as their totals came without a number of hands: Alice (+240), Bob (0) and Carol (−240)"
    )
    notice = f"{left_out}. The column Total has them all."
    assert notice in text
    assert text.index(notice) < text.index("Position Player")
    # Alice: +240 without hands and +10 in 8 hands, an average of 1.3 (10 / 8 = 1.25, a half away from zero).
    assert "Alice 1.3 1 8 2 +250" in text
