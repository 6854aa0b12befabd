"""Inviting people into a club, changing their roles, handing the club over."""

from django import forms

from sessions_app.models import Membership

ROLES = [
    ("member", "Member: reads everything of the club"),
    ("scorekeeper", "Scorekeeper: keeps the scores of any table"),
    ("secretary", "Secretary: does everything"),
]
DAYS = [("1", "For a day"), ("7", "For a week"), ("30", "For thirty days")]
HOW_MANY = [("one", "One person"), ("many", "Everybody who has the link")]
NOT_MANY = "A secretary is invited alone: choose “One person”."


class InviteForm(forms.Form):
    role = forms.ChoiceField(
        label="As what",
        choices=ROLES,
        initial="member",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what they will be in the club."},
    )
    how_many = forms.ChoiceField(
        label="For whom",
        choices=HOW_MANY,
        initial="one",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose whether one person or many may use the link."},
    )
    days = forms.ChoiceField(
        label="How long the link works",
        choices=DAYS,
        initial="7",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how long the link works."},
    )

    def clean(self):
        data = super().clean()
        if data.get("role") == "secretary" and data.get("how_many") == "many":
            self.add_error("how_many", NOT_MANY)
        return data


class HandOverForm(forms.Form):
    taker = forms.ChoiceField(
        label="Who takes the club over",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who takes the club over.", "invalid_choice": "Choose one of these people."},
    )
    after = forms.ChoiceField(
        label="What you will be afterwards",
        choices=[("scorekeeper", "A scorekeeper"), ("member", "A member"), ("nothing", "No longer in the club")],
        initial="scorekeeper",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what you will be afterwards."},
    )

    def __init__(self, membership, *args, **kwargs):
        super().__init__(*args, **kwargs)
        others = Membership.objects.of_club(membership.club).exclude(pk=membership.pk).select_related("user")
        self.others = {str(other.pk): other for other in others.order_by("user__username")}
        self.fields["taker"].choices = [
            (pk, f"{other.user.get_full_name() or other.user.username} ({other.user.username})")
            for pk, other in self.others.items()
        ]
