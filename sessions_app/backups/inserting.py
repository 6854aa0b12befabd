"""Inserting rows as they are, under ids given beforehand: times are kept, and nothing is filled in."""

from django.db import connection

BATCH = 1000


def new_ids(model, number):
    """Return that many ids nobody has had, in rising order."""
    if not number:
        return []
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [table, column, number]
            )
            return sorted(row[0] for row in cursor.fetchall())
        # An id that was given back is never given again: the log may still name it.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        cursor.execute(f"SELECT MAX({connection.ops.quote_name(column)}) FROM {connection.ops.quote_name(table)}")
        last = max((row or [0])[0] or 0, cursor.fetchone()[0] or 0)
    return list(range(last + 1, last + 1 + number))


def insert(model, rows, using=connection):
    """Insert rows, each the values of every column in order."""
    quote = using.ops.quote_name
    columns = ", ".join(quote(field.column) for field in model._meta.concrete_fields)
    marks = ", ".join(["%s"] * len(model._meta.concrete_fields))
    with using.cursor() as cursor:
        for start in range(0, len(rows), BATCH):
            cursor.executemany(
                f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})", rows[start : start + BATCH]
            )
