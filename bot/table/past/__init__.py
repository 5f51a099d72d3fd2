"""The past of a game: earlier positions, the effects of each move, and records.

The position after every sixteenth effective row is stored with the move. To show the past, a worker replays the rows
after the nearest stored position. Without stored positions, replaying a whole game takes a tenth of a second, or two
seconds in the largest title. A stored position is used only if its digest fits the log.
"""
