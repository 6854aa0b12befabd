"""Turns a change in the log into a sentence when it is shown; the log itself holds ids."""

import datetime
from string import Formatter

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import actor_name, with_commas
from clubscore.table.command_kinds import HAND, ROWS, kind_of
from sessions_app.models import Change, HandQuery, Membership
from sessions_app.people.log import LogNames, differences, hand_differences, with_account


def sentence(change: Change, names: LogNames) -> str:
    """Return the sentence of a change; `names` is a LogNames that includes it."""
    phrase = words_of(change, names)
    return f"{who(change, names)} {phrase}" + ("" if phrase.endswith((".", "!", "?", "…")) else ".")


def who(change: Change, names: LogNames) -> str:
    """Return who made a change: name and username, as users choose their own name.

    A tablet without an account may be named by the seat of its player, as {3}.
    """
    name = actor_name(change.name, change.user_id, names.seats[change.session_id]) or "Someone"
    return name if change.user is None else with_account(name, change.user)


def words_of(change: Change, names: LogNames) -> str:
    """Return what was done, without the person and without a full stop."""
    row = WORDS.get((change.action, change.subject_type)) or WORDS.get(change.action) or UNKNOWN
    used = {slot for _, slot, _, _ in Formatter().parse(row) if slot}
    return row.format(**{slot: SLOTS[slot](change, names) for slot in used})


def day(date: datetime.date) -> str:
    return f"{date:%-d %B %Y}"


def _at(change, names):
    """Return at which table; an empty string for a change outside a session, and on the page of that session."""
    is_elsewhere = change.session_id and change.session_id != names.here
    return f" at table {change.session.table} of {day(change.session.date)}" if is_elsewhere else ""


def _line(change):
    """Return the states of the changed entry, before and after."""
    before = (change.before.get("entries") or {}).get(change.subject_id) or {}
    after = (change.after.get("entries") or {}).get(change.subject_id) or {}
    return before, after


def _kind(change):
    before, after = _line(change)
    return (after or before).get("kind", HAND.key)


def _which(change, names):
    """Return what the entry is called: hand 5, a hand, a penalty."""
    kind = _kind(change)
    if kind != HAND.key:
        row = kind_of(kind)
        return (row and row.log_name) or "an entry"
    number = names.numbers.get(change.subject_id)
    return f"hand {number}" if number and number > 0 else "a hand"


def _winners(change, names, body):
    mahjong = body.get("mahjong")
    wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    winners = [names.seat(change.session_id, win.get("by")) for win in wins if isinstance(win, dict)]
    return f"{' and '.join(winners) or 'nobody'} went Mah-jong"


def _result(change, names, state=1):
    """Return who won a hand before (0) or after (1) the change, after a colon; an empty string for other entries."""
    if _kind(change) != HAND.key:
        return ""
    return f": {_winners(change, names, _line(change)[state].get('body') or {})}"


def _what_differs(change, names):
    if _kind(change) != HAND.key:
        return ""
    before, after = (state.get("body") or {} for state in _line(change))
    was, now = (_winners(change, names, body) for body in (before, after))
    if was != now:
        return f": before, {was}; now, {now}"
    changed = hand_differences(before, after, lambda seat_no: names.seat(change.session_id, seat_no))
    return f": {now}; {f'changed: {changed}' if changed else 'nothing changed'}"


def _body(change):
    """Return the body of the changed entry after the change."""
    return _line(change)[1].get("body") or {}


def _payment(change, names):
    body = _body(change)
    to = f" to {names.seat(change.session_id, body['to'])}" if body.get("to") else ""
    return f"{names.seat(change.session_id, body.get('by'))} pays {with_commas(body.get('amount'))}{to}"


def _pair(change, names):
    pair = _body(change).get("exchange") or []
    return " and ".join(names.seat(change.session_id, seat) for seat in pair) or "two players"


def _seats_given(change, names):
    before, after = change.before.get("seats") or {}, change.after.get("seats") or {}
    given = [
        f"the seat of {names.player(before[seat_no]['player'])} to {names.player(after[seat_no]['player'])}"
        for seat_no in sorted(after)
        if seat_no in before
    ]
    return " and ".join(given) or "a seat to another player"


def _start(change, names):
    facts = change.after
    players = ", ".join(names.player(pk) for pk in facts.get("players") or [])
    practice = "the practice table" if facts.get("practice") else "table"
    date = datetime.date.fromisoformat(facts["date"])
    return (
        f"{practice} {facts.get('table')} of {day(date)} under {_rules(change, names)}, with {players or 'no players'}"
    )


def _step(change, names):
    """Return which change was undone or redone, after a colon."""
    step = names.undone.get(int(change.subject_id)) if change.subject_id.isdecimal() else None
    return f": {who(step, names)} {words_of(step, names)}" if step else ""


def _place(state, names):
    session = state.get("session") or {}
    parts = []
    if "table" in session:
        parts.append(f"table {session['table']}")
    if "date" in session:
        parts.append(f"of {day(datetime.date.fromisoformat(session['date']))}")
    meeting = names.meetings.get(session.get("meeting"))
    if meeting and meeting.name:
        parts.append(f"({meeting.name})")
    return " ".join(parts) or "elsewhere"


def _subject(change):
    return int(change.subject_id) if change.subject_id.isdecimal() else 0


def _player(change, names):
    return names.player(_subject(change))


def _user(change, names):
    return names.user(_subject(change))


def _rules(change, names):
    return rule_set_name(change.after.get("rules", ""))


def _changes(change, names):
    """Return what changed, field by field, after a colon."""
    return differences(change.action if change.action in ("settings", "edition") else change.subject_type, change)


def _contact(change, names):
    kept = [CONTACTS[word] for word in change.after.get("kept") or [] if word in CONTACTS]
    player = _player(change, names)
    return f"saved {player}’s {' and '.join(kept)}" if kept else f"removed {player}’s contact details"


CONTACTS = {"email": "email address", "telephone": "telephone number"}


def _meeting(change, names):
    meeting = names.meetings.get(_subject(change))
    return f"the meeting of {_dated(meeting.date, meeting.name)}" if meeting else "a meeting"


def _called_off(change, names):
    return _dated(datetime.date.fromisoformat(change.before["date"]), change.before.get("name"))


def _dated(date, name):
    return f"{day(date)} ({name})" if name else day(date)


def _fees(change, names):
    paid = sum(bool(fee and fee.get("paid")) for fee in change.after.values())
    return f"{len(change.after)} {'person' if len(change.after) == 1 else 'people'}, {paid} of them paid"


def _addresses(change, names):
    sent = change.after.get("sent")
    return f"{sent} address{'' if sent == 1 else 'es'}"


PRESENCE = {"here": "is here", "late": "is running late", "left": "left early", "": "is not here"}


REPLIES = {"yes": "is coming", "no": "cannot come", "": "has not said"}


def _replies(change, names):
    answers = sorted(change.after.items())
    return ", ".join(f"{names.player(int(pk))} {REPLIES.get(answer, answer)}" for pk, answer in answers)


def _attendance(change, names):
    states = sorted(change.after.items())
    return ", ".join(f"{names.player(int(pk))} {PRESENCE.get(state or '', state)}" for pk, state in states)


WISHES = {
    "apart": "asked to seat {} apart",
    "together": "asked to seat {} together",
    "": "removed the seating request for {}",
}


def _wish(change, names):
    facts = change.after
    pair = " and ".join(names.player(facts.get(word)) for word in ("first", "second"))
    return WISHES.get(facts.get("kind"), "changed the seating request for {}").format(pair)


ANSWERS = {
    HandQuery.Outcome.STANDS: "the score is right",
    HandQuery.Outcome.CORRECTED: "the hand has been corrected",
}


def _role_name(role):
    return dict(Membership.Role.choices).get(role, "nothing").lower()


def _earlier_role(change, names):
    before = change.before.get("role")
    return f" (was {_role_name(before)})" if before else ""


def _playing(words):
    """Return a slot for the player that an invitation is for."""

    def say(change, names):
        player = change.after.get("player")
        return words.format(names.player(player)) if player else ""

    return say


def _plays_as(change, names):
    player, user = change.after.get("player"), _user(change, names)
    return f"linked {user} to the player {names.player(player)}" if player else f"noted that {user} does not play"


def _minutes(change, some, none):
    minutes = change.after.get("minutes")
    return some.format(minutes) if minutes else none


def _lock(change, names):
    before, after = change.before.get("locked"), change.after.get("locked")
    word = "changed" if before == after else "locked" if after else "unlocked"
    return f"{word} the season {names.seasons.get(_subject(change), '')}".rstrip()


def _rows(change, names):
    rows = change.after.get("added")
    return f", {rows} row{'' if rows == 1 else 's'}" if type(rows) is int else ""


# Values for the slots in the sentences below, and in those of clubscore/table/command_kinds.py.
SLOTS = {
    "action": lambda change, names: change.action,
    "addresses": _addresses,
    "answer": lambda change, names: ANSWERS.get(change.after.get("outcome"), ""),
    "at": _at,
    "attendance": _attendance,
    "called_off": _called_off,
    "changes": _changes,
    "clock": lambda change, names: _minutes(change, "set the hall’s clock to {} minutes", "stopped the hall’s clock"),
    "club_hand": lambda change, names: names.club_hands.get(_subject(change), "a special hand"),
    "contact": _contact,
    "cup": lambda change, names: "{cup}, {year}".format(**{**change.before, **change.after}),
    "differences": _what_differs,
    "earlier_result": lambda change, names: _result(change, names, 0),
    "earlier_role": _earlier_role,
    "exported": lambda change, names: change.after.get("what", "a file"),
    "extra": lambda change, names: _minutes(change, "gave {} extra minutes", "removed the extra time"),
    "fees": _fees,
    "for_player": _playing(" for {}"),
    "into": lambda change, names: names.player({**change.before, **change.after}.get("into")),
    "lock": _lock,
    "meeting": _meeting,
    "new": lambda change, names: change.after.get("added") or "none",
    "number": lambda change, names: change.after.get("number"),
    "pair": _pair,
    "payment": _payment,
    "place_after": lambda change, names: _place(change.after, names),
    "place_before": lambda change, names: _place(change.before, names),
    "player": _player,
    "playing": _playing(", and plays as {}"),
    "plays_as": _plays_as,
    "replies": _replies,
    "result": _result,
    "role": lambda change, names: _role_name(change.after.get("role")),
    "rows": _rows,
    "rules": _rules,
    "season": lambda change, names: names.seasons.get(_subject(change), "a season"),
    "seat": lambda change, names: names.seat(change.session_id, _body(change).get("seat")),
    "seats_given": _seats_given,
    "step": _step,
    "table": _start,
    "text": lambda change, names: _body(change).get("text", ""),
    "user": _user,
    "which": _which,
    "wish": _wish,
}

UNKNOWN = "made a change of the kind “{action}”{at}"

# By action, or by action and type of subject where an action has several.
WORDS: dict[str | tuple[str, str], str] = {
    **{row.key: row.log for row in ROWS},
    "start": "started {table}",
    "pause": "paused the session{at}",
    "go on": "resumed the session{at}",
    "extra time": "{extra}{at}",
    "ask": "sent a score query about {which}{at}",
    "answer": "answered the score query about {which}{at}: {answer}",
    ("add", "player"): "added {player} to the players",
    "rename": "renamed a player, now {player}",
    ("change", "player"): "changed the details of {player}{changes}",
    "merge": "merged {player} into {into}",
    "unmerge": "undid the merge of {player} into {into}",
    "contact": "{contact}",
    "erase": "erased the names of a player, now shown as {player}",
    ("add", "season"): "opened the season {season}",
    ("change", "season"): "{lock}{changes}",
    ("add", "cupwinner"): "added a winner of {cup}",
    ("remove", "cupwinner"): "removed a winner of {cup}",
    ("add", "meeting"): "added {meeting}",
    ("change", "meeting"): "changed {meeting}{changes}",
    "call off": "cancelled the meeting of {called_off}",
    "fees": "noted the fees for {meeting}: {fees}",
    "subscriptions": "noted subscriptions: {fees}",
    "mail": "sent the results of {meeting} by email to {addresses}",
    "attendance": "noted who is here: {attendance}",
    "reply": "answered for {meeting}: {replies}",
    "draw": "made the seating draw for {meeting}",
    "places": "changed the seating for {meeting}",
    "wish": "{wish}",
    "clock": "{clock}",
    ("add", "club"): "registered the club",
    ("change", "club"): "changed the club’s settings",
    "logo": "changed the club’s logo",
    "remove logo": "removed the club’s logo",
    "settings": "changed the club’s settings{changes}",
    "rules": "made {rules} the club’s rules",
    "edition": "saved version {number} of the house rules for {rules}{changes}",
    "rescore": "rescored the session with the newest version of the rules{at}",
    ("add", "clubhand"): "added the special hand {club_hand}",
    ("change", "clubhand"): "changed the special hand {club_hand}{changes}",
    ("retire", "clubhand"): "removed the special hand {club_hand} from the list",
    "role": "made {user} {role}{earlier_role}",
    "plays as": "{plays_as}",
    "remove": "removed {user} from the club",
    "hand over": "handed the club over to {user}",
    "invite": "made an invitation to join as a {role}{for_player}",
    "revoke invite": "cancelled an invitation",
    "join": "joined the club as a {role} by invitation{playing}",
    "change login": "changed their own name or email address",
    "confirm address": "confirmed their email address",
    "new password": "chose a new password",
    "sign out everywhere": "signed out on every device",
    "recovery link": "made a password link for {user}",
    "new joining code": "gave {meeting} a new join code",
    "end joining code": "switched off the join code of {meeting}",
    "new scoring key": "gave the table a new QR code for scoring{at}",
    ("new watching key", "session"): "gave the table a new QR code for watching{at}",
    ("new watching key", "meeting"): "gave {meeting} a new QR code for watching",
    "export": "exported {exported}{at}",
    "import totals": "imported totals of sessions{rows}",
    "import players": "imported a list of players, {new} new",
}
