"""A meeting as JSON: who sat where, and every hand as entered; it can be loaded again."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator

from django.utils.text import slugify

from clubscore.scoring.rotation import WINDS, Outcome, SeatingState, first_seating, next_seating
from clubscore.table.command_kinds import ARRIVE, FINE, LEAVE, NOTE, SEATING
from clubscore.table.replay import Entry as LedgerEntry
from clubscore.table.replay import Facts, Replayed, replay
from sessions_app.models import Club, Entry, Hand, Meeting, Payment, Player, PlayerHand, Seat, Session, Tally

AT_ONCE = 50


def meetings_with_hands(club: Club) -> list[Meeting]:
    """Return the meetings at which hands were played that can be taken out, the latest first."""
    sessions = Session.objects.of_club(club).filter(practice=False, imported=False)
    found = {}
    for session in sessions.select_related("meeting").order_by("-date", "meeting", "table"):
        found.setdefault(session.meeting_id, session.meeting)
    return list(found.values())


def meeting_json(meeting: Meeting) -> str:
    [(_, text)] = meeting_files(meeting.club, [meeting])
    return text


def meeting_files(club: Club, meetings: list[Meeting]) -> Iterator[tuple[Meeting, str]]:
    """Yield each meeting with its hands as JSON; six queries for fifty meetings."""
    people = {player.pk: player for player in Player.objects.of_club(club)}
    for start in range(0, len(meetings), AT_ONCE):
        some = meetings[start : start + AT_ONCE]
        held = _Held(club, some)
        for meeting in some:
            yield meeting, json.dumps(_meeting_file(meeting, held, people), indent=1, ensure_ascii=False) + "\n"


def meeting_file_name(meeting: Meeting) -> str:
    return f"{meeting.club.slug}-{meeting.date}-{slugify(f'afternoon-{meeting.name}')}.json"


class _Held:
    """Everything of the sessions of some meetings, grouped."""

    def __init__(self, club: Club, meetings: list[Meeting]) -> None:
        sessions = Session.objects.of_club(club).filter(meeting__in=meetings, practice=False, imported=False)
        own = {"session__in": sessions}
        self.sessions = _grouped(sessions.order_by("table", "pk"), "meeting_id")
        self.seats = _grouped(Seat.objects.filter(**own).order_by("chair"), "session_id")
        self.entries = _grouped(Entry.objects.filter(**own).order_by("position"), "session_id")
        self.payments = _grouped(Payment.objects.filter(**own).order_by("pk"), "entry_id")
        self.hands = {hand.entry_id: hand for hand in Hand.objects.filter(**own)}
        self.results = defaultdict(dict)
        for result in PlayerHand.objects.filter(hand__session__in=sessions):
            self.results[result.hand_id][result.seat_id] = result
        accounts = Tally.objects.filter(session__in=sessions).values_list("seat", "net", "gained", "lost")
        self.nets = {seat: net for seat, net, _, _ in accounts}
        self.moved = {seat for seat, _, gained, lost in accounts if gained or lost}


def _grouped(rows, key):
    groups = defaultdict(list)
    for row in rows:
        groups[getattr(row, key)].append(row)
    return groups


def _meeting_file(meeting, held, people):
    sessions = held.sessions[meeting.pk]
    played = {seat.player_id for session in sessions for seat in held.seats[session.pk]}
    members = {
        pk
        for pk, one in people.items()
        if not one.guest and not one.merged_into_id and (pk in played or (one.left_on is None and one.full_name))
    }
    tables = [_table(session, held, people) for session in sessions]
    totals = Counter()
    for table in tables:
        totals.update(table["final"])
    return {
        "club": meeting.club.name,
        "date": meeting.date.isoformat(),
        **_meeting(meeting),
        "members": sorted(str(people[pk]) for pk in members),
        "absent": sorted(str(people[pk]) for pk in members - played),
        "tables": tables,
        "session_totals": dict(sorted(totals.items(), key=lambda row: (-row[1], row[0]))),
    }


def _meeting(meeting):
    """Return the name, the time and the place of a meeting, as far as it has them."""
    starts_at = f"{meeting.starts_at:%H:%M}" if meeting.starts_at else ""
    facts = {"name": meeting.name, "starts_at": starts_at, "place": meeting.place}
    return {"meeting": {key: word for key, word in facts.items() if word}} if any(facts.values()) else {}


def _table(session, held, people):
    seats = held.seats[session.pk]
    names = {seat.chair: str(people[seat.player_id]) for seat in seats}
    order = [seat.chair for seat in seats if seat.at_start]
    house = session.rule_set.house(session.house_rules)
    seating, there = first_seating(order, house), set(order)
    hands, lines = [], []
    running = dict.fromkeys(names.values(), 0)
    for entry in held.entries[session.pk]:
        hand, before = held.hands.get(entry.pk), len(hands) + 1
        if entry.taken_out:
            if entry.kind == Entry.Kind.HAND and entry.played_in:
                lines.append(_taken_out(session, entry, names, before))
            elif entry.kind == Entry.Kind.ARRIVE and _owes(int(entry.body["seat"]), seats, there, held):
                lines.append({"before": before, **_line(entry, names), "taken_out": True})
                there.add(int(entry.body["seat"]))
        elif hand:
            hands.append(_hand(session, entry, hand, seats, names, held, running, before))
            winners = [seat.chair for seat in seats if (row := held.results[hand.pk].get(seat.pk)) and row.won]
            seating = next_seating(SeatingState.from_dict(hand.chairs), Outcome(hand.kind, tuple(winners)), house)
        elif entry.kind != Entry.Kind.HAND:
            line = _line(entry, names)
            if entry.kind in DID_NOT_FIT:
                seating, fits = _moved(session, house, seating, entry)
                line = line if fits else {"kind": "note", "text": DID_NOT_FIT[entry.kind].format(line.get("player"))}
            if entry.kind == Entry.Kind.ARRIVE:
                there.add(int(entry.body["seat"]))
            lines.append({"before": before, **line})
    # A seat whose only arrival was taken out was never there.
    names = {seat_no: name for seat_no, name in names.items() if seat_no in there}
    table = {
        "table": session.table,
        "rules": session.rules,
        "house_rules": session.house_rules,
        "starting_balance": session.starting_balance,
        **({"sticks": session.sticks} if session.sticks else {}),
        "players": list(names.values()),
        "start": _sitting(dict(zip(WINDS, order, strict=False)), order[4:], names),
        "hands": hands,
    }
    if session.club_hands:
        table["club_hands"] = session.club_hands
    if lines:
        table["lines"] = lines
    table["final"] = {names[seat.chair]: held.nets[seat.pk] for seat in seats if seat.chair in names}
    if session.chairs:
        seating = SeatingState.from_dict(session.chairs)
        table["next_hand"] = _sitting(seating.seated, seating.out, names)
    return table


def _owes(seat_no, seats, there, held):
    """Whether a seat that was never there has paid or received all the same, by a fine."""
    return seat_no not in there and any(seat.chair == seat_no and seat.pk in held.moved for seat in seats)


def _moved(session, house, seating, entry):
    """Return the chairs after a line, and whether it fitted: one open to question has no effect."""
    facts = Facts(session.rules, session.house_rules, session.club_hands, house, session.edition, 0, (), ())
    line = LedgerEntry(entry.key_text, entry.kind, entry.body, entry.version)
    done = replay(facts, [line], {}, earlier=Replayed(seating))
    return done.seating, not done.questions


def _sitting(seated, out, names):
    """Say who sits where; one who sits out is a name, several are a list."""
    waiting = [names[seat_no] for seat_no in out]
    return {
        "seats": {wind: names[seated[wind]] for wind in WINDS if seated.get(wind)},
        "sits_out": waiting if len(waiting) > 1 else waiting[0] if waiting else None,
    }


def _hand(session, entry, hand, seats, names, held, running, number):
    seating = SeatingState.from_dict(hand.chairs)
    winds = _winds(seating)
    results = {seat.chair: held.results[hand.pk].get(seat.pk) for seat in seats}
    nets = {names[seat_no]: row.net for seat_no, row in results.items() if row and row.wind}
    for seat_no, row in results.items():
        running[names[seat_no]] += row.net if row else 0
    by_chair = {seat.pk: str(seat.chair) for seat in seats}
    return {
        "number": number,
        "wind_of_round": hand.wind_of_round,
        "goulash": hand.goulash,
        **_sitting(seating.seated, seating.out, names),
        "input": _input(session, entry.body, seating, number),
        **_aside(entry.body, seating, names),
        "expect": {
            "hands": {wind: _result(row) for wind in WINDS if (row := results.get(seating.seated.get(wind)))},
            "payments": [_payment(one, by_chair, winds) for one in held.payments[entry.pk]],
            "net": {wind: results[seating.seated[wind]].net for wind in WINDS if results.get(seating.seated.get(wind))},
            "east_stays": hand.east_stays,
            "next_is_goulash": hand.next_is_goulash,
        },
        "net_by_player": nets,
        "running": {name: running[name] for name in names.values()},
    }


def _result(row):
    result = {"total": row.total, "points": row.points, "doubles": row.doubles, "special": row.special or None}
    return result | ({"fishing_for": row.fishing_for} if row.fishing_for else {})


def _taken_out(session, entry, names, number):
    """Write a hand that does not count as it was when it was taken out, before hand `number`."""
    seating = SeatingState.from_dict(entry.played_in)
    return {
        "before": number,
        "kind": "taken out",
        **_sitting(seating.seated, seating.out, names),
        "input": _input(session, entry.body, seating, number),
        **_aside(entry.body, seating, names),
    }


def _aside(body, seating, names):
    """Return what does not count: other forms of a hand, and who agreed to it where that was asked."""
    winds, found = _winds(seating), {}
    if body.get("beside"):
        found["beside"] = {winds[seat_no]: form for seat_no, form in sorted(body["beside"].items()) if seat_no in winds}
    if "agreed" in body:
        found["agreed"] = names[int(body["agreed"])] if body["agreed"] else ""
    return found


def _winds(seating):
    return {str(seat_no): wind for wind, seat_no in seating.seated.items()}


def _input(session, body, seating, number):
    """Write a hand's body in the score format: by wind instead of by seat."""
    winds, hands = _winds(seating), body.get("hands", {})
    given = {
        "id": f"t{session.table}h{number:02}",
        "rules": session.rules,
        "wind_of_round": seating.wind_of_round,
        "hands": {
            winds[seat_no]: form
            for seat_no, form in sorted(hands.items(), key=lambda row: WINDS.find(winds.get(row[0], "?")))
            if seat_no in winds
        },
    }
    if body.get("mahjong"):
        given["mahjong"] = _by_wind(body["mahjong"], winds)
    if seating.goulash:
        given["goulash"] = True
    if body.get("penalties"):
        given["penalties"] = [_by_wind(one, winds) for one in body["penalties"]]
    return given


def _by_wind(row, winds):
    if isinstance(row, list):
        return [_by_wind(one, winds) for one in row]
    if not isinstance(row, dict):
        return row
    return {
        key: winds.get(str(value), value) if key in ("by", "from", "to") and value is not None else value
        for key, value in row.items()
    }


def _payment(payment, by_chair, winds):
    return {
        "from": winds.get(by_chair[payment.payer_id]),
        "to": winds.get(by_chair[payment.payee_id]) if payment.payee_id else None,
        "amount": payment.amount,
        "why": payment.why,
    }


def _line(entry, names):
    """Return what the file has for an entry that is no hand."""
    body = entry.body
    if entry.kind == NOTE.key:
        return {"kind": "note", "text": body["text"]}
    if entry.kind == FINE.key:
        to = names[int(body["to"])] if body.get("to") else None
        return {"kind": "fine", "by": names[int(body["by"])], "to": to, "amount": body["amount"], "why": body["why"]}
    if entry.kind != SEATING.key:
        return {"kind": entry.kind, "player": names[int(body["seat"])]}
    if "exchange" in body:
        return {"kind": "exchange", "players": [names[int(seat)] for seat in body["exchange"]]}
    winds, out = body["winds"], body.get("out") or []
    seats = {wind: names[int(winds[wind])] for wind in WINDS if wind in winds}
    return {"kind": "seating", "seats": seats, "sits_out": [names[int(seat)] for seat in out]}


DID_NOT_FIT = {
    ARRIVE.key: "{} arrived: this did not fit and was left out.",
    LEAVE.key: "{} left: this did not fit and was left out.",
    SEATING.key: "A change of seats that did not fit was left out.",
}
