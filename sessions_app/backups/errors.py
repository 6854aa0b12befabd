"""What keeps a backup from being made, trusted or restored, as one sentence."""


class BackupError(RuntimeError):
    """Shown as it is to whoever ran the command."""
