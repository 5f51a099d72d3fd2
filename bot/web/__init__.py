"""The board page: a server of its own, at which browsers look at a table, follow it and play.

`board_server` puts the routes together: `page_files` (links, the shell and its files), `position_answers`,
`history_answers` and `hexes_and_routes` (reading), `playing`, `agreeing` and `planning` (moves, consent, plans),
`event_stream` (news). `connections` lets browsers in, `addresses` says from where they come, `access` who asks and
how refusals are said, `page_limits` how often they may, `change_requests` what every change needs. What keeps a
processor busy is done by workers: `position_as_json`, `close_ups_as_json`, `board_pictures`, `offers_as_json` and
`tries` are functions of a game alone. It imports the tables and the workers alone; what only
Discord knows or shows it is given as functions (`board_server.Behind`) by `bot/tools/board_page.py`.
"""
