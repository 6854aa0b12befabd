"""What the secretary says about a session as a whole: where it belongs, and why it shall not count."""

from django import forms

from sessions_app.services.desk_edits import FIRST_YEAR, HIGHEST_TABLE, LAST_YEAR

WHY = "For the log. It may stay empty."


class MoveForm(forms.Form):
    date = forms.DateField(
        label="Date",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day it was played.", "invalid": "Write the date like 12/11/2026."},
    )
    table = forms.IntegerField(
        label="Table",
        min_value=1,
        max_value=HIGHEST_TABLE,
        error_messages={
            "required": "Say at which table it was played.",
            "invalid": "A table is a number, 2 for instance.",
            "min_value": "Tables are counted from 1.",
            "max_value": f"Tables are counted up to {HIGHEST_TABLE}.",
        },
    )
    meeting_name = forms.CharField(
        label="Meeting",
        max_length=80,
        required=False,
        help_text="The meeting’s name where the club gives it one, “Christmas party”. Mostly it is empty.",
        error_messages={"max_length": "This name is too long: 80 letters at most."},
    )
    why = forms.CharField(label="Why", max_length=200, required=False, help_text=WHY)

    def clean_date(self):
        date = self.cleaned_data["date"]
        if not FIRST_YEAR <= date.year <= LAST_YEAR:
            raise forms.ValidationError("Write the year with four figures, 2026 for instance.")
        return date

    def clean_meeting_name(self):
        return " ".join(self.cleaned_data["meeting_name"].split())


class VoidForm(forms.Form):
    why = forms.CharField(
        label="Why shall it not count?",
        max_length=200,
        help_text="“Started twice by mistake”, for instance. The log keeps it.",
        error_messages={"required": "Say why this session shall not count: the log keeps the reason."},
    )
