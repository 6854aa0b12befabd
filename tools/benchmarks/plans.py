"""Every query of every page, and how the database means to answer it: no growing table is to be read whole."""

import json
import uuid

from django.db import connection, transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from clubscore.league.methods import METHODS
from sessions_app.models import Change, Club, Membership, Session
from sessions_app.people.log import Actor
from sessions_app.people.players import reply_key_of
from sessions_app.table.apply_command import apply_command
from sessions_app.table.carry_out import preview_command

# Devices are forgotten after a day; of drawn tables the made installation has none.
GROWING = {
    f"sessions_app_{name}"
    for name in (
        "attendance", "change", "command", "entry", "hand", "meeting", "payment", "player", "playerhand", "seat",
        "session", "tally",
    )
}  # fmt: skip
# Indexes of what waits for someone alone: all of such an index is little.
FEW = {"command_waiting_for_choice", "doubt_open", "session_going_on"}
# What pays where most of a table is wanted anyway, as of a small one.
WHOLE_WAYS = ("seqscan", "hashjoin", "mergejoin")
EXPLAINED = ("SELECT", "UPDATE", "DELETE")


class Asked:
    """Collects each different statement that is sent, with the parameters and the place it was first sent with."""

    def __init__(self):
        self.statements = {}
        self.place = ""

    def __call__(self, execute, sql, params, many, context):
        if not many and sql.lstrip().startswith(EXPLAINED):
            self.statements.setdefault(sql, (params, self.place))
        return execute(sql, params, many, context)


def patterns(resolver=None):
    """Yield every named address with the names of its arguments."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        elif pattern.name:
            yield pattern.name


def addresses(session):
    """Return pairs of a name and an address for every page that can be asked for about a session and its club."""
    hand = session.hands.select_related("entry").order_by("-number").first()
    seat = session.seats.first()
    keys = {"watch": session.watching_key, "watch-hall": session.meeting.watching_key, "by-key": session.scoring_key}
    keys |= dict.fromkeys(("coming", "coming-calendar"), reply_key_of(seat.player))
    known = {
        "slug": session.club.slug,
        "session_id": session.pk,
        "meeting_id": session.meeting_id,
        "season_id": session.season_id,
        "player_id": seat.player_id,
        "change_id": Change.objects.filter(session=session, action="hand").order_by("-pk").first().pk,
        "membership_id": session.club.memberships.first().pk,
        "hand_id": 1,
        "rules": "western",
    }
    found = []
    for name in dict.fromkeys(patterns()):
        ways = [way for options in get_resolver().reverse_dict.getlist(name) for way in options[0]]
        wanted = {word for _, words in ways for word in words}
        values = {**known, "key": keys.get(name, hand.entry.key)}
        if wanted <= set(values):
            found.append((name, reverse(name, kwargs={word: values[word] for word in wanted})))
    standings = dict(found)["standings"]
    found += [(f"standings by {method}", f"{standings}?method={method}") for method in METHODS]
    return found


def sent_by_pages(session, asked):
    """Ask for every page about a session as its club's secretary; return the answers' codes by name."""
    shown = dict.fromkeys(("shows_standings", "shows_honours", "shows_meetings"), True)
    Club.objects.filter(pk=session.club_id).update(public_names="initials", **shown)
    client = Client(SERVER_NAME="localhost")
    client.force_login(Membership.objects.select_related("user").get(club=session.club, role="secretary").user)
    codes = {}
    with connection.execute_wrapper(asked):
        for asked.place, address in addresses(session):
            answer = client.get(address)
            codes[asked.place] = answer.status_code
            if answer.streaming:
                b"".join(answer.streaming_content)
    return codes


def sent_by_writes(session, asked):
    """Record, preview, correct and undo a hand at a table."""
    by = Actor(name="Benchmark")
    chairs = session.seating["winds"]
    winner = str(next(seat for seat in chairs if seat))
    body = {"hands": {str(seat): {"total": 20} for seat in chairs if seat}, "mahjong": {"by": winner}}
    with connection.execute_wrapper(asked):
        for kind in ("reopen", "hand"):
            asked.place = f"command {kind}"
            key = str(uuid.uuid4())
            _send(session, {"key": key, "kind": kind, "body": body if kind == "hand" else {}}, by)
        correction = {"key": str(uuid.uuid4()), "kind": "correct", "body": {"entry": key, "body": body}}
        asked.place = "preview"
        preview_command(session.pk, correction)
        asked.place = "command correct"
        _send(session, correction, by)
        asked.place = "command undo"
        _send(session, {"key": str(uuid.uuid4()), "kind": "undo", "body": {}}, by)


def _send(session, command, by):
    answer = apply_command(session.pk, command, by)
    assert answer.outcome == "recorded", answer.message


def whole_reads(session, discourage=False):
    """Return (how many statements were looked at, a sentence for each that reads a growing table whole).

    Everything written in between is taken back. `discourage`: on PostgreSQL, where a small table is read whole because
    that is cheapest, ask how it would be read were there more of it.
    """
    asked = Asked()
    with transaction.atomic():
        codes = sent_by_pages(session, asked)
        assert list(codes.values()).count(200) > 50, codes
        sent_by_writes(session, asked)
        transaction.set_rollback(True)
    found = []
    for sql, (params, place) in asked.statements.items():
        whole = tables_read_whole(sql, params, discourage)
        found += [f"{place} reads {table} whole: {sql}" for table in whole]
    return len(asked.statements), found


def tables_read_whole(sql, params, discourage=False):
    """Return the growing tables that the plan of a statement reads from one end to the other."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            return sorted(_scanned_by_sqlite(sql, [row[3] for row in cursor.fetchall()]))
        for way in WHOLE_WAYS if discourage else ():
            cursor.execute(f"SET enable_{way} TO off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
        plan = cursor.fetchone()[0]
        for way in WHOLE_WAYS if discourage else ():
            cursor.execute(f"RESET enable_{way}")
    plan = json.loads(plan) if isinstance(plan, str) else plan
    return sorted(set(_scanned_by_postgresql(plan[0]["Plan"])))


def _scanned_by_sqlite(sql, steps):
    for step in steps:
        words = step.split()
        # ANY: it goes through every value of an index's first column.
        if words[0] != "SCAN" and "(ANY(" not in step:
            continue
        table = words[1] if words[1] in GROWING else _table_of(sql, words[1])
        if table in GROWING:
            yield table


def _table_of(sql, alias):
    """Return which table an alias of Django's stands for."""
    before = sql.partition(f'" {alias}')[0]
    return before.rpartition('"')[2]


def _scanned_by_postgresql(node):
    whole = node["Node Type"] == "Seq Scan" or ("Index" in node["Node Type"] and "Index Cond" not in node)
    whole = whole and node.get("Index Name") not in FEW
    if whole and node.get("Relation Name") in GROWING:
        yield node["Relation Name"]
    for inner in node.get("Plans", []):
        yield from _scanned_by_postgresql(inner)


def a_busy_session():
    """Return a finished session of the club in the middle, of its last meeting but one."""
    clubs = Session.objects.order_by("club_id").values_list("club_id", flat=True).distinct()
    sessions = Session.objects.filter(club_id=clubs[len(clubs) // 2], practice=False, seats__seat_no=4)
    recent = sessions.exclude(rules="chinese_official").select_related("club", "meeting", "season").order_by("-pk")
    return recent[min(10, recent.count() - 1)]
