"""The end of the game: broken bank, last rounds, net worth (18Chesapeake 12)."""

from typing import Literal

from engine.core.events import EndTriggered, GameOver
from engine.core.ids import BANK, PlayerId
from engine.core.spec import EndTiming
from engine.core.state import Ending, Merger, Operating, Stock
from engine.play.shares.holdings import net_worth, player_has_left_game
from engine.play.table import Table


def trigger_end(t: Table, ending: Ending) -> None:
    """Record why the game will end and announce the remaining rounds.

    Ignored if an earlier reason ends the game at least as soon.

    Rules: R-NE-133.
    """
    if t.state.ending is not None and not _ends_game_sooner(t, ending, t.state.ending):
        return
    t.state.ending = ending
    t.emit(end_announcement(t, ending))


def end_announcement(t: Table, ending: Ending) -> EndTriggered:
    """The event that announces the end of the game: the reason and the rounds still to be played."""
    match t.state.round:
        case Operating(number=number, of=round_count):
            rounds_left = round_count - number if game_ends_after(t, ending) == "set" else 0
            return EndTriggered(
                ending.reason, "operating", "round" if rounds_left else "nothing", rounds_left
            )
        case Merger(number=number, of=round_count):
            return EndTriggered(
                ending.reason, "merger", "round", round_count - number or operating_rounds_in_set(t)
            )
        case _:
            return EndTriggered(ending.reason, "stock", _rounds_after_stock_round(t, ending))


def end_if_bank_is_broken(t: Table) -> None:
    """Trigger the end of the game if the bank is broken, that is, at $0 or less (18Chesapeake 12).

    Rules: R-AL-210, R-CH-180, R-NE-130, R-TN-210.
    """
    bank_cash = t.state.bank
    if bank_cash < 0 or (bank_cash == 0 and not t.rules.has_flag("bank_breaks_below_zero")):
        trigger_end(t, Ending("bank", BANK))


def _ends_game_sooner(t: Table, ending: Ending, recorded_ending: Ending) -> bool:
    return (game_ends_after(t, ending), game_ends_after(t, recorded_ending)) == ("round", "set")


def game_ends_after(t: Table, ending: Ending) -> EndTiming:
    """When the game ends for this reason: after the current operating round, or after the whole set.

    Rules: R-AL-210, R-AL-211, R-CH-180, R-NE-130, R-NE-131, R-TN-210, R-TN-211.
    """
    return t.spec.game_end.after_top_price if ending.reason == "price" else t.spec.game_end.after_bank_breaks


def ends_with_stock_round(t: Table) -> bool:
    """True if the game ends with the current stock round.

    Rules: R-CH-307.
    """
    ending = t.state.ending
    is_stock_round = isinstance(t.state.round, Stock)
    return (
        is_stock_round
        and ending is not None
        and ending.reason == "price"
        and t.spec.game_end.may_end_with_stock_round
    )


def _rounds_after_stock_round(t: Table, ending: Ending) -> Literal["nothing", "round", "set"]:
    if ends_with_stock_round(t):
        return "nothing"
    return "round" if t.spec.game_end.one_round_after_stock else game_ends_after(t, ending)


def operating_rounds_in_set(t: Table) -> int:
    """Number of operating rounds in the set that begins now.

    Rules: R-C2C-260.
    """
    is_last_round = t.state.ending is not None and t.spec.game_end.one_round_after_stock
    return 1 if is_last_round else t.phase.operating_rounds


def finish_game(t: Table, ending: Ending | None = None) -> None:
    """End the game now, for this reason."""
    if ending is not None:
        t.state.ending = ending
    assert t.state.ending is not None
    t.state.over = True
    t.state.proposal = None
    t.emit(GameOver(t.state.ending.reason, tuple(scores(t).items())))


def ranks(t: Table) -> dict[PlayerId, int]:
    """Rank of each player by net worth, from 1 for the best; ties keep seat order.

    Players who left the game come last (18NewEngland 13).

    Rules: R-AL-214, R-NE-132, R-NE-133, R-TN-213.
    """
    standing_by_player = {
        player.id: (not player_has_left_game(t, player), net_worth(t, player)) for player in t.state.players
    }
    ranked_players = sorted(standing_by_player, key=lambda player: standing_by_player[player], reverse=True)
    return {
        ranked_player: 1
        + sum(other > standing_by_player[ranked_player] for other in standing_by_player.values())
        for ranked_player in ranked_players
    }


def scores(t: Table) -> dict[PlayerId, int]:
    """Net worth of each player in dollars, best player first."""
    return {player: net_worth(t, t.state.player(player)) for player in ranks(t)}
