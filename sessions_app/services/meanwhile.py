"""Whether a line was changed by another device since the one that wants to change it read it."""

from sessions_app.models import Command

CHANGES_A_LINE = ("correct", "take_out", "put_back")


def changed_meanwhile(ledger, command):
    """Say whether a command changes a line of which its sender knew another version than there is now.

    `version` in the body is the one known; without it nothing is asked. What the same device changed meanwhile it
    knew: several changes may wait on it and are sent one after the other.
    """
    known = command["body"].get("version")
    entry = ledger.find(command["body"].get("entry"))
    if command["kind"] not in CHANGES_A_LINE or type(known) is not int or entry is None or known == entry.version:
        return False
    newer = set(range(known + 1, entry.version + 1))
    return not newer or not newer <= _own_versions(entry, command["device"])


def _own_versions(entry, device):
    """Return the versions of a line that this device has made."""
    if not device:
        return set()
    key = str(entry.key)
    own = Command.objects.filter(
        session=entry.session_id, device=device, outcome=Command.Outcome.APPLIED, answer__versions__has_key=key
    )
    return {answer["versions"][key] for answer in own.values_list("answer", flat=True)}
