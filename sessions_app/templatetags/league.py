"""The rows of a league table: written here and not in a template, because they are most of what its page costs."""

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import mark_safe

from sessions_app.templatetags.charts import form_bars, moved
from sessions_app.templatetags.figures import known, minus, signed

register = template.Library()

STILL_PLAYING = '<span class="remark">still playing</span>'


@register.simple_tag
def league_rows(rows, league, club, season=None):
    """Write rows of the table, each player's name leading to the page of the season where there is one."""
    before, _, after = reverse("player", args=[club.slug, 0]).rpartition("0")
    after += f"?season={season.pk}" if season else ""
    # What anybody has typed is escaped; the rest are figures.
    return mark_safe("\n".join(_row(row, league, f"{before}{row.standing.player}{after}") for row in rows))  # noqa: S308


def _row(row, league, address):
    one = row.standing
    name = f'<a href="{escape(address)}">{escape(one.name)}</a>'
    still = f' <span class="remark">handicap {row.given}</span>' if row.given else ""
    still += STILL_PLAYING if one.still_playing else ""
    if one.place:
        movement = f'<span class="remark">{moved(row)}</span>' if league.has_movers else ""
        place = f'<td class="num place">{one.place_shown}{movement}</td>'
        value = f"<b>{minus(one.shown)}</b>"
    else:
        place, value = '<td class="place"></td>', minus(one.shown)
        still = f' <span class="remark">{escape(one.reason)}</span>{still}'
    now = f'<td class="num" data-label="Place now">{row.own_place or "–"}</td>' if league.is_what_if else ""
    return (
        f'<tr>{place}<th scope="row">{name}{still}</th><td class="num value">{value}</td>{now}'
        f'<td class="num" data-label="Sessions">{one.sessions}</td>'
        f'<td class="num" data-label="Hands">{known(one.hands)}</td>'
        f'<td class="num" data-label="Won">{known(one.won)}</td><td class="num" data-label="Net">{signed(one.net)}</td>'
        f'<td class="num" data-label="Best session">{signed(one.best_session)}</td>'
        f'<td data-label="Last five">{form_bars(row.form)}</td></tr>'
    )
