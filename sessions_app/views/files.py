"""Answering with a file; the club's log says who took it out."""

from django.http import HttpResponse

from sessions_app.services.exports import note_export
from sessions_app.views.door import actor

CSV = "text/csv; charset=utf-8"


def file_answer(content, name, content_type):
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def csv_file(request, club, text, name, what, session=None):
    """Answer with a CSV and note in the log what was taken out, "the league table" for instance."""
    if request.method == "GET":
        note_export(club, what, by=actor(request), session=session)
    return file_answer(text, name, CSV)
