"""A login; one login may belong to several clubs."""
from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    pass
