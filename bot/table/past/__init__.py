"""The past of a game: earlier positions, effects of moves, and records.

A position is kept with each sixteenth row that counts, in the transaction of the move. To look back, a
worker replays the rows since the nearest kept position; a whole game takes a tenth of a second, or two
seconds in the largest title. A kept position counts only while its digest fits the log; without it the
replay begins earlier.
"""
