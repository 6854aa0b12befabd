"""Turns a change in the log into a sentence when it is shown; the log itself holds ids."""

from collections.abc import Callable
from typing import Any

from django.template.defaultfilters import pluralize

from clubscore.play.command_kinds import HAND, ROWS, kind_of
from clubscore.scoring import is_void, rule_set_name
from clubscore.scoring.words import actor_name, listed, with_commas
from sessions_app.models import Change, HandQuery, MeetingFee, Membership
from sessions_app.people.dates import day_words
from sessions_app.people.log import DIFFERENCES, LogNames, format_date, with_account


def sentence(change: Change, names: LogNames) -> str:
    """Return the sentence of a change; `names` is a LogNames that includes it."""
    phrase = words_of(change, names)
    return f"{who(change, names)} {phrase}" + ("" if phrase.endswith((".", "!", "?", "…")) else ".")


def who(change: Change, names: LogNames) -> str:
    """Return who made a change: name and username, as users choose their own name.

    A tablet without an account may be named by the seat of its player, as {3}.
    """
    name = actor_name(change.name, change.user_id, names.seats.get(change.session_id or 0, {})) or "Someone"
    return name if change.user is None else with_account(name, change.user)


def words_of(change: Change, names: LogNames) -> str:
    """Return what was done, without the person and without a full stop."""
    row = WORDS.get((change.action, change.subject_type)) or WORDS.get(change.action) or UNKNOWN
    return row.format_map(Told(change, names))


CONTACTS = {"email": "email address", "telephone": "telephone number"}
PRESENCE = {"here": "is here", "late": "is running late", "left": "left early", "": "is not here"}
REPLIES = {"yes": "is coming", "no": "cannot come", "": "has not said"}
WISHES = {
    "apart": "asked to seat {} apart",
    "together": "asked to seat {} together",
    "": "removed the seating request for {}",
}

# The rest of a hand's body, and how a difference in it is described.
REST_OF_HAND = {"mahjong": "how it was won", "penalties": "the penalties", "beside": "the notes on the figures"}

# A change's table, on the page of that table.
HERE = "the table"
HOW_PAID = dict(MeetingFee._meta.get_field("how").choices or ())


def net_changes(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """Return what changed in what people won or lost at a table, by their names."""
    changed = [
        f"{name} {before[name]:+,} → {net:+,}" if name in before else f"{name} {net:+,} is new"
        for name, net in after.items()
        if before.get(name) != net
    ]
    return changed + [f"{name} {net:+,} is gone" for name, net in before.items() if name not in after]


class Told:
    """A change, which fills the slots of its sentence."""

    def __init__(self, change: Change, names: LogNames) -> None:
        self.change, self.names = change, names
        self.before, self.after = change.before, change.after
        self.subject = int(change.subject_id) if change.subject_id.isdecimal() else 0
        entry_before, entry = self._entry_in(change.before), self._entry_in(change.after)
        self.body_before, self.body = entry_before.get("body") or {}, entry.get("body") or {}
        self.kind = (entry or entry_before).get("kind", HAND.key)

    def __getitem__(self, slot: str) -> Any:
        return SLOTS[slot](self)

    def _entry_in(self, state):
        return (state.get("entries") or {}).get(self.change.subject_id) or {}

    def seat(self, seat_no: Any) -> str:
        return self.names.seat(self.change.session_id, seat_no)

    def player(self, pk: Any, words: str = "{}") -> str:
        """Return words with the player's name; an empty string without a player."""
        return words.format(self.names.player(pk)) if pk else ""

    def by_player(self, words: dict[str, str]) -> str:
        found = sorted(self.after.items())
        return ", ".join(f"{self.names.player(int(pk))} {words.get(state or '', state)}" for pk, state in found)

    def table(self) -> str:
        session = self.change.session
        if session is None and self.change.session_id:
            return "a table that was taken back"
        if session is None or session.pk == self.names.here:
            return HERE
        return f"table {session.table} of {day_words(session.date)}"

    def winners(self, body: dict[str, Any]) -> str:
        mahjong = body.get("mahjong")
        wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
        winners = [self.seat(win.get("by")) for win in wins if isinstance(win, dict)]
        penalties, session = body.get("penalties") or [], self.change.session
        if session and not winners and is_void(session.rules, penalties):
            by = next(one.get("by") for one in penalties if is_void(session.rules, [one]))
            return f"void after a false Mah-jong by {self.seat(by)}"
        return f"{' and '.join(winners) or 'nobody'} went Mah-jong"

    def result(self, body: dict[str, Any]) -> str:
        """Who won a hand, after a colon; empty for other entries."""
        return f": {self.winners(body)}" if self.kind == HAND.key else ""

    def place(self, state: dict[str, Any]) -> str:
        session = state.get("session") or {}
        parts = []
        if "table" in session:
            parts.append(f"table {session['table']}")
        if "date" in session:
            parts.append(f"of {format_date(session['date'])}")
        meeting = self.names.meetings.get(session.get("meeting", 0))
        if meeting and meeting.name:
            parts.append(f"({meeting.name})")
        return " ".join(parts) or "elsewhere"


def _changes(it: Told) -> str:
    """What changed, such as “: ranked by total (was average per hand)”, or an empty string."""
    kind = it.change.action if it.change.action in ("settings", "edition") else it.change.subject_type
    found = DIFFERENCES[kind](it.before, it.after)
    return f": {'; '.join(found)}" if found else ""


def _which(it: Told) -> str:
    """What the entry is called: hand 5, a hand, a penalty."""
    if it.kind != HAND.key:
        row = kind_of(it.kind)
        return (row and row.log_name) or "an entry"
    number = it.names.numbers.get(it.change.subject_id)
    return f"hand {number}" if number and number > 0 else "a hand"


def _hand_changes(it: Told) -> str:
    if it.kind != HAND.key:
        return ""
    was, now = it.winners(it.body_before), it.winners(it.body)
    if was != now:
        return f": before, {was}; now, {now}"
    before, after = it.body_before, it.body
    hands_before, hands = before.get("hands") or {}, after.get("hands") or {}
    changed = [
        _tiles_changed(it.seat(seat_no), hands_before.get(seat_no), hands.get(seat_no))
        for seat_no in sorted({*hands_before, *hands}, key=lambda seat_no: (len(seat_no), seat_no))
        if hands_before.get(seat_no) != hands.get(seat_no)
    ]
    changed += [words for key, words in REST_OF_HAND.items() if (before.get(key) or None) != (after.get(key) or None)]
    return f": {now}; {'changed: ' if changed else 'nothing changed'}{', '.join(changed)}"


def _tiles_changed(name: str, before: Any, after: Any) -> str:
    """Return whose tiles changed, with both figures if only totals were entered."""
    totals = [form["total"] for form in (before, after) if form and form.keys() == {"total"}]
    if len(totals) < 2:
        return f"{name}’s tiles"
    return f"{name}’s total, {with_commas(totals[1])} (was {with_commas(totals[0])})"


def _payment(it: Told) -> str:
    to = f" to {it.seat(it.body['to'])}" if it.body.get("to") else ""
    return f"{it.seat(it.body.get('by'))} pays {with_commas(it.body.get('amount'))}{to}"


def _seats_given(it: Told) -> str:
    before, after = it.before.get("seats") or {}, it.after.get("seats") or {}
    given = [
        f"the seat of {it.names.player(before[seat_no]['player'])} to {it.names.player(after[seat_no]['player'])}"
        for seat_no in sorted(after)
        if seat_no in before
    ]
    return " and ".join(given) or "a seat to another player"


def _step(it: Told) -> str:
    """Which change was undone or redone, and whose it was unless it was their own."""
    change = it.names.undone.get(it.subject)
    if not change:
        return "a change"
    whose = who(change, it.names)
    this = "this" if whose == who(it.change, it.names) else f"what {whose} had done"
    return f"{this}: {words_of(change, it.names)}"


def _started(it: Told) -> str:
    table = f"{'the practice table' if it.after.get('practice') else 'table'} {it.after.get('table')}"
    players = ", ".join(map(it.names.player, it.after.get("players") or []))
    rules = rule_set_name(it.after.get("rules", ""))
    return f"{table} of {format_date(it.after['date'])} under {rules}, with {players or 'no players'}"


def _extra(it: Told) -> str:
    minutes = it.after.get("minutes")
    return f"gave {minutes} extra minutes" if minutes else "removed the extra time"


def _meeting(it: Told) -> str:
    meeting = it.names.meetings.get(it.subject)
    return f"the meeting of {_dated(meeting.date.isoformat(), meeting.name)}" if meeting else "a meeting"


def _fees(it: Told) -> str:
    paid = [fee for fee in it.after.values() if fee and fee.get("paid")]
    hows = list(dict.fromkeys(HOW_PAID.get(fee["how"], "") for fee in paid if fee.get("how")))
    how = f" {listed(hows, 'and')}" if hows else ""
    return f"{len(it.after)} {pluralize(len(it.after), 'person,people')}, {len(paid)} of them paid{how}"


def _wish(it: Told) -> str:
    pair = " and ".join(it.names.player(it.after.get(key, 0)) for key in ("first", "second"))
    return WISHES.get(it.after.get("kind"), "changed the seating request for {}").format(pair)


def _clock(it: Told) -> str:
    minutes = it.after.get("minutes")
    return f"set the hall’s clock to {minutes} minutes" if minutes else "stopped the hall’s clock"


def _contact(it: Told) -> str:
    player, kept = it.names.player(it.subject), [CONTACTS[key] for key in it.after.get("kept") or [] if key in CONTACTS]
    return f"saved {player}’s {' and '.join(kept)}" if kept else f"removed {player}’s contact details"


def _plays_as(it: Told) -> str:
    user, player = it.names.user(it.subject), it.player(it.after.get("player"))
    return f"linked {user} to the player {player}" if player else f"noted that {user} does not play"


def _lock(it: Told) -> str:
    before, after = it.before.get("locked"), it.after.get("locked")
    verb = "changed" if before == after else "locked" if after else "unlocked"
    return f"{verb} the season {it.names.seasons.get(it.subject, '')}".rstrip()


def _imported(it: Told) -> str:
    """The file and its tables: again-1.csv, 2 tables corrected, 4 new."""
    counts = it.after.get("counts") or {}
    words = {"corrected": "corrected", "new": "new", "gone": "no longer in it"}
    tables = [f"{counts[key]} {word}" for key, word in words.items() if counts.get(key)]
    if not tables:
        rows = it.after.get("added")
        return f", {rows} row{pluralize(rows)}" if type(rows) is int else ""
    number, word = tables[0].split(" ", 1)
    noun = f"table{pluralize(int(number))}"
    tables[0] = f"{number} new {noun}" if word == "new" else f"{number} {noun} {word}"
    return f" from {it.after.get('file')}: {', '.join(tables)}"


def _totals_changed(it: Told) -> str:
    before, after = (
        {it.names.player(one["player"]): one["net"] for one in state.get("results") or []}
        for state in (it.before, it.after)
    )
    return ", ".join(net_changes(before, after)) or "nothing but hands, seats or where it was"


def _totals_entered(it: Told) -> str:
    return ", ".join(f"{it.names.player(one['player'])} {one['net']:+,}" for one in it.after.get("results") or [])


def _dated(date: str, name: str) -> str:
    return f"{format_date(date)} ({name})" if name else format_date(date)


def _role(role):
    return dict(Membership.Role.choices).get(role, "nothing").lower()


# What the slots in the sentences below, and in those of clubscore/play/command_kinds.py, stand for.
SLOTS: dict[str, Callable[[Told], Any]] = {
    "action": lambda it: it.change.action,
    # At which table; empty for a change outside a session, and on the page of that session.
    "at": lambda it: "" if it.table() == HERE else f" at {it.table()}",
    "the_table": Told.table,
    "changes": _changes,
    # Entries of a session.
    "which": _which,
    "result": lambda it: it.result(it.body),
    "earlier_result": lambda it: it.result(it.body_before),
    "differences": _hand_changes,
    "payment": _payment,
    "pair": lambda it: " and ".join(map(it.seat, it.body.get("exchange") or [])) or "two players",
    "seat": lambda it: it.seat(it.body.get("seat")),
    "seats_given": _seats_given,
    "step": _step,
    "text": lambda it: it.body.get("text", ""),
    "answer": lambda it: dict(HandQuery.Outcome.choices).get(it.after.get("outcome"), "").lower(),
    # Sessions.
    "started": _started,
    "place_before": lambda it: it.place(it.before),
    "place_after": lambda it: it.place(it.after),
    "extra": _extra,
    # Meetings.
    "meeting": _meeting,
    "called_off": lambda it: _dated(it.before["date"], it.before.get("name")),
    "fees": _fees,
    "addresses": lambda it: f"{it.after.get('sent')} address{pluralize(it.after.get('sent'), 'es')}",
    "attendance": lambda it: it.by_player(PRESENCE),
    "replies": lambda it: it.by_player(REPLIES),
    "wish": _wish,
    "clock": _clock,
    # Players, accounts and invitations.
    "player": lambda it: it.names.player(it.subject),
    "into": lambda it: it.names.player((it.before | it.after).get("into", 0)),
    "contact": _contact,
    "user": lambda it: it.names.user(it.subject),
    "role": lambda it: _role(it.after.get("role")),
    "earlier_role": lambda it: f" (was {_role(it.before['role'])})" if it.before.get("role") else "",
    "for_player": lambda it: it.player(it.after.get("player"), " for {}"),
    "playing": lambda it: it.player(it.after.get("player"), ", and plays as {}"),
    "plays_as": _plays_as,
    # The league, the rules, imports and exports.
    "season": lambda it: it.names.seasons.get(it.subject, "a season"),
    "lock": _lock,
    "cup": lambda it: "{cup}, {year}".format(**it.before | it.after),
    "rules": lambda it: rule_set_name(it.after.get("rules", "")),
    "number": lambda it: it.after.get("number"),
    "club_hand": lambda it: it.names.club_hands.get(it.subject, "a special hand"),
    "exported": lambda it: it.after.get("what", "a file"),
    "imported": _imported,
    "taken_back": lambda it: it.after.get("file") or "a file",
    "totals_changed": _totals_changed,
    "totals_entered": _totals_entered,
    "new": lambda it: it.after.get("added") or "none",
}


UNKNOWN = "made a change of the kind “{action}”{at}"

# By action, or by action and type of subject if an action has several.
WORDS: dict[str | tuple[str, str], str] = {
    **{row.key: row.log for row in ROWS},
    "start": "started {started}",
    "pause": "paused {the_table}",
    "go on": "resumed {the_table}",
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
    "rescore": "rescored {the_table} with the newest version of the rules",
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
    "sign out device": "signed out on another device",
    "phone code on": "set up a code from the phone for signing in",
    "phone code off": "turned off the code from the phone of {user}",
    "new recovery codes": "made new recovery codes",
    "recovery code used": "signed in with a recovery code",
    "recovery link": "made a password link for {user}",
    "new joining code": "gave {meeting} a new join code",
    "end joining code": "switched off the join code of {meeting}",
    "new scoring key": "gave the table a new QR code for scoring{at}",
    ("new watching key", "session"): "gave the table a new QR code for watching{at}",
    ("new watching key", "meeting"): "gave {meeting} a new QR code for watching",
    "export": "exported {exported}{at}",
    "import totals": "imported past totals{imported}",
    "import tables": "imported tables hand by hand{imported}",
    "take back": "took back the import of {taken_back}",
    "enter totals": "entered the totals of {the_table}: {totals_entered}",
    "correct totals": "corrected the totals of {the_table}: {totals_changed}",
    "import players": "imported a list of players, {new} new",
}
