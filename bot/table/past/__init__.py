"""The past of a game: earlier positions, the effects of each move, and records.

The position after every sixteenth move that was not undone is stored. To show an earlier position, a worker replays the
moves after the nearest stored one. Replaying a whole game would take a tenth of a second, or two seconds in the largest
title. A stored position is used only if its digest equals the digest in the log.
"""
