"""The club's log: every change as a sentence, filtered, a page at a time, and as CSV."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.exports.log import log_csv as log_text
from sessions_app.exports.log import log_file_name
from sessions_app.forms.log import LogForm
from sessions_app.queries.log import log_page
from sessions_app.views.club_day import today_in
from sessions_app.views.decorators import SECRETARY, club_member
from sessions_app.views.files import csv_file

HIGHEST_ID = 2**62


@require_safe
@club_member(*SECRETARY)
def log(request, club):
    form = LogForm(request.GET)
    wanted = form.wanted()
    page = log_page(club, wanted, _before(request))
    context = {
        "club": club,
        "form": form,
        "lines": page.lines,
        "older": page.older,
        "is_filtered": any(vars(wanted).values()),
        "is_newest": "before" not in request.GET,
        "asked": _asked(request),
    }
    return render(request, "sessions_app/log.html", context, status=422 if form.errors else 200)


@require_safe
@club_member(*SECRETARY)
def log_csv(request, club):
    form = LogForm(request.GET)
    return csv_file(request, club, log_text(club, form.wanted()), log_file_name(club, today_in(club)), "the log")


def _before(request):
    text = request.GET.get("before", "")
    return min(int(text), HIGHEST_ID) if text.isascii() and text.isdecimal() and len(text) < 25 else None


def _asked(request):
    """Return the filter as the tail of an address, for the next page and the CSV."""
    kept = request.GET.copy()
    kept.pop("before", None)
    return kept.urlencode()
