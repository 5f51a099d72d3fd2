"""A second statement of when privates lay tiles or place tokens; where they may is for the map to say."""

from collections.abc import Iterator

from tests.referees.classic.auction import Auction
from tests.referees.classic.model import Private
from tests.referees.classic.rounds import Play
from tests.referees.classic.turn import OperatingRound


def usable(play: Play) -> set[str]:
    """Privates whose power to lay or to place could be used now, as far as the map allows it."""
    if play.round.step == "free_token":
        return {play.world.title.free_token}
    if play.round.step == "move_station":
        return {"NWR"}
    privates = play.world.open_privates()
    return {private.name for private in privates if _is_left(play, private) and _now(play, private)}


def _is_left(play: Play, private: Private) -> bool:
    here = play.round
    return not private.spent or (isinstance(here, OperatingRound) and here.again == private.name)


def _now(play: Play, private: Private) -> bool:
    """R-1830-051, R-1830-052, R-1889-027, R-1889-051, R-1889-052, R-GA-080, R-GA-081."""
    here, when = play.round, play.world.title.powers.get(private.name)
    if when is None or isinstance(here, Auction):
        return False
    if isinstance(private.owner, int):
        return when == "player" and (not isinstance(here, OperatingRound) or here.untouched)
    if not isinstance(here, OperatingRound) or here.crowded or private.owner != here.now.company.name:
        return False
    return here.step in set(_steps(here, when))


def _steps(here: OperatingRound, when: str) -> Iterator[str]:
    """Steps of a company's turn in which its private may be used."""
    turn = here.now
    match when:
        case "seller":
            yield "seller_lay"
        case "any moment" | "any moment, unawaited":
            yield from turn.steps if not turn.aside else ()
        case "but dividend":
            yield from turn.steps if not turn.aside and turn.steps[0] != "dividend" else ()
        case "track":
            yield "track"
        case "lay" if not turn.laid:
            yield "track"
        case "token" if turn.company.charter:
            yield "token"
