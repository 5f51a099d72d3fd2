"""Posts in the thread of a game: the board, lines, turns, proposals, the result.

`desired` says, from the live game and its stored rows, which posts the thread should show. The table
`messages` says what it shows: the role of each message, its number, a digest of its words and buttons, and
its pictures by name. `apply` makes the difference. It notes a message before it sends it; one without a
number is in doubt, and `doubts` looks for it by what no rewording changes.

`turns` and `board_post` read what is needed, let `desired` work out the posts, and hand these to `apply`;
`poster.py` does so for posts that are never edited. What takes long to make is made by `preparations`. Rows
of the outbox are ticked off when their post is there, those of a turn when all is done that it leads to.
Each step changes nothing when it is repeated: after a crash all are.
"""
