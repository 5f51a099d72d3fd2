"""A forced purchase, from the obligation to buy to bankruptcy. In order, with the function that plays each part:

1. *Must the company buy?* It has no train, and bank or pool have one: `obligation.must_buy`. For each kind of company
   the title's `must_own` says when: with a route, always, or else it is liquidated.
2. *Whose money?* The treasury's. Where it pays no train of bank or pool, the president adds what is missing for the
   cheapest one: `obligation.emergency`, `obligation.payable`. Whether presidents may help to pay a train of another
   company, and how much: `obligation.may_contribute`, `sales.highest_price` (`president_pays_companies`).
3. *Sales.* Where their cash is not enough either, presidents sell shares by the usual rules: `sales.bank_aim` is what
   for, `sales.blocks` which. The title's `forced_sales` says what would be too much; `emergency_share_limits` works it
   out. In some titles privates may be sold, too (`forced_private_sales`). `sales.note_sale` remembers what a sale
   obliges to. Above the certificate limit sales continue after that: `OverLimitStep`.
4. *A train of another company* that cash does not pay is agreed on first: `agreed.settle`. Then nothing but sales for
   it is possible (`ForcedPurchaseStep`), such that it can still be paid: `agreed.deal_blocks`. The last one buys it:
   `agreed.pay_deal`.
5. *The purchase*, `engine/play/trains/buying.py`: the president pays the difference, the train changes hands, and what
   was remembered of sales is dropped.
6. *No sales would be enough*: `sales.hopeless`. The president goes bankrupt, which ends the game or eliminates them:
   `bankruptcy.go_bankrupt`. A company that ruins nobody is liquidated instead: `bankruptcy.liquidate`.

`engine/play/steps/trains/forced_purchase.py` offers all these decisions, and says why one is not offered.
"""
