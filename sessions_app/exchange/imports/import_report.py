"""Where a loaded session differs from the meeting's file, in sentences."""

from collections import defaultdict
from collections.abc import Iterator

from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import with_commas
from clubscore.table.command_kinds import KINDS
from clubscore.table.replay import Replayed, SeatResult
from sessions_app.exchange.imports.meeting_plan import Plan, Step
from sessions_app.models import Change, Command, Entry, Hand, Session


def differences(done: Replayed, plan: Plan, names: dict[int, str], final: dict[str, int]) -> Iterator[str]:
    """Yield where totals, nets, running totals and final totals are not those of the file; `names` by seat number."""
    where = f"Table {plan.table.number}"
    results = {hand.key: {names[row.seat]: row for row in hand.seats} for hand in done.hands}
    running, apart = defaultdict(int), defaultdict(int)
    for step in plan.hand_steps:
        hand = results.get(step.key, {})
        place = f"{where}, hand {step.hand.number}"
        for name, row in hand.items():
            running[name] += row.net
        told = list(hand_differences(step, hand))
        yield from (f"{place}: {sentence}" for sentence in told)
        for name, total in step.hand.says["running"].items():
            moved, apart[name] = running[name] - total - apart[name], running[name] - total
            if moved and not told:
                yield f"{place}: {name} has {running[name]:,} in all here, {total:,} in the file."
    for name, total in plan.table.final.items():
        if final.get(name) != total:
            yield f"{where}: {name} ends with {with_commas(final.get(name, 'nothing'))} here, {total:,} in the file."


def hand_differences(step: Step, hand: dict[str, SeatResult]) -> Iterator[str]:
    says = step.hand.says
    won = any(row.won for row in hand.values())
    for wind, total in says["totals_by_wind"].items():
        row = hand.get(step.names.get(wind, ""))
        if won and row and row.total != total:
            yield f"{WIND_NAMES.get(wind, wind)} ({step.names[wind]}) scores {row.total:,} here, {total:,} in the file."
    nets = {step.names.get(wind, wind): net for wind, net in says["net_by_wind"].items()} | says["net"]
    for name, net in nets.items():
        here = hand[name].net if name in hand else 0
        if here != net:
            yield f"{name} has {here:+,} here, {net:+,} in the file."


def corrections(session: Session, plan: Plan, names: dict[int, str]) -> Iterator[str]:
    """Yield what was changed since the hands were loaded, by whom, when and why; `names` by seat number."""
    ours = {step.key: step for step in plan.steps}
    loaded = {str(command.key): command.body for command in Command.objects.filter(session=session, key__in=ours)}
    log = latest_changes(session)
    numbers = {hand.entry_id: hand.number for hand in Hand.objects.filter(session=session)}
    where = f"Table {plan.table.number}"
    for entry in Entry.objects.filter(session=session).order_by("position"):
        key = str(entry.key)
        if key not in ours:
            sentence = "" if entry.taken_out else KINDS[entry.kind].import_report
            sentence += f" as hand {numbers[entry.pk]}" if sentence and entry.pk in numbers else ""
        else:
            sentence = line_corrected(ours[key], entry, loaded[key])
        if sentence:
            yield f"{where}: {sentence}{by_whom(log.get(key))}."
    for seat, name in plan.names.items():
        if names.get(seat, name) != name:
            yield f"{where}: the seat of {name} is {names[seat]}’s now."


def line_corrected(step: Step, entry: Entry, body: dict) -> str:
    """Return what was changed in a loaded entry, or ""."""
    if not step.counts:
        return "" if entry.taken_out else "A removed hand was restored"
    what = f"Hand {step.hand.number}" if step.hand else f"The entry “{step.kind}”"
    if entry.taken_out:
        return f"{what} was removed"
    return f"{what} was changed" if step.hand and entry.body != body else ""


def latest_changes(session: Session) -> dict[str, Change]:
    """Return the last change of each entry, by key."""
    latest = {}
    for change in Change.objects.filter(session=session).order_by("pk"):
        for key in change.after.get("entries") or {}:
            latest[key] = change
    return latest


def by_whom(change: Change | None) -> str:
    if change is None:
        return ""
    return f" by {change.name or 'someone'} on {change.at:%-d %B %Y}{f' ({change.why})' if change.why else ''}"
