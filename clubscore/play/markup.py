"""HTML from plain data, escaped in one place, with what several fragments share."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Html(NamedTuple):
    """HTML already: it goes into other HTML as it is."""

    text: str


def html(template: str, *values: object) -> Html:
    """Put values into the {} of a template: what is not Html is escaped, None is empty."""
    return Html(template.format(*[value.text if isinstance(value, Html) else escape(value) for value in values]))


def escape(value: object) -> str:
    """Return a value as text that is safe in HTML, between tags and in quoted attributes."""
    text = "" if value is None else str(value)
    for sign, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        text = text.replace(sign, safe)
    return text


def join(parts: Iterable[Html]) -> Html:
    return Html("".join([part.text for part in parts]))


def html_each(template: str, rows: Iterable[Any]) -> Html:
    """Put every row into a template, one after the other; a row is one text or Html, or several values."""
    return join(html(template, *([row] if isinstance(row, Html | str) else row)) for row in rows)


def html_if(condition: object, template: str, *values: object) -> Html:
    """Fill a template if the condition is true, with the condition itself if no values are given."""
    return html(template, *(values or [condition])) if condition else Html("")


def link(address: str, words: object) -> Html:
    """Link to an address; only the words if there is none."""
    return html('<a href="{}">{}</a>', address, words) if address else html("{}", words)


def section(page: Mapping[str, Any], name: str, heading: str, content: Html, attributes: str = "") -> Html:
    """Draw a section of a session's page: its heading has the page's `level`, and an id with the session's."""
    return html(
        '<section{0} aria-labelledby="{1}-{2}"><h{3} id="{1}-{2}">{4}</h{3}>{5}</section>',
        *(Html(attributes), name, page["settling"]["session"], page["level"], heading, content),
    )


# A heading of a column, and a figure with what it is called on a phone.
COLUMN = '<th role="columnheader" scope="col"{}>{}</th>'
FIGURE = '<td role="cell" class="num" data-label="{}">{}</td>'


def scores_table(label: str, css: str, columns: Iterable[str], figures: Iterable[str], body: Html) -> Html:
    """Draw a table of scores that scrolls sideways; its columns of words come before those of figures."""
    # Only the tables of the sheet have a class of their own.
    frame = "scroll-x sheet-frame" if css else "scroll-x"
    return html(
        '<div class="{}" tabindex="0" role="region" aria-label="{}"><table class="table-scores{}" role="table">'
        '<thead role="rowgroup"><tr role="row">{}{}</tr></thead><tbody role="rowgroup">{}</tbody></table></div>',
        *(frame, label, css),
        html_each(COLUMN, [("", name) for name in columns]),
        html_each(COLUMN, [(Html(' class="num"'), name) for name in figures]),
        body,
    )
