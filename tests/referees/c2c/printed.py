"""A second statement of 18C2C's super-short game: what is printed."""

TRAINS = {"2": 80, "3": 180, "4": 300, "5": 450, "3D": 630, "4D": 800, "5D": 950, "6D": 1100}
"""Prices, in the order of sale."""
STOCK = {"2": 7, "3": 6, "4": 5, "5": 4, "3D": 3, "4D": 3, "5D": 2, "6D": 6}
PHASES = tuple(TRAINS)
LIMITS = {"2": 4, "3": 4, "4": 3}
"""Trains on a shell, by phase; later two."""
ROUNDS = {"2": 1, "3": 2, "4": 2}
"""Operating rounds of a set, by phase; later three."""
PRIVATIZED = {"2": 125, "3": 150, "4": 150, "5": 200}
"""Percent of the price at which a share is privatized; later 300."""
RUSTS = {"4": "2", "3D": "3", "4D": "4", "6D": "5"}
"""The trains that rust when a phase begins."""
POINTS = {**dict.fromkeys(("2", "3", "4", "5"), 3), **dict.fromkeys(("3D", "4D"), 4)}
"""Tile points of a turn, by phase; later five."""
NATIONALS = {"3D": "AMTK", "4D": "CR"}
PRIVATES = {
    **{"KTC": (40, 10), "AZF": (50, 10), "ACM": (50, 10), "GML": (50, 10)},
    **{"GSC": (80, 15), "TBC": (80, 15), "ACE": (90, 15), "EPP": (100, 15)},
}
"""Value and revenue, as they lie in the packet from the top."""
HOMES = {
    **{"B&O": "M74", "CP": "E78", "C&O": "J65", "ERIE": "I70", "GM&O": "V57", "IC": "T53"},
    **{"L&N": "N59", "NYC": "I78", "N&W": "P73", "PRR": "L69", "SOU": "S62", "WAB": "L59"},
}
GOALS = {
    **{"B&O": "M62", "CP": "A54", "C&O": "O72", "ERIE": "D49", "GM&O": "M52", "IC": "J57"},
    **{"L&N": "W54", "NYC": "J57", "N&W": "W54", "PRR": "M52", "SOU": "M74", "WAB": "L75"},
}
EXTRA = {100: (40, 60, 80, 100), 90: (40, 60, 80), 82: (40, 60, 80), 76: (40, 60), 72: (40, 60), 68: (40,)}
"""Prices of tokens that may be bought at the start, by par."""
BANK = 25_000
CASH = 2400
MARKERS = 5
"""Engineers."""
CHEAPEST_START = 136


def at_least_phase(phase: str, other: str) -> bool:
    return PHASES.index(phase) >= PHASES.index(other)
