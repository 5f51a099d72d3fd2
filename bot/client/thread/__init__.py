"""The posts in a game's thread: board, lines, turns, proposals, result.

`desired` computes, from the live game and its stored rows, which posts the thread should have. The database table
`messages` has what it has: each message's role, its id, a digest of its text and buttons, and the names of its
pictures. `apply` sends and edits what differs. It stores a row before it sends a message; if the row has no message id
after a crash, `doubts` looks for the message in the thread.

`turns` and `board_post` read what is needed, call `desired`, and pass the posts to `apply`; `poster.py` does so for
posts that are never edited. `preparations` makes slow parts in the background. Rows of the outbox are marked as sent
once their post is there; those of a turn once all its posts are. Every step can be repeated after a crash without
doubling a post.
"""
