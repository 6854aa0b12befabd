"""Recording a made session once more through the door, to compare every row with those written in bulk."""

from django.db import transaction

from sessions_app.models import Change, Command, Entry, Hand, Payment, Player, PlayerHand, Season, Session, Tally
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session


def differences(session_id):
    """Record a session's commands again at another table; return a sentence for each row that differs.

    Everything is rolled back. Ids, unguessable keys and times are each recording's own; seats are compared by number.
    """
    with transaction.atomic():
        session = Session.objects.select_related("club", "meeting", "season").get(pk=session_id)
        season_before = _season_version(session)
        again = _recorded_again(session)
        raised = _season_version(session) - season_before
        found = [
            f"{name}: {first!r} was stored, {second!r} is recorded."
            for name in ROWS
            for first, second in _unequal(ROWS[name](session), ROWS[name](again))
        ]
        commands = Command.objects.filter(session=again).count()
        if session.season_id and raised != commands + 1:
            found.append(f"The season's version was raised {raised} times by {commands} commands and the start.")
        transaction.set_rollback(True)
    return found


def _season_version(session):
    return Season.objects.get(pk=session.season_id).version if session.season_id else 0


def _recorded_again(session):
    start = Change.objects.get(session=session, action="start")
    players = Player.objects.in_bulk(start.after["players"])
    again = start_session(
        session.club,
        session.date,
        session.table,
        [players[pk] for pk in start.after["players"]],
        session.rules,
        None,
        by=Actor(start.user, start.name),
        sticks=session.sticks,
        practice=session.practice,
    )
    for command in Command.objects.filter(session=session).select_related("user").order_by("pk"):
        sent = {name: getattr(command, name) for name in ("key", "kind", "body", "device", "after", "seats")}
        apply_command(again.pk, sent, Actor(command.user, command.name))
    return Session.objects.get(pk=again.pk)


def _unequal(first, second):
    longer = max(len(first), len(second))
    pairs = zip(first + [None] * (longer - len(first)), second + [None] * (longer - len(second)), strict=True)
    return [pair for pair in pairs if pair[0] != pair[1]]


def _values(queryset, *left_out):
    """Return rows as dictionaries without what each recording has of its own."""
    rows = queryset.values()
    return [{name: value for name, value in row.items() if name not in ("id", *left_out)} for row in rows]


def _session(session):
    own = ("scoring_key", "watching_key", "finished_at")
    return _values(Session.objects.filter(pk=session.pk), *own)


def _seats(session):
    return _values(session.seats.order_by("seat_no"), "session_id")


def _entries(session):
    return _values(Entry.objects.filter(session=session), "session_id", "created_at", "changed_at")


def _hands(session):
    rows = Hand.objects.filter(session=session).order_by("number").values("entry__key", *HAND)
    return list(rows)


def _player_hands(session):
    rows = PlayerHand.objects.filter(hand__session=session).order_by("hand__number", "seat__seat_no")
    return list(rows.values("hand__number", "seat__seat_no", *PLAYER_HAND))


def _payments(session):
    rows = Payment.objects.filter(session=session).order_by("entry__position", "pk")
    return list(rows.values("entry__key", "payer__seat_no", "payee__seat_no", "amount", "why"))


def _tallies(session):
    rows = Tally.objects.filter(session=session).order_by("seat__seat_no")
    return _values(rows, "session_id", "seat_id")


def _commands(session):
    return _values(Command.objects.filter(session=session).order_by("pk"), "session_id", "received_at")


def _log(session):
    own = str(session.pk)
    rows = _values(Change.objects.filter(session=session), "session_id", "at")
    return [{**row, "subject_id": "its own" if row["subject_id"] == own else row["subject_id"]} for row in rows]


def _columns(model, *left_out):
    return [field.name for field in model._meta.concrete_fields if field.name not in ("id", *left_out)]


HAND = _columns(Hand, "session", "entry")
PLAYER_HAND = _columns(PlayerHand, "hand", "seat")
ROWS = {
    "session": _session,
    "seat": _seats,
    "line": _entries,
    "hand": _hands,
    "player's hand": _player_hands,
    "payment": _payments,
    "tally": _tallies,
    "command": _commands,
    "log": _log,
}
