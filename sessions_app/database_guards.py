"""What the database refuses beyond Django's constraints: changing the log, and seasons of a league that overlap.

Made again after every `migrate` and lifted before one (apps.py), as SQLite drops a table's triggers when it remakes it.
"""

from collections.abc import Iterator
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.connection import ConnectionProxy

LOG = "sessions_app_change"
SEASON = "sessions_app_season"
# Only the reason may be emptied, when someone's data is erased.
CHANGED_ON_POSTGRESQL = "to_jsonb(NEW) - 'why' <> to_jsonb(OLD) - 'why'"
REFUSE_ON_POSTGRESQL = f"""
    CREATE FUNCTION guard_log() RETURNS trigger AS $guard$ BEGIN
        IF TG_OP <> 'UPDATE' OR NEW.why <> '' OR {CHANGED_ON_POSTGRESQL} THEN
            RAISE EXCEPTION 'The log is append-only.' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $guard$ LANGUAGE plpgsql
"""
POSTGRESQL = (
    REFUSE_ON_POSTGRESQL,
    f"CREATE TRIGGER guard_log BEFORE UPDATE OR DELETE ON {LOG} FOR EACH ROW EXECUTE FUNCTION guard_log()",
    f"CREATE TRIGGER guard_log_truncate BEFORE TRUNCATE ON {LOG} FOR EACH STATEMENT EXECUTE FUNCTION guard_log()",
    # Ranges of one whole number, of a name by its hash, instead of equality, which would need an extension.
    f"""
    ALTER TABLE {SEASON} ADD CONSTRAINT guard_seasons_overlap EXCLUDE USING gist
    (int8range(club_id, club_id, '[]') WITH &&, int8range(hashtext(league), hashtext(league), '[]') WITH &&,
    daterange(starts_on, ends_on, '[]') WITH &&)
    """,
)
MADE_ON_POSTGRESQL = r"""
    SELECT 1, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
    FROM pg_constraint WHERE contype = 'x' AND conname LIKE 'guard\_%'
    UNION SELECT 2, format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
    FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'guard\_%'
    UNION SELECT 3, format('DROP FUNCTION %s', oid::regprocedure)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'guard\_%'
    ORDER BY 1
"""
OVERLAPS = (
    f"EXISTS (SELECT 1 FROM {SEASON} s WHERE s.club_id = NEW.club_id AND s.league = NEW.league "
    "AND s.id <> COALESCE(NEW.id, -1) AND s.starts_on <= NEW.ends_on AND s.ends_on >= NEW.starts_on)"
)


def _sqlite(columns: list[Any]) -> Iterator[str]:
    changed = " OR ".join(f'NEW."{column}" IS NOT OLD."{column}"' for column in columns if column != "why")
    append_only, apart = "The log is append-only.", "Seasons of a league cannot overlap."
    for name, event, table, refused, sentence in (
        ("log_update", "UPDATE", LOG, f"NEW.why <> '' OR {changed}", append_only),
        ("log_delete", "DELETE", LOG, "1", append_only),
        # INSERT OR REPLACE deletes without firing the trigger above.
        ("log_replace", "INSERT", LOG, f"EXISTS (SELECT 1 FROM {LOG} WHERE id = NEW.id)", append_only),
        ("seasons_insert", "INSERT", SEASON, OVERLAPS, apart),
        ("seasons_update", "UPDATE", SEASON, OVERLAPS, apart),
    ):
        yield (
            f"CREATE TRIGGER guard_{name} BEFORE {event} ON {table} WHEN {refused} "
            f"BEGIN SELECT RAISE(ABORT, '{sentence}'); END"
        )


def make_guards(connection: BaseDatabaseWrapper | ConnectionProxy) -> None:
    if not {LOG, SEASON} <= set(connection.introspection.table_names()):
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        drop_guards(connection)
        if connection.vendor == "postgresql":
            statements: tuple[str, ...] = POSTGRESQL
        else:
            cursor.execute(f"SELECT * FROM {LOG} LIMIT 0")
            statements = tuple(_sqlite([column[0] for column in cursor.description]))
        for statement in statements:
            cursor.execute(statement)


def drop_guards(connection: BaseDatabaseWrapper | ConnectionProxy) -> None:
    """Drop whatever is called a guard, as earlier versions made others."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'guard_*'")
            statements = [f'DROP TRIGGER "{name}"' for (name,) in cursor.fetchall()]
        else:
            cursor.execute(MADE_ON_POSTGRESQL)
            statements = [statement for _, statement in cursor.fetchall()]
        for statement in statements:
            cursor.execute(statement)


def lift_for_migrations(using: str, plan: list[Any], **kwargs: Any) -> None:
    if plan:
        drop_guards(connections[using])


def make_after_migrations(using: str, **kwargs: Any) -> None:
    make_guards(connections[using])
