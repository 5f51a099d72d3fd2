"""The posts in a game's thread: board, lines, turns, proposals, result.

- `desired` computes the posts that the thread should have, from the live game and stored rows.
- The database table `messages` records the posts that the thread has: role, message id, a digest of text and buttons,
  and the names of the pictures.
- `apply` sends or edits posts that differ. It stores a row before it sends a message.
- `doubts` searches the thread, after a crash, for messages whose row has no message id.
- `turns` and `board_post` read the data for `desired` and pass its posts to `apply`. `poster.py` does the same for
  posts that are never edited.
- `preparations` makes slow parts in the background.

Rows of the outbox are marked as sent once their post exists. Every step can be repeated after a crash without creating
a post twice.
"""
