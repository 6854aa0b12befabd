"""What keeps a backup from being made, trusted or restored, as one sentence."""


class BackupError(RuntimeError):
    """Shown as it is to whoever ran the command."""


class BrokenDatabase(BackupError):
    """What should be backed up is no database, or no longer one."""
