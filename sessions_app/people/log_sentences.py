"""Turns a change in the log into a sentence when it is shown; the log itself holds ids."""

import datetime
from string import Formatter

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import actor_name, with_commas
from clubscore.table.command_kinds import HAND, ROWS, kind_of
from sessions_app.models import Change, HandQuery, Membership
from sessions_app.people import log as different
from sessions_app.people.log import LogNames, with_account

WISHES = {
    "apart": "asked to seat {} apart",
    "together": "asked to seat {} together",
    "": "removed the seating request for {}",
}


def sentence(change: Change, names: LogNames) -> str:
    """Return the sentence of a change; `names` is a LogNames that includes it."""
    phrase = words_of(change, names)
    return f"{who(change, names)} {phrase}" + ("" if phrase.endswith((".", "!", "?", "…")) else ".")


def who(change: Change, names: LogNames) -> str:
    """Return who made a change: name and username, as users choose their own name.

    A tablet without an account may be named by the seat of its player, as {3}.
    """
    told = actor_name(change.name, change.user_id, names.seats[change.session_id]) or "Someone"
    return told if change.user is None else with_account(told, change.user)


def words_of(change: Change, names: LogNames) -> str:
    """Return what was done, without the person and without a full stop."""
    make = WORDS.get((change.action, change.subject_type)) or WORDS.get(change.action)
    if make is None:
        return f"made a change of the kind “{change.action}”{_at(change)}"
    return make(change, names) if callable(make) else f"{make}{_at(change)}"


def day(date: datetime.date) -> str:
    return f"{date:%-d %B %Y}"


def _at(change):
    """Return at which table; an empty string for a change outside a session."""
    return f" at table {change.session.table} of {day(change.session.date)}" if change.session_id else ""


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
    told = [names.seat(change.session_id, win.get("by")) for win in wins if isinstance(win, dict)]
    return f"{' and '.join(told)} went Mah-jong" if told else "nobody went Mah-jong"


def _result(change, names, state=1):
    """Return who won a hand before (0) or after (1) the change, after a colon; an empty string for other entries."""
    if _kind(change) != HAND.key:
        return ""
    return f": {_winners(change, names, _line(change)[state].get('body') or {})}"


def _what_differs(change, names):
    before, after = _line(change)
    if _kind(change) != HAND.key:
        return ""
    was, now = (_winners(change, names, state.get("body") or {}) for state in (before, after))
    return f": before, {was}; now, {now}" if was != now else f": {now}; {_what_of(change, names)}"


def _what_of(change, names):
    before, after = (state.get("body") or {} for state in _line(change))
    told = different.hand_differences(before, after, lambda chair: names.seat(change.session_id, chair))
    return f"changed: {told}" if told else "nothing changed"


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
    told = [
        f"the seat of {names.player(before[chair]['player'])} to {names.player(after[chair]['player'])}"
        for chair in sorted(after)
        if chair in before
    ]
    return " and ".join(told) or "a seat to another player"


def _start(change, names):
    facts = change.after
    told = ", ".join(names.player(pk) for pk in facts.get("players") or [])
    practice = "the practice table" if facts.get("practice") else "table"
    date = datetime.date.fromisoformat(facts["date"])
    return (
        f"started {practice} {facts.get('table')} of {day(date)} under {rule_set_name(facts.get('rules', ''))}, "
        f"with {told or 'no players'}"
    )


def _step(change, names):
    """Return which change was undone or redone, after a colon."""
    step = names.undone.get(int(change.subject_id)) if change.subject_id.isdecimal() else None
    return f": {who(step, names)} {words_of(step, names)}" if step else ""


def _place(state, names):
    session = state.get("session") or {}
    told = []
    if "table" in session:
        told.append(f"table {session['table']}")
    if "date" in session:
        told.append(f"of {day(datetime.date.fromisoformat(session['date']))}")
    meeting = names.meetings.get(session.get("meeting"))
    if meeting and meeting.name:
        told.append(f"({meeting.name})")
    return " ".join(told) or "elsewhere"


def _subject(change):
    return int(change.subject_id) if change.subject_id.isdecimal() else 0


def _of_player(words):
    return lambda change, names: words.format(names.player(_subject(change)))


def _joined(words, change, state, names):
    return words.format(names.player(_subject(change)), names.player(state.get("into")))


def _contact(change, names):
    kept = [CONTACTS[word] for word in change.after.get("kept") or [] if word in CONTACTS]
    player = names.player(_subject(change))
    return f"saved {player}’s {' and '.join(kept)}" if kept else f"removed {player}’s contact details"


CONTACTS = {"email": "email address", "telephone": "telephone number"}


def _season(words):
    return lambda change, names: words.format(names.seasons.get(_subject(change), "a season"))


def _lock(change, names):
    before, after = change.before.get("locked"), change.after.get("locked")
    word = "changed" if before == after else "locked" if after else "unlocked"
    return f"{word} the season {names.seasons.get(_subject(change), '')}".rstrip()


def _meeting(words):
    def make(change, names):
        meeting = names.meetings.get(_subject(change))
        told = f"the meeting of {day(meeting.date)}" if meeting else "a meeting"
        return words.format(told + (f" ({meeting.name})" if meeting and meeting.name else ""))

    return make


def _called_off(change, names):
    facts = change.before
    named = f" ({facts['name']})" if facts.get("name") else ""
    return f"cancelled the meeting of {day(datetime.date.fromisoformat(facts['date']))}{named}"


def _fees(change, names):
    paid = sum(bool(fee and fee.get("paid")) for fee in change.after.values())
    people = f"{len(change.after)} {'person' if len(change.after) == 1 else 'people'}"
    return f"{_meeting('noted the fees for {}')(change, names)}: {people}, {paid} of them paid"


def _mailed(change, names):
    sent = change.after.get("sent")
    return f"{_meeting('sent the results of {} by email')(change, names)} to {sent} address{'' if sent == 1 else 'es'}"


def _attendance(change, names):
    words = {"here": "is here", "late": "is running late", "left": "left early", "": "is not here"}
    told = [f"{names.player(int(pk))} {words.get(state or '', state)}" for pk, state in sorted(change.after.items())]
    return f"noted who is here: {', '.join(told)}"


def _wish(change, names):
    facts = change.after
    pair = " and ".join(names.player(facts.get(word)) for word in ("first", "second"))
    return WISHES.get(facts.get("kind"), "changed the seating request for {}").format(pair)


def _answer(change, names):
    told = {
        HandQuery.Outcome.STANDS: "the score is right",
        HandQuery.Outcome.CORRECTED: "the hand has been corrected",
    }.get(change.after.get("outcome"), "")
    return f"answered the score query about {_which(change, names)}{_at(change)}: {told}"


def _club_hand(words):
    return lambda change, names: words.format(names.club_hands.get(_subject(change), "a special hand"))


def _role_name(role):
    return dict(Membership.Role.choices).get(role, "nothing").lower()


def _role(change, names):
    before, after = change.before.get("role"), change.after.get("role")
    was = f" (was {_role_name(before)})" if before else ""
    return f"made {names.user(_subject(change))} {_role_name(after)}{was}"


def _invite(change, names):
    player = change.after.get("player")
    told = f"made an invitation to join as a {_role_name(change.after.get('role'))}"
    return f"{told} for {names.player(player)}" if player else told


def _join(change, names):
    player = change.after.get("player")
    told = f"joined the club as a {_role_name(change.after.get('role'))} by invitation"
    return f"{told}, and plays as {names.player(player)}" if player else told


def _plays_as(change, names):
    player, user = change.after.get("player"), names.user(_subject(change))
    return f"linked {user} to the player {names.player(player)}" if player else f"noted that {user} does not play"


def _rules(change, names):
    return f"made {rule_set_name(change.after.get('rules', ''))} the club’s rules"


def _edition(change, names):
    facts, told = change.after, different.differences("edition", change)
    return f"saved version {facts.get('number')} of the house rules for {rule_set_name(facts.get('rules', ''))}{told}"


def _clock(change, names):
    minutes = change.after.get("minutes")
    return f"set the hall’s clock to {minutes} minutes" if minutes else "stopped the hall’s clock"


def _extra(change, names):
    minutes = change.after.get("minutes")
    return f"gave {minutes} extra minutes{_at(change)}" if minutes else f"removed the extra time{_at(change)}"


def _export(change, names):
    return f"exported {change.after.get('what', 'a file')}{_at(change)}"


def _import(change, names):
    rows = change.after.get("added")
    told = f", {rows} row{'' if rows == 1 else 's'}" if type(rows) is int else ""
    return f"imported totals of sessions{told}"


def _erase(change, names):
    return f"erased the names of a player, now shown as {names.player(_subject(change))}"


def _ended(change, names):
    return f"was signed out everywhere as {names.user(_subject(change))}"


# Values for the slots in the log sentences of clubscore/table/command_kinds.py.
SLOTS = {
    "at": lambda change, names: _at(change),
    "which": _which,
    "result": _result,
    "earlier_result": lambda change, names: _result(change, names, 0),
    "differences": _what_differs,
    "payment": _payment,
    "text": lambda change, names: _body(change).get("text", ""),
    "seat": lambda change, names: names.seat(change.session_id, _body(change).get("seat")),
    "pair": _pair,
    "seats_given": _seats_given,
    "step": _step,
    "place_before": lambda change, names: _place(change.before, names),
    "place_after": lambda change, names: _place(change.after, names),
}


def _of_command(row):
    """Return the sentence function for this kind of command."""
    used = [slot for _, slot, _, _ in Formatter().parse(row.log) if slot]
    return lambda change, names: row.log.format(**{slot: SLOTS[slot](change, names) for slot in used})


WORDS = {  # type: ignore[misc]
    **{row.key: _of_command(row) for row in ROWS},
    "start": _start,
    "pause": "paused the session",
    "go on": "resumed the session",
    "extra time": _extra,
    "ask": lambda change, names: f"sent a score query about {_which(change, names)}{_at(change)}",
    "answer": _answer,
    ("add", "player"): _of_player("added {} to the players"),
    "rename": _of_player("renamed a player, now {}"),
    ("change", "player"): different.with_differences(_of_player("changed the details of {}"), "player"),
    "merge": lambda change, names: _joined("merged {} into {}", change, change.after, names),
    "unmerge": lambda change, names: _joined("undid the merge of {} into {}", change, change.before, names),
    "contact": _contact,
    "erase": _erase,
    ("add", "season"): _season("opened the season {}"),
    ("change", "season"): different.with_differences(_lock, "season"),
    ("add", "meeting"): _meeting("added {}"),
    ("change", "meeting"): different.with_differences(_meeting("changed {}"), "meeting"),
    "call off": _called_off,
    "fees": _fees,
    "mail": _mailed,
    "attendance": _attendance,
    "draw": _meeting("made the seating draw for {}"),
    "places": _meeting("changed the seating for {}"),
    "wish": _wish,
    "clock": _clock,
    ("add", "club"): "registered the club",
    ("change", "club"): "changed the club’s settings",
    "settings": different.with_differences(lambda change, names: "changed the club’s settings", "settings"),
    "rules": _rules,
    "edition": _edition,
    "rescore": "rescored the session with the newest version of the rules",
    ("add", "clubhand"): _club_hand("added the special hand {}"),
    ("change", "clubhand"): different.with_differences(_club_hand("changed the special hand {}"), "clubhand"),
    ("retire", "clubhand"): _club_hand("removed the special hand {} from the list"),
    "role": _role,
    "plays as": _plays_as,
    "remove": lambda change, names: f"removed {names.user(_subject(change))} from the club",
    "hand over": lambda change, names: f"handed the club over to {names.user(_subject(change))}",
    "invite": _invite,
    "revoke invite": lambda change, names: "cancelled an invitation",
    "join": _join,
    "change login": "changed their own name or email address",
    "confirm address": "confirmed their email address",
    "new password": "chose a new password",
    "sign out everywhere": "signed out on every device",
    "recovery link": lambda change, names: f"made a password link for {names.user(_subject(change))}",
    "new joining code": _meeting("gave {} a new join code"),
    "end joining code": _meeting("switched off the join code of {}"),
    "new scoring key": "gave the table a new QR code for scoring",
    ("new watching key", "session"): "gave the table a new QR code for watching",
    ("new watching key", "meeting"): _meeting("gave {} a new QR code for watching"),
    "export": _export,
    "import totals": _import,
    "import players": lambda change, names: f"imported a list of players, {change.after.get('added') or 'none'} new",
}
