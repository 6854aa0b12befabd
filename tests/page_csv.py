"""The rows of a CSV that a page sends, by the names of its columns for programs."""

import csv
import io

from sessions_app.exchange.exports.csv_files import name_of, stored_value


def rows_of(answer):
    rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    named = [{name_of(heading).replace(" ", "_"): cell for heading, cell in row.items()} for row in rows]
    return [{name: stored_value(name, cell) for name, cell in row.items()} for row in named]
