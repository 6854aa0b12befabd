"""No page and no write reads a growing table whole: the plans of every query, with twenty thousand hands analysed."""

import datetime

import pytest

from sample_data.installation import populate
from sessions_app.models import Hand, Player
from sessions_app.people.players import reply_key_of
from tools.benchmarks.multiplied import multiply
from tools.benchmarks.plans import a_busy_session, tables_read_whole, whole_reads

pytestmark = pytest.mark.postgres

CLUBS, HANDS, TIMES = 3, 200, 100


@pytest.mark.django_db
def test_no_plan_reads_a_growing_table_whole():
    list(populate(CLUBS, 12, HANDS, seed=1, last_day=datetime.date(2026, 11, 20), processes=1))
    for player in Player.objects.all():
        reply_key_of(player)
    multiply(TIMES)
    assert Hand.objects.count() == HANDS * TIMES
    looked_at, found = whole_reads(a_busy_session(), discourage=True)
    assert found == []
    assert looked_at > 150
    # The check finds what it looks for.
    whole = "SELECT COUNT(*) FROM sessions_app_payment WHERE amount = %s"
    assert tables_read_whole(whole, [1], discourage=True) == ["sessions_app_payment"]
