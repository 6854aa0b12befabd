"""The club's own special hands in the list from which the entry page picks by name."""

from sessions_app.queries.own_hands import value_words


def own_specials(table_session, house):
    """Return the own hands that a session froze at its start, in the form of the rule set's own."""
    return [_offered(hand, house) for hand in table_session.club_hands]


def _offered(hand, house):
    fishing = hand.get("fishing")
    concealed = " Concealed." if hand.get("concealed") else ""
    return {
        "key": hand["key"],
        "name": hand.get("name") or hand["key"],
        "sentence": f"{hand.get('text') or 'A hand of the club’s own.'}{concealed}",
        "fishable": fishing is not None,
        "exposable": False,
        "to": "winner",
        "worth": value_words(hand["value"], house),
        "fishing_worth": "" if fishing is None else f"{fishing:,}",
        "picture": (hand.get("tiles") or "").split(),
    }
