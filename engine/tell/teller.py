"""Turns the engine's messages (`Fact`) about one game into sentences, with players' names and rulebook sections."""

from collections.abc import Callable, Mapping
from functools import partial

from engine.core.errors import EngineError, IllegalAction, ReplayDiverged
from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.offers import Choice
from engine.core.spec import TitleSpec
from engine.core.state import Auction, Draft, State, Stock
from engine.game import Game
from engine.play.table import Table
from engine.tell.words import PLAIN_STYLE, NameFunctions, SentenceWriter, Style, english_templates


class Teller:
    """Turns messages (`Fact`) about one game into sentences, with its players' and companies' names."""

    def __init__(
        self,
        spec: TitleSpec,
        state: State,
        *,
        style: Style = PLAIN_STYLE,
        templates: Mapping[str, str] | None = None,
    ) -> None:
        """`templates` has a language's texts by key; the default is English."""
        self._spec = spec
        self._state = state
        # Nothing here refers to the teller itself: a move creates many tellers, and without reference cycles they are
        # freed at once.
        self._sentence_writer = SentenceWriter(
            english_templates() if templates is None else templates,
            NameFunctions(
                partial(_name_of_entity, state),
                partial(_president_name, state),
                partial(_hex_with_name, spec),
            ),
            style,
            is_money_secret=spec.secret_cash and not state.over,
            currency=spec.currency,
        )

    def name_of(self, entity: str) -> str:
        """The name of a player, or the abbreviation of a company or private."""
        return _name_of_entity(self._state, entity)

    def hex_name(self, coord: Coord) -> str:
        """A hex with its printed name, such as `J2 (Allentown)`."""
        return _hex_with_name(self._spec, coord)

    def say(self, statement: Fact) -> str:
        """The sentence for a message (`Fact`)."""
        return self._sentence_writer.say(statement)

    def label(self, choice: Choice) -> str:
        """The menu label of a choice."""
        return self.say(choice.label)

    def refusal(self, problem: IllegalAction) -> str:
        """The error message for an illegal action: the broken rule, its rulebook section, and the legal actions."""
        return refusal(problem, self.say, self._spec.sections)

    def round_name(self) -> str:
        """The current round in short form, such as `Auction`, `SR 2`, `OR 2.1`."""
        return self.say(_round_name_fact(self._state, self._spec))


def _name_of_entity(state: State, entity: str) -> str:
    return state.player(entity).name if state.is_player(entity) else entity


def _president_name(state: State, entity: str) -> str:
    company = state.companies.get(entity)
    return _name_of_entity(state, company.president) if company is not None and company.president else ""


def _hex_with_name(spec: TitleSpec, coord: str) -> str:
    """The hex with its name, such as `J2 (Allentown)`; only the coordinate if no name is printed."""
    hex_spec = spec.map.all_hexes.get(coord)
    return f"{coord} ({hex_spec.name})" if hex_spec is not None and hex_spec.name else coord


def current_round_fact(t: Table) -> Fact:
    """The name of the current round as a message, such as `OR 2.1`."""
    return _round_name_fact(t.state, t.spec)


def sale_name_fact(spec: TitleSpec) -> Fact:
    """The name of the initial sale: `Auction`, or `Draft` if each player takes privates at face value."""
    return fact("round.drafting" if spec.auction.is_drafted else "round.auction")


def _round_name_fact(state: State, spec: TitleSpec) -> Fact:
    current_round = state.round
    if isinstance(current_round, Auction):
        return sale_name_fact(spec)
    if isinstance(current_round, Draft):
        return fact("round.draft")
    if isinstance(current_round, Stock):
        return fact("round.stock", number=current_round.number)
    return numbered_round_fact(current_round.kind, current_round.set, current_round.number)


def numbered_round_fact(kind: str, set_number: int, number: int) -> Fact:
    """The name of an operating or merger round, such as `OR 2.1` for the first round of set 2."""
    if not number:
        return fact("round.merger_of_stock", set=set_number)
    return fact(f"round.{kind}", set=set_number, number=number)


def teller_of(game: Game, style: Style = PLAIN_STYLE) -> Teller:
    """A Teller (which writes sentences) for the game's current position."""
    return Teller(game.rules.spec, game.table.state, style=style)


def refusal(problem: IllegalAction, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    """The error message for an illegal action; `sections` has the title's rulebook sections by topic or message key."""
    sentence = _reason_text(problem.reason, say, sections)
    if problem.allowed is None:
        return sentence
    lists_moves = problem.allowed.name == "allowed.now"
    fact_key = "refusal.possible" if lists_moves else "refusal.allowed"
    return say(fact(fact_key, refusal=sentence, allowed=problem.allowed))


def _reason_text(reason: Fact, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    section = sections.get(reason.name) or sections.get(reason.topic)
    if section is None:
        return say(fact("refusal.plain", reason=reason))
    return say(fact("refusal.with_section", reason=reason, section=section))


def describe_error(error: EngineError, game: Game | None = None) -> str:
    """The text of an error, with names and rulebook sections if the game is known.

    Errors in title data are shown unchanged.
    """
    say = SentenceWriter(english_templates(), NameFunctions()).say if game is None else teller_of(game).say
    sections = {} if game is None else game.rules.spec.sections
    if isinstance(error, ReplayDiverged):
        return _replay_error_text(error, say, sections)
    return refusal(error, say, sections) if isinstance(error, IllegalAction) else str(error)


def _replay_error_text(error: ReplayDiverged, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    reason = error.reason or fact("log.other_position")
    problem = refusal(IllegalAction(reason, error.allowed), say, sections)
    if error.action is None:
        return say(fact("log.stopped", number=error.seq, problem=problem))
    return say(fact("log.stopped_at", number=error.seq, action=error.action, problem=problem))
