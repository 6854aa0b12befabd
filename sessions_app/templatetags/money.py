"""Amounts of money as they are written: £1.50."""

from decimal import Decimal

from django import template

register = template.Library()


@register.filter
def pounds(amount):
    """Write an amount: £1.50, −£3.20; nothing for None."""
    if amount is None:
        return ""
    amount = Decimal(amount).quantize(Decimal("0.01"))
    return f"{'−' if amount < 0 else ''}£{abs(amount):,}"
