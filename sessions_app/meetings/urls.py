"""Addresses of meetings: the diary, who is coming, attendance, the seating draw, fees, joining by code."""

from django.urls import include, path

from sessions_app.meetings import coming_views, fee_views, joining_views, views

meeting_urls = [
    path("", views.meeting, name="meeting"),
    path("attend/", views.meeting_attend, name="meeting-attend"),
    path("reply/", coming_views.meeting_reply, name="meeting-reply"),
    path("change/", views.meeting_change, name="meeting-change"),
    path("newcomer/", views.meeting_newcomer, name="meeting-newcomer"),
    path("draw/", views.meeting_draw, name="meeting-draw"),
    path("back/", views.meeting_back, name="meeting-back"),
    path("places/", views.meeting_places, name="meeting-places"),
    path("who-sits-where/", views.who_sits_where, name="who-sits-where"),
    path("rules/", views.meeting_rules, name="meeting-rules"),
    path("start/", views.meeting_start, name="meeting-start"),
    path("finish/", views.meeting_finish, name="meeting-finish"),
    path("clock/", views.meeting_clock, name="meeting-clock"),
    path("labels/", views.meeting_labels, name="meeting-labels"),
    path("sheets/", views.meeting_sheets, name="meeting-sheets"),
    path("attendance-list/", views.attendance_list, name="attendance-list"),
    path("fees/", fee_views.meeting_fees, name="meeting-fees"),
    path("joining/", joining_views.joining, name="joining"),
    path("joining/new-code/", joining_views.joining_new_code, name="joining-new-code"),
    path("joining/end/", joining_views.joining_end, name="joining-end"),
]

session_urls = [
    path("extra-time/", views.extra_time, name="extra-time"),
    path("pause/", views.pause, name="pause"),
]

club_urls = [
    path("meetings/", views.meetings, name="meetings"),
    path("meetings/wishes/", views.wishes, name="wishes"),
    path("meetings/links/", coming_views.reply_links, name="reply-links"),
    path("fees/", fee_views.fees, name="fees"),
    path("fees/subscriptions/", fee_views.subscriptions, name="subscriptions"),
]

new_table_urls = [
    path("draw/", views.draw_here, name="draw-here"),
]

urlpatterns = [
    path("c/<slug:slug>/meetings/<int:meeting_id>/", include(meeting_urls)),
    path("c/<slug:slug>/sessions/<int:session_id>/", include(session_urls)),
    path("c/<slug:slug>/sessions/0/", include(new_table_urls)),
    path("c/<slug:slug>/", include(club_urls)),
    path("coming/<key:key>/", coming_views.coming, name="coming"),
    path("coming/<key:key>/meetings.ics", coming_views.coming_calendar, name="coming-calendar"),
    path("join/", joining_views.join, name="join"),
    path("join/tables/", joining_views.join_tables, name="join-tables"),
]
