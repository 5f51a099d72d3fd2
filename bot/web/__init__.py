"""The board page: a web server of the bot, where browsers view a game, follow it live and play.

`board_server` combines the routes of all features. `page_files` serves static files. `position_answers`,
`history_and_close_ups` and `planning` serve data to read. `moves`, `undo_and_proposals` and `what_ifs_and_orders`
handle requests for changes, which `change_requests` checks first. `event_stream` pushes new positions. `games_page`,
`event_page` and `result_page` are pages of plain HTML.

All routes share one `context.PageContext`. Every request first passes the checks in `entry`. Worker processes run
`position_as_json`, `offers_as_json` and `plans_as_json`, which need nothing but a game. This package imports only the
tables (live games) and the workers. Discord's side is passed in as functions, `context.PageServices`, by
`bot/tools/board_page.py`.
"""
