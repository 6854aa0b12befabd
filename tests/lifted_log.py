"""Tests that end by flushing the database must be able to empty the log, which its triggers refuse."""

from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import TransactionTestCase

from sessions_app import database_guards


@contextmanager
def lifted_log():
    database_guards.drop_guards(connection)
    try:
        yield
    finally:
        database_guards.make_guards(connection)


@pytest.fixture(scope="session", autouse=True)
def log_lifted_while_flushing():
    """Lift the log's guards for the flush at the end of each test that commits, and only for that.

    Nor does each flush write again what the site never reads, the permissions of Django's own.
    """
    teardown = TransactionTestCase._fixture_teardown

    def flush(case):
        case.available_apps = ()
        with lifted_log():
            teardown(case)

    TransactionTestCase._fixture_teardown = flush
    yield
    TransactionTestCase._fixture_teardown = teardown
