"""Pages of the club's players: the list, adding, changing and merging; and a member's own page."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Count, Sum
from django.forms import model_to_dict
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.league.methods import sum_of_known
from sessions_app.models import Club, Contact, Membership, Player, Tally
from sessions_app.people.account_forms import WhoIAmForm
from sessions_app.people.clubs import link_player
from sessions_app.people.fuzzy_names import close_names
from sessions_app.people.log import Actor
from sessions_app.people.merging import differing_facts, merge_players, undo_merge, why_not_merge
from sessions_app.people.models import PlayerQuerySet
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.people.player_forms import (
    ListedForm,
    MeForm,
    MergedFactsForm,
    MergeForm,
    PlayerChangeForm,
    PlayerForm,
)
from sessions_app.people.players import (
    FACTS,
    add_player,
    change_player_facts,
    confirm_player,
    name_order,
    new_reply_key,
    rename_player,
    set_contact,
)
from sessions_app.people.transactions import write_transaction
from sessions_app.web.access import MemberRequest, actor, club_member, form_of
from sessions_app.web.requests import errors_in, errors_shown, parse_id, posted, whole_address

NOTHING: Mapping[str, Any] = {"sessions": 0, "hands": None, "won": None, "net": 0}


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def players(request: MemberRequest, club: Club) -> HttpResponse:
    form = form_of(request, SCOREKEEPER, lambda: PlayerForm(club, posted(request)))
    if request.method == "POST" and form:
        by, player = actor(request), None
        if "confirm" in request.POST:
            to_confirm = Player.objects.of_club(club).filter(to_confirm=True)
            player = get_object_or_404(to_confirm, pk=parse_id(request.POST["confirm"]))
            confirm_player(player, by=by)
        elif form.is_valid():
            data = form.cleaned_data
            with write_transaction():
                player = add_player(club, data["full_name"], data["short_name"], data["guest"], by=by)
                # Only the secretary sees and keeps contact details.
                if form.has_contact() and request.membership.role in SECRETARY:
                    set_contact(player, **form.contact(), by=by)
        if player:
            messages.success(request, f"{player.full_name} is on the club’s list.")
            return redirect("players", club.slug)
    return _players(request, club, form)


@require_POST
@club_member(*SECRETARY)
def players_listed(request: MemberRequest, club: Club) -> HttpResponse:
    """List the selected players as members, guests or beginners."""
    present = sorted(_listed(club).filter(left_on=None, to_confirm=False), key=name_order)
    listing = ListedForm(present, request.POST)
    if not listing.is_valid():
        return _players(request, club, PlayerForm(club), listing)
    chosen, listed_as = listing.cleaned_data["chosen"], listing.cleaned_data["listed_as"]
    with write_transaction():
        for pk in chosen:
            change_player_facts(listing.players[pk], by=actor(request), **listing.facts())
    plural = pluralize(len(chosen))
    messages.success(request, f"{len(chosen)} player{plural} listed as {listed_as}{plural}.")
    return redirect("players", club.slug)


def _listed(club: Club) -> PlayerQuerySet:
    return Player.objects.of_club(club).filter(merged_into=None).exclude(full_name="")


def _players(
    request: MemberRequest, club: Club, form: PlayerForm | None, listing: ListedForm | None = None
) -> HttpResponse:
    """Show the list; `form` adds a player, and `listing` has the errors where several were to be listed."""
    listed = sorted(_listed(club), key=name_order)
    current = [player for player in listed if player.left_on is None and not player.to_confirm]
    is_secretary = request.membership.role in SECRETARY
    wrong = next((shown for shown in (form, listing) if shown and shown.errors), None)
    context = {
        "club": club,
        "form": form,
        "wrong": wrong,
        "listing": listing or (ListedForm(current) if is_secretary else None),
        "players": current,
        "to_confirm": [player for player in listed if player.to_confirm],
        "former": [player for player in listed if player.left_on],
        "may_add": form is not None,
        "is_secretary": is_secretary,
    }
    return render(request, "people/players.html", context, status=422 if wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def player_change(request: MemberRequest, club: Club, player_id: int) -> HttpResponse:
    player = _get_player(club, player_id)
    form = PlayerChangeForm(club, posted(request), player=player, initial=_stored(player))
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            _change_player(player, form, actor(request))
            messages.success(request, f"The details of {player.full_name} are saved.")
            return redirect("players", club.slug)
    context = {"club": club, "player": player, "form": form, "joined": player.merged.order_by("pk")}
    return render(request, "people/player_change.html", context, status=422 if form.errors else 200)


def _stored(player: Player) -> dict[str, Any]:
    contact = Contact.objects.filter(player=player).first()
    details = model_to_dict(contact, ("email", "telephone", "agreed_on")) if contact else {}
    return {**model_to_dict(player, ("full_name", "short_name", *FACTS)), **details}


def _change_player(player: Player, form: PlayerChangeForm, by: Actor) -> None:
    data = form.cleaned_data
    with write_transaction():
        if (data["full_name"], data["short_name"]) != (player.full_name, player.short_name):
            rename_player(player, data["full_name"], data["short_name"], by=by)
        change_player_facts(player, by=by, **form.facts())
        set_contact(player, by=by, **form.contact())


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def player_merge(request: MemberRequest, club: Club, player_id: int) -> HttpResponse:
    """Choose the other player, see what will change, then merge."""
    player = _get_player(club, player_id)
    data = request.GET if request.method != "POST" and "other" in request.GET else posted(request)
    form, facts = MergeForm(player, _others(club, player), data), None
    context = {"club": club, "player": player, "form": form}
    if form.is_valid():
        gone, kept = form.gone_and_kept()
        facts = MergedFactsForm(gone, kept, differing_facts(gone, kept), posted(request))
        if request.method == "POST" and facts.is_valid():
            with errors_in(form):
                merge_players(gone, kept, by=actor(request), facts=facts.facts())
                messages.success(request, f"{gone} has been merged into {kept}. You can undo the merge here.")
                return redirect("player-change", club.slug, kept.pk)
        context |= {"facts": facts, **_preview(gone, kept)}
    is_wrong = form.errors or (facts and facts.errors)
    return render(request, "people/player_merge.html", context, status=422 if is_wrong else 200)


@require_POST
@club_member(*SECRETARY)
def player_unmerge(request: MemberRequest, club: Club, player_id: int) -> HttpResponse:
    gone = get_object_or_404(Player.objects.of_club(club).select_related("merged_into"), pk=player_id)
    kept = gone.merged_into
    with errors_shown(request):
        undo_merge(gone, by=actor(request))
        messages.success(request, f"The merge is undone. {gone} and {kept} are two people again.")
    return redirect("player-change", club.slug, (kept or gone).pk)


def _get_player(club: Club, player_id: int) -> Player:
    return get_object_or_404(Player.objects.of_club(club).filter(merged_into=None, erased_as=""), pk=player_id)


def _others(club: Club, player: Player) -> list[Any]:
    """Return the other players, those with similar names first."""
    others = Player.objects.of_club(club).filter(merged_into=None, erased_as="").exclude(pk=player.pk).order_by("pk")
    near = close_names(str(player), [str(other) for other in others])
    likeness = {name: place for place, name in enumerate(near)}
    return sorted(others, key=lambda other: (likeness.get(str(other), len(near)), name_order(other)))


def _preview(gone: Player, kept: Player) -> dict[str, Any]:
    counted = Tally.objects.filter(player__in=[gone, kept], session__practice=False).played()
    sums = counted.values("player").annotate(
        sessions=Count("session"), hands=Sum("hands"), won=Sum("won"), net=Sum("net")
    )
    by_player: dict[int, Mapping[str, Any]] = {row["player"]: row for row in sums.order_by("player")}
    own = [by_player.get(player.pk, NOTHING) for player in (gone, kept)]
    return {
        "gone": gone,
        "kept": kept,
        "rows": list(zip((gone, kept), own, strict=True)),
        "together": {name: sum_of_known(row[name] for row in own) for name in NOTHING},
        "problems": why_not_merge(gone, kept),
        "two_contacts": Contact.objects.filter(player__in=[gone, kept]).count() == len(own),
    }


# A member's own page: name in public and contact details.


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def me(request: MemberRequest, club: Club) -> HttpResponse:
    """A member's own choices; without a linked player the page lets them choose one, or says whom to ask."""
    player = None
    if pk := request.membership.player_id:
        players = Player.objects.filter(pk=pk, merged_into=None, erased_as="")
        player = players.select_related("club").first()
    if player is None:
        return _who_i_am(request, club)
    if "new_link" in request.POST:
        new_reply_key(player)
        messages.success(request, "Here is your own link.")
        return redirect("me", club.slug)
    form = MeForm(player, Contact.objects.filter(player=player).first(), posted(request))
    if request.method == "POST" and form.is_valid():
        by = actor(request)
        with write_transaction():
            change_player_facts(player, by=by, in_public=form.cleaned_data["in_public"])
            set_contact(player, by=by, **form.contact(club.today))
        messages.success(request, "Your choices are saved.")
        return redirect("me", club.slug)
    context = {"club": club, "player": player, "form": form}
    if player.reply_key:
        context["own_link"] = whole_address(request, reverse("coming", args=[player.reply_key]))
        context["own_calendar"] = whole_address(request, reverse("coming-calendar", args=[player.reply_key]))
    return render(request, "people/me.html", context, status=422 if form.errors else 200)


def _who_i_am(request: MemberRequest, club: Club) -> HttpResponse:
    """Let a member say which player they are; the secretary links those who gave contact details."""
    form = WhoIAmForm(request.membership, posted(request))
    if request.method == "POST" and form.is_valid():
        player = form.cleaned_data["player"]
        with errors_in(form):
            link_player(request.membership, player, by=actor(request))
            messages.success(request, f"You play as {player}.")
            return redirect("me", club.slug)
    secretaries = Membership.objects.of_club(club).filter(role__in=SECRETARY).select_related("user").order_by("pk")
    names = [membership.user.display_name for membership in secretaries]
    context = {"club": club, "player": None, "form": form, "secretaries": names}
    return render(request, "people/me.html", context, status=422 if form.errors else 200)
