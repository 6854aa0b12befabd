"""Copy the whole installation to another database: `copy_database --to postgresql://USER:PASSWORD@HOST/NAME`."""

from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandParser, call_command
from django.core.management.color import no_style
from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.exchange.backups.databases import BATCH, OTHER, insert, other_database, snapshot
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.management.base import StoredCommand

# What `migrate` fills.
FILLED = {"django_migrations", "django_content_type", "auth_permission"}


class Command(StoredCommand):
    help = "Copy everything into another, empty database, SQLite to PostgreSQL or back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", required=True, metavar="DATABASE_URL", help="the empty database to fill")

    def handle(self, *, to: str, **options: Any) -> None:
        models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
        try:
            with other_database(to) as target:
                if not is_empty(target):
                    raise BackupError("The other database is not empty, so nothing was copied.")
                call_command("migrate", database=OTHER, interactive=False, verbosity=0)
                with snapshot(), transaction.atomic(using=OTHER):
                    rows = copy(models, target)
        except DatabaseError as error:
            raise BackupError(f"The other database cannot be filled: {' '.join(str(error).split())}.") from error
        self.stdout.write(f"{rows} rows of {len(models)} tables were copied.")
        self.stdout.write("Start Clubscore with that address as DATABASE_URL from now on.")


def is_empty(target: BaseDatabaseWrapper) -> bool:
    with target.cursor() as cursor:
        for table in set(target.introspection.table_names(cursor)) - FILLED:
            cursor.execute(f"SELECT 1 FROM {target.ops.quote_name(table)} LIMIT 1")
            if cursor.fetchone():
                return False
    return True


def copy(models: list[Any], target: BaseDatabaseWrapper) -> int:
    """Copy every row, and return how many there are; BackupError if one is missing in the end."""
    # The permissions go with them.
    ContentType.objects.using(OTHER).all().delete()
    for model in models:
        names = [field.attname for field in model._meta.concrete_fields]
        insert(model, model._base_manager.order_by("pk").values_list(*names).iterator(BATCH), target)
    target.check_constraints()
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
    total = 0
    for model in models:
        rows = model._base_manager.count()
        if rows != model._base_manager.using(OTHER).count():
            raise BackupError(f"The table {model._meta.db_table} is incomplete, so nothing was copied.")
        total += rows
    return total
