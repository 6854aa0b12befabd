"""Every table as 0037 left it. An installation that has all it replaces goes on with 0038.

An older one is told which version to take first: `wrong_version` in database_state.py.
"""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import sessions_app.people.models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("sessions_app", "0001_clubs_players_ledger_and_results"),
        ("sessions_app", "0002_database_guards"),
        ("sessions_app", "0003_hands_remember_their_chairs"),
        ("sessions_app", "0004_meetings_can_be_watched"),
        ("sessions_app", "0005_practice_tables_never_count"),
        ("sessions_app", "0006_clubs_keep_editions_of_their_rules"),
        ("sessions_app", "0007_house_rules_are_editions"),
        ("sessions_app", "0008_people_come_in_by_invitation"),
        ("sessions_app", "0009_sessions_can_be_void_and_players_erased"),
        ("sessions_app", "0010_another_player_agrees"),
        ("sessions_app", "0011_meetings_have_attendance_and_a_draw"),
        ("sessions_app", "0012_tablets_see_each_other"),
        ("sessions_app", "0013_meetings_have_a_time_a_place_and_fees"),
        ("sessions_app", "0014_players_choose_their_public_name"),
        ("sessions_app", "0015_members_question_hands"),
        ("sessions_app", "0016_members_say_which_player_they_are"),
        ("sessions_app", "0017_sessions_go_on_another_day"),
        ("sessions_app", "0018_sessions_found_by_state"),
        ("sessions_app", "0019_sessions_going_on_are_found"),
        ("sessions_app", "0020_totals_without_hands"),
        ("sessions_app", "0021_late_commands_have_a_reason"),
        ("sessions_app", "0022_new_names_are_confirmed"),
        ("sessions_app", "0023_sticks_remember_debts"),
        ("sessions_app", "0024_email_addresses_are_confirmed"),
        ("sessions_app", "0025_labels_in_plain_words"),
        ("sessions_app", "0026_throttles_and_plain_field_names"),
        ("sessions_app", "0027_rule_labels_in_plain_words"),
        ("sessions_app", "0028_hand_queries"),
        ("sessions_app", "0029_seasons_count_meetings"),
        ("sessions_app", "0030_clubs_change_name_and_address"),
        ("sessions_app", "0031_replies_and_frames"),
        ("sessions_app", "0032_cups_have_winners"),
        ("sessions_app", "0033_players_are_beginners"),
        ("sessions_app", "0034_subscriptions_are_kept"),
        ("sessions_app", "0035_sessions_started_on_a_tablet"),
        ("sessions_app", "0036_clubs_have_logos"),
        ("sessions_app", "0037_corrected_totals_keep_their_round"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
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
                        verbose_name="rules",
                    ),
                ),
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
                (
                    "asks_agreement",
                    models.BooleanField(default=False, verbose_name="another player agrees to each hand"),
                ),
                ("keeps_fees", models.BooleanField(default=False, verbose_name="a list of fees at each meeting")),
                ("points_rate", models.DecimalField(blank=True, decimal_places=2, max_digits=7, null=True)),
                ("refreshments", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("shows_honours", models.BooleanField(default=False, verbose_name="roll of honour is public")),
                ("shows_meetings", models.BooleanField(default=False, verbose_name="meetings are public")),
                ("shows_standings", models.BooleanField(default=False, verbose_name="league table is public")),
                ("table_fee", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                (
                    "currency",
                    models.CharField(
                        choices=[
                            ("£", "Pounds (£)"),
                            ("€", "Euros (€)"),
                            ("$", "Dollars ($)"),
                            ("A$", "Australian dollars (A$)"),
                            ("NZ$", "New Zealand dollars (NZ$)"),
                            ("C$", "Canadian dollars (C$)"),
                            ("HK$", "Hong Kong dollars (HK$)"),
                            ("kr", "Crowns (kr)"),
                            ("CHF", "Swiss francs (CHF)"),
                        ],
                        default="£",
                        max_length=4,
                    ),
                ),
                ("contact_email", models.EmailField(blank=True, default="", max_length=254, verbose_name="contact")),
                ("usual_place", models.CharField(blank=True, default="", max_length=120, verbose_name="usual venue")),
                ("usual_time", models.TimeField(blank=True, null=True, verbose_name="usual start")),
                ("framed_by", models.CharField(blank=True, default="", max_length=400)),
                ("subscription", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("logo_key", models.CharField(blank=True, default="", max_length=40)),
                ("logo_width", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("public_names__in", ["nobody", "initials", "short", "full"])),
                        name="club_public_names_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("refreshments__gte", 0), ("table_fee__gte", 0)),
                        name="club_fees_not_below_nothing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("points_rate", None), ("points_rate__gt", 0), _connector="OR"),
                        name="club_points_rate_above_nothing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency__in", ["£", "€", "$", "A$", "NZ$", "C$", "HK$", "kr", "CHF"])),
                        name="club_currency_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("subscription__gte", 0)), name="club_subscription_not_below_nothing"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OldAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.SlugField(default=sessions_app.people.models.unguessable_key, max_length=60, unique=True),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="old_addresses",
                        to="sessions_app.club",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "old addresses",
            },
        ),
        migrations.CreateModel(
            name="Logo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("picture", models.BinaryField()),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="sessions_app.club"
                    ),
                ),
            ],
        ),
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
                ("sign_ins_ended", models.PositiveIntegerField(default=0)),
                ("email_confirmed", models.BooleanField(default=False)),
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
                ("erased_as", models.CharField(blank=True, default="", max_length=60)),
                (
                    "in_public",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("initials", "Initials"),
                            ("short", "First name"),
                            ("full", "Full name"),
                            ("off", "Not at all: left off every public list"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("to_confirm", models.BooleanField(default=False)),
                ("reply_key", models.CharField(blank=True, max_length=40, null=True, unique=True)),
                ("beginner", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [models.Index(fields=["club", "full_name"], name="player_by_name")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("merged_into", None),
                            models.Q(("merged_into", models.F("id")), _negated=True),
                            _connector="OR",
                        ),
                        name="player_not_merged_into_itself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("in_public__in", ["", "initials", "short", "full", "off"])),
                        name="player_in_public_known",
                    ),
                ],
            },
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
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="memberships",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("club", "user"), name="membership_once_a_club"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["secretary", "scorekeeper", "member"])),
                        name="membership_role_known",
                    ),
                    models.UniqueConstraint(fields=("player",), name="membership_one_login_a_player"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Contact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                ("telephone", models.CharField(blank=True, default="", max_length=40)),
                ("agreed_on", models.DateField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="contact", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("email", ""), ("telephone", ""), _negated=True),
                        name="contact_says_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "token",
                    models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("secretary", "Secretary"), ("scorekeeper", "Scorekeeper"), ("member", "Member")],
                        max_length=12,
                    ),
                ),
                ("once", models.BooleanField(default=True)),
                ("used", models.PositiveIntegerField(default=0)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="invites", to="sessions_app.club"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["secretary", "scorekeeper", "member"])),
                        name="invite_role_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("player", None), ("once", True), _connector="OR"),
                        name="invite_of_a_player_is_for_one",
                    ),
                ],
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
                (
                    "watching_key",
                    models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
                ),
                ("joining_code", models.CharField(blank=True, max_length=6, null=True, unique=True)),
                ("clock_ends_at", models.DateTimeField(blank=True, null=True)),
                ("draw_cost", models.PositiveIntegerField(blank=True, null=True)),
                ("draw_seed", models.PositiveIntegerField(blank=True, null=True)),
                ("place", models.CharField(blank=True, default="", max_length=120)),
                ("starts_at", models.TimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("club", "date", "name"), name="meeting_once")],
            },
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
                        choices=[("settle", "Players settle up"), ("straight", "Each adds up their own score")],
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
                ("trophies", models.JSONField(blank=True, default=list)),
                ("by_meeting", models.BooleanField(default=False)),
                ("position_points", models.JSONField(blank=True, default=list)),
                ("drop_worst", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": ["-starts_on"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "name"), name="season_name_once_a_club"),
                    models.CheckConstraint(
                        condition=models.Q(("ends_on__gte", models.F("starts_on"))), name="season_ends_after_it_starts"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("recording__in", ["settle", "straight"])), name="season_recording_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("best_n__gte", 1)), name="season_best_n_at_least_one"),
                ],
            },
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
                        choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rules"
                    ),
                ),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                (
                    "recording",
                    models.CharField(
                        choices=[("settle", "Players settle up"), ("straight", "Each adds up their own score")],
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
                    models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
                ),
                (
                    "watching_key",
                    models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
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
                ("practice", models.BooleanField(default=False)),
                ("house_edition", models.PositiveIntegerField(default=0)),
                ("club_hands", models.JSONField(blank=True, default=list)),
                ("void", models.BooleanField(default=False)),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
                ("paused", models.BooleanField(default=False)),
                (
                    "goes_on_at",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="going_on",
                        to="sessions_app.meeting",
                    ),
                ),
                ("tablet_key", models.UUIDField(blank=True, null=True)),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="sessions_app.session",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["club", "date", "table"], name="session_by_date"),
                    models.Index(fields=["season", "id"], name="session_latest_in_season"),
                    models.Index(fields=["club", "state", "date"], name="session_by_state"),
                    models.Index(
                        condition=models.Q(("goes_on_at__isnull", False)),
                        fields=["goes_on_at"],
                        name="session_going_on",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "finished"])), name="session_state_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("recording__in", ["settle", "straight"])), name="session_recording_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("table__gte", 1)), name="session_table_counts_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(("practice", False), ("season", None), _connector="OR"),
                        name="session_practice_is_in_no_season",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("void", False), models.Q(("practice", True), ("state", "finished")), _connector="OR"
                        ),
                        name="session_void_never_counts",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("tablet_key__isnull", False)),
                        fields=("club", "tablet_key"),
                        name="session_once_a_tablet_key",
                    ),
                ],
            },
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
                "indexes": [models.Index(fields=["club", "id"], name="change_latest_in_club")],
            },
        ),
        migrations.CreateModel(
            name="Throttle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "db_table": "sessions_app_tries",
            },
        ),
        migrations.CreateModel(
            name="ClubRules",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rules",
                    models.CharField(
                        choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rules"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rules_editions",
                        to="sessions_app.club",
                    ),
                ),
                (
                    "made_by",
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
                "verbose_name_plural": "versions of club rules",
                "ordering": ["rules", "-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "rules", "number"), name="club_rules_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="club_rules_number_counts_from_one"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=60)),
                ("tiles", models.CharField(blank=True, default="", max_length=80)),
                ("text", models.CharField(blank=True, default="", max_length=300)),
                (
                    "worth",
                    models.CharField(
                        choices=[
                            ("limit", "The limit"),
                            ("half limit", "Half the limit"),
                            ("points", "A number of points"),
                        ],
                        default="limit",
                        max_length=10,
                    ),
                ),
                ("points", models.PositiveIntegerField(blank=True, null=True)),
                ("fishing", models.PositiveIntegerField(blank=True, null=True)),
                ("concealed", models.BooleanField(default=True)),
                ("since", models.DateField()),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="own_hands", to="sessions_app.club"
                    ),
                ),
            ],
            options={
                "ordering": ["name", "since", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "key"), name="club_hand_key_once_a_club"),
                    models.CheckConstraint(
                        condition=models.Q(("until", None), ("until__gte", models.F("since")), _connector="OR"),
                        name="club_hand_ends_after_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("points__isnull", False), ("worth", "points")),
                            models.Q(("points__isnull", True), ("worth__in", ["limit", "half limit"])),
                            _connector="OR",
                        ),
                        name="club_hand_worth_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CupWinner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cup", models.CharField(max_length=60)),
                ("year", models.CharField(max_length=20)),
                ("winner", models.CharField(max_length=80)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
            ],
            options={
                "ordering": ["cup", "-year", "winner"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "cup", "year", "winner"), name="cup_winner_once_a_year")
                ],
            },
        ),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("late", models.BooleanField(default=False)),
                ("left", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attendances",
                        to="sessions_app.meeting",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attendances",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("meeting", "player"), name="attendance_once_a_meeting")
                ],
            },
        ),
        migrations.CreateModel(
            name="Reply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_coming", models.BooleanField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="replies", to="sessions_app.meeting"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="replies", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "replies",
                "constraints": [models.UniqueConstraint(fields=("meeting", "player"), name="reply_once_a_meeting")],
            },
        ),
        migrations.CreateModel(
            name="PairWish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("apart", "Kept apart"), ("together", "Kept together")], max_length=10),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pair_wishes", to="sessions_app.club"
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="sessions_app.player"
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("first", "second"), name="pair_wish_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="pair_wish_lower_first"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["apart", "together"])), name="pair_wish_kind_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DrawnTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("players", models.JSONField(default=list)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawn_tables",
                        to="sessions_app.meeting",
                    ),
                ),
                (
                    "session",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="drawn_table",
                        to="sessions_app.session",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="drawn_table_counts_from_one"),
                    models.UniqueConstraint(
                        condition=models.Q(("session", None)),
                        fields=("meeting", "number"),
                        name="drawn_table_number_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MeetingFee",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table_fee", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("refreshments", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("paid", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fees", to="sessions_app.meeting"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="fees", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("meeting", "player"), name="meeting_fee_once_a_meeting"),
                    models.CheckConstraint(
                        condition=models.Q(("refreshments__gte", 0), ("table_fee__gte", 0)),
                        name="meeting_fee_not_below_nothing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("year", models.PositiveSmallIntegerField()),
                ("amount", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("paid", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="subscriptions",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "year"), name="subscription_once_a_year"),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 0)), name="subscription_not_below_nothing"
                    ),
                ],
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
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="sessions_app.session"
                    ),
                ),
            ],
            options={
                "ordering": ["chair"],
                "constraints": [
                    models.UniqueConstraint(fields=("session", "chair"), name="seat_one_a_chair"),
                    models.UniqueConstraint(fields=("session", "player"), name="seat_player_once_a_session"),
                    models.CheckConstraint(condition=models.Q(("chair__gte", 1)), name="seat_chair_counts_from_one"),
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
                            ("arrive", "A player joins"),
                            ("leave", "A player leaves"),
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
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="sessions_app.session"
                    ),
                ),
                ("played_in", models.JSONField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(fields=("session", "key"), name="entry_key_once_a_session"),
                    models.UniqueConstraint(fields=("session", "position"), name="entry_one_at_a_position"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["hand", "arrive", "leave", "seating", "fine", "note"])),
                        name="entry_kind_known",
                    ),
                ],
            },
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
                            ("contested", "Two versions"),
                            ("late", "Kept for the secretary"),
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
                (
                    "late_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("finished", "The session was finished"),
                            ("locked", "The season was locked"),
                            ("key_replaced", "The tablet’s QR code had been replaced"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("outcome__in", ["contested", "late"])),
                        fields=["session"],
                        name="command_waiting_for_choice",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("session", "key"), name="command_key_once_a_session"),
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["applied", "contested", "late", "dropped"])),
                        name="command_outcome_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=40)),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("seen_at", models.DateTimeField()),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="sessions_app.session"
                    ),
                ),
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
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("session", "token"), name="device_once_a_session")],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField()),
                ("after", models.UUIDField(blank=True, null=True)),
                ("body", models.JSONField(default=dict)),
                ("drawn", models.BooleanField(default=False)),
                ("at", models.DateTimeField()),
                (
                    "device",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="draft", to="sessions_app.device"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HandQuery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(blank=True)),
                ("entry_version", models.PositiveIntegerField()),
                ("hand_version", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("stands", "The score is right"), ("corrected", "The hand has been corrected")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("answer", models.TextField(blank=True, default="")),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="queries", to="sessions_app.entry"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="queries", to="sessions_app.session"
                    ),
                ),
                ("read_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(condition=models.Q(("outcome", "")), fields=["session"], name="doubt_open")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["", "stands", "corrected"])), name="doubt_outcome_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at", None), ("outcome", "")),
                            models.Q(models.Q(("outcome", ""), _negated=True), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="doubt_answered_or_not",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("read_at", None), ("answered_at__isnull", False), _connector="OR"),
                        name="doubt_read_once_answered",
                    ),
                ],
                "db_table": "sessions_app_doubt",
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
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hands", to="sessions_app.session"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("session", "number"), name="hand_number_once_a_session"),
                    models.CheckConstraint(
                        condition=models.Q(("number", 0), _negated=True), name="hand_number_not_zero"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wind_of_round__in", ["E", "S", "W", "N"])), name="hand_wind_of_round_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["won", "drawn", "void"])), name="hand_kind_known"
                    ),
                ],
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hand", "seat"), name="player_hand_once_a_hand"),
                    models.UniqueConstraint(
                        condition=models.Q(("wind", ""), _negated=True),
                        fields=("hand", "wind"),
                        name="player_hand_one_a_wind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wind__in", ["E", "S", "W", "N", ""])), name="player_hand_wind_known"
                    ),
                ],
            },
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
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="payment_above_nothing"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("payee", None), models.Q(("payee", models.F("payer")), _negated=True), _connector="OR"
                        ),
                        name="payment_not_to_oneself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("why__in", ["mah-jong", "difference", "penalty", "fine"])),
                        name="payment_why_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hands", models.PositiveIntegerField(blank=True, default=0, null=True)),
                ("won", models.PositiveIntegerField(blank=True, default=0, null=True)),
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
                ("owes", models.JSONField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "tallies",
                "indexes": [models.Index(fields=["season", "player"], name="tally_by_season_and_player")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("gained__gte", 0), ("lost__lte", 0)), name="tally_gained_and_lost_signed"
                    )
                ],
            },
        ),
    ]
