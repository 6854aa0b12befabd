"""Sentences in the words of a table: "Wheels" for circles, "Hu" for Mah-jong."""

from django import template

from clubscore.scoring.words import in_words
from sessions_app.services.told import render

register = template.Library()


@register.filter
def said(sentence, table_session):
    """Say a sentence of ours, or the name of a rule or tile, in the words of this session's table."""
    return in_words(table_session.vocabulary(), str(sentence)) if sentence and table_session else sentence


@register.filter
def with_names(sentence, seats):
    """Put the names of a session's seats into a sentence in which they stand as {1}."""
    return render([str(sentence)], {seat.chair: seat.player.name for seat in seats})[0]
