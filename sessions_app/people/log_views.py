"""The page of the club's log, with its filter."""

from datetime import date

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sessions_app.models import Club
from sessions_app.people.log_pages import FIRST_YEAR, KINDS, LAST_YEAR, Wanted, log_page
from sessions_app.people.permissions import SECRETARY
from sessions_app.web.access import club_member

MAX_TABLE = 32_767
WRONG_DATE = "Enter the date, for example 12/11/2026."


def validate_year(date: date) -> None:
    """Refuse dates whose next midnight is out of range in some time zone."""
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise forms.ValidationError(f"Enter a year from {FIRST_YEAR} to {LAST_YEAR}.")


class LogForm(forms.Form):
    who = forms.CharField(label="Who", max_length=60, required=False)
    what = forms.ChoiceField(
        label="What",
        choices=[("", "Everything"), *((key, words) for key, (words, _) in KINDS.items())],
        required=False,
        error_messages={"invalid_choice": "Choose what to show from the list."},
    )
    table = forms.IntegerField(
        label="Table",
        min_value=1,
        max_value=MAX_TABLE,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
        error_messages={
            "invalid": "Enter the table as a number, for example 2.",
            "min_value": "Enter a table number of 1 or more.",
            "max_value": "Enter a smaller table number.",
        },
    )
    first = forms.DateField(
        label="From",
        required=False,
        validators=[validate_year],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": WRONG_DATE},
    )
    last = forms.DateField(
        label="To",
        required=False,
        validators=[validate_year],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": WRONG_DATE},
    )

    def wanted(self) -> Wanted:
        """Return the filter; invalid fields are left out."""
        data = self.cleaned_data if self.is_valid() else getattr(self, "cleaned_data", {})
        return Wanted(
            who=data.get("who") or "",
            what=data.get("what") or "",
            table=data.get("table"),
            starts_on=data.get("first"),
            ends_on=data.get("last"),
        )


MAX_ID = 2**62


@require_safe
@club_member(*SECRETARY)
def log(request: HttpRequest, club: Club) -> HttpResponse:
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
    return render(request, "people/log.html", context, status=422 if form.errors else 200)


def _before(request):
    text = request.GET.get("before", "")
    return min(int(text), MAX_ID) if text.isascii() and text.isdecimal() and len(text) < 25 else None


def _asked(request):
    """Return the filter as a query string, for the next page and the CSV."""
    kept = request.GET.copy()
    kept.pop("before", None)
    return kept.urlencode()
