"""Who does something: a login, or a tablet without one, with the name the log shows."""

from dataclasses import dataclass

from sessions_app.models import User


@dataclass(frozen=True)
class Actor:
    user: User | None = None
    name: str = ""

    @classmethod
    def of_user(cls, user):
        """Return the actor who is this login."""
        return cls(user, user.get_full_name() or user.get_username())
