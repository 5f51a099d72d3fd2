"""The past of a game: its positions and what its moves did, kept on the way, so that looking back is cheap.

A position is kept with each eighth row that counts (each second on large maps), in the transaction of the
move. Between two positions a worker writes a chapter: public lines, rounds, changes of the map, turning
points. Readers make at most the moves since the nearest position again. A chapter or position counts only
while its digest fits the log. All of it may be deleted at any time and is then made anew; chapters name no
users.
"""
