"""Try a running Clubscore from outside: sign in, open the table in play, record one hand, find it in the CSV.

Only the standard library. Start ./run, then: python3 tools/try_it.py [--url URL] [--login demo-scorekeeper]
"""

import argparse
import csv
import http.cookiejar
import io
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

TOTALS = (64, 8, 0, 12)
IN_PLAY = re.compile(r'href="(/c/[^"]+/sessions/\d+/)table/"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
ENTRY = re.compile(r'<script id="entry-data" type="application/json">(.*?)</script>', re.DOTALL)


class Failure(Exception):
    """What did not work, as one sentence."""


class Visitor:
    """A browser with cookies."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies)

    def get(self, path):
        return self._open(urllib.request.Request(self.url + path))

    def post(self, path, page, **fields):
        """Send a form of a page, with the page's token."""
        fields["csrfmiddlewaretoken"] = search(TOKEN, page, "the page has no form")
        return self._open(urllib.request.Request(self.url + path, urllib.parse.urlencode(fields).encode()))

    def _open(self, request):
        request.add_header("Accept", "text/html")
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.read().decode("utf-8-sig")
        except urllib.error.HTTPError as error:
            raise Failure(f"{request.full_url} answered {error.code}.") from error
        except OSError as error:
            raise Failure(f"Nothing answers at {self.url}: start Clubscore with ./run first.") from error


def search(pattern, text, sentence):
    match = pattern.search(text)
    if not match:
        raise Failure(f"Something is missing: {sentence}.")
    return match[1]


def sign_in(visitor, login, password):
    page = visitor.get("/sign-in/")
    club = visitor.post("/sign-in/", page, username=login, password=password)
    if "Sign out" not in club:
        raise Failure(f"The login {login} was not let in.")
    return club


def record_hand(visitor, session):
    """Record a hand with totals that South wins, as a tablet would; return number, winner, totals by name."""
    page = visitor.get(f"{session}hands/new/")
    entry = json.loads(search(ENTRY, page, "the page of the next hand has no data"))
    seats = {seat["wind"]: seat["number"] for seat in entry["seats"]}
    totals = dict(zip((seat["name"] for seat in entry["seats"]), TOTALS, strict=False))
    body = {
        "hands": {number: {"total": total} for number, total in zip(seats.values(), TOTALS, strict=False)},
        "mahjong": {"by": seats["S"]},
    }
    fields = {"body": json.dumps(body), "key": uuid.uuid4(), "after": entry["after"], "seats": json.dumps(seats)}
    visitor.post(f"{session}hands/record/", page, device="try_it", **fields)
    winner = next(seat["name"] for seat in entry["seats"] if seat["wind"] == "S")
    return entry["hand_number"], winner, totals


def rows_of(visitor, session, number):
    rows = csv.DictReader(io.StringIO(visitor.get(f"{session}hands.csv")))
    return [row for row in rows if row["Hand"] == str(number) and row["Wind"] != "out"]


def try_it(url, login, password):
    """Sign in, record a hand and find it in the CSV; return what to print."""
    visitor = Visitor(url)
    club = sign_in(visitor, login, password)
    session = search(IN_PLAY, club, "no table is in play")
    visitor.get(f"{session}table/")
    number, winner, totals = record_hand(visitor, session)
    rows = rows_of(visitor, session, number)
    nets = [int(row["Won or lost"]) for row in rows]
    if sorted(int(row["Total"]) for row in rows) != sorted(totals.values()) or sum(nets):
        raise Failure(f"Hand {number} is not in the CSV as it was recorded.")
    lines = [
        f"{row['Player']}: total {row['Total']}, net {row['Won or lost']}, balance {row['Balance']}" for row in rows
    ]
    return [f"Hand {number} was recorded, {winner} goes Mah-jong; the CSV has it:", *lines]


def main(argv=None):
    parser = argparse.ArgumentParser(description="Sign in, record one hand at the table in play, find it in the CSV.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where Clubscore is served")
    parser.add_argument("--login", default="demo-scorekeeper", help="a scorekeeper's login")
    parser.add_argument("--password", help="its password; the demonstration's are like the logins")
    options = parser.parse_args(argv)
    try:
        print("\n".join(try_it(options.url, options.login, options.password or options.login)))
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
