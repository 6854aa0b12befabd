"""Argon2 as in production, but with the least work: the tests make hundreds of passwords and guard none."""

from sessions_app.people.accounts import OneAtATimeArgon2


class QuickArgon2(OneAtATimeArgon2):
    time_cost = 1
    memory_cost = 8
    parallelism = 1
