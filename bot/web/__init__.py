"""The board page: its own server, where browsers view a table, follow it and play.

`board_server` puts the routes of the features together: `page_files` (the shell and its files),
`position_answers`, `history_and_close_ups` and `planning` (reading), `moves`, `undo_and_proposals` and
`what_ifs_and_orders` (which begin as `change_requests`), `event_stream` (news), and pages of HTML:
`games_page`, `event_page` and `result_page`. Each answers with one `context.Page`. The rooms of `entry` come
before every answer. Work for a processor is done by workers: `position_as_json`, `offers_as_json` and
`plans_as_json` are functions of a game alone. It imports the tables and the workers alone; what only Discord
knows or shows it is given as functions (`context.PageServices`) by `bot/tools/board_page.py`.
"""
