"""Amounts of money as they are written, in the club's currency: £1.50, CHF 1.50."""

from decimal import ROUND_HALF_UP, Decimal

from django import template

register = template.Library()


@register.filter
def money(amount, club):
    """Write an amount: £1.50, −£3.20, kr 12.00; nothing for None."""
    if amount is None:
        return ""
    amount = Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_UP)
    # A word stands apart from its figures, a sign close to them.
    apart = "\N{NO-BREAK SPACE}" if club.currency[-1].isalpha() else ""
    return f"{'−' if amount < 0 else ''}{club.currency}{apart}{abs(amount):,}"


@register.filter
def worth(points, club):
    """Write what points are worth at the club's rate for 1,000, to the hundredth: +£0.59, −£0.50."""
    amount = _worth(points, club)
    return f"{'+' if amount > 0 else ''}{money(amount, club)}"


@register.filter
def worth_owed(points, club):
    """Write what points are worth without a sign, for where "pays" or "receives" stands before it: £0.50."""
    return money(abs(_worth(points, club)), club)


def _worth(points, club):
    return (Decimal(points) * club.points_rate / 1000).quantize(Decimal("0.01"), ROUND_HALF_UP)
