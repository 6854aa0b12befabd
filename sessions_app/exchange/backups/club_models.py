"""Which tables hold a club, in which order they are filled, and where ids stand inside JSON."""

from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, JSONField

from sessions_app.models import Change, Club, User

# Ids in JSON are found by the word they stand under; a list or a dictionary of them likewise.
WORDS = {
    "player": "player",
    "players": "player",
    "merged_into": "player",
    "into": "player",
    "meeting": "meeting",
    "season": "season",
    "session": "session",
    "sessions": "session",
    "user": "user",
    "secretary": "user",
    "invite": "invite",
    "first": "player",
    "second": "player",
    "tables": "player",
    "guests": "player",
    "tally": "tally",
}

JSON_WITH_IDS = {("change", "before"), ("change", "after"), ("command", "body"), ("drawntable", "players")}


def club_models() -> Any:
    """Return the models of a club, each after those it points to."""
    own = {model for model in apps.get_app_config("sessions_app").get_models() if hasattr(model, "CLUB_PATH")}
    own.add(Club)
    points_to = {
        model: {field.related_model for field in foreign_keys(model)} & own - {model}
        for model in sorted(own, key=table_name)
    }
    return list(TopologicalSorter(points_to).static_order())


def table_name(model: Any) -> str:
    """Return the name of a model's table in a club's zip, which stays when the model is renamed."""
    return model._meta.db_table.removeprefix("sessions_app_")


def foreign_keys(model: Any) -> Any:
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def json_fields(model: Any) -> Any:
    return [field for field in model._meta.concrete_fields if isinstance(field, JSONField)]


def rows_of(model: Any, club_id: Any, alias: Any) -> Any:
    """Return a queryset of the club's rows of a model, in the order in which they were made."""
    path = getattr(model, "CLUB_PATH", "pk")
    return model._base_manager.using(alias).filter(**{path: club_id}).order_by("pk")


def accounts_of(club_id: Any, alias: Any) -> list[User]:
    return User.objects.using(alias).filter(memberships__club=club_id).order_by("pk")


def remapped_json(model: Any, field: JSONField, row: dict[str, Any], ids: dict[str, dict[int, int]]) -> Any:
    """Return a JSON value of a row with the ids in it replaced; `ids` maps old to new by model's name."""
    value = row[field.attname]
    if (table_name(model), field.name) not in JSON_WITH_IDS:
        return value
    special = BY_ACTION.get(row["action"]) if model is Change else None
    return special(value, ids) if special else _remapped(value, ids, field.name)


def _remapped(value, ids, word=None):
    if isinstance(value, dict):
        return {key: _remapped(inner, ids, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_remapped(inner, ids, word) for inner in value]
    if type(value) is int and word in WORDS:
        return ids[WORDS[word]].get(value)
    return value


def _player_keys(value, ids):
    """Who is here, by the player's id."""
    return {str(ids["player"].get(int(pk), 0)): here for pk, here in value.items()}


def _tables_of_players(value, ids):
    """Who sits at which table, by the table's number."""
    return {number: _remapped(people, ids, "players") for number, people in value.items()}


def _joined(state, ids):
    """What followed a player who was joined into another: rows by the name of their table, wishes, drawn tables."""
    moved = {name: [ids[name].get(pk, 0) for pk in pks] for name, pks in state.get("moved", {}).items()}
    wishes = [{**_remapped(wish, ids), "wish": ids["pairwish"].get(wish["wish"])} for wish in state.get("wishes", [])]
    drawn = [
        {**_remapped(table, ids), "table": ids["drawntable"].get(table["table"], 0)} for table in state.get("drawn", [])
    ]
    made = {"moved": moved, "wishes": wishes, "drawn": drawn}
    return {name: made[name] if name in made else _remapped({name: value}, ids)[name] for name, value in state.items()}


BY_ACTION = {
    "attendance": _player_keys,
    "fees": _player_keys,
    "places": _tables_of_players,
    "merge": _joined,
    "unmerge": _joined,
}


def remapped_subject(row: Any, ids: Any) -> Any:
    """Return the subject of a line of the log; what is not the club's own any more becomes 0, which nothing has."""
    if row["subject_type"] not in ids or not row["subject_id"].isdecimal():
        return row["subject_id"]
    return str(ids[row["subject_type"]].get(int(row["subject_id"]), 0))
