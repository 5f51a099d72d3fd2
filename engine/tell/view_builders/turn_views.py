"""Builders for views of the current turn, of the standings, and of a game's history."""

from collections.abc import Sequence
from dataclasses import replace

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Company, Draft, Merger, Operating, Stock
from engine.game import Game
from engine.play.end_and_scores import end_announcement
from engine.play.minor_mergers import just_formed_company, next_minor_to_merge
from engine.play.privates.auction import private_asking_price, unsold_privates
from engine.play.rounds import OperatingRound
from engine.play.shares import holdings
from engine.play.shares.holdings import holding_limit, player_has_left_game
from engine.play.table import Table
from engine.play.trains.apply_purchase import blocks_for_deal, deal_sales_target
from engine.play.trains.forced_purchase import bank_train_blocks, bank_train_target, must_buy_train
from engine.tell.narrate import sentences
from engine.tell.teller import teller_of
from engine.tell.view_builders.sale_views import highest_affordable_space_fact
from engine.tell.view_builders.sheet_views import holding_views, player_view
from engine.tell.view_builders.view_parts import bank_text, company_badge, may_see_cash, picture_caption
from engine.tell.views import HistoryView, PlayerView, RoundValuesView, ScoreRow, ScoreView, TurnView


def turn_notes(game: Game) -> tuple[Fact, ...]:
    """Notes on the current turn, one message per line."""
    t = game.table
    current_round = t.state.round
    if isinstance(current_round, Operating) and current_round.turn is not None:
        return _due_train_facts(t)
    if t.state.auction is not None and t.spec.auction.columns:
        return _unsold_private_facts(t)
    if isinstance(current_round, Draft):
        return tuple(_draft_fact(t, seat.id) for seat in t.state.players)
    if isinstance(current_round, Merger) and t.spec.mergers is not None:
        company = just_formed_company(t)
        return _merger_facts(game) if company is None else (_holding_fact(t, company),)
    return ()


def _due_train_facts(t: Table) -> tuple[Fact, ...]:
    """Messages about a train that must be bought: its price, the missing money, and the president's possible sales."""
    purchase_target = deal_sales_target(t) or bank_train_target(t)
    if purchase_target is None or not must_buy_train(t):
        return ()
    missing_money_fact = fact(
        "sheet.missing",
        price=purchase_target.price,
        treasury=t.company.cash,
        cash=t.president(t.company.id).cash,
        missing=purchase_target.missing_dollars(t),
    )
    if t.spec.secret_cash:
        return (missing_money_fact,)
    sale_counts_by_company = (
        blocks_for_deal(t, purchase_target)
        if t.turn.deal is not None
        else bank_train_blocks(t, purchase_target)
    )
    sale_facts = tuple(
        fact(
            "sheet.sale",
            company=company,
            count=max(share_counts),
            money=max(share_counts) * t.price(t.state.companies[company]),
        )
        for company, share_counts in sale_counts_by_company.items()
        if share_counts
    )
    return (
        (missing_money_fact, fact("sheet.sales", sales=sale_facts)) if sale_facts else (missing_money_fact,)
    )


def _unsold_private_facts(t: Table) -> tuple[Fact, ...]:
    """Messages about the packet: the unsold privates of each column from the top, with their bids."""
    unsold_ids = unsold_privates(t)
    columns = ([name for name in column if name in unsold_ids] for column in t.spec.auction.columns)
    return tuple(
        fact("sheet.column", privates=tuple(_private_with_bids(t, name) for name in column))
        for column in columns
        if column
    )


def _private_with_bids(t: Table, private: PrivateId) -> Fact:
    price, bids = private_asking_price(t, private), t.auction.bids.get(private, {})
    if not bids:
        return fact("sheet.lying", private=private, price=price)
    bidders_lowest_first = sorted(bids, key=lambda player: bids[player])
    bid_facts = tuple(
        fact("sheet.bid", player=player, amount=bids[player]) for player in bidders_lowest_first
    )
    return fact("sheet.lying_with_bids", private=private, price=price, bids=bid_facts)


def _draft_fact(t: Table, player: PlayerId) -> Fact:
    """A player's reservations in the draft, and the most expensive space they can pay for, as a message."""
    assert isinstance(t.state.round, Draft)
    reserved_companies = tuple(
        company for company, owner in t.state.round.reserved.items() if owner == player
    )
    reserved_fact = (
        fact("sheet.has_reserved", companies=reserved_companies)
        if reserved_companies
        else fact("sheet.nothing_reserved")
    )
    return fact(
        "sheet.drafting",
        player=player,
        cash=t.cash(player),
        reserved=reserved_fact,
        can=highest_affordable_space_fact(t, player),
    )


def _merger_facts(game: Game) -> tuple[Fact, ...]:
    return tuple(_merger_pairs_fact(offer) for offer in game.offers() if offer.kind == "merge")


def _merger_pairs_fact(offer: Offer) -> Fact:
    pair_labels = tuple(choice.label for choice in OfferCursor(offer).domain.choices())
    return fact("sheet.pairs", company=offer.entity, pairs=pair_labels)


def _holding_fact(t: Table, company: Company) -> Fact:
    """The president's holding in the company that has just formed, and the holding limit, as a message."""
    player = t.president(company.id).id
    percent, limit = company.percent(player), holding_limit(t, company)
    return fact(
        "sheet.holds", player=player, company=company.id, percent=percent, most=limit, price=company.par
    )


def turn_view(game: Game) -> TurnView:
    """View of the current turn: the players who must act, and the steps of the turn."""
    t = game.table
    actors = game.actors()
    is_operating = isinstance(t.state.round, Operating) and t.state.round.turn is not None
    company = _current_company(t)
    teller = teller_of(game)
    return TurnView(
        round_name=teller.round_name(),
        phase=t.state.phase,
        bank=bank_text(game),
        actors=actors,
        actor_names=tuple(map(game.name, actors)),
        entity_name=company.id if company else teller.say(fact("sheet.actors", players=actors)),
        facts_text=teller.say(_company_fact(t, company) if company else _player_fact(game, actors)),
        duty_lines=tuple(map(teller.say, turn_notes(game))),
        steps=_turn_steps(game) if is_operating else (),
        ending=_ending_text(game),
        is_over=game.is_over,
    )


def _ending_text(game: Game) -> str:
    ending = game.table.state.ending
    if ending is None or game.is_over:
        return ""
    return " ".join(sentences([end_announcement(game.table, ending)], game))


def turn_key(game: Game) -> tuple[str, ...]:
    """A key that identifies the current turn: the round, the company whose turn it is, and the players who must act."""
    company = _current_company(game.table)
    return (teller_of(game).round_name(), "" if company is None else company.id, *game.actors())


def _current_company(t: Table) -> Company | None:
    current_round = t.state.round
    if isinstance(current_round, Operating) and current_round.turn is not None:
        return t.company
    if not isinstance(current_round, Merger):
        return None
    return just_formed_company(t) or (next_minor_to_merge(t) if t.spec.mergers is not None else None)


def _company_fact(t: Table, company: Company) -> Fact:
    trains = " ".join([*company.trains, *(f"{train}*" for train in company.obsolete)])
    count = len(company.tokens)
    token_facts = [fact("sheet.tokens", count=count, price=company.tokens[0])] if count else []
    president = t.president(company.id)
    return fact(
        "sheet.line",
        parts=(
            *([] if t.spec.secret_cash else [fact("sheet.treasury", cash=company.cash)]),
            fact("sheet.trains", trains=trains) if trains else fact("sheet.no_trains"),
            *token_facts,
            *company.markers,
            fact("sheet.president", player=president.id, cash=president.cash),
        ),
    )


def _player_fact(game: Game, actors: Sequence[PlayerId]) -> Fact:
    if len(actors) != 1:
        return fact("sheet.line", parts=())
    view = player_view(game, actors[0])
    has_priority = isinstance(game.table.state.round, Stock) and view.has_priority_deal
    return fact(
        "sheet.line",
        parts=(
            *_cash_facts(view),
            fact("sheet.certificates", held=view.certificates, limit=view.certificate_limit),
            *([fact("sheet.priority")] if has_priority else []),
        ),
    )


def _cash_facts(view: PlayerView) -> Sequence[Fact]:
    if view.cash is None:
        return []
    if view.available_cash != view.cash:
        return [fact("sheet.cash_tied", cash=view.cash, free=view.available_cash)]
    return [fact("sheet.cash", cash=view.cash)]


def _turn_steps(game: Game) -> tuple[tuple[str, bool, bool], ...]:
    current_step = game.step()
    steps_done = game.table.turn.done
    say = teller_of(game).say
    operating_round = game.rules.ROUNDS["operating"]
    assert isinstance(operating_round, OperatingRound)
    return tuple(
        (
            say(fact(f"step.{step.name}")),
            step.name in steps_done,
            current_step is not None and current_step.name == step.name,
        )
        for step in operating_round.ordered_steps
        if not step.is_unlisted
        if step.name != "last_chance" or (current_step is not None and current_step.name == step.name)
    )


def score_view(game: Game) -> ScoreView:
    """View of the standings by net worth; final if the game is over (18Chesapeake 12)."""
    t = game.table
    ranks = game.ranks()
    rows = []
    for player, total in game.scores().items():
        shares_held = () if player_has_left_game(t, t.state.player(player)) else holding_views(t, player)
        cash = t.state.player(player).cash
        value_of_shares = sum(holding.value for holding in shares_held)
        rows.append(
            ScoreRow(
                ranks[player],
                player,
                game.name(player),
                cash,
                shares_held,
                total - cash - value_of_shares,
                total,
                currency=game.table.spec.currency,
            )
        )
    return ScoreView(t.spec.name, teller_of(game).say(_heading_fact(game)), tuple(rows))


def _heading_fact(game: Game) -> Fact:
    ending = game.table.state.ending
    if ending is None:
        return fact("standing.now", caption=picture_caption(game))
    reason = fact(f"ending.{ending.reason}")
    if not game.is_over:
        return fact("standing.before_the_end", reason=reason)
    return fact("standing.at_the_end", reason=reason, round=teller_of(game).round_name())


def round_values_view(game: Game) -> RoundValuesView:
    """Net worths and share prices in the current position."""
    t = game.table
    return RoundValuesView(
        teller_of(game).round_name(),
        tuple(holdings.net_worth(t, player) for player in t.state.players),
        tuple(t.price(company) or None for company in t.state.companies.values()),
    )


def history_view(game: Game, rounds: Sequence[RoundValuesView]) -> HistoryView:
    """The history of the game; `rounds` has the net worths and share prices of each round.

    Net worths are left out while money is secret.
    """
    t = game.table
    visible_players = [player.name for player in t.state.players if may_see_cash(t, player.id, None)]
    return HistoryView(
        t.spec.name,
        picture_caption(game),
        tuple(visible_players),
        tuple(company_badge(t, company) for company in t.state.companies),
        tuple(rounds if visible_players else (replace(values, net_worths=()) for values in rounds)),
        currency=t.spec.currency,
    )
