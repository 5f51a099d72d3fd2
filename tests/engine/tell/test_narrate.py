"""What happened, in a line each: every event in every case it knows."""

import pytest

from engine.core import events as e
from engine.core.actions import BuyTrain
from engine.core.facts import fact
from engine.tell.narrate import event_fact, sentences
from engine.tell.words import Style
from tests.support.facts_named import event_names
from tests.titles.builders import Position

MARKS = Style(strong="*{}*".format, heading="_{}_".format)
AGREED = e.TrainPurchaseAgreed("PRR", "8", "SRR", 500, 120)
ASKED = BuyTrain(actor="a", entity="PRR", train="8", source="SRR", trade_in="", price=50)

TOLD: list[tuple[e.Event, str]] = [
    # A agreed train
    (AGREED, "*PRR* (Ann) agrees to buy an 8-train from *SRR* for $500; $120 is still missing."),
    # The start and the auction
    (e.CertificateDrawn("CV", "PRR", True), "CV comes with the president's certificate of *PRR*."),
    (e.CertificateDrawn("CV", "PRR", False), "CV comes with a share of *PRR*."),
    (e.EventTrainDrawn("4", "a flood"), "The first 4-train brings a flood."),
    (e.TrainAdded("3"), "A 3-train is added to the bank; the bank sells it next."),
    (e.TilesTakenBack(("B3", "C3")), "The yellow tiles in B3 and C3 are removed."),
    (e.TilesTakenBack(()), "No yellow tile is removed."),
    (e.LayRewarded("PRR", "B3", 20), "*PRR* (Ann) receives $20 for the tile on B3."),
    (e.LayRewarded("a", "B3", 10, "CV"), "*Ann* receives $10 for the tile on B3 with CV."),
    (e.BidPlaced("a", "CV", 205), "*Ann* bids $205 on CV."),
    (
        e.BidUnpaid("a", "CV", 205, 80),
        "*Ann* has $80 free and cannot pay the $205 bid on CV: the bid is void.",
    ),
    (e.PrivateBought("a", "CV", 205), "*Ann* wins Cornelius Vanderbilt (CV) for $205."),
    (e.PrivateBought("a", "D&R", 0), "*Ann* gets Delaware and Raritan Canal (D&R) for free."),
    (e.PrivateRemoved("a", "CV"), "*Ann* takes CV out of the game."),
    (e.PriceReduced("D&R", 15), "All pass: Delaware and Raritan Canal (D&R) is reduced to $15."),
    (e.ShareReceived("b", "B&O", 10, False), "*Bob* receives 10% of *B&O*."),
    (e.ShareReceived("b", "B&O", 20, True), "*Bob* receives the president's certificate of *B&O*."),
    # Shares
    (e.Parred("a", "LV", 80, 20, 160), "*Ann* pars *LV* at $80 and buys 20% for $160."),
    (e.Parred("a", "LV", 80, 20, 0), "*Ann* pars *LV* at $80."),
    (e.ShareBought("a", "LV", 10, 80, "offering"), "*Ann* buys a 10% share of *LV* from the IPO for $80."),
    (
        e.ShareBought("a", "LV", 10, 80, "offering", 100),
        "*Ann* buys a 10% share of *LV* from the IPO for $80; its treasury gets $100.",
    ),
    (e.ShareBought("a", "LV", 10, 80, "market"), "*Ann* buys a 10% share of *LV* from the market for $80."),
    (e.ShareRemoved("LV"), "A market share of *LV* leaves the game."),
    (
        e.SharesSold("a", "LV", 3, 80, 80, 50),
        "*Ann* sells 3 shares of *LV* at $80 for $240. Share price $80 → $50.",
    ),
    (e.PresidentChanged("LV", "a", "b"), "*Bob* becomes president of *LV*."),
    (e.Floated("PRR", 800, 0), "*PRR* floats with $800."),
    (e.Floated("PRR", 800, 40), "*PRR* floats with $800; 40% of its shares go to the market."),
    (e.ShareBought("b", "PRR", 10, 70, "PRR"), "*Bob* buys a 10% share of *PRR* from its treasury for $70."),
    (e.CompaniesDrawn(("LV", "SRR"), "3"), "LV, SRR are not available before phase 3."),
    (e.CompaniesAvailable(("LV", "SRR")), "LV, SRR are now available."),
    (e.CompanyReserved("a", "LV"), "*Ann* reserves *LV*."),
    (
        e.ReservationsReturned("a", ("LV", "SRR")),
        "*Ann* gives back LV, SRR and passes for the rest of the round.",
    ),
    (e.MinorStarted("b", "LV", 70, "top", 140), "*Bob* starts *LV* at $70 (top), paying $140."),
    (e.SharesRedeemed("PRR", 2, 140, 60), "*PRR* (Ann) redeems 2 shares for $140. Treasury $60."),
    (
        e.SharesIssued("PRR", 1, 2, 350, 400),
        "*PRR* (Ann) issues 1 share from its IPO and 2 redeemed shares for $350. Treasury $400.",
    ),
    (e.SharesRedeemed("PRR", 1, 70, 60, "b"), "*PRR* (Ann) redeems a share from Bob for $70. Treasury $60."),
    (e.SharesReissued("PRR", 2, 90), "*PRR* (Ann) reissues 2 redeemed shares at $90."),
    (
        e.ShareBought("b", "PRR", 10, 90, "reissued", 90),
        "*Bob* buys a 10% share of *PRR*, reissued, for $90.",
    ),
    (e.Privatized("a", "PRR", "b", 10, 88), "*Ann* takes 10% of *PRR* from Bob for $88."),
    (e.PriceFell("PRR", 110, 80), "*PRR*'s share price $110 → $80."),
    (e.HalfPaid("PRR", 30, "a", 15), "*PRR* (Ann) splits $30: Ann $15, treasury $15."),
    (
        e.DestinationReached("PRR", "PRR", "B3", takes_no_space=False, keeps_reserved_token=False),
        "*PRR* runs to its destination and places its token on B3.",
    ),
    (
        e.DestinationReached("PRR", "LV", "B3", takes_no_space=True, keeps_reserved_token=False),
        "*PRR* runs to its destination and places its token on B3, without using a slot.",
    ),
    (
        e.DestinationReached("PRR", "PRR", "B3", takes_no_space=False, keeps_reserved_token=True),
        "*PRR* runs to its destination B3, where it already has a token, so its reserved token may go elsewhere.",
    ),
    (
        e.CoastToCoastRunProved("PRR", "3D", "B3", "B11", 100, 110),
        "*PRR* (Ann) runs a 3D-train from coast to coast, B3 to B11. Share price $100 → $110.",
    ),
    (e.PriceMoved("PRR", 80, 85), "*PRR* is sold out. Share price $80 → $85."),
    (e.PriceMoved("PRR", 85, 80), "*PRR*'s share price $85 → $80."),
    (e.CompanyClosed("PRR"), "*PRR* closes."),
    # Cards, takeovers and receivership
    (e.RandomlyRemoved(("PRR", "LV"), ("CV",)), "Out of this game: *PRR*, *LV*, CV."),
    (e.RandomlyRemoved((), ("CV",)), "Out of this game: CV."),
    (e.CardDrafted("a"), "*Ann* takes a card in secret."),
    (
        e.DraftRoundEnded(2),
        "Round 2 of the draft is over.",
    ),
    (
        e.TookOver("PRR", "LV", 60, ("2",), 160),
        "*PRR* (Ann) takes over *LV*: $60 and 2-train. Treasury $160.",
    ),
    (e.TookOver("PRR", "LV", 0, (), 100), "*PRR* (Ann) takes over *LV*: $0 and no train. Treasury $100."),
    (e.SubsidyPaid("PRR", 90), "*PRR* (Ann) receives $90 from the bank as it starts."),
    (e.WentIntoReceivership("PRR"), "*PRR* has no president and goes into receivership."),
    (e.LeftReceivership("PRR", "a"), "*Ann* becomes president of *PRR*, which leaves receivership."),
    (
        e.SharesSurrendered("b", "PRR", 2, 80),
        "2 shares of *PRR* from *Bob* go to the market for $80 each; its share price stays.",
    ),
    (
        e.SharesIssued("PRR", 0, 2, 120, 200),
        "*PRR* (Ann) issues 2 shares from its treasury for $120. Treasury $200.",
    ),
    # Mergers, and who or what leaves the game
    (
        e.MajorFormed("a", "PRR", ("LV", "C&O"), 130, 20, 0, 85, ("2", "3"), ("B3", "B11")),
        "*Ann* merges *LV* and *C&O* into *PRR* at $130: treasury $85, trains 2 3, tokens in B3, B11.",
    ),
    (
        e.MajorFormed("a", "PRR", ("LV",), 100, 20, 40, 60, (), ("B3",)),
        "*Ann* converts *LV* into *PRR* at $100, paying $40: treasury $60, trains none, token in B3.",
    ),
    (
        e.CompaniesUnited("PRR", "LV", "a", 180, 380, ("4", "3"), ()),
        "*LV* and *PRR* merge into *PRR* (Ann) at $180: treasury $380, trains 4 3.",
    ),
    (
        e.CompaniesUnited("PRR", "LV", "a", 180, 380, (), ("B3", "B11")),
        "*LV* and *PRR* merge into *PRR* (Ann) at $180: treasury $380, trains none; tokens in B3 and B11 go "
        "back to the charter.",
    ),
    (
        e.NationalFormed("PRR", ("LV", "C&O"), "a", 100, 5, 90, 1, 7),
        "*PRR* (Ann) forms from *LV* and *C&O*: share price $100, 5% a share, treasury $90, 1 token on the map, 7 "
        "on its charter.",
    ),
    (
        e.NationalNotFormed("PRR", ("LV", "C&O")),
        "*PRR* does not form: no player would have two shares of it. Left without a train: LV and C&O.",
    ),
    (
        e.SharesExchanged("PRR", (("a", 3, 100), ("b", 2, 0))),
        "Shares are exchanged for shares of *PRR*: Ann 3 and $100, Bob 2.",
    ),
    (
        e.TrainsShuffled("PRR", fact("sheet.shells", first="3 4", second=fact("sheet.empty_shell"))),
        "*PRR* (Ann) redistributes its trains: 3 4 | none.",
    ),
    (
        e.TokenReturned("PRR", "B3", 40),
        "*PRR* (Ann) returns a token from B3 to the $40 space of its charter.",
    ),
    (e.Liquidated("LV", 60), "*LV* has no train and is liquidated; its $60 goes to the bank."),
    (e.PlayerEliminated("b", 230), "*Bob* is out of the game; $230 goes to the bank."),
    (e.PlayerEliminated("b", 230, "PRR"), "*Bob* is out of the game; $230 goes to *PRR*."),
    # Tokens that companies get
    (
        e.TokensBought("PRR", (40, 60), 100, 0, 720),
        "*PRR* (Ann) buys tokens of $40, $60 for $100; one is for its destination. Treasury $720.",
    ),
    (
        e.TokensBought("PRR", (40, 60, 80, 100), 280, 1, 720),
        "*PRR* (Ann) buys tokens of $40, $60, $80, $100 for $280; one is for its destination, plus a "
        "bull token. Treasury $720.",
    ),
    (e.TokensBought("PRR", (), 0, 0, 720), "*PRR* (Ann) buys no token."),
    (
        e.TokensReceived("PRR", (40, 60), "TBC", 1),
        "*PRR* (Ann) receives tokens of $40, $60 from TBC for free; one is for its destination.",
    ),
    (e.TokensReceived("PRR", (60,), "TBC", 0), "*PRR* (Ann) receives tokens of $60 from TBC for free."),
    # Track, tokens, runs
    (e.HomePlaced("PRR", "F2"), "*PRR* (Ann) places its home token on F2 (Harrisburg)."),
    (e.TileLaid("PRR", "F4", "57", 1, 0, 800, None), "*PRR* (Ann) lays #57 (rotation 1) on F4."),
    (
        e.TileLaid("PRR", "F4", "57", 1, 80, 720, "B&S"),
        "*PRR* (Ann) lays #57 (rotation 1) on F4 with B&S for $80. Treasury $720.",
    ),
    (e.TokenPlaced("PRR", "F2", 0, 800), "*PRR* (Ann) places a free token on F2 (Harrisburg)."),
    (
        e.TokenPlaced("PRR", "F2", 40, 760),
        "*PRR* (Ann) places a token on F2 (Harrisburg) for $40. Treasury $760.",
    ),
    (
        e.TrainsRan("PRR", (("2", ("F2", "F8"), (30, 40)), ("3", ("F2", "G5", "H6"), (30, 0, 20))), 120),
        "*PRR* (Ann) runs for $120: 2-train Harrisburg-Washington DC (F2-F8) 30+40=70; "
        "3-train Harrisburg-G5-Baltimore (F2-G5-H6) 30+20=50.",
    ),
    (e.TrainsRan("PRR", (), 0), "*PRR* (Ann) runs no train."),
    (
        e.DividendDecided("PRR", 120, 12, 0, 80, 90),
        "*PRR* (Ann) pays out $120, $12 a share: Ann $72. Share price $80 → $90.",
    ),
    (
        e.DividendDecided("PRR", 120, 6, 60, 80, 80),
        "*PRR* (Ann) pays out $60, $6 a share: Ann $36; $60 to the treasury. Share price stays at $80.",
    ),
    (
        e.DividendDecided("PRR", 120, 0, 120, 80, 70),
        "*PRR* (Ann) withholds $120 (treasury $800). Share price $80 → $70.",
    ),
    (e.DividendDecided("PRR", 0, 0, 0, 80, 70), "*PRR* (Ann) pays no dividend. Share price $80 → $70."),
    (
        e.RevenueLost("PRR", 120, "civil war"),
        "*PRR* (Ann) loses $120 to the civil war; its share price stays.",
    ),
    (e.MarkersGiven("civil war", ("PRR", "SRR")), "*Civil war*: *PRR*, *SRR* marked."),
    (e.MarkersGiven("civil war", ()), "*Civil war*: no company gets a marker."),
    (
        e.ObjectiveReached("PRR", "H6", 100),
        "*PRR* (Ann) reaches its historical objective on H6 (Baltimore) and receives $100.",
    ),
    (
        e.StepSkipped("PRR", "token", fact("skipped.too_dear", price=40, cash=20)),
        "*PRR* (Ann) places no token: the next token costs $40 and it has only $20.",
    ),
    # Trains
    (
        e.TrainBought("PRR", "2", "bank", 80, 0, "", 720),
        "*PRR* (Ann) buys a 2-train from the bank for $80. Treasury $720.",
    ),
    (
        e.TrainBought("PRR", "8", "pool", 900, 100, "4", 0),
        "*PRR* (Ann) buys an 8-train from the bank pool for $900, trading in a 4-train; Ann contributes $100. "
        "Treasury $0.",
    ),
    (
        e.TrainBought("PRR", "2", "SRR", 1, 0, "", 799),
        "*PRR* (Ann) buys a 2-train from *SRR* for $1. Treasury $799.",
    ),
    (
        e.PhaseStarted("3"),
        "-- *Phase 3*: green tiles, 2 ORs per set, companies may buy privates (50-200%) --",
    ),
    (e.TrainsRusted("2", (("PRR", 2), ("SRR", 1))), "2-trains rust: *PRR* 2, *SRR* 1."),
    (e.TrainsRusted("2", ()), "2-trains rust."),
    (e.TrainsMadeObsolete("4", (), ()), "4-trains are obsolete."),
    (
        e.TrainsMadeObsolete("4", ("PRR",), ("SRR",)),
        "4-trains are obsolete: *PRR* may run theirs once more; *SRR* loses them at once.",
    ),
    (
        e.TrainsMadeObsolete("4", (), ("PRR", "SRR", "LV")),
        "4-trains are obsolete; *PRR*, *SRR* and *LV* lose them at once.",
    ),
    (e.ObsoleteTrainsRemoved("PRR", ("4", "4")), "*PRR* (Ann) discards its obsolete 4-train, 4-train."),
    (e.CompensationPaid("PRR", "3", 70), "*PRR* (Ann) receives $70 for its 3-trains."),
    (e.BonusReceived("PRR", "H4", 50), "*PRR* (Ann) receives $50 for H4 (Strasburg)."),
    (e.HelpFeePaid("a", "PRR", 50), "*Ann* pays a fee of $50 for helping *PRR*."),
    (e.DebtGrew("a", 76, 227), "*Ann* owes $76 more and now has a debt of $227."),
    (e.TrainDiscarded("PRR", "8"), "*PRR* (Ann) discards an 8-train to the bank pool (limit 4)."),
    (
        e.TrainDiscarded("PRR", "4", is_obsolete=True),
        "*PRR* (Ann) discards an obsolete 4-train, which leaves the game (limit 4).",
    ),
    (e.TrainExported("2"), "A 2-train is exported (7 left)."),
    # Privates
    (
        e.IncomePaid((("a", "D&R", 5), ("PRR", "C-P", 10))),
        "Privates pay *Ann* $5 (D&R), *PRR* (Ann) $10 (C-P).",
    ),
    (e.PrivateSold("PRR", "C-P", "b", 40), "*PRR* (Ann) buys C-P from Bob for $40."),
    (e.PrivateClosed("C-P"), "C-P closes."),
    (
        e.TrainReceived("PRR", "2", "CV"),
        "*PRR* (Ann) receives a 2-train from CV and can never sell it.",
    ),
    (
        e.PrivateTrainForfeited("PRR", "2", "CV"),
        "The 2-train of CV leaves the game: PRR can no longer take it.",
    ),
    (e.MarkerReceived("PRR", "Pan American", ""), "*PRR* (Ann) receives the Pan American marker."),
    (e.MarkerReceived("PRR", "coal", "H6"), "*PRR* (Ann) places the coal token on H6 (Baltimore)."),
    (
        e.MarkerBought("PRR", "Engineer", "bank", 50),
        "*PRR* (Ann) buys an Engineer marker from the bank for $50.",
    ),
    (e.MarkerBought("PRR", "Engineer", "LV", 50), "*PRR* (Ann) buys an Engineer marker from *LV* for $50."),
    (e.BullPlaced("PRR", "H6", False, 0), "*PRR* (Ann) places its bull token on H6 (Baltimore)."),
    (
        e.BullPlaced("PRR", "H6", True, 2),
        "*PRR* (Ann) places its bull token on H6 (Baltimore), without using a slot; 2 other tokens of its charter "
        "leave the game.",
    ),
    (e.CityRelabelled("PRR", "CV", "H6", "P"), "*PRR* (Ann) makes H6 (Baltimore) a P city with CV."),
    (
        e.PrivateGivenUp("PRR", "CV", 140),
        "*PRR* (Ann) closes CV: up to $140 of terrain costs are free this turn.",
    ),
    (e.PrivateGivenUp("PRR", "CV", 0), "*PRR* (Ann) closes CV: only PRR now earns from its token."),
    (e.MarkerLost("PRR", "coal"), "The coal of *PRR* (Ann) leaves the game."),
    # The table
    (e.RoundStarted("operating", 2, 1), "_OR 2.1_ begins."),
    (e.RoundStarted("stock", 2), "_SR 2_ begins."),
    (e.RoundStarted("stock", 2, first_player="b"), "_SR 2_ begins. Bob has the priority deal."),
    (e.Passed("a"), "*Ann* passes."),
    (e.Passed("PRR", fact("declined.token")), "*PRR* (Ann) declines to place a token."),
    (e.Passed("a", fact("declined.auction", private="CV")), "*Ann* drops out of the auction of CV."),
    (e.Proposed("PRR", "b", ASKED), "*Bob* receives a proposal: PRR buys an 8-train from SRR for $50."),
    (e.ProposalEnded("b", ASKED, False), "*Bob* refuses the proposal: PRR buys an 8-train from SRR for $50."),
    (
        e.ProposalEnded("a", ASKED, True),
        "*Ann* withdraws the proposal: PRR buys an 8-train from SRR for $50.",
    ),
    (e.WentBankrupt("a", "PRR"), "*Ann* is bankrupt: *PRR* must have a train and cannot pay for one."),
    (
        e.EndTriggered("bank", "operating", "round", 1),
        "*The bank is broken*: this operating round and 1 more will be played, then the game ends.",
    ),
    (e.EndVoted("a", 1, 3), "*Ann* votes to end the game now (1 of 3)."),
    (
        e.GameOver("bank", (("b", 900), ("a", 700))),
        "*The game is over*: the bank is broken. Bob $900, Ann $700.",
    ),
]


@pytest.mark.parametrize(
    ("event", "line"), TOLD, ids=lambda value: type(value).__name__ if not isinstance(value, str) else ""
)
def test_event_is_one_line(event: e.Event, line: str) -> None:
    """At a table where Ann is president of the PRR."""
    game = Position().start("PRR", 80, a=60).game()
    assert sentences([event], game, MARKS) == [line]


def test_every_event_has_a_line_here() -> None:
    """Nothing is said for the first time in a game."""
    table = Position().start("PRR", 80, a=60).game().table
    facts = [event_fact(event, table) for event, _ in TOLD]
    assert {fact.name for fact in facts if fact is not None} == {name for name, _ in event_names()}


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        ([e.Passed("PRR")], []),  # that a company continues is not worth a line
        (
            [e.CompanyClosed("LV"), *map(e.PrivateClosed, ("D&R", "C-P", "CV")), e.Floated("PRR", 800, 0)],
            ["LV closes.", "D&R, C-P and CV close.", "PRR floats with $800."],
        ),
        (
            [e.PhaseStarted("3"), e.PrivateClosed("CV")],
            ["-- Phase 3: green tiles, 2 ORs per set, companies may buy privates (50-200%) --", "CV closes."],
        ),
    ],
)
def test_lines_of_several_events(events: list[e.Event], lines: list[str]) -> None:
    """In their order; privates that close together are one line."""
    assert sentences(events, Position().start("PRR", 80, a=60).game()) == lines
