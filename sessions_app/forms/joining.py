"""Joining a table by the code of the day."""

from django import forms


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Code of the day",
        max_length=40,
        help_text="Six letters; the scorekeeper has them.",
        widget=forms.TextInput(
            attrs={"autocapitalize": "characters", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}
        ),
        error_messages={"required": "Write the six letters of the code."},
    )
