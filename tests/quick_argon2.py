"""Argon2 as in production, but with the least work: the tests make hundreds of passwords and guard none."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    time_cost = 1
    memory_cost = 8
    parallelism = 1
