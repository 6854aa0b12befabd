"""What is asked of the database: at most so many queries, and as many for thirty rows more as for one."""

from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext


@contextmanager
def at_most(number):
    """Yield the queries that are asked inside; more than so many fail."""
    with CaptureQueriesContext(connection) as queries:
        yield queries
    sentence = "\n".join(query["sql"][:200] for query in queries.captured_queries)
    assert len(queries) <= number, f"{len(queries)} queries, at most {number} were expected:\n{sentence}"


def assert_the_same_for_more_rows(grow, ask, most):
    """Ask after `grow(1)` and after `grow(30)`: at most so many queries, and as many the second time as the first.

    What the first visit of a day or of a device writes down is not counted.
    """
    counts = []
    for rows in (1, 30):
        grow(rows)
        ask()
        with at_most(most) as queries:
            ask()
        counts.append(len(queries))
    assert counts[0] == counts[1], f"{counts[0]} queries with one row, {counts[1]} with thirty more"
