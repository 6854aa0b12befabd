"""Writing lines of the log."""

from sessions_app.models import Change

from .rows import insert


def log_change(*facts, **more):
    """Write who did what; the facts are those of change_of."""
    insert(Change, [change_of(*facts, **more)])


def change_of(club, by, action, subject, before, after, why="", session=None):
    """Return who did what to a row (an instance, or a pair of type and id); before and after hold ids, never names."""
    if isinstance(subject, tuple):
        subject_type, subject_id = subject
    else:
        subject_type, subject_id = subject._meta.model_name, subject.pk
    return Change(
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
