"""HTML from plain data, escaped in one place, with what several fragments share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Html(NamedTuple):
    """HTML already: it goes into other HTML as it is."""

    text: str


def html(template: str, only: object = None, **values: object) -> Html:
    """Fill the named holes of a template, or its only one, {}: what is not Html is escaped, None is empty."""
    return Html(template.format(_shown(only), **{name: _shown(value) for name, value in values.items()}))


def _shown(value: object) -> str:
    return value.text if isinstance(value, Html) else escape(value)


def escape(value: object) -> str:
    """Return a value as text that is safe in HTML, between tags and in quoted attributes."""
    text = "" if value is None else str(value)
    for sign, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        text = text.replace(sign, safe)
    return text


def join(parts: Iterable[Html]) -> Html:
    return Html("".join([part.text for part in parts]))


def html_each(template: str, values: Iterable[object]) -> Html:
    """Put each value into the only hole of a template, one after the other."""
    return join(html(template, value) for value in values)


def html_if(condition: object, template: str, **values: object) -> Html:
    """Fill a template if the condition is true; {} is the condition itself."""
    return html(template, condition, **values) if condition else Html("")


def link(address: str, words: object) -> Html:
    """Link to an address; only the words if there is none."""
    return html('<a href="{address}">{words}</a>', address=address, words=words) if address else html("{}", words)


def section(page: Mapping[str, Any], name: str, heading: str, content: Html, attributes: str = "") -> Html:
    """Draw a section of a session's page: its heading has the page's `level`, and an id with the session's."""
    return html(
        '<section{attributes} aria-labelledby="{id}"><h{level} id="{id}">{heading}</h{level}>{content}</section>',
        attributes=Html(attributes),
        id=f"{name}-{page['settling']['session']}",
        level=page["level"],
        heading=heading,
        content=content,
    )


def sticks_list(heading: str, sentences: Sequence[str]) -> Html:
    """Draw which tally sticks go from whom to whom; nothing if none do."""
    rows = html_each("<li>{}</li>", sentences)
    return html_if(sentences, '<h3>{heading}</h3><ul class="sticks">{rows}</ul>', heading=heading, rows=rows)


def figure(label: str, value: object) -> Html:
    """Draw a figure with what it is called on a phone."""
    return html('<td role="cell" class="num" data-label="{label}">{value}</td>', label=label, value=value)


def scores_table(label: str, css: str, columns: Iterable[str], figures: Iterable[str], body: Html) -> Html:
    """Draw a table of scores that scrolls sideways; its columns of words come before those of figures."""
    return html(
        '<div class="{frame}" tabindex="0" role="region" aria-label="{label}">'
        '<table class="table-scores{css}" role="table"><thead role="rowgroup"><tr role="row">{columns}{figures}</tr>'
        '</thead><tbody role="rowgroup">{body}</tbody></table></div>',
        # Only the tables of the sheet have a class of their own.
        frame="scroll-x sheet-frame" if css else "scroll-x",
        label=label,
        css=css,
        columns=html_each('<th role="columnheader" scope="col">{}</th>', columns),
        figures=html_each('<th role="columnheader" scope="col" class="num">{}</th>', figures),
        body=body,
    )
