"""The figures of a player's page once more, summed from the exported CSV alone: nothing of the page's own working."""

import csv
import datetime
import io
import re
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations
from types import SimpleNamespace

WAYS = {"wall": "drawn from the wall", "kong box": "with a loose tile from the Kong box", "": "not recorded how"}
ALSO = {"last_tile": "the last tile"}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def table_of(row):
    """Return what tells a session from all others; the second at a table has a number behind its meeting."""
    return row["date"], row["meeting"], row["table"]


def meeting_of(table):
    return table[0], re.sub(r" ?\([0-9]+\)$", "", table[1])


def share(part, whole, step="0.1"):
    """Return a fraction with one decimal, halves away from zero, a zero without sign; nothing of nothing."""
    if not whole:
        return ""
    exact = (Decimal(part) / Decimal(whole)).quantize(Decimal(step), ROUND_HALF_UP)
    return str(abs(exact) if exact == 0 else exact)


def averages(hands, won, net):
    return share(net, hands), share(100 * won, hands, "1")


def account(rows):
    hands, won, net = (sum(int(row[word]) for row in rows) for word in ("hands", "won", "net"))
    return hands, won, net, *averages(hands, won, net), len(rows)


def sums(name, totals, hands, payments, span="%Y"):
    """Return the figures of one player; `totals`, `hands` and `payments` are the rows of those files.

    `span` writes the spans of time that attendance is given by.
    """
    played = [row for row in totals if int(row["hands"]) > 0]
    own = {table_of(row): row for row in played if row["player"] == name}
    tables = defaultdict(list)
    for row in played:
        if table_of(row) in own:
            tables[table_of(row)].append(row)
    order = sorted(own, key=lambda table: (table[0], int(table[2])))
    counted = [row for row in hands if table_of(row) in own and row["player"] == name]
    return SimpleNamespace(
        whole=account(own.values()),
        by_rules=_by_rules(own.values()),
        outside_hands=_outside_hands(own, counted),
        best_hand=max((int(row["total"]) for row in counted if row["total"] and row["result"] != "void"), default=None),
        spans=_spans(order, span),
        form=_form(order, own, tables),
        by_size=_by_size(own, tables),
        meetings=len({meeting_of(table) for table in own}),
        club_meetings=len({meeting_of(table_of(row)) for row in played}),
        **_hands(name, [row for row in hands if row["player"] == name and row["wind"] not in ("", "out")]),
        met=_met(name, own, tables, hands, payments),
        to_nobody=sum(int(row["amount"]) for row in payments if (row["from"], row["to"]) == (name, "nobody")),
    )


def _form(order, own, tables):
    running, rows = 0, []
    for table in order:
        row = own[table]
        running += int(row["net"])
        rows.append((
            table[0], int(table[2]), len(tables[table]), int(row["place"]), int(row["hands"]), int(row["won"]),
            int(row["net"]), running,
        ))  # fmt: skip
    return rows


def _by_rules(rows):
    by_rules = defaultdict(list)
    for row in rows:
        by_rules[row["rules"]].append(row)
    return {rules: account(some) for rules, some in by_rules.items()}


def _outside_hands(own, rows):
    """Sum the fines outside a hand, and the sessions of which no hand is known."""
    known = {table_of(row) for row in rows}
    fines = sum(int(row["net"]) for row in rows if row["result"] == "fine")
    return fines + sum(int(row["net"]) for table, row in own.items() if table not in known)


def _spans(order, span):
    spans = defaultdict(list)
    for table in order:
        spans[f"{datetime.date.fromisoformat(table[0]):{span}}"].append(meeting_of(table))
    return [(words, len(set(meetings)), len(meetings)) for words, meetings in spans.items()]


def _by_size(own, tables):
    sizes = defaultdict(list)
    for table, row in own.items():
        sizes[len(tables[table])].append(row)
    return {f"{size} players": account(rows) for size, rows in sorted(sizes.items())}


def _hands(name, rows):
    counted = [row for row in rows if row["result"] != "void"]
    won = [row for row in rows if row["won"] == "yes"]
    ways, also = Counter(), Counter()
    for row in won:
        how = row["won_how"].split("; ")
        ways["robbing a kong" if "robbed_kong" in how else WAYS.get(row["won_from"], "from a discard")] += 1
        also["in a goulash"] += row["goulash"] == "yes"
        also["for the limit"] += row["limited"] == "yes"
        also["with a special hand"] += row["special"] != ""
        for key, words in ALSO.items():
            also[words] += key in how
    return {
        "east": _east(rows, counted, won, lambda row: row["wind"] == "E"),
        "not_east": _east(rows, counted, won, lambda row: row["wind"] != "E"),
        "ways": +ways,
        "also": +also,
        "best": sorted((int(row["total"]) for row in rows if int(row["total"])), reverse=True)[:5],
        "special": sorted(
            (row["date"], row["special"] or row["fishing_for"], row["special"] == "", int(row["total"]))
            for row in rows
            if row["special"] or row["fishing_for"]
        ),
    }


def _east(rows, counted, won, chosen):
    """Return hands, won, net and averages; a void hand is not played, but what it cost counts.

    None where not a single hand is known.
    """
    if not rows:
        return None, None, None, "", ""
    figures = sum(map(chosen, counted)), sum(map(chosen, won)), sum(int(row["net"]) for row in rows if chosen(row))
    return *figures, *averages(*figures)


def _met(name, own, tables, hands, payments):
    """Return for everyone met: hands and sessions together, in how many above and below, received, paid, between."""
    together = Counter()
    seated = defaultdict(list)
    for row in hands:
        if row["wind"] not in ("", "out") and row["result"] != "void":
            seated[*table_of(row), row["hand"]].append(row["player"])
    for players in seated.values():
        if name in players:
            together.update(player for player in players if player != name)
    found = {}
    for table, rows in tables.items():
        mine = int(own[table]["net"])
        for row in rows:
            if row["player"] != name:
                before = found.get(row["player"], (0, 0, 0))
                net = int(row["net"])
                found[row["player"]] = (before[0] + 1, before[1] + (mine > net), before[2] + (mine < net))
    received = _passed(payments, "from", "to", name)
    paid = _passed(payments, "to", "from", name)
    recorded = {table_of(row) for row in hands}
    known = {row["player"] for table, rows in tables.items() if table in recorded for row in rows}
    return {
        other: (together[other], *found[other], received[other], paid[other], received[other] - paid[other])
        if other in known
        else (None, *found[other], None, None, None)
        for other in found
    }


def _passed(payments, other, own, name):
    passed = Counter()
    for row in payments:
        if row[own] == name:
            passed[row[other]] += int(row["amount"])
    return passed


def settled_as_british(hands):
    """Work the payments of British hands out again from wind, total and who won, for those without penalties.

    Everyone pays the winner the winner's total, the losers pay each other the difference; to and from East double.
    """
    by_hand = defaultdict(list)
    for row in hands:
        if row["wind"] not in ("", "out"):
            by_hand[*table_of(row), row["hand"]].append(row)
    for rows in by_hand.values():
        if any(row["won"] for row in rows):
            yield from _settled(rows)


def _settled(rows):
    for one, other in combinations(rows, 2):
        totals = [int(row["total"]) if row["won"] or not (one["won"] or other["won"]) else 0 for row in (one, other)]
        amount = abs(totals[0] - totals[1]) * (2 if "E" in (one["wind"], other["wind"]) else 1)
        payer, payee = (one, other) if totals[0] < totals[1] else (other, one)
        if amount:
            yield {"from": payer["player"], "to": payee["player"], "amount": amount}
