import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import sessions_app.people.models
import sessions_app.table.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",  # noqa: E501
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",  # noqa: E501
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("time_zone", models.CharField(default="Europe/London", max_length=60)),
                (
                    "rules",
                    models.CharField(
                        choices=sessions_app.people.models.rule_set_choices,
                        default="bmja",
                        max_length=40,
                        verbose_name="rule set",
                    ),
                ),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                (
                    "public_names",
                    models.CharField(
                        choices=[
                            ("nobody", "Nothing is shown in public"),
                            ("initials", "Initials"),
                            ("short", "Short names"),
                            ("full", "Full names"),
                        ],
                        default="nobody",
                        max_length=10,
                    ),
                ),
                ("suit_names", models.JSONField(blank=True, default=dict)),
                ("stick_set", models.CharField(blank=True, default="", max_length=40, verbose_name="tally sticks")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("public_names__in", ["nobody", "initials", "short", "full"])),
                        name="club_public_names_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField()),
                ("position", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand", "Hand"),
                            ("arrive", "Somebody arrives"),
                            ("leave", "Somebody leaves"),
                            ("seating", "Who really sat where"),
                            ("fine", "Fine"),
                            ("note", "Note"),
                        ],
                        max_length=10,
                    ),
                ),
                ("body", models.JSONField(default=dict)),
                ("taken_out", models.BooleanField(default=False)),
                ("version", models.PositiveIntegerField(default=1)),
                ("device", models.CharField(blank=True, default="", max_length=80)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry_version", models.PositiveIntegerField()),
                ("number", models.IntegerField()),
                ("wind_of_round", models.CharField(max_length=1)),
                ("goulash", models.BooleanField(default=False)),
                (
                    "kind",
                    models.CharField(choices=[("won", "Won"), ("drawn", "Drawn"), ("void", "Void")], max_length=5),
                ),
                ("chairs", models.JSONField()),
                ("east_stays", models.BooleanField()),
                ("next_is_goulash", models.BooleanField()),
                ("edition", models.PositiveIntegerField()),
                ("question", models.TextField(blank=True, default="")),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hand", to="sessions_app.entry"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Meeting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField()),
                ("name", models.CharField(blank=True, default="", max_length=80)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="meetings", to="sessions_app.club"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("secretary", "Secretary"), ("scorekeeper", "Scorekeeper"), ("member", "Member")],
                        max_length=12,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="sessions_app.club"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("full_name", models.CharField(blank=True, max_length=120)),
                ("short_name", models.CharField(blank=True, max_length=40)),
                ("guest", models.BooleanField(default=False)),
                ("left_on", models.DateField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="players", to="sessions_app.club"
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="sessions_app.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("starts_on", models.DateField()),
                ("ends_on", models.DateField()),
                ("rules", models.JSONField(default=list, verbose_name="rule sets")),
                (
                    "recording",
                    models.CharField(
                        choices=[("settle", "Players settle up"), ("straight", "Each adds the own score")],
                        default="settle",
                        max_length=10,
                    ),
                ),
                ("method", models.CharField(default="average", max_length=20)),
                ("minimum_sessions", models.PositiveSmallIntegerField(default=3)),
                ("minimum_hands", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("best_n", models.PositiveSmallIntegerField(default=8)),
                ("version", models.PositiveIntegerField(default=1)),
                ("locked", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="sessions_app.club"
                    ),
                ),
            ],
            options={
                "ordering": ["-starts_on"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chair", models.PositiveSmallIntegerField()),
                ("at_start", models.BooleanField(default=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "ordering": ["chair"],
            },
        ),
        migrations.CreateModel(
            name="PlayerHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("wind", models.CharField(blank=True, default="", max_length=1)),
                ("points", models.IntegerField(blank=True, null=True)),
                ("doubles", models.IntegerField(blank=True, null=True)),
                ("times", models.IntegerField(blank=True, null=True)),
                ("total", models.IntegerField(default=0)),
                ("limited", models.BooleanField(default=False)),
                ("special", models.CharField(blank=True, default="", max_length=60)),
                ("fishing_for", models.CharField(blank=True, default="", max_length=60)),
                ("won", models.BooleanField(default=False)),
                ("lines", models.JSONField(default=list)),
                ("net", models.IntegerField(default=0)),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="player_hands", to="sessions_app.hand"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="player_hands", to="sessions_app.seat"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField()),
                ("table", models.PositiveSmallIntegerField()),
                (
                    "rules",
                    models.CharField(
                        choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rule set"
                    ),
                ),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                (
                    "recording",
                    models.CharField(
                        choices=[("settle", "Players settle up"), ("straight", "Each adds the own score")],
                        default="settle",
                        max_length=10,
                    ),
                ),
                ("edition", models.PositiveIntegerField(default=1)),
                ("starting_balance", models.IntegerField(default=0)),
                ("sticks", models.CharField(blank=True, default="", max_length=40, verbose_name="tally sticks")),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("finished", "Finished")], default="open", max_length=10
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("imported", models.BooleanField(default=False)),
                (
                    "scoring_key",
                    models.CharField(default=sessions_app.table.models.unguessable_key, max_length=40, unique=True),
                ),
                (
                    "watching_key",
                    models.CharField(default=sessions_app.table.models.unguessable_key, max_length=40, unique=True),
                ),
                ("chairs", models.JSONField(blank=True, default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sessions", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sessions", to="sessions_app.meeting"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sessions",
                        to="sessions_app.season",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="seat",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="sessions_app.session"
            ),
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("amount", models.IntegerField()),
                ("why", models.CharField(max_length=20)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="payments", to="sessions_app.entry"
                    ),
                ),
                (
                    "payee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received",
                        to="sessions_app.seat",
                    ),
                ),
                (
                    "payer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="paid", to="sessions_app.seat"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="payments", to="sessions_app.session"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="hand",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="hands", to="sessions_app.session"
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="sessions_app.session"
            ),
        ),
        migrations.CreateModel(
            name="Command",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField()),
                ("kind", models.CharField(max_length=20)),
                ("body", models.JSONField(default=dict)),
                ("device", models.CharField(blank=True, default="", max_length=80)),
                ("after", models.UUIDField(blank=True, null=True)),
                ("seats", models.JSONField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("applied", "Applied"),
                            ("contested", "Another hand stands there"),
                            ("late", "Came after the session was finished"),
                            ("dropped", "Not chosen"),
                        ],
                        max_length=10,
                    ),
                ),
                ("answer", models.JSONField(default=dict)),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="commands", to="sessions_app.session"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("action", models.CharField(max_length=40)),
                ("subject_type", models.CharField(max_length=40)),
                ("subject_id", models.CharField(max_length=40)),
                ("why", models.TextField(blank=True, default="")),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="changes", to="sessions_app.club"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="sessions_app.session",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hands", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("gained", models.IntegerField(default=0)),
                ("lost", models.IntegerField(default=0)),
                ("net", models.IntegerField(default=0)),
                ("balance", models.IntegerField(default=0)),
                ("best_hand", models.IntegerField(blank=True, null=True)),
                ("sticks", models.JSONField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tallies", to="sessions_app.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tallies",
                        to="sessions_app.season",
                    ),
                ),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tally", to="sessions_app.seat"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tallies", to="sessions_app.session"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "tallies",
            },
        ),
        migrations.AddConstraint(
            model_name="meeting",
            constraint=models.UniqueConstraint(fields=("club", "date", "name"), name="meeting_once"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("club", "user"), name="membership_once_a_club"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["secretary", "scorekeeper", "member"])), name="membership_role_known"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["club", "full_name"], name="player_by_name"),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("merged_into", None), models.Q(("merged_into", models.F("id")), _negated=True), _connector="OR"
                ),
                name="player_not_merged_into_itself",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(fields=("club", "name"), name="season_name_once_a_club"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_on__gte", models.F("starts_on"))), name="season_ends_after_it_starts"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("recording__in", ["settle", "straight"])), name="season_recording_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("best_n__gte", 1)), name="season_best_n_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="playerhand",
            constraint=models.UniqueConstraint(fields=("hand", "seat"), name="player_hand_once_a_hand"),
        ),
        migrations.AddConstraint(
            model_name="playerhand",
            constraint=models.UniqueConstraint(
                condition=models.Q(("wind", ""), _negated=True), fields=("hand", "wind"), name="player_hand_one_a_wind"
            ),
        ),
        migrations.AddConstraint(
            model_name="playerhand",
            constraint=models.CheckConstraint(
                condition=models.Q(("wind__in", ["E", "S", "W", "N", ""])), name="player_hand_wind_known"
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["club", "date", "table"], name="session_by_date"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["season", "id"], name="session_latest_in_season"),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "finished"])), name="session_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("recording__in", ["settle", "straight"])), name="session_recording_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("table__gte", 1)), name="session_table_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("session", "chair"), name="seat_one_a_chair"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("session", "player"), name="seat_player_once_a_session"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(condition=models.Q(("chair__gte", 1)), name="seat_chair_counts_from_one"),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="payment_above_nothing"),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("payee", None), models.Q(("payee", models.F("payer")), _negated=True), _connector="OR"
                ),
                name="payment_not_to_oneself",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("why__in", ["mah-jong", "difference", "penalty", "fine"])), name="payment_why_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(fields=("session", "number"), name="hand_number_once_a_session"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(("number", 0), _negated=True), name="hand_number_not_zero"
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(("wind_of_round__in", ["E", "S", "W", "N"])), name="hand_wind_of_round_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["won", "drawn", "void"])), name="hand_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("session", "key"), name="entry_key_once_a_session"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("session", "position"), name="entry_one_at_a_position"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["hand", "arrive", "leave", "seating", "fine", "note"])),
                name="entry_kind_known",
            ),
        ),
        migrations.AddIndex(
            model_name="command",
            index=models.Index(
                condition=models.Q(("outcome__in", ["contested", "late"])),
                fields=["session"],
                name="command_waiting_for_choice",
            ),
        ),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.UniqueConstraint(fields=("session", "key"), name="command_key_once_a_session"),
        ),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["applied", "contested", "late", "dropped"])),
                name="command_outcome_known",
            ),
        ),
        migrations.AddIndex(
            model_name="change",
            index=models.Index(fields=["club", "id"], name="change_latest_in_club"),
        ),
        migrations.AddIndex(
            model_name="tally",
            index=models.Index(fields=["season", "player"], name="tally_by_season_and_player"),
        ),
        migrations.AddConstraint(
            model_name="tally",
            constraint=models.CheckConstraint(
                condition=models.Q(("gained__gte", 0), ("lost__lte", 0)), name="tally_gained_and_lost_signed"
            ),
        ),
    ]
