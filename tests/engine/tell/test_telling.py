"""Telling changes nothing: whatever the words are, the game is the same, and none of them is kept in it."""

import json
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache

import pytest

from engine.core.errors import ReplayDiverged
from engine.core.events import Event
from engine.core.facts import fact
from engine.core.offers import Routes
from engine.game import Game
from engine.record import Record
from engine.tell.narrate import sentences
from engine.tell.teller import Teller, describe_error
from engine.tell.view_builders import company_view, map_view, market_view, score_view, turn_view
from engine.tell.words import Style, english_templates
from tests.golden.positions import FOLDER, golden
from tests.support.long_runs import VARIED_GAMES, some_named
from tests.titles.builders import Position, do, new_game, tell

LIKE_ANOTHER = "18c2c_full-bank-2p"
"""Written in the words of the super-short game, and three times as long."""
GOLDEN = sorted({path.stem for path in FOLDER.glob("*.json")} - {LIKE_ANOTHER})
OFTEN = 5
"""In one position of this many the options are written out."""
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
"""One in JSON."""
MARKDOWN = Style(strong="**{}**".format, heading="__{}__".format)


def played(own: Record) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    game = own.initial_game()
    for action in own.actions:
        yield game, game.apply(action)


def _often(own: Record) -> int:
    """About 40 positions of a game are compared, all of them where the options are written out, too."""
    return OFTEN * (1 + len(own.actions) // (40 * OFTEN))


def offered(game: Game) -> None:
    teller = tell(game)
    for offer in game.offers():
        teller.say(fact("allowed.now", labels=(offer.label,)))
        if offer.slots and not isinstance(domain := offer.slots[0].domain({}), Routes):
            for choice in domain.choices():
                teller.label(choice)


def shown(game: Game) -> None:
    for view in (map_view, market_view, score_view):
        view(game)
    for company in game.table.state.companies:
        company_view(game, company)


def other_words(book: Mapping[str, str]) -> Mapping[str, str]:
    return {name: f"zq {' zq '.join(reversed(_fields(template)))} zq" for name, template in book.items()}


def _fields(template: str) -> list[str]:
    found = string.Formatter().parse(template)
    return [f"{{{field}:{spec}}}" if spec else f"{{{field}}}" for _, field, spec, _ in found if field]


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, GOLDEN))
def test_other_words_are_the_same_game(name: str, monkeypatch: pytest.MonkeyPatch, whole_games: bool) -> None:
    """Whatever happens is written in words that say nothing: it changes nothing, and the game ends as recorded.

    What may be done, and how it looks, is written now and then; in long runs in every position.
    """
    own = golden(name)
    # There is one language: no game chooses its book.
    other = other_words(english_templates())
    monkeypatch.setattr("engine.tell.teller.english_templates", lambda: other)
    states = []
    for number, (game, happened) in enumerate(played(own)):
        compared = number % _often(own) == 0
        silent = game.digest() if compared else ""
        sentences(happened, game, MARKDOWN)
        if whole_games or number % OFTEN == 0:
            offered(game)
            turn_view(game)
        if compared:
            assert game.digest() == silent
            states.append(json.dumps(asdict(game.table.state), default=str, skipkeys=True))
    shown(game)
    assert game.matches_digest(own.digest)
    assert "zq" in turn_view(game).round_name
    assert said_in(states) == set()
    assert not any("zq" in state for state in states)


def said_in(texts: Iterable[str]) -> set[str]:
    text = "\n".join({found for one in texts for found in STRING.findall(one)})
    return {phrase for phrase in phrases() if phrase in text}


@cache
def phrases() -> set[str]:
    """Pieces of templates that no id could be: two words at least."""
    parts = (
        part for template in english_templates().values() for part, *_ in string.Formatter().parse(template)
    )
    return {piece for part in parts if " " in (piece := part.strip()) and any(map(str.isalpha, piece))}


def test_line_has_emphasis_and_language() -> None:
    """The book that is given is the one that is used."""
    game = new_game()
    happened = do(game, "bid", "a", private="D&R", amount=20)
    assert sentences(happened, game)[0] == "Ann wins Delaware and Raritan Canal (D&R) for $20."
    assert sentences(happened, game, MARKDOWN)[0] == "**Ann** wins Delaware and Raritan Canal (D&R) for $20."
    game = new_game()
    teller = Teller(game.rules.spec, game.table.state, templates={"round.auction": "Enchères"})
    assert teller.round_name() == "Enchères"


def test_failure_cites_the_section() -> None:
    game = Position().start("PRR", 80, a=60).operating("PRR").game()
    error = ReplayDiverged(
        7, fact("consent.nothing_proposed"), action=fact("log.action", kind="answer", by="a")
    )
    said = "action 7 (answer by a): There is no proposal to answer"
    assert describe_error(error) == f"{said}."
    assert describe_error(error, game) == f"{said} (11.7)."
    assert describe_error(ReplayDiverged(7)) == "action 7: The position differs from the recorded one."
