"""Helpers for drawing form fields."""

from django import template
from django.forms import CheckboxSelectMultiple, RadioSelect

register = template.Library()


@register.filter
def anchor(field):
    """Name the element that an error's link leads to: the field, or the first of its choices."""
    first = isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
    return f"{field.auto_id}_0" if first else field.auto_id
