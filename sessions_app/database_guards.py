"""Database constraints that Django cannot express: triggers, and on PostgreSQL an exclusion constraint.

SQLite drops a table's triggers when it remakes the table, and refuses to remake one that another table's trigger reads.
A migration that alters a guarded table therefore goes between `DropGuards()` and `MakeGuards()`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.utils.connection import ConnectionProxy

LOG = "sessions_app_change"
SEASON = "sessions_app_season"


@dataclass(frozen=True)
class Guard:
    """A trigger that refuses writes of `table` if `refused` is true; `when` has INSERT, UPDATE, DELETE or TRUNCATE.

    `column` is set if a later migration added it: without the column, the guard is left out.
    """

    name: str
    table: str
    when: tuple[str, ...]
    refused: str
    sentence: str
    column: str = ""


def _same(child, column, parent, owner, sentence, own_owner, is_later=False):
    """Return the guard that a row and the row in `column` have the same `owner`, a club or a session."""
    refused = (
        f"NEW.{column} IS NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM sessions_app_{parent} p WHERE p.id = NEW.{column} AND p.{owner} = {own_owner})"
    )
    name, table, later = f"guard_{child}_{column}_{owner}", f"sessions_app_{child}", column if is_later else ""
    return Guard(name, table, ("INSERT", "UPDATE"), refused, sentence, later)


def _fixed(child, column):
    return Guard(
        f"guard_{child}_{column}_fixed",
        f"sessions_app_{child}",
        ("UPDATE",),
        f"NEW.{column} <> OLD.{column}",
        f"The {column.removesuffix('_id')} of a {child} never changes.",
    )


def _another_clubs(child, column, parent, is_later=False):
    sentence = f"A {child} cannot have another club's {parent}."
    return _same(child, column, parent, "club_id", sentence, "NEW.club_id", is_later)


def _another_sessions(child, column, parent, own_session="NEW.session_id"):
    sentence = f"A {child} cannot have another session's {parent}."
    return _same(child, column, parent, "session_id", sentence, own_session)


HANDS_SESSION = "(SELECT h.session_id FROM sessions_app_hand h WHERE h.id = NEW.hand_id)"
BELONGING = (
    _another_clubs("player", "merged_into_id", "player"),
    _another_clubs("session", "meeting_id", "meeting"),
    _another_clubs("session", "season_id", "season"),
    _another_clubs("session", "goes_on_at_id", "meeting", is_later=True),
    _another_clubs("seat", "session_id", "session"),
    _another_clubs("seat", "player_id", "player"),
    _another_clubs("tally", "session_id", "session"),
    _another_clubs("tally", "season_id", "season"),
    _another_clubs("tally", "player_id", "player"),
    _another_clubs("change", "session_id", "session"),
    _another_clubs("attendance", "meeting_id", "meeting"),
    _another_clubs("attendance", "player_id", "player"),
    _another_clubs("reply", "meeting_id", "meeting"),
    _another_clubs("reply", "player_id", "player"),
    _another_clubs("contact", "player_id", "player"),
    _another_clubs("pairwish", "first_id", "player"),
    _another_clubs("pairwish", "second_id", "player"),
    _another_clubs("drawntable", "meeting_id", "meeting"),
    _another_clubs("drawntable", "session_id", "session"),
    _another_clubs("meetingfee", "meeting_id", "meeting"),
    _another_clubs("meetingfee", "player_id", "player"),
    _another_clubs("subscription", "player_id", "player"),
    _another_clubs("membership", "player_id", "player", is_later=True),
    _another_clubs("invite", "player_id", "player", is_later=True),
    _another_sessions("tally", "seat_id", "seat"),
    _another_sessions("hand", "entry_id", "entry"),
    _another_sessions("doubt", "entry_id", "entry"),
    _another_sessions("payment", "entry_id", "entry"),
    _another_sessions("payment", "payer_id", "seat"),
    _another_sessions("payment", "payee_id", "seat"),
    _another_sessions("playerhand", "seat_id", "seat", HANDS_SESSION),
    *(_fixed(child, "club_id") for child in ("player", "season", "meeting", "session", "seat")),
    *(_fixed(child, "club_id") for child in ("clubhand", "clubrules", "invite")),
    *(_fixed(child, "session_id") for child in ("seat", "entry", "hand", "doubt")),
)
EDITIONS_FIXED = Guard(
    "guard_clubrules_fixed",
    "sessions_app_clubrules",
    ("UPDATE",),
    "NEW.number <> OLD.number OR NEW.rules <> OLD.rules OR NEW.house_rules <> OLD.house_rules",
    "An edition of a club's rules never changes.",
)
SEASONS_OVERLAP = Guard(
    "guard_seasons_overlap",
    SEASON,
    ("INSERT", "UPDATE"),
    f"EXISTS (SELECT 1 FROM {SEASON} s WHERE s.club_id = NEW.club_id AND s.id <> COALESCE(NEW.id, -1) "
    "AND s.starts_on <= NEW.ends_on AND s.ends_on >= NEW.starts_on)",
    "Seasons of a club cannot overlap.",
)
# Ranges of one whole number instead of equality, which would need an extension of PostgreSQL.
EXCLUSION = f"""
    ALTER TABLE {SEASON} ADD CONSTRAINT guard_seasons_overlap EXCLUDE USING gist
    (int8range(club_id, club_id, '[]') WITH &&, daterange(starts_on, ends_on, '[]') WITH &&)
"""
LOG_SENTENCE = "The log is append-only."


def _log_guards_sqlite(columns):
    changed = " OR ".join(f'NEW."{column}" IS NOT OLD."{column}"' for column in columns if column != "why")
    return (
        Guard("guard_log_update", LOG, ("UPDATE",), f"NEW.why <> '' OR {changed}", LOG_SENTENCE),
        Guard("guard_log_delete", LOG, ("DELETE",), "1", LOG_SENTENCE),
        # INSERT OR REPLACE deletes without firing the trigger above.
        Guard("guard_log_replace", LOG, ("INSERT",), f"EXISTS (SELECT 1 FROM {LOG} WHERE id = NEW.id)", LOG_SENTENCE),
    )


LOG_CHANGED_POSTGRESQL = "to_jsonb(NEW) - 'why' <> to_jsonb(OLD) - 'why'"
LOG_GUARDS_POSTGRESQL = (
    Guard("guard_log_update", LOG, ("UPDATE",), f"NEW.why <> '' OR {LOG_CHANGED_POSTGRESQL}", LOG_SENTENCE),
    Guard("guard_log_delete", LOG, ("DELETE",), "true", LOG_SENTENCE),
    Guard("guard_log_truncate", LOG, ("TRUNCATE",), "true", LOG_SENTENCE),
)


def _quoted(sentence):
    return sentence.replace("'", "''")


def _sqlite_statements(guard):
    for event in guard.when:
        yield (
            f"CREATE TRIGGER {guard.name}_{event.lower()} BEFORE {event} ON {guard.table} "
            f"WHEN {guard.refused} BEGIN SELECT RAISE(ABORT, '{_quoted(guard.sentence)}'); END"
        )


def _postgresql_statements(guard):
    level = "STATEMENT" if guard.when == ("TRUNCATE",) else "ROW"
    answer = "OLD" if guard.when == ("DELETE",) else "NEW"
    yield (
        f"CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger AS $guard$ BEGIN IF {guard.refused} THEN "
        f"RAISE EXCEPTION '{_quoted(guard.sentence)}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
        f"RETURN {answer if level == 'ROW' else 'NULL'}; END $guard$ LANGUAGE plpgsql"
    )
    yield (
        f"CREATE TRIGGER {guard.name} BEFORE {' OR '.join(guard.when)} ON {guard.table} "
        f"FOR EACH {level} EXECUTE FUNCTION {guard.name}()"
    )


def log_guards(connection: BaseDatabaseWrapper | ConnectionProxy) -> tuple[Guard, Guard, Guard]:
    """Return the guards of the log, for its present columns."""
    if connection.vendor == "postgresql":
        return LOG_GUARDS_POSTGRESQL
    return _log_guards_sqlite(_columns(connection, LOG))


def _columns(connection, table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        return [column[0] for column in cursor.description]


def all_guards(connection: BaseDatabaseWrapper) -> tuple[Guard, ...]:
    """Return every guard that this database should have."""
    overlap = () if connection.vendor == "postgresql" else (SEASONS_OVERLAP,)
    return (*BELONGING, EDITIONS_FIXED, *overlap, *log_guards(connection))


def trigger_names(vendor: str) -> set[str]:
    """Return the names of all triggers of the guards; on PostgreSQL each has a function of the same name."""
    if vendor == "postgresql":
        return {guard.name for guard in (*BELONGING, EDITIONS_FIXED, *LOG_GUARDS_POSTGRESQL)}
    guards = (*BELONGING, EDITIONS_FIXED, SEASONS_OVERLAP, *_log_guards_sqlite(()))
    return {f"{guard.name}_{event.lower()}" for guard in guards for event in guard.when}


def make_guards(
    connection: BaseDatabaseWrapper | ConnectionProxy, guards: tuple[Guard, Guard, Guard] | None = None
) -> None:
    """Create these guards, or all of them, for the tables and columns that exist: early migrations lack some."""
    tables = set(connection.introspection.table_names())
    chosen = [
        guard
        for guard in guards or all_guards(connection)
        if guard.table in tables and (not guard.column or guard.column in _columns(connection, guard.table))
    ]
    drop_guards(connection, chosen)
    statements = _postgresql_statements if connection.vendor == "postgresql" else _sqlite_statements
    with connection.cursor() as cursor:
        for guard in chosen:
            for statement in statements(guard):
                cursor.execute(statement)
        if connection.vendor == "postgresql" and guards is None:
            cursor.execute(f"ALTER TABLE {SEASON} DROP CONSTRAINT IF EXISTS guard_seasons_overlap")
            cursor.execute(EXCLUSION)


def drop_guards(connection: BaseDatabaseWrapper | ConnectionProxy, guards: Iterable[Any] | None = None) -> None:
    """Drop these guards, or all but PostgreSQL's exclusion constraint: no table is remade there."""
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for guard in all_guards(connection) if guards is None else guards:
            if connection.vendor == "sqlite":
                for event in guard.when:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {guard.name}_{event.lower()}")
            elif guard.table in tables:
                cursor.execute(f"DROP TRIGGER IF EXISTS {guard.name} ON {guard.table}")


class _Guards(Operation):
    reduces_to_sql = False
    forwards: Callable[[BaseDatabaseWrapper], None]
    backwards: Callable[[BaseDatabaseWrapper], None]

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(self, app_label: Any, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        self.forwards(schema_editor.connection)

    def database_backwards(self, app_label: Any, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        self.backwards(schema_editor.connection)


class MakeGuards(_Guards):
    """Create all guards, after the tables they refer to."""

    forwards, backwards = staticmethod(make_guards), staticmethod(drop_guards)

    def describe(self) -> str:
        return "Make the guards of the database"


class DropGuards(_Guards):
    """Drop all guards, before a guarded table is altered."""

    forwards, backwards = staticmethod(drop_guards), staticmethod(make_guards)

    def describe(self) -> str:
        return "Lift the guards of the database"
