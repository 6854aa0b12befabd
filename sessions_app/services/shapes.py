"""Whether a command that nobody has decided about can be shown at all: the shape of a hand, not what it is worth."""

OF_A_HAND = ("hand", "insert", "correct")


def is_readable(command):
    """Tell whether a command's hand, where it has one, is made as hands are made; its values may still be wrong."""
    body = command["body"]
    if command["kind"] not in OF_A_HAND:
        return True
    if command["kind"] != "hand":
        body = body.get("body") or {}
    return isinstance(body, dict) and _is_hand(body)


def _is_hand(body):
    mahjong = body.get("mahjong")
    return (
        all(_are_forms(body.get(part)) for part in ("hands", "beside"))
        and (mahjong is None or isinstance(mahjong, dict) or _are_dicts(mahjong))
        and (body.get("penalties") is None or _are_dicts(body["penalties"]))
    )


def _are_forms(forms):
    return forms is None or isinstance(forms, dict) and all(form is None or _is_form(form) for form in forms.values())


def _is_form(form):
    if not isinstance(form, dict):
        return False
    sets = form.get("sets")
    are_sets = sets is None or isinstance(sets, list) and all(isinstance(one, str) for one in sets)
    return are_sets and all(isinstance(form.get(part) or "", str) for part in ("tiles", "bonus"))


def _are_dicts(rows):
    return isinstance(rows, list) and all(isinstance(one, dict) for one in rows)
