"""Amounts of money as they are written: £1.50."""

from decimal import ROUND_HALF_UP, Decimal

from django import template

register = template.Library()


@register.filter
def pounds(amount):
    """Write an amount: £1.50, −£3.20; nothing for None."""
    if amount is None:
        return ""
    amount = Decimal(amount).quantize(Decimal("0.01"))
    return f"{'−' if amount < 0 else ''}£{abs(amount):,}"


@register.filter
def worth(points, rate):
    """Write what points are worth at so much for 1,000, to the penny: +£0.59, −£0.50."""
    amount = (Decimal(points) * rate / 1000).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{'+' if amount > 0 else ''}{pounds(amount)}"
