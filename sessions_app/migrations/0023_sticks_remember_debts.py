"""What could not be paid in sticks is kept; until now it was said once and forgotten, so all sticks are paid again."""

from collections import defaultdict, namedtuple

from django.db import migrations, models

from clubscore.scoring.sticks import STICK_SETS, deal_out, settle_up

Paid = namedtuple("Paid", ("payer", "payee", "amount"))


def pay_anew(apps, schema_editor):
    model = {name: apps.get_model("sessions_app", name) for name in ("Session", "Tally", "Payment")}
    objects = {name: one.objects.using(schema_editor.connection.alias) for name, one in model.items()}
    for session in objects["Session"].exclude(sticks="").filter(imported=False).iterator():
        tallies = list(objects["Tally"].filter(session=session).select_related("seat").order_by("seat__chair"))
        stick_set = STICK_SETS.get(session.sticks)
        if stick_set and session.recording == "settle":
            paid = objects["Payment"].filter(session=session, entry__taken_out=False)
            held, debts = _paid_anew(stick_set, [tally.seat for tally in tallies], paid)
            for tally in tallies:
                chair = tally.seat.chair
                tally.sticks = held[chair].to_dict()
                tally.owes = {
                    "box" if creditor is None else str(creditor): amount
                    for (debtor, creditor), amount in debts.items()
                    if debtor == chair
                } or None
        else:
            for tally in tallies:
                tally.sticks = None
        for tally in tallies:
            tally.save(update_fields=["sticks", "owes"])


def _paid_anew(stick_set, seats, payments):
    start = [seat.chair for seat in seats if seat.at_start]
    purses, left_over, _ = deal_out(stick_set, len(start))
    begins = dict(zip(start, purses, strict=True))
    held, debts = {None: left_over} | {seat.chair: begins.get(seat.chair, purses[0]) for seat in seats}, {}
    chair, lines = {seat.pk: seat.chair for seat in seats}, defaultdict(list)
    in_order = payments.order_by("entry__position", "pk")
    for entry, payer, payee, amount in in_order.values_list("entry_id", "payer_id", "payee_id", "amount"):
        lines[entry].append(Paid(chair[payer], chair.get(payee), amount))
    for line in lines.values():
        held, debts, _ = settle_up(held, line, debts=debts)
    return held, debts


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0022_new_names_are_confirmed"),
    ]

    operations = [
        migrations.AddField(model_name="tally", name="owes", field=models.JSONField(blank=True, null=True)),
        migrations.RunPython(pay_anew, migrations.RunPython.noop, elidable=True),
    ]
