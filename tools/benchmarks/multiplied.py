"""Many more clubs for the price of a few: every row of the database copied in the database itself, ids shifted."""

from django.apps import apps
from django.db import connection, models

# Enough to keep the copies' ids apart from what a small installation has.
SHIFT = 10_000_000


def multiply(times):
    """Copy every club with all that is its own until there are so many times as many; then look at it all (ANALYZE)."""
    tables = [model for model in _in_order() if model.objects.exists()]
    with connection.cursor() as cursor:
        for copy in range(1, times):
            for model in tables:
                cursor.execute(_copying(model, copy, {model._meta.db_table for model in tables}))
        cursor.execute("ANALYZE")


def _in_order():
    """Return the app's models, each behind those that it points to."""
    left, ordered = list(apps.get_app_config("sessions_app").get_models()), []
    while left:
        for model in left:
            needs = {field.related_model for field in model._meta.concrete_fields if field.is_relation} - {model}
            if needs <= {*ordered} | {other for other in needs if other._meta.app_label != "sessions_app"}:
                ordered.append(model)
                left.remove(model)
                break
    return ordered


def _copying(model, copy, copied):
    quote = connection.ops.quote_name
    columns = [field.column for field in model._meta.concrete_fields]
    values = [_shifted(field, copy, copied) for field in model._meta.concrete_fields]
    table = quote(model._meta.db_table)
    first = f"{quote(model._meta.pk.column)} < {SHIFT}"
    return (
        f"INSERT INTO {table} ({', '.join(map(quote, columns))}) SELECT {', '.join(values)} FROM {table} "
        f"WHERE {first} ORDER BY {quote(model._meta.pk.column)}"
    )


def _shifted(field, copy, copied):
    column = connection.ops.quote_name(field.column)
    points = field.is_relation and field.related_model._meta.db_table in copied
    if field.primary_key or points:
        return f"{column} + {copy * SHIFT}"
    if field.unique and isinstance(field, models.CharField):
        return f"{column} || '-{copy}'"
    return column
