"""Turns a change in the log into a sentence when it is shown; the log itself holds ids."""

from typing import Any

from django.template.defaultfilters import pluralize

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import actor_name, listed, with_commas
from clubscore.table.command_kinds import HAND, ROWS, kind_of
from sessions_app.models import Change, HandQuery, MeetingFee, Membership
from sessions_app.people.dates import day_words
from sessions_app.people.log import LogNames, differences, format_date, hand_differences, with_account


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
    return row.format_map(Slots(change, names))


CONTACTS = {"email": "email address", "telephone": "telephone number"}
PRESENCE = {"here": "is here", "late": "is running late", "left": "left early", "": "is not here"}
REPLIES = {"yes": "is coming", "no": "cannot come", "": "has not said"}
WISHES = {
    "apart": "asked to seat {} apart",
    "together": "asked to seat {} together",
    "": "removed the seating request for {}",
}

# A change's table, on the page of that table.
HERE = "the table"
HOW_PAID = dict(MeetingFee._meta.get_field("how").choices or ())


class Slots:
    """The values of the slots in the sentences below, and in those of clubscore/table/command_kinds.py."""

    def __init__(self, change: Change, names: LogNames) -> None:
        self._change, self._names = change, names
        self._before, self._after = change.before, change.after
        self._subject = int(change.subject_id) if change.subject_id.isdecimal() else 0
        self._entry_before, self._entry = self._entry_in(change.before), self._entry_in(change.after)
        self._body = self._entry.get("body") or {}
        self._kind = (self._entry or self._entry_before).get("kind", HAND.key)

    def __getitem__(self, slot: str) -> Any:
        return getattr(self, slot)()

    # Any change.

    def action(self) -> str:
        return self._change.action

    def at(self) -> str:
        """At which table; empty for a change outside a session, and on the page of that session."""
        the_table = self.the_table()
        return "" if the_table == HERE else f" at {the_table}"

    def the_table(self) -> str:
        session = self._change.session
        if session is None or session.pk == self._names.here:
            return HERE
        return f"table {session.table} of {day_words(session.date)}"

    def changes(self) -> str:
        """What changed, field by field, after a colon."""
        action = self._change.action
        return differences(action if action in ("settings", "edition") else self._change.subject_type, self._change)

    # Entries of a session.

    def which(self) -> str:
        """What the entry is called: hand 5, a hand, a penalty."""
        if self._kind != HAND.key:
            row = kind_of(self._kind)
            return (row and row.log_name) or "an entry"
        number = self._names.numbers.get(self._change.subject_id)
        return f"hand {number}" if number and number > 0 else "a hand"

    def result(self) -> str:
        """Who won a hand, after a colon; empty for other entries."""
        return f": {self._winners(self._body)}" if self._kind == HAND.key else ""

    def earlier_result(self) -> str:
        """The same before the change."""
        return f": {self._winners(self._entry_before.get('body') or {})}" if self._kind == HAND.key else ""

    def differences(self) -> str:
        if self._kind != HAND.key:
            return ""
        before, after = self._entry_before.get("body") or {}, self._body
        was, now = self._winners(before), self._winners(after)
        if was != now:
            return f": before, {was}; now, {now}"
        changed = hand_differences(before, after, self._seat)
        return f": {now}; {f'changed: {changed}' if changed else 'nothing changed'}"

    def payment(self) -> str:
        to = f" to {self._seat(self._body['to'])}" if self._body.get("to") else ""
        return f"{self._seat(self._body.get('by'))} pays {with_commas(self._body.get('amount'))}{to}"

    def pair(self) -> str:
        return " and ".join(map(self._seat, self._body.get("exchange") or [])) or "two players"

    def seat(self) -> str:
        return self._seat(self._body.get("seat"))

    def seats_given(self) -> str:
        before, after = self._before.get("seats") or {}, self._after.get("seats") or {}
        given = [
            f"the seat of {self._player(before[seat_no]['player'])} to {self._player(after[seat_no]['player'])}"
            for seat_no in sorted(after)
            if seat_no in before
        ]
        return " and ".join(given) or "a seat to another player"

    def step(self) -> str:
        """Which change was undone or redone, and whose it was unless it was their own."""
        change = self._names.undone.get(self._subject)
        if not change:
            return "a change"
        whose = who(change, self._names)
        this = "this" if whose == who(self._change, self._names) else f"what {whose} had done"
        return f"{this}: {words_of(change, self._names)}"

    def text(self) -> str:
        return self._body.get("text", "")

    def answer(self) -> str:
        return dict(HandQuery.Outcome.choices).get(self._after.get("outcome"), "").lower()

    # Sessions.

    def table(self) -> str:
        table = f"{'the practice table' if self._after.get('practice') else 'table'} {self._after.get('table')}"
        players = ", ".join(self._player(pk) for pk in self._after.get("players") or [])
        day = format_date(self._after["date"])
        return f"{table} of {day} under {self.rules()}, with {players or 'no players'}"

    def place_before(self) -> str:
        return self._place(self._before)

    def place_after(self) -> str:
        return self._place(self._after)

    def extra(self) -> str:
        minutes = self._after.get("minutes")
        return f"gave {minutes} extra minutes" if minutes else "removed the extra time"

    # Meetings.

    def meeting(self) -> str:
        meeting = self._names.meetings.get(self._subject)
        return f"the meeting of {_dated(meeting.date.isoformat(), meeting.name)}" if meeting else "a meeting"

    def called_off(self) -> str:
        return _dated(self._before["date"], self._before.get("name"))

    def fees(self) -> str:
        paid = [fee for fee in self._after.values() if fee and fee.get("paid")]
        hows = list(dict.fromkeys(HOW_PAID.get(fee["how"], "") for fee in paid if fee.get("how")))
        how = f" {listed(hows, 'and')}" if hows else ""
        return f"{len(self._after)} {pluralize(len(self._after), 'person,people')}, {len(paid)} of them paid{how}"

    def addresses(self) -> str:
        sent = self._after.get("sent")
        return f"{sent} address{pluralize(sent, 'es')}"

    def attendance(self) -> str:
        return ", ".join(f"{name} {PRESENCE.get(state or '', state)}" for name, state in self._by_player())

    def replies(self) -> str:
        return ", ".join(f"{name} {REPLIES.get(reply, reply)}" for name, reply in self._by_player())

    def wish(self) -> str:
        pair = " and ".join(self._player(self._after.get(key)) for key in ("first", "second"))
        return WISHES.get(self._after.get("kind"), "changed the seating request for {}").format(pair)

    def clock(self) -> str:
        minutes = self._after.get("minutes")
        return f"set the hall’s clock to {minutes} minutes" if minutes else "stopped the hall’s clock"

    # Players, accounts and invitations.

    def player(self) -> str:
        return self._player(self._subject)

    def into(self) -> str:
        return self._player({**self._before, **self._after}.get("into"))

    def contact(self) -> str:
        kept = [CONTACTS[key] for key in self._after.get("kept") or [] if key in CONTACTS]
        return f"saved {self.player()}’s {' and '.join(kept)}" if kept else f"removed {self.player()}’s contact details"

    def user(self) -> str:
        return self._names.user(self._subject)

    def role(self) -> str:
        return _role(self._after.get("role"))

    def earlier_role(self) -> str:
        before = self._before.get("role")
        return f" (was {_role(before)})" if before else ""

    def for_player(self) -> str:
        return self._invited(" for {}")

    def playing(self) -> str:
        return self._invited(", and plays as {}")

    def plays_as(self) -> str:
        player = self._after.get("player")
        if player:
            return f"linked {self.user()} to the player {self._player(player)}"
        return f"noted that {self.user()} does not play"

    # The league, the rules, imports and exports.

    def season(self) -> str:
        return self._names.seasons.get(self._subject, "a season")

    def lock(self) -> str:
        before, after = self._before.get("locked"), self._after.get("locked")
        verb = "changed" if before == after else "locked" if after else "unlocked"
        return f"{verb} the season {self._names.seasons.get(self._subject, '')}".rstrip()

    def cup(self) -> str:
        return "{cup}, {year}".format(**{**self._before, **self._after})

    def rules(self) -> str:
        return rule_set_name(self._after.get("rules", ""))

    def number(self) -> int | None:
        return self._after.get("number")

    def club_hand(self) -> str:
        return self._names.club_hands.get(self._subject, "a special hand")

    def exported(self) -> str:
        return self._after.get("what", "a file")

    def rows(self) -> str:
        rows = self._after.get("added")
        return f", {rows} row{pluralize(rows)}" if type(rows) is int else ""

    def new(self) -> Any:
        return self._after.get("added") or "none"

    # Parts of these.

    def _entry_in(self, state):
        return (state.get("entries") or {}).get(self._change.subject_id) or {}

    def _player(self, pk: Any) -> str:
        return self._names.player(pk)

    def _seat(self, seat_no: Any) -> str:
        return self._names.seat(self._change.session_id, seat_no)

    def _winners(self, body: dict[str, Any]) -> str:
        mahjong = body.get("mahjong")
        wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
        winners = [self._seat(win.get("by")) for win in wins if isinstance(win, dict)]
        return f"{' and '.join(winners) or 'nobody'} went Mah-jong"

    def _place(self, state):
        session = state.get("session") or {}
        parts = []
        if "table" in session:
            parts.append(f"table {session['table']}")
        if "date" in session:
            parts.append(f"of {format_date(session['date'])}")
        meeting = self._names.meetings.get(session.get("meeting", 0))
        if meeting and meeting.name:
            parts.append(f"({meeting.name})")
        return " ".join(parts) or "elsewhere"

    def _by_player(self) -> list[Any]:
        return [(self._player(int(pk)), value) for pk, value in sorted(self._after.items())]

    def _invited(self, words):
        player = self._after.get("player")
        return words.format(self._player(player)) if player else ""


def _dated(date: str, name: str) -> str:
    return f"{format_date(date)} ({name})" if name else format_date(date)


def _role(role):
    return dict(Membership.Role.choices).get(role, "nothing").lower()


UNKNOWN = "made a change of the kind “{action}”{at}"

# By action, or by action and type of subject if an action has several.
WORDS: dict[str | tuple[str, str], str] = {
    **{row.key: row.log for row in ROWS},
    "start": "started {table}",
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
    "import totals": "imported totals of past tables{rows}",
    "import players": "imported a list of players, {new} new",
}
