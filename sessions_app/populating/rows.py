"""Rows written in bulk: columns made ready for the database at hand, then one statement or COPY a table."""

import datetime
import json

from django.db import models

ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class Rows:
    """Rows of some models, in the order in which they are to be inserted, with values as the database takes them."""

    def __init__(self, order, vendor):
        self.tables = {model: _columns(model, vendor) for model in order}
        self.rows = {model: [] for model in order}
        self.vendor = vendor

    def add(self, model, **values):
        """Add a row by its columns' names; what is not said takes the model's default."""
        columns = self.tables[model]
        row = [convert(values[name]) if name in values else default for name, default, convert in columns]
        self.rows[model].append(tuple(row))

    def add_instance(self, instance):
        self.add(type(instance), **{field.attname: getattr(instance, field.attname) for field in _fields(instance)})

    def packed(self):
        """Return what to insert: pairs of a model's label and its rows, for PostgreSQL as the text that COPY reads."""
        full = ((model._meta.label, rows) for model, rows in self.rows.items() if rows)
        if self.vendor != "postgresql":
            return list(full)
        return [(label, "".join(map(_copied, rows)).encode()) for label, rows in full]


def insert_packed(connection, model, packed):
    """Insert what `packed` gave for a model, in the caller's transaction."""
    quote = connection.ops.quote_name
    table, columns = quote(model._meta.db_table), [quote(field.column) for field in _fields(model)]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
                copy.write(packed)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", packed)


def reserve(connection, model, count):
    """Set so many ids of a table aside, so that nobody else is given one of them; return the first."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [table])
            first = cursor.fetchone()[0]
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, first + count])
            return first
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        if row is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
            return 1
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        return row[0] + 1


def _fields(model):
    return model._meta.concrete_fields


def _columns(model, vendor):
    found = []
    for field in _fields(model):
        convert = _converter(field, vendor)
        default = convert(field.get_default()) if field.has_default() or field.null else None
        found.append((field.attname, default, convert))
    return found


def _converter(field, vendor):
    """Return what turns a Python value of this field into what is inserted; equal to what Django itself would store."""
    if isinstance(field, models.JSONField):
        return lambda value: None if value is None else json.dumps(value)
    if isinstance(field, models.UUIDField) and vendor == "sqlite":
        return lambda value: value and str(value).replace("-", "")
    if isinstance(field, models.BooleanField) and vendor == "sqlite":
        return int
    if isinstance(field, models.DateTimeField):
        return _utc_text if vendor == "sqlite" else _iso
    if isinstance(field, models.DateField):
        return _iso
    return _plain


def _plain(value):
    return value


def _iso(value):
    return value and value.isoformat()


def _utc_text(value):
    return value and str(value.astimezone(datetime.UTC).replace(tzinfo=None))


def _copied(row):
    return "\t".join([_copied_value(value) for value in row]) + "\n"


def _copied_value(value):
    if value is None:
        return "\\N"
    if type(value) is str:
        return value.translate(ESCAPES) if "\\" in value or "\n" in value or "\t" in value or "\r" in value else value
    return str(value)
