"""Who is asked whether a hand is right, where the club asks for that; and who agreed to one."""


def is_asked(table_session):
    """Say whether the table asks: nothing is asked about a practice table, where nothing counts."""
    return table_session.club.asks_agreement and not table_session.practice


def who_agrees(request, table_session, seats):
    """Return who may agree, of players as the hand-entry page names them: all but the one who holds the tablet."""
    holds = getattr(request.membership, "chair", "")
    return [seat for seat in seats if seat["number"] != holds] if is_asked(table_session) else []


def is_unagreed(table_session, entry):
    """Say whether a hand was left, or changed, without anybody having agreed to it, and the table asks for it."""
    return is_asked(table_session) and entry.body.get("agreed") == ""


def agreed_name(entry, names):
    """Name who agreed to a hand, empty where nobody did; `names` by seat number as a string."""
    return names.get(entry.body.get("agreed"), "")
