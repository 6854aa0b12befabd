"""How much of a long random walk is played on each run: a third of it, and all with --long."""

# tests/conftest.py says so before it reads any test.
is_long = False


def share_of(examples):
    return examples if is_long else -(-examples // 3)


def shared(cases, turn=0):
    """Return every third of the cases; the turns of a test take the three thirds in turn."""
    return cases if is_long else cases[turn % 3 :: 3]
