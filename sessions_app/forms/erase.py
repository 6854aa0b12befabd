"""Erasing a player: said twice, as nothing brings the names back."""

from django import forms


class EraseForm(forms.Form):
    name = forms.CharField(
        label="The player’s full name",
        max_length=120,
        error_messages={
            "required": "Type the player’s full name, so that the wrong one is not erased.",
        },
    )
    sure = forms.BooleanField(
        label="I know that this cannot be undone",
        error_messages={
            "required": "Tick that you know that this cannot be undone.",
        },
    )

    login = forms.BooleanField(label="Erase the account too", required=False, initial=True)
    field_order = ("name", "login", "sure")

    def __init__(self, player, has_login, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.player = player
        if not has_login:
            del self.fields["login"]
        self.fields["name"].help_text = f"As it stands here: {player.full_name}"

    def clean_name(self):
        name = " ".join(self.cleaned_data["name"].split())
        if name.casefold() != self.player.full_name.casefold():
            raise forms.ValidationError(f"This is not the name that stands here: {self.player.full_name}.")
        return name
