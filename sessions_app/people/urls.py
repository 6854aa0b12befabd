"""Addresses of people: signing in, accounts, roles, players, settings, the log."""

from django.urls import include, path

from sessions_app.people import account_views, club_views, password_views, phone_code_views, player_views, role_views

people_urls = [
    path("", role_views.people, name="people"),
    path("invite/", role_views.people_invite, name="people-invite"),
    path("invites/<int:invite_id>/", role_views.invite_link, name="invite-link"),
    path("invites/<int:invite_id>/revoke/", role_views.invite_revoke, name="invite-revoke"),
    path("<int:membership_id>/role/", role_views.person_role, name="person-role"),
    path("<int:membership_id>/player/", role_views.person_player, name="person-player"),
    path("<int:membership_id>/remove/", role_views.person_remove, name="person-remove"),
    path("<int:membership_id>/recover/", role_views.person_recover, name="person-recover"),
    path("<int:membership_id>/phone-code-off/", role_views.person_phone_code_off, name="person-phone-code-off"),
    path("hand-over/", role_views.hand_over, name="hand-over"),
]

club_urls = [
    path("players/", player_views.players, name="players"),
    path("players/listed/", player_views.players_listed, name="players-listed"),
    path("players/<int:player_id>/change/", player_views.player_change, name="player-change"),
    path("players/<int:player_id>/merge/", player_views.player_merge, name="player-merge"),
    path("players/<int:player_id>/unmerge/", player_views.player_unmerge, name="player-unmerge"),
    path("desk/", club_views.club_admin, name="desk"),
    path("me/", player_views.me, name="me"),
    path("desk/log/", role_views.log, name="log"),
    path("desk/settings/", club_views.club_settings, name="desk-settings"),
    path("logo/<key:key>/", club_views.club_logo, name="club-logo"),
    path("desk/public/", club_views.public_settings, name="public-settings"),
    path("desk/money/", club_views.money_settings, name="money-settings"),
]

urlpatterns = [
    path("c/<slug:slug>/desk/people/", include(people_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("", account_views.front, name="front"),
    path("sign-in/", account_views.sign_in, name="sign-in"),
    path("sign-in/code/", phone_code_views.sign_in_code, name="sign-in-code"),
    path("sign-out/", account_views.sign_out, name="sign-out"),
    path("sign-up/", club_views.sign_up, name="sign-up"),
    path("invite/<key:token>/", club_views.invite, name="invite"),
    path("account/", account_views.account, name="account"),
    path("account/password/", account_views.account_password, name="account-password"),
    path("account/confirm/", account_views.send_confirmation, name="account-confirm-send"),
    path("account/confirm/<key:token>/", account_views.confirm, name="account-confirm"),
    path("account/sign-out-everywhere/", account_views.sign_out_everywhere, name="sign-out-everywhere"),
    path("account/sign-out-device/", account_views.device_sign_out, name="device-sign-out"),
    path("account/phone-code/", phone_code_views.phone_code_page, name="phone-code"),
    path("account/phone-code/begin/", phone_code_views.phone_code_begin, name="phone-code-begin"),
    path("account/phone-code/set-up/", phone_code_views.phone_code_set_up, name="phone-code-set-up"),
    path("account/phone-code/off/", phone_code_views.phone_code_off, name="phone-code-off"),
    path("account/recovery-codes/", phone_code_views.recovery_codes, name="recovery-codes"),
    path("account/enter-password/", password_views.confirm_password, name="confirm-password"),
    path("forgotten/", account_views.forgotten, name="forgotten"),
    path("recover/<key:uidb64>/<key:token>/", account_views.recover, name="recover"),
]
