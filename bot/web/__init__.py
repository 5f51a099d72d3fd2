"""The board page: a server of its own, at which browsers look at a table, follow it and play.

`server` puts the routes together: `opening` (links, the shell and its files), `positions`, `past` and `looking`
(reading), `playing` (moves), `events` (news). `access` says who asks and how refusals are said, `limits` how often they
may. What keeps a processor busy is done by workers: `facts`, `closer`, `pictures` and `choices` are functions of a game
alone. It imports the tables, the workers, and of `bot.client` the rate limits and in which capacity somebody acts.
"""
