"""Positions further on in a game, reached by simple play, as tables of the house."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.markdown import plain_teller
from bot.table.moves.menus import AmountQuestion, ReadyMove, RunQuestion, menu_step
from bot.table.moves.moves import OneClickMove, one_click_moves
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.record import Record, make_record, read_record
from tests.bot.support.records import turn_part
from tests.bot.support.sandbox_bot import SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"
BANKRUPTCY = GOLDEN / "18chesapeake-bankruptcy-3p.json"
"""A recorded game; by its last action a president gives up."""
ENDS = ("Done", "End", "Place no token", "Run $", "Best run", "Pay out $")
STEPS = 8
"""Presses of them that a turn needs at most."""
NAMES = ("Ann", "Bob", "Cy")


def played_to(kind: str, seed: int = 5, title: str = "18chesapeake") -> Record:
    """A game of three just before the first action of this kind is possible."""
    return _course(seed, title).before(kind)


class _Course:
    """One game, played on as far as somebody wants it: what comes early is on the way to what comes late."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._actions: list[Action] = []
        self._found: dict[str, Record] = {}
        self._look()

    def before(self, kind: str) -> Record:
        """The game before the first action of this kind."""
        while kind not in self._found:
            self._actions.append(_simple(self._game).action())
            self._game.apply(self._actions[-1])
            self._look()
        return self._found[kind]

    def _look(self) -> None:
        new = {offer.kind for offer in self._game.offers()} - self._found.keys()
        self._found.update(dict.fromkeys(new, make_record(self._game, self._actions)) if new else {})


@cache
def _course(seed: int, title: str) -> _Course:
    return _Course(Game(title, [(f"p{i}", name) for i, name in enumerate(NAMES, 1)], seed))


async def seated_at(sandbox: SandboxBot, game: Record) -> Seated:
    """The position as a table of Ann, Bob and Cy, or of the first two of them."""
    people = tuple((sandbox.person(name).id, name) for name in NAMES[: len(game.players)])
    place = ImportTarget(sandbox.client.guilds[0].id, sandbox.world.channel_named("table").id, people)
    number = await store_recorded_game(sandbox.client.tables, game, place)
    await sandbox.settled()
    async with sandbox.client.tables.reading(number) as live:
        assert live.row.thread_id is not None
        return Seated(sandbox, number, live.row.thread_id)


async def ruined(sandbox: SandboxBot) -> Seated:
    """A table whose president can do nothing but give up."""
    return await seated_at(sandbox, _before_the_ruin())


@cache
def _before_the_ruin() -> Record:
    return first_moves(BANKRUPTCY.read_text("utf-8"), -1)


def recorded(name: str, moves: int | None = None) -> Record:
    """A recorded game, or its first moves, which are played where it is seated."""
    text = (GOLDEN / f"{name}.json").read_text("utf-8")
    return read_record(text) if moves is None else first_moves(text, moves)


def first_moves(text: str, count: int) -> Record:
    """The first moves of a recorded game (negative: all but the last), which are played where it is seated."""
    whole = read_record(text)
    assert count <= len(whole.actions)
    return replace(whole, actions=whole.actions[:count])


def actor_of(seated: Seated) -> str:
    calls = ((name, seated.sandbox.person(name).mention) for name in NAMES)
    text = turn_part(seated.turn)
    return next(name for name, mention in calls if text.startswith((mention, f"**{name}**")))


async def ends_turn(seated: Seated) -> None:
    """The company that operates does nothing more in its turn."""
    name, turn = actor_of(seated), seated.turn.id
    for _ in range(STEPS):
        labels = [button.label for button in reversed(seated.turn.buttons)]
        await seated.press(name, next(label for label in labels if label.startswith(ENDS)))
        if seated.turn.id != turn:
            return
    raise AssertionError(seated.turn.content)


def _offers(game: Game) -> list[Offer]:
    return [offer for offer in game.offers() if offer.blocking]


def _simple(game: Game) -> OfferCursor:
    """Start companies, then whatever is suggested first, then the first entries of the menus, then pass."""
    for offer in sorted(_offers(game), key=lambda offer: (offer.kind == "pass", offer.kind != "par")):
        quick = one_click_moves(plain_teller(game), offer)
        if quick:
            return OfferCursor(offer).pick_all(quick[0].action.chosen())
        picks: list[str] = []
        while not isinstance(step := menu_step(game, offer, picks), ReadyMove):
            assert not isinstance(step, RunQuestion)  # the best run is suggested
            choices = step.usual_amounts if isinstance(step, AmountQuestion) else step.choices
            picks = [*step.progress.picked, *str(choices[0].value).split(",")]
        return step.move(game, offer.actor)
    raise AssertionError("nobody can act")


def quick_moves(game: Game, player: PlayerId) -> tuple[OneClickMove, ...]:
    """The player's one-click moves in the order of the offers: those without slots, and suggestions."""
    words = plain_teller(game)
    return tuple(quick for offer in game.offers(player) for quick in one_click_moves(words, offer))
