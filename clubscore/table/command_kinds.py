"""The kinds of command that change a session: one row each. Whatever differs between kinds is read from here.

A message is the answer to whoever sent the command, with {number} of the hand and {seat}. The slots of a log sentence
are in people/log_sentences.py; {at} is the table and the date.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Effect(Enum):
    """What a command does to a session."""

    ADD = "adds an entry at the end"
    INSERT = "adds an entry before another one"
    CHANGE = "changes an entry"
    RESEAT = "gives a seat to another player"
    STATE = "finishes the session or opens it again"
    RESTORE = "brings entries and seats back to an earlier state"
    ASSIGN = "changes where the session counts; its entries stay as they are"
    CHOOSE = "decides about kept commands"
    UNDO = "takes the last change back"
    REDO = "makes an undone change again"


class LogGroup(Enum):
    """Under which choice the club's log finds a command."""

    HANDS = "hands"
    TABLES = "tables"
    SESSIONS = "sessions"


@dataclass(frozen=True)
class Preview:
    """The words of the page that shows a change before it is made; {} is the number of the hand."""

    heading: str
    button: str
    saved_as: str


@dataclass(frozen=True, kw_only=True)
class CommandKind:
    """One kind of command. `key` is what commands, entries and the log store, and never changes."""

    key: str
    effect: Effect
    name: str  # in the list of hands to check
    message: str
    other_message: str = ""  # where the entry is not a hand
    log: str
    log_group: LogGroup = LogGroup.HANDS
    log_name: str = ""  # the entry it adds, in the sentence of a later change
    hand_history: str = ""  # in the history of one hand, after the name of who did it
    import_report: str = ""  # of an entry that was added to a session after it was imported
    sheet: str = ""  # on the sheet, with the slots of the entry's body
    saved_as: str = ""  # in a tablet's list of what is not sent yet, where that is not the line of the sheet
    preview: Preview | None = None
    other_preview: Preview | None = None  # where the entry is not a hand

    is_hand: bool = False
    has_entry_body: bool = False  # the entry's new body stands in the command's, as `body`
    checks_version: bool = False  # conflicts with a change of the same entry from another tablet
    must_fit: bool = True  # the entry it names has to fit afterwards
    names_player: bool = False  # by the number the club has for the player
    seats_stay: bool = False  # nobody sits elsewhere afterwards
    opens: bool | None = None  # whether the session is open afterwards; None: as before
    when_finished: bool = False  # may be sent to a finished session
    at_table: bool = True  # sent from a table's pages, else from those of the secretary
    secretary_only: bool = False

    @property
    def adds_entry(self) -> bool:
        """Whether it adds an entry at the end of the ledger."""
        return self.effect is Effect.ADD

    @property
    def is_edit(self) -> bool:
        """Whether it is an edit of the session by itself, and not a choice, or a way through what was done before."""
        return self.effect in (Effect.ADD, Effect.INSERT, Effect.CHANGE, Effect.RESEAT, Effect.STATE)

    @property
    def can_be_undone(self) -> bool:
        """Whether Undo takes it back; it passes over where a session counts, which is the secretary's to decide."""
        return self.effect not in (Effect.ASSIGN, *STEPS)

    @property
    def without_ledger(self) -> bool:
        """Whether it can be done to a session imported as totals, which has no hands."""
        return self.effect is Effect.ASSIGN

    @property
    def is_step(self) -> bool:
        """Whether it is a step through the changes made so far: undo or redo."""
        return self.effect in STEPS

    @property
    def can_be_recorded_late(self) -> bool:
        """Whether the secretary can still record it, when it was kept."""
        return self.is_edit and self.effect is not Effect.STATE

    @property
    def may_hold_hand(self) -> bool:
        return self.is_hand or self.has_entry_body

    def entry_body(self, body: Mapping[str, Any]) -> Any:
        """Return the body that the entry gets, of a command's body."""
        return body.get("body") if self.has_entry_body else body


STEPS = (Effect.UNDO, Effect.REDO)


HAND = CommandKind(
    key="hand",
    effect=Effect.ADD,
    name="A hand",
    message="Hand {number} is recorded.",
    log="recorded {which}{at}{result}",
    hand_history="recorded the hand",
    import_report="A hand was put in",
    is_hand=True,
)
ARRIVE = CommandKind(
    key="arrive",
    effect=Effect.ADD,
    name="Somebody comes",
    message="{seat} is at the table.",
    log="noted that {seat} came{at}",
    log_group=LogGroup.TABLES,
    log_name="that somebody came",
    sheet="{seat} comes to the table",
    import_report="Somebody arrived",
    names_player=True,
)
LEAVE = CommandKind(
    key="leave",
    effect=Effect.ADD,
    name="Somebody leaves",
    message="{seat} has left the table.",
    log="noted that {seat} left{at}",
    log_group=LogGroup.TABLES,
    log_name="that somebody left",
    sheet="{seat} leaves the table",
    import_report="Somebody left",
)
SEATING = CommandKind(
    key="seating",
    effect=Effect.ADD,
    name="Who really sat where",
    message="The seating is noted.",
    log="noted how they really sat{at}",
    log_group=LogGroup.TABLES,
    log_name="a seating",
    import_report="A seating was noted",
)
EXCHANGE = CommandKind(
    key="exchange",
    effect=Effect.ADD,
    name="Two change places",
    message="The two have changed places.",
    log="noted that {pair} changed places{at}",
    log_group=LogGroup.TABLES,
    sheet="{pair} change places",
)
FINE = CommandKind(
    key="fine",
    effect=Effect.ADD,
    name="A fine",
    message="The fine is recorded.",
    log="recorded a fine{at}: {payment}",
    log_group=LogGroup.TABLES,
    log_name="a fine",
    sheet="{by} pays a fine of {amount}{to}",
    import_report="A fine was added",
    seats_stay=True,
)
NOTE = CommandKind(
    key="note",
    effect=Effect.ADD,
    name="A note",
    message="The note is recorded.",
    log="wrote a note{at}: {text}",
    log_group=LogGroup.TABLES,
    log_name="a note",
    import_report="A note was added",
    seats_stay=True,
)
INSERT = CommandKind(
    key="insert",
    effect=Effect.INSERT,
    name="A hand put between",
    message="Hand {number} is put in.",
    other_message="The line is put in.",
    log="put {which} in between{at}{result}",
    hand_history="put the hand in",
    preview=Preview("What changes with a hand before hand {}", "Put the hand in", "A hand before hand {}"),
    has_entry_body=True,
)
CORRECT = CommandKind(
    key="correct",
    effect=Effect.CHANGE,
    name="A change of a hand",
    message="Hand {number} is changed.",
    other_message="The line is changed.",
    log="changed {which}{at}{differences}",
    hand_history="changed the hand",
    preview=Preview("What changes with hand {}", "Change the hand", "Correction of hand {}"),
    has_entry_body=True,
    checks_version=True,
)
AGREE = CommandKind(
    key="agree",
    effect=Effect.CHANGE,
    name="A change",
    message="Hand {number} is agreed.",
    log="noted that another player agreed{at}",
    hand_history="noted who agreed",
    seats_stay=True,
)
TAKE_OUT = CommandKind(
    key="take_out",
    effect=Effect.CHANGE,
    name="Taking a line out",
    message="The line is taken out. It can be put back.",
    log="took out {which}{at}{earlier_result}",
    hand_history="took the hand out",
    saved_as="A line of the table is taken out",
    preview=Preview("What changes without hand {}", "Take the hand out", "Hand {} is taken out"),
    other_preview=Preview("What changes without this line", "Take the line out", "A line is taken out"),
    checks_version=True,
    must_fit=False,
)
PUT_BACK = CommandKind(
    key="put_back",
    effect=Effect.CHANGE,
    name="Putting a line back",
    message="Hand {number} is put back.",
    other_message="The line is put back.",
    log="put back {which}{at}",
    hand_history="put the hand back",
    saved_as="A line of the table is put back",
    preview=Preview("What changes with the hand put back", "Put the hand back", "A hand is put back"),
    other_preview=Preview("What changes with the line put back", "Put the line back", "A line is put back"),
    checks_version=True,
)
CHANGE_PLAYER = CommandKind(
    key="change_player",
    effect=Effect.RESEAT,
    name="Another name for a seat",
    message="The seat is {seat}'s now.",
    log="gave {seats_given}{at}",
    log_group=LogGroup.TABLES,
    names_player=True,
)
FINISH = CommandKind(
    key="finish",
    effect=Effect.STATE,
    name="Finishing",
    message="The session is finished.",
    log="finished the session{at}",
    log_group=LogGroup.TABLES,
    saved_as="The session is finished",
    seats_stay=True,
    opens=False,
)
REOPEN = CommandKind(
    key="reopen",
    effect=Effect.STATE,
    name="Opening the session again",
    message="The session is open again.",
    log="opened the session again{at}",
    log_group=LogGroup.TABLES,
    saved_as="The session is opened again",
    seats_stay=True,
    opens=True,
    when_finished=True,
    secretary_only=True,
)
UNDO = CommandKind(
    key="undo",
    effect=Effect.UNDO,
    name="An undo",
    message="The last change is undone.",
    log="undid a step{step}",
    hand_history="undid the last step",
    saved_as="Undo",
    when_finished=True,
)
REDO = CommandKind(
    key="redo",
    effect=Effect.REDO,
    name="An undo taken back",
    message="The change is made again.",
    log="did a step again{step}",
    hand_history="did the last step again",
    saved_as="Redo",
    when_finished=True,
)
CHOOSE = CommandKind(
    key="choose",
    effect=Effect.CHOOSE,
    name="A choice between two records",
    message="The choice is recorded.",
    log="chose between two records{at}",
    hand_history="chose between two records",
    saved_as="A choice between two records",
    when_finished=True,
)
VOID = CommandKind(
    key="void",
    effect=Effect.ASSIGN,
    name="A change",
    message="The session is void: it is kept, and counts nowhere.",
    log="made the session void{at}",
    log_group=LogGroup.SESSIONS,
    when_finished=True,
    at_table=False,
    secretary_only=True,
)
COUNT_AGAIN = CommandKind(
    key="count_again",
    effect=Effect.ASSIGN,
    name="A change",
    message="The session counts again as it did before.",
    log="let the void session count again{at}",
    log_group=LogGroup.SESSIONS,
    when_finished=True,
    at_table=False,
    secretary_only=True,
)
MOVE = CommandKind(
    key="move",
    effect=Effect.ASSIGN,
    name="A change",
    message="The session is moved.",
    log="moved a session from {place_before} to {place_after}",
    log_group=LogGroup.SESSIONS,
    when_finished=True,
    at_table=False,
    secretary_only=True,
)
GO_BACK = CommandKind(
    key="go_back",
    effect=Effect.RESTORE,
    name="A change",
    message="The session stands again as it stood then.",
    log="brought the session back to an earlier state{at}",
    log_group=LogGroup.SESSIONS,
    when_finished=True,
    at_table=False,
    secretary_only=True,
)


ROWS = (
    *(HAND, ARRIVE, LEAVE, SEATING, EXCHANGE, FINE, NOTE, INSERT, CORRECT, AGREE, TAKE_OUT, PUT_BACK, CHANGE_PLAYER),
    *(FINISH, REOPEN, UNDO, REDO, CHOOSE, VOID, COUNT_AGAIN, MOVE, GO_BACK),
)
KINDS = {row.key: row for row in ROWS}


# What an entry can be: an exchange is kept as a seating.
ENTRY_KINDS = [row.key for row in ROWS if row.adds_entry and row is not EXCHANGE]
AT_TABLE = frozenset(row.key for row in ROWS if row.at_table)
BY_SECRETARY = frozenset(row.key for row in ROWS if not row.at_table)


def kind_of(key: object) -> CommandKind | None:
    """Return the row of a command's kind as it was sent or stored; None for what is none."""
    return KINDS.get(key) if isinstance(key, str) else None


def for_browser() -> dict[str, dict[str, Any]]:
    """Return what a tablet has to know of each kind that it can keep, by key; what is not so is left out."""
    return {row.key: {name: value for name, value in _told(row).items() if value} for row in ROWS if row.at_table}


def _told(row: CommandKind) -> dict[str, Any]:
    return {
        "adds_entry": row.adds_entry,
        "is_hand": row.is_hand,
        "changes_entry": row.effect is Effect.CHANGE,
        "is_undo": row is UNDO,
        "is_redo": row is REDO,
        "seats_stay": row.seats_stay,
        "finishes": row.opens is False,
        "reopens": row.opens is True,
        "saved_as": row.saved_as or row.sheet or (row.preview.saved_as if row.preview else ""),
    }
