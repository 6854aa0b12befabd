"""Addresses of the rules pages, house rules, club hands, the calculator and practice."""

from django.urls import include, path

from sessions_app.rules import hand_worth_views, rule_views

session_urls = [
    path("rules/", rule_views.session_rules, name="session-rules"),
]

club_urls = [
    # Tablets store pages without their query string, so the rule set is part of the path.
    path("rules/by/<slug:rules>/", rule_views.rules, name="rules"),
    path("rules/", rule_views.rules, name="rules"),
    path("desk/house-rules/", rule_views.edit_house_rules, name="house-rules"),
    path("desk/house-rules/choose/", rule_views.choose_club_rules, name="house-rules-choose"),
    path("desk/own-hands/", rule_views.club_hands, name="club-hands"),
    path("desk/own-hands/add/", rule_views.club_hand, name="club-hand-new"),
    path("desk/own-hands/<int:hand_id>/", rule_views.club_hand, name="club-hand"),
    path("desk/own-hands/<int:hand_id>/retire/", rule_views.retire_club_hand, name="club-hand-retire"),
    path("rules/compare/", rule_views.compare_rules, name="rules-compare"),
]

urlpatterns = [
    path("c/<slug:slug>/sessions/<int:session_id>/", include(session_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("learning/", hand_worth_views.learning, name="learning"),
    path("rules/", rule_views.rule_sets, name="rule-sets"),
    path("rules/<slug:key>/", rule_views.rule_set, name="rule-set"),
    path("worth/", hand_worth_views.worth, name="worth"),
    path("practice/", hand_worth_views.practice, name="practice"),
]
