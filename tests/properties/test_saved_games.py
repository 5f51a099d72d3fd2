"""Saving and loading a game anywhere changes nothing: neither the position, nor what may be done, nor what follows."""

import json
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.core.errors import Unreadable
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.titles import TITLES
from engine.titles.standard import COMMON_OPTIONS
from tests.support.long_runs import VARIED_TITLES, some_named
from tests.support.players.random_play import RandomPlayer
from tests.support.players.random_players import player_of

TABLES = [f"{name} {profile}" for name, title in TITLES.items() for profile in title.spec.profiles]
OWN_RULES = [f"{title} rulebook" for title in VARIED_TITLES]
MOST = 2500
FAR_ENOUGH = 200
"""So far a game is followed that is still not over: in long runs, and otherwise."""
EVERY = 60
"""About this many actions lie between a save and the next: at most 200 are played on by the game that was loaded."""
LONGEST = 200
OFTEN = 4
"""In one position of this many the offers are compared; in long runs in all."""
LISTED = 12


@pytest.mark.parametrize("table", some_named(OWN_RULES, TABLES))
def test_loaded_game_continues(table: str, game_seed: int, whole_games: bool) -> None:
    """A game, saved and loaded again and again; each copy plays on in parallel."""
    title, profile = table.split()
    players = sorted(TITLES[title].spec.players)[game_seed % 2 + 1]
    # Who must run for the most cannot play by chance.
    options = sorted(TITLES[title].rules.OPTIONS.keys() - COMMON_OPTIONS.keys())[: game_seed % 3]
    game = Game(title, _seats(players), game_seed, profile, frozenset(options), from_log=150)
    player, chance = player_of(title, game_seed), Random(game_seed)
    copy, age = game, LONGEST
    while not game.is_over and game.seq < (MOST if whole_games else FAR_ENOUGH):
        if age == LONGEST or chance.random() < 1 / EVERY:
            copy, age = _loaded(game), 0
        action = player.choose(game)
        assert copy.apply(action) == game.apply(action)
        assert copy.digest() == game.digest()
        if whole_games or game.seq % OFTEN == 0:
            assert [_head(offer) for offer in copy.offers()] == [_head(offer) for offer in game.offers()]
        age += 1
    assert _loaded(game).scores() == game.scores()


def _loaded(game: Game) -> Game:
    text = game.dump()
    copy = Game.load(text)
    assert copy.dump() == text
    assert (copy.digest(), copy.seq, copy.actors()) == (game.digest(), game.seq, game.actors())
    assert (copy.rules.flags, copy.options, copy.players) == (game.rules.flags, game.options, game.players)
    assert [_whole(offer) for offer in copy.offers()] == [_whole(offer) for offer in game.offers()]
    return copy


def _head(offer: Offer) -> tuple[Any, ...]:
    return offer.kind, offer.actor, offer.entity, offer.label, offer.blocking


def _whole(offer: Offer) -> list[Any]:
    """All that an offer says, down to the first values of every slot, with the first of each picked."""
    seen: list[Any] = [_head(offer), [(s.label, s.chosen) for s in offer.suggest()]]
    cursor = OfferCursor(offer)
    while cursor.slot is not None:
        found = [(choice.value, choice.label) for choice in islice(cursor.domain.choices(), LISTED)]
        seen.append((cursor.slot.name, found, cursor.domain.allowed()))
        if not found:
            break
        cursor = cursor.pick(found[0][0])
    return seen


def _seats(players: int) -> list[tuple[str, str]]:
    return [(f"p{number}", f"Player {number}") for number in range(1, players + 1)]


# --- what cannot be loaded -------------------------------------------------------------------------------------------


@pytest.fixture
def saved() -> dict[str, Any]:
    game = Game("18al", _seats(3), 1)
    for _ in range(80):
        game.apply(RandomPlayer(game.seq).choose(game))
    content: dict[str, Any] = json.loads(game.dump())
    return content


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "stationmaster position 9"},
        {"actions": "80"},
        {"state": {}},
        {"map": {"tiles": {"Z99": ["9", 1]}, "tokens": [], "homes": {}, "supply": {}}},
        {"map": {"tiles": {"B1": ["nine", 1]}, "tokens": [], "homes": {}, "supply": {}}},
    ],
    ids=["format", "actions", "state", "hex", "tile"],
)
def test_damaged_position_is_refused(saved: dict[str, Any], damage: dict[str, Any]) -> None:
    assert Game.load(json.dumps(saved)).seq == 80
    with pytest.raises(Unreadable):
        Game.load(json.dumps(saved | damage))


def test_text_that_is_no_position_is_refused() -> None:
    with pytest.raises(Unreadable):
        Game.load("{")


def test_position_of_earlier_fields(saved: dict[str, Any]) -> None:
    """So is one with a field that has gone; its digest tells whether that mattered."""
    del saved["state"]["fresh"]
    saved["state"]["gone"] = 0
    assert Game.load(json.dumps(saved)).table.state.fresh.hexes == []


def test_digest_of_names_and_earlier_forms() -> None:
    """Names are not in it; with one of an earlier form nothing can be compared."""
    ann, bob = Game("18al", _seats(3), 1), Game("18al", [(p, "Bob") for p, _ in _seats(3)], 1)
    assert ann.digest() == bob.digest()
    assert Game.load(bob.dump()).name("p2") == "Bob"
    game = Game("18al", _seats(3), 1)
    assert game.matches_digest(game.digest())
    assert game.matches_digest("0123456789abcdef0123456789abcdef")
    assert not game.matches_digest("2-0123456789abcdef0123456789abcdef")
