"""The named differences that the steps titles share ask for; a profile of a title's table switches them on."""

from collections.abc import Mapping
from typing import Final

from engine.play.rules import Flag

COMMON_FLAGS: Final[Mapping[str, Flag]] = {
    "asks_when_nothing_is_legal": Flag("log", "Steps ask although nothing legal may be left to do."),
    "auction_lowest_bidder_acts": Flag(
        "rule", "Of several bidders for a private the lowest acts next, and a pass is final."
    ),
    "bank_breaks_below_zero": Flag("rule", "The bank is broken only when a payment takes it below $0."),
    "bankruptcy_in_any_step": Flag("rule", "Bankruptcy may be declared in any step of a company's turn."),
    "bankruptcy_before_trains_sells_nothing": Flag(
        "rule", "A president who goes bankrupt outside the train step sells no shares."
    ),
    "bankruptcy_keeps_player": Flag(
        "rule",
        "A bankrupt president sells nothing and stays in the game with their other shares; their companies close.",
    ),
    "bid_cap_counts_own_losing_bid": Flag(
        "log", "A losing bid still counts as money for the same private, although it cannot be spent."
    ),
    "buys_at_the_limit_beside_a_trade_in": Flag(
        "rule",
        "At the train limit any train may be bought where a trade-in is possible; the excess is discarded.",
    ),
    "consent_is_implied": Flag("log", "Sales of trains and privates between players are taken as agreed."),
    "discards_in_any_order": Flag("log", "Any company above the train limit may discard next."),
    "discards_in_list_order": Flag("rule", "Companies discard in the order of the company list."),
    "discount_beside_other_purchases": Flag(
        "rule",
        "A private's cheaper train may come from the pool, and does not count for the trains of a turn.",
    ),
    "face_price_unchecked": Flag("log", "The cheapest private may be bought at any price."),
    "first_round_purchases_hold_no_step": Flag(
        "rule", "Privates that may be bought before their phase keep no step open."
    ),
    "forced_at_face_value": Flag(
        "rule",
        "What a forced purchase needs is reckoned at face value, although a private makes a train cheaper.",
    ),
    "forced_sales_ignore_cert_limit": Flag(
        "rule", "A forced sale does not bring a president back to their certificate limit."
    ),
    "issues_bit_by_bit": Flag("log", "Shares may be issued in several actions before the price falls."),
    "lays_elsewhere_without_home_track": Flag(
        "rule", "A token elsewhere lets a company build there before it builds at home."
    ),
    "new_track_counts_as_a_whole": Flag(
        "rule", "New track is reached by the whole of a new piece, not by any point of it."
    ),
    "obsolete_free_of_limit": Flag("rule", "Obsolete trains do not count for the train limit."),
    "one_vote_ends": Flag("log", "One player may end the game."),
    "only_buyers_trade_privates": Flag("rule", "A private is sold between players only on the buyer's turn."),
    "power_pair_may_be_single": Flag(
        "log", "Of two tiles a private lays together, the second may be left out.", only_old=True
    ),
    "president_helps_although_bank_train_affordable": Flag(
        "rule",
        "For another company's train the president may pay although the treasury can pay a bank train.",
    ),
    "president_pays_other_companies": Flag(
        "rule", "The president's money may also buy another company's train."
    ),
    "private_trade_ignores_cert_limit": Flag(
        "rule", "The certificate limit does not stop players from buying privates."
    ),
    "redemption_holds_no_turn": Flag("rule", "A company's turn ends although it could still redeem shares."),
    "redeems_once_a_turn": Flag("rule", "A company redeems shares once in a turn."),
    "sells_for_the_cheapest_train_only": Flag(
        "rule", "Forced sales go up to the price of the cheapest train."
    ),
    "sells_first_above_limits": Flag(
        "rule", "Above a limit of certificates or shares a player sells before anything else."
    ),
    "sells_in_any_train_step": Flag("rule", "A president may sell in a train step that forces nothing."),
    "sells_more_than_needed": Flag("log", "Sales for a train may bring more than it needs."),
    "separate_auction_round": Flag(
        "rule", "The privates are sold in a round of their own before the first stock round."
    ),
    "share_sales_bind_other_companies_trains": Flag(
        "rule",
        "Once a share is sold in a turn, another company's train above the treasury costs more than there would be "
        "without it.",
    ),
    "trade_ins_buy_from_the_pool": Flag("rule", "A train may be traded in for one in the bank pool, too."),
}
"""Each is a rule people may choose, or leniency that only reading a log needs."""
