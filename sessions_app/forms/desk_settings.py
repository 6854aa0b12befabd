"""The club's settings."""

from django import forms


class DeskSettingsForm(forms.Form):
    asks_agreement = forms.BooleanField(
        label="Another player agrees to each hand",
        required=False,
        help_text="Before a hand is left, the tablet asks to be handed to another player, who looks at the score and "
        "says whether it is right. No hand is held back: one that nobody agreed to counts, and is marked.",
    )
