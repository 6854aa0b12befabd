"""Asking whether a hand is right, and the secretary's answer."""

from django import forms

from sessions_app.models import Doubt
from sessions_app.services.doubts import LONGEST

TOO_LONG = f"Say it in {LONGEST} characters."


class AskForm(forms.Form):
    text = forms.CharField(
        label="What do you think is wrong?",
        help_text="In a few words: “I had a concealed pung of 7 Circles, it was counted as exposed.”",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say what you think is wrong.", "max_length": TOO_LONG},
    )


class AnswerForm(forms.Form):
    outcome = forms.ChoiceField(
        label="What is your answer?",
        choices=Doubt.Outcome.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose whether the hand stands or has been put right."},
    )
    text = forms.CharField(
        label="In a few words, if you like",
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": TOO_LONG},
    )
