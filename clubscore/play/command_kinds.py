"""The kinds of command that change a session: one row each, with everything that differs between kinds.

A message is what is said at the table, with the slots that preview.said_after fills.
The slots of a log sentence are in sessions_app/table/entry_log.py; {at} is the table and the date.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any


class Effect(Enum):
    """What a command does to a session."""

    ADD = "adds an entry at the end"
    INSERT = "adds an entry before another one"
    CHANGE = "changes an entry"
    RESEAT = "gives a seat to another player"
    STATE = "finishes the table or opens it again"
    RESTORE = "restores entries and seats to an earlier state"
    ASSIGN = "changes where the table counts, but not its entries"
    CHOOSE = "chooses between two versions of a hand"
    UNDO = "undoes the last change"
    REDO = "redoes an undone change"


class LogGroup(Enum):
    """The filter of the club's log that shows a command."""

    HANDS = "hands"
    TABLES = "tables"
    SESSIONS = "sessions"


class Value(Enum):
    """What a key of a command's body may hold; sessions_app/table/command_bodies.py has the limits."""

    ENTRY = "the key of an entry or of a command"
    ENTRIES = "the keys of several"
    SEAT = "the number of a seat"
    SEATS = "the numbers of several seats"
    SEATS_BY_WIND = "a seat for each wind"
    PLAYER = "the club's number for a player"
    FIGURE = "a number, perhaps as it was typed"
    TEXT = "what someone wrote"
    WORD = "one of our own words, or a date"
    YES = "true or false"
    AGREED = "the seat of who agreed; anything else means nobody"
    HANDS = "the players' tiles or figures, by seat"
    OTHER_VERSIONS = "what else was entered for a player's hand, by seat, and what nobody was sure of"
    WINS = "how someone went Mah-jong, or two did"
    PENALTIES = "the penalties of a hand"
    ENTRY_BODY = "the body of an entry"


@dataclass(frozen=True)
class PreviewWords:
    """The words of the page that previews a change; {} is the number of the hand."""

    heading: str
    button: str
    saved_as: str


@dataclass(frozen=True, kw_only=True)
class CommandKind:
    """One kind of command. `key` is what commands, entries and the log store, and never changes."""

    key: str
    effect: Effect
    body: Mapping[str, Value] = field(default_factory=dict)  # the keys that it may have; none has to be there
    name: str  # in the list of hands to check
    undo: str = ""  # on the button that undoes it; {} is the entry it is about
    message: str
    other_message: str = ""  # if the entry is not a hand
    log: str
    log_group: LogGroup = LogGroup.HANDS
    log_name: str = ""  # the entry it adds, in the sentence about a later change
    hand_history: str = ""  # in the history of one hand, after the person's name
    sheet: str = ""  # on the sheet, with the slots of the entry's body
    saved_as: str = ""  # in a tablet's list of what is not sent yet, with the names of its body, if not as on the sheet
    preview: PreviewWords | None = None
    other_preview: PreviewWords | None = None  # if the entry is not a hand

    is_hand: bool = False
    has_entry_body: bool = False  # the entry's new body is in the command's, as `body`
    checks_version: bool = False  # conflicts with a change to the same entry from another tablet
    must_fit: bool = True  # the entry it names has to fit afterwards
    names_player: bool = False  # by the club's number for the player
    opens: bool | None = None  # whether the session is open afterwards; None: as before
    when_finished: bool = False  # may be sent to a finished session
    at_table: bool = True  # sent from a table's pages, else from the secretary's
    secretary_only: bool = False

    @property
    def adds_entry(self) -> bool:
        """Whether it adds an entry at the end of the ledger."""
        return self.effect is Effect.ADD

    @property
    def is_edit(self) -> bool:
        """Whether it is an edit in itself, and not a choice, an undo, a redo or a restoration."""
        return self.effect in (Effect.ADD, Effect.INSERT, Effect.CHANGE, Effect.RESEAT, Effect.STATE)

    @property
    def can_be_undone(self) -> bool:
        """Whether Undo undoes it; where a session counts is for the secretary to decide."""
        return self.effect not in (Effect.ASSIGN, *STEPS)

    @property
    def without_ledger(self) -> bool:
        """Whether it can be done to a session imported as totals, which has no hands."""
        return self.effect is Effect.ASSIGN

    @property
    def is_undo_or_redo(self) -> bool:
        """Whether it is undo or redo."""
        return self.effect in STEPS

    @property
    def can_be_recorded_late(self) -> bool:
        """Whether the secretary can still record it if it came late."""
        return self.is_edit and self.effect is not Effect.STATE

    def entry_body(self, body: Mapping[str, Any]) -> Any:
        """Return the body that the entry gets from a command's body."""
        return body.get("body") if self.has_entry_body else body


STEPS = (Effect.UNDO, Effect.REDO)

HAND = CommandKind(
    key="hand",
    effect=Effect.ADD,
    body={
        "hands": Value.HANDS,
        "beside": Value.OTHER_VERSIONS,
        "mahjong": Value.WINS,
        "penalties": Value.PENALTIES,
        "agreed": Value.AGREED,
    },
    name="A hand",
    undo="{}",
    message="Hand {number}: {won}.",
    log="recorded {which}{at}{result}",
    hand_history="recorded the hand",
    is_hand=True,
)
_table_entry = partial(CommandKind, effect=Effect.ADD, log_group=LogGroup.TABLES)
ARRIVE = _table_entry(
    key="arrive",
    body={"player": Value.PLAYER},
    name="A player joins",
    undo="new player",
    message="{seat} is at the table.",
    log="noted that {seat} joined{at}",
    log_name="that a player joined",
    sheet="{seat} joins the table",
    saved_as="{player} joins the table",
    names_player=True,
)
LEAVE = _table_entry(
    key="leave",
    body={"seat": Value.SEAT},
    name="A player leaves",
    undo="player left",
    message="{seat} has left the table.",
    log="noted that {seat} left{at}",
    log_name="that a player left",
    sheet="{seat} leaves the table",
)
SEATING = _table_entry(
    key="seating",
    body={"winds": Value.SEATS_BY_WIND, "out": Value.SEATS, "exchange": Value.SEATS},
    name="Who really sat where",
    undo="seats",
    message="The seating is noted.",
    log="noted how they really sat{at}",
    log_name="a seating",
    saved_as="Seats corrected: {winds}",
)
EXCHANGE = _table_entry(
    key="exchange",
    body={"a": Value.SEAT, "b": Value.SEAT, "entry": Value.ENTRY},
    name="Two players swap seats",
    undo="swap",
    message="{pair} have swapped seats.",
    log="noted that {pair} swapped seats{at}",
    sheet="{a} and {b} swap seats",
)
PENALTY = _table_entry(
    key="fine",
    body={"by": Value.SEAT, "to": Value.SEAT, "amount": Value.FIGURE, "why": Value.TEXT},
    name="A penalty",
    undo="penalty",
    message="{by} pays a penalty of {amount}{to}.",
    log="recorded a penalty{at}: {payment}",
    log_name="a penalty",
    sheet="{by} pays a penalty of {amount}{to}",
)
NOTE = _table_entry(
    key="note",
    body={"text": Value.TEXT, "last": Value.FIGURE},  # `last`: how many hands are left, from here on
    name="A note",
    undo="note",
    message="Noted: {text}.",
    saved_as="{text}",
    log="wrote a note{at}: {text}",
    log_name="a note",
)
INSERT = CommandKind(
    key="insert",
    effect=Effect.INSERT,
    body={"kind": Value.WORD, "before": Value.ENTRY, "body": Value.ENTRY_BODY},
    name="A hand added between others",
    undo="adding {}",
    message="Hand {number} is added: {won}.",
    other_message="The entry is added.",
    log="added {which} between others{at}{result}",
    hand_history="added the hand",
    preview=PreviewWords("What changes with a hand before hand {}", "Add the hand", "A hand before hand {}"),
    has_entry_body=True,
)
CORRECT = CommandKind(
    key="correct",
    effect=Effect.CHANGE,
    body={"entry": Value.ENTRY, "version": Value.FIGURE, "body": Value.ENTRY_BODY, "keep_seats": Value.YES},
    name="A change of a hand",
    undo="change of {}",
    message="Hand {number} is changed: {won}.",
    other_message="The entry is changed.",
    log="changed {which}{at}{differences}",
    hand_history="changed the hand",
    preview=PreviewWords("What changes with hand {}", "Change the hand", "Correction of hand {}"),
    has_entry_body=True,
    checks_version=True,
)
AGREE = CommandKind(
    key="agree",
    effect=Effect.CHANGE,
    body={"entry": Value.ENTRY, "seat": Value.SEAT},
    name="A change",
    undo="agreement",
    message="Hand {number} is agreed.",
    log="noted that another player agreed{at}",
    hand_history="noted who agreed",
)
REMOVE = CommandKind(
    key="take_out",
    effect=Effect.CHANGE,
    body={"entry": Value.ENTRY, "version": Value.FIGURE},
    name="Removing an entry",
    undo="removing {}",
    message="Hand {number} is removed.",
    other_message="The entry is removed.",
    log="removed {which}{at}{earlier_result}",
    hand_history="removed the hand",
    saved_as="An entry is removed",
    preview=PreviewWords("What changes without hand {}", "Remove the hand", "Hand {} is removed"),
    other_preview=PreviewWords("What changes without this entry", "Remove the entry", "An entry is removed"),
    checks_version=True,
    must_fit=False,
)
RESTORE = CommandKind(
    key="put_back",
    effect=Effect.CHANGE,
    body={"entry": Value.ENTRY, "version": Value.FIGURE},
    name="Restoring an entry",
    undo="restoring {}",
    message="Hand {number} is restored: {won}.",
    other_message="The entry is restored.",
    log="restored {which}{at}",
    hand_history="restored the hand",
    saved_as="An entry is restored",
    preview=PreviewWords("What changes with the hand restored", "Restore the hand", "A hand is restored"),
    other_preview=PreviewWords("What changes with the entry restored", "Restore the entry", "An entry is restored"),
    checks_version=True,
)
CHANGE_PLAYER = CommandKind(
    key="change_player",
    effect=Effect.RESEAT,
    body={"seat": Value.SEAT, "player": Value.PLAYER},
    name="Another player in a seat",
    undo="change of player",
    message="{seat} now has this seat.",
    log="gave {seats_given}{at}",
    log_group=LogGroup.TABLES,
    saved_as="It was {player}, not {seat}",
    names_player=True,
)
FINISH = CommandKind(
    key="finish",
    effect=Effect.STATE,
    name="Finishing the table",
    undo="finish",
    message="The table is finished.",
    log="finished {the_table}",
    log_group=LogGroup.TABLES,
    saved_as="The table is finished",
    opens=False,
)
REOPEN = CommandKind(
    key="reopen",
    effect=Effect.STATE,
    name="Reopening the table",
    undo="reopening",
    message="The table is open again.",
    log="reopened {the_table}",
    log_group=LogGroup.TABLES,
    saved_as="The table is reopened",
    opens=True,
    when_finished=True,
    secretary_only=True,
)
UNDO = CommandKind(
    key="undo",
    effect=Effect.UNDO,
    body={"of": Value.ENTRY},
    name="An undo",
    message="{step} undone.",
    log="undid {step}",
    hand_history="undid the last change",
    saved_as="{step} undone",
    when_finished=True,
)
REDO = CommandKind(
    key="redo",
    effect=Effect.REDO,
    name="A redo",
    message="{step} redone.",
    log="redid {step}",
    hand_history="redid the last change",
    saved_as="{step} redone",
    when_finished=True,
)
CHOOSE = CommandKind(
    key="choose",
    effect=Effect.CHOOSE,
    body={"keep": Value.ENTRY, "drop": Value.ENTRIES},
    name="A choice between two versions",
    undo="choice",
    message="Hand {number}: {won}. The other is under “Last changes”.",
    other_message="The choice is recorded.",
    log="chose between two versions{at}",
    hand_history="chose between two versions",
    saved_as="A choice between two versions",
    when_finished=True,
)
_of_session = partial(
    CommandKind, name="A change", log_group=LogGroup.SESSIONS, when_finished=True, at_table=False, secretary_only=True
)
VOID = _of_session(
    key="void",
    effect=Effect.ASSIGN,
    message="Table cancelled. It is kept, but it does not count.",
    log="cancelled {the_table}",
)
COUNT_AGAIN = _of_session(
    key="count_again",
    effect=Effect.ASSIGN,
    message="The table counts again as it did before.",
    log="let {the_table} count again",
)
MOVE = _of_session(
    key="move",
    effect=Effect.ASSIGN,
    body={"date": Value.WORD, "table": Value.FIGURE, "meeting": Value.FIGURE},
    message="The table is moved.",
    log="moved {place_before} to {place_after}",
)
GO_BACK = _of_session(
    key="go_back",
    effect=Effect.RESTORE,
    body={"change": Value.FIGURE},
    undo="restored table",
    message="Table restored to that point.",
    log="restored {the_table} to an earlier point",
)

ROWS = (
    *(HAND, ARRIVE, LEAVE, SEATING, EXCHANGE, PENALTY, NOTE, INSERT, CORRECT, AGREE, REMOVE, RESTORE, CHANGE_PLAYER),
    *(FINISH, REOPEN, UNDO, REDO, CHOOSE, VOID, COUNT_AGAIN, MOVE, GO_BACK),
)
KINDS = {row.key: row for row in ROWS}

# What an entry can be: an exchange is kept as a seating.
ENTRY_KINDS = [row.key for row in ROWS if row.adds_entry and row is not EXCHANGE]
CHANGES = [row.key for row in ROWS if row.is_undo_or_redo or row.can_be_undone]
AT_TABLE = frozenset(row.key for row in ROWS if row.at_table)
BY_SECRETARY = frozenset(row.key for row in ROWS if not row.at_table)


def kind_of(key: object) -> CommandKind | None:
    """Return the row of a command's kind as it was sent or stored, or None if there is no such kind."""
    return KINDS.get(key) if isinstance(key, str) else None


def for_browser() -> dict[str, dict[str, Any]]:
    """Return what a tablet has to know about each kind that it can send, by key; what is false or empty is left out."""
    return {row.key: {name: value for name, value in _for_browser(row) if value} for row in ROWS if row.at_table}


def _for_browser(row: CommandKind) -> tuple[tuple[str, Any], ...]:
    return (
        # A change is looked at first, and is sent as it was shown.
        ("body", {} if row.effect is Effect.CHANGE else {key: value.name for key, value in row.body.items()}),
        ("adds_entry", row.adds_entry),
        ("is_hand", row.is_hand),
        ("changes_entry", row.effect is Effect.CHANGE),
        ("is_undo", row is UNDO),
        ("is_redo", row is REDO),
        ("finishes", row.opens is False),
        ("reopens", row.opens is True),
        ("saved_as", row.saved_as or row.sheet or (row.preview.saved_as if row.preview else "")),
    )
