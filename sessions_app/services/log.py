"""Writing lines of the log."""
from sessions_app.models import Change


def log_change(club, by, action, subject, before, after, why="", session=None):
    """Write who did what to a row (an instance, or a pair of type and id); before and after hold ids, never names."""
    if isinstance(subject, tuple):
        subject_type, subject_id = subject
    else:
        subject_type, subject_id = subject._meta.model_name, subject.pk
    return Change.objects.create(
        club=club,
        session=session,
        user=by.user,
        name=by.name,
        action=action,
        subject_type=subject_type,
        subject_id=str(subject_id),
        why=why,
        before=before,
        after=after,
    )
