"""The pages of a table on a tablet: the board as the server sent it, with the commands that are not sent yet."""

from collections.abc import Mapping
from typing import Any

from clubscore.play import fragments, one_hand
from clubscore.play.board import Board, SessionRules
from clubscore.play.command_kinds import HAND, KINDS, UNDO
from clubscore.play.edits import Command, apply, latest
from clubscore.play.entered_hand import what_counts
from clubscore.play.ledger import FINISHED, Change, EditError, Ledger, Player, Seat
from clubscore.play.meeting_lines import game_table
from clubscore.play.outcomes import Reason
from clubscore.play.preview import compare, last_tile_words, preview_data, preview_with_seats_kept, said_after
from clubscore.play.replay import Entry, EntryError, HandResult, Replayed, seat_tallies, sentence_of
from clubscore.play.table_words import key_of
from clubscore.scoring import ScoringError
from clubscore.scoring.rotation import RotationError, SeatingState
from clubscore.scoring.words import with_names

REFUSALS = (EditError, EntryError, RotationError, ScoringError)


def draw_table(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return who sits where after the `waiting` commands, and the HTML of the table page with the `look` of the page.

    Commands that the rules refuse are left out: `refused` has them by their keys, and why if a rule says so. Nothing is
    known if the `ledger` does not give the `balances` that the server sent with it: its hands were scored by others.
    """
    board, refused = _board(question)
    if board is None:
        return {"known": False}
    ledger, done = board.ledger, board.done
    page = board.page([((change.kind, key_of(change.before)), kind) for change, kind in latest(ledger)])
    return {
        "known": True,
        "refused": refused,
        "seats": {wind: str(seat) for wind, seat in done.seating.seated.items()},
        "out": [str(seat) for seat in done.seating.out],
        "chairs": done.seating.to_dict(),
        "number": page["number"],
        "is_open": ledger.is_open,
        "names": {str(seat): name for seat, name in ledger.names.items()},
        "players": {str(seat.seat_no): seat.player for seat in ledger.seats},
        "balances": balances(ledger, done),
        "tallies": [
            [tally.hands, tally.won, tally.gained, tally.lost, tally.best_hand]
            for tally in seat_tallies(ledger.facts, done).values()
        ],
        "sticks": page["sticks_now"],
        "said": board.said,
        "bottom": str(page["sides"][0][2] or ""),
        "undo_words": page["undo_words"],
        "redo_words": page["redo_words"],
        "html": {
            "felt": fragments.felt(page).text,
            "sitters": fragments.sitters(page).text,
            "head": fragments.next_hand_head(page).text
            if ledger.is_open
            else fragments.finished(page).text + fragments.settled(page).text,
            "notes": fragments.next_hand_notes(page).text if ledger.is_open else "",
            "sticks": fragments.table_sticks(page).text,
            "hands": board.hands().text,
            "after_hand": fragments.after_hand(page).text,
            "questions": fragments.questions(page).text,
            "undo_words": fragments.step("Undo", page["undo_words"]).text,
            "redo_words": fragments.step("Redo", page["redo_words"]).text,
            "seatings": board.likely_seatings().text if ledger.is_open else "",
            "how_long": fragments.how_long(page).text if ledger.is_open else "",
        },
    }


def draw_sheet(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the HTML of the sheet, as draw_table does for the table page, and the `state` in words.

    `figures` are what each hand and penalty brought each player: the names, and for each its number, words and nets;
    the `lines` of the balances; the `best` hands, and the `tiles` of the first of them, from the `sprite`.
    """
    board, _ = _board(question)
    if board is None:
        return {"known": False}
    state = "in play" if board.ledger.is_open else "finished"
    rows = [
        [
            row.number or "",
            board.words_with_points(row.hand) if row.hand else row.words,
            *[cell.net for cell in row.cells],
        ]
        for row in board.rows()
        if not row.entry.removed
    ]
    figures = {
        "names": [board.names[seat] for seat in board.tallies],
        "rows": rows,
        "lines": board.balance_lines(),
        "best": [hand[:2] for hand in board.best_hands()],
        "tiles": board.best_tiles(),
        "sprite": board.look.get("tiles_sprite"),
    }
    return {"known": True, "state": state, "html": board.draw_sheet().text, "figures": figures}


def draw_hand(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the HTML of the page of a hand, the `entry`, as draw_table does for the table page.

    `ways` is that of the forms that change it. Nothing is known either of a hand that only the server can draw.
    """
    board, _ = _board(question)
    change_page = question["look"]["change_page"]
    hand = board and board.results.get(question["entry"])
    page = one_hand.page_of(board, question["entry"]) if board and hand and not hand.question else None
    if not board or not hand or page is None:
        return {"known": False}
    entry = board.ledger.entry(hand.key)
    row = {**board.history_row(entry), "preview": "", "hand_entry_page": change_page}
    look, ways = one_hand.look_of(board, hand, entry), one_hand.ways_from(board, hand)
    drawn = one_hand.hand_of_table(page, look, ways, change_page)
    return {"known": True, "number": hand.number, "html": drawn.text, "ways": one_hand.something_wrong(row).text}


def game_file(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a game that no club has, as the file of a meeting has it."""
    board, _ = _board(question)
    return {"known": False} if board is None else {"known": True, "table": game_table(board)}


def draw_preview(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a `command` would change after the `waiting` ones, in words and HTML.

    `refused` is a sentence if the rules refuse it. Nothing is known as in draw_table, and if the command, or one of
    those waiting, cannot be carried out.
    """
    board, refusals = _board(question)
    if board is None or refusals:
        return {"known": False}
    ledger, before = board.ledger, board.done
    command, kind = question["command"], KINDS[question["command"]["kind"]]
    try:
        entry = ledger.entry(command["body"].get("entry") or command["body"]["before"])
        edited, key, after = apply(ledger, command, before)
    except EntryError as error:
        refused = with_names(sentence_of(error, board.facts.vocabulary()), ledger.names)
        return {"known": True, "refused": refused, "seat": getattr(error.error, "seat", None)}
    except EditError:
        return {"known": False}
    kept = preview_with_seats_kept(ledger, before, command, after)
    page = preview_data(compare(ledger, before, edited, after, key, kept))
    hand = before.hand(entry.key)
    words: Any = (entry.kind != HAND.key and kind.other_preview) or kind.preview
    number = hand.number if hand else ""
    return {
        "known": True,
        "refused": "",
        "heading": words.heading.format(number),
        "summary": last_tile_words(entry.body, command, ledger.names) + page["summary"],
        "has_buttons": page["has_buttons"],
        "button": words.button,
        "words": words.saved_as.format(number),
        "html": fragments.preview_body(page).text,
    }


def find_hand(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the hand of an `entry` was played, after the `waiting` commands; nothing is known of a removed one.

    `recorded` is what_counts of it: a correction that leaves that as it is needs no preview. It is None where every
    correction is looked at first.
    """
    board, _ = _board(question)
    hand = board and board.done.hand(question["entry"])
    if not board or not hand:
        return {"known": False}
    entry = board.ledger.entry(hand.key)
    is_looked_at = hand.question or board.look["asks_agreement"] or not board.ledger.is_open
    return {
        "known": True,
        "number": hand.number,
        "chairs": hand.seating.to_dict(),
        "body": entry.body,
        "version": entry.version,
        "recorded": None if is_looked_at else what_counts(board.entered(hand, entry).shown()),
    }


class Played:
    """The hands of the table that was asked about last: one that is the same again is not scored again."""

    def __init__(self) -> None:
        self.about: Any = None
        self.hands: dict[str, tuple[Any, HandResult]] = {}

    def keep(self, about: Any, ledger: Ledger, done: Replayed) -> None:
        bodies = {entry.key: entry.body for entry in ledger.entries}
        self.about, self.hands = about, {hand.key: (bodies[hand.key], hand) for hand in done.hands}

    def same(self, about: Any, bodies: Mapping[str, Any]) -> dict[str, HandResult]:
        """Return the results of the hands that have these bodies, at a table by these rules."""
        known = self.hands if self.about == about else {}
        return {key: hand for key, (body, hand) in known.items() if key in bodies and bodies[key] == body}


PLAYED = Played()


def _board(question: Mapping[str, Any]) -> tuple["Board | None", dict[str, str]]:
    """Carry out the `waiting` commands on a stored ledger: the board after them, and why some are refused.

    There is no board if the stored ledger does not give the `balances` in the question.
    """
    session = SessionRules(question)
    ledger = _stored_ledger(question, session)
    about = (question["settling"]["session"], session.rules, session.house_rules, session.club_hands)
    bodies = {entry.key: entry.body for entry in ledger.entries}
    waiting = {command["key"]: command["body"] for command in question["waiting"]}
    known = PLAYED.same(about, {**waiting, **bodies})
    ledger.stored = known
    done = ledger.replay()
    if balances(ledger, done) != question["balances"]:
        return None, {}
    touched, refused, said = set(), {}, ""
    for command in question["waiting"]:
        try:
            ledger.stored = {**known, **ledger.stored}
            ledger, done, keys, said = _carry_out(ledger, done, command)
            touched |= keys
        except REFUSALS as error:
            # An edit is refused by a code, whose sentence the server has.
            said = "" if isinstance(error, EditError) else sentence_of(error, session.vocabulary())
            refused[command["key"]] = with_names(said, ledger.names)
            said = ""
    PLAYED.keep(about, ledger, done)
    stored = {row[0] for row in question["ledger"]["entries"]}
    board = Board(session, ledger, done, question["look"], waiting=touched, stored=stored)
    board.said = said
    return board, refused


def _stored_ledger(question: Mapping[str, Any], session: SessionRules) -> Ledger:
    """Build the ledger that the server sent, of a table with these `names` and `players` by seat.

    `start` are the seats taken at the start, `entries` as _stored_entry takes them. `changes` are those that Undo takes
    back, `undone` those that Redo makes again, the last of both at the end: (key, kind), and what it touched before and
    after if it did more than add the entry with that key.
    """
    sent, seated = question["ledger"], question["players"]
    seats = [Seat(int(seat), player, int(seat) in sent["start"]) for seat, player in seated.items()]
    players = [Player(player, question["names"][seat]) for seat, player in seated.items()]
    rules = (session.rules, session.house_rules, session.club_hands, sent["starting_balance"])
    ledger = Ledger(*rules, seats, players, [_stored_entry(*row) for row in sent["entries"]])
    if not question["open"]:
        ledger.session_state["state"] = FINISHED
    states = {entry.key: entry.state() for entry in ledger.entries}
    undone = [_stored_change(states, *row) for row in reversed(sent["undone"])]
    ledger.changes = [_stored_change(states, *row) for row in reversed(sent["changes"])][::-1] + undone
    ledger.changes += [Change("", UNDO.key, change.after, change.before, change) for change in reversed(undone)]
    return ledger


def _stored_entry(key: str, kind: str, body: Any, version: int, removed: bool, played_in: Any) -> Entry:
    """Build an entry; `played_in` are the values of its seating in order."""
    if played_in:
        winds, first_east, out, *rest = played_in
        played_in = SeatingState(tuple(winds), first_east, tuple(out), *rest).to_dict()
    return Entry(key, kind, body, version, bool(removed), played_in)


def _stored_change(states: dict[str, Any], key: str, kind: str, before: Any = None, after: Any = None) -> Change:
    """Build a change, and bring the `states` of entries back to those before it."""
    if before is None:
        before, after = {"entries": {key: None}}, {"entries": {key: {**states[key], "taken_out": False}}}
    else:
        states.update(before.get("entries") or {})
    return Change(key, kind, before, after)


def _carry_out(ledger: Ledger, before: Replayed, command: Command) -> tuple[Ledger, Replayed, set[str], str]:
    """Return ledger and replay after a command, the keys of the entries it touched, and what is said after it."""
    kind = KINDS[command["kind"]]
    if not ledger.is_open and not kind.when_finished:
        raise EditError(Reason.FINISHED)
    if kind.names_player and command["body"]["player"] not in ledger.players:
        ledger = ledger.copy()
        player = command["body"]["player"]
        ledger.players[player] = Player(player, command["named"])
    ledger, key, done = apply(ledger, command, before)
    touched, undone = set(ledger.before.get("entries", {})), ledger.changes[-1].of
    step = (undone.kind, key_of(undone.before)) if undone else None
    said = with_names(said_after(command, ledger, before, done, key, step), ledger.names)
    ledger.before, ledger.outcomes = {}, {}
    return ledger, done, touched, said


def balances(ledger: Ledger, done: Replayed) -> dict[str, int]:
    """Return the balance of each seat."""
    return {str(seat): ledger.starting_balance + tally.net for seat, tally in seat_tallies(ledger.facts, done).items()}
