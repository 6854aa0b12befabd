"""What a page carries for the tablet's outbox: the state of its table."""

from django import template
from django.utils.html import json_script

from sessions_app.queries.table_state import table_state as state_of
from sessions_app.services.sessions import current_chairs

register = template.Library()


@register.simple_tag(takes_context=True)
def table_state(context, table_session):
    """Write the state of the page's table as JSON; what the page has read already is not read again."""
    names = {"seats": "everybody", "lines": "last_lines", "number": "next_number", "recent": "recent_commands"}
    known = {what: context.get(name) for what, name in names.items()}
    return json_script(state_of(table_session, current_chairs(table_session), **known), "table-state")
