"""The learner's stage of this device, and the way from a line of a score to its rule and back."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse

from sessions_app import learning
from sessions_app.queries.rule_facts import own_anchor
from sessions_app.queries.rule_rows import rule_anchors

register = template.Library()


@register.simple_tag(takes_context=True)
def learners_stage(context):
    """Return the stage this device has chosen; everything on a page made without a request."""
    request = context.get("request")
    return learning.stage_of(request) if request else learning.EVERYTHING


@register.simple_tag(takes_context=True)
def by_stage(context, lines):
    """Divide the lines of a score into those of this device's stage and the rest."""
    return learning.staged(lines, learners_stage(context))


@register.simple_tag(takes_context=True)
def rule_address(context, rule, table_session, place="", number=""):
    """Return where the rule of a line stands under this session's rules, with the way back to the very line."""
    page = reverse("session-rules", args=[table_session.club.slug, table_session.pk])
    is_own = rule in {one["key"] for one in table_session.club_hands} and rule not in rule_anchors(table_session.rules)
    return f"{page}{_back(context, place, number)}#{own_anchor(rule) if is_own else f'rule-{rule}'}"


@register.simple_tag(takes_context=True)
def public_rule_address(context, rule, rules, place="", number=""):
    """Return where a rule of a rule set stands on its public page, with the way back to the very line.

    With a club's slug as `rules_of` in the context: on that club's own page, which only its members see.
    """
    back, is_own = _back(context, place, number), rule not in rule_anchors(rules)
    if club := context.get("rules_of"):
        anchor = own_anchor(rule) if is_own else f"rule-{rule}"
        return f"{reverse('rules', args=[club])}{back}{'&' if back else '?'}rules={rules}#{anchor}"
    return f"{reverse('rule-set', args=[rules])}{back}#{rule_anchors(rules).get(rule, f'rule-{rule}')}"


@register.simple_tag(takes_context=True)
def worth_address(context, asked, place):
    """Return where a hand, given as a query, is answered under every rule set, with the way back to its player."""
    request = context.get("request")
    back = urlencode({"back": f"{_page_of(request)}#{place}"}) if request else ""
    return f"{reverse('worth')}?{asked}&{back}"


@register.simple_tag(takes_context=True)
def learning_address(context):
    """Return the address of the learner's stages, from where one comes back to this page."""
    return f"{reverse('learning')}{_back(context)}"


def _back(context, place="", number=""):
    request = context.get("request")
    page = _page_of(request) if request else ""
    if not page:
        return ""
    return "?" + urlencode({"back": f"{page}#line-{place}{number}" if number else page})


def _page_of(request):
    """Return the page somebody looks at: a fragment's is the page that asked for it."""
    htmx = getattr(request, "htmx", None)
    if htmx:
        return htmx.current_url_abs_path or ""
    return request.get_full_path() if request.method == "GET" else ""
