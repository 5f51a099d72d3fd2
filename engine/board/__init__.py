"""The map: hexes, tiles, legal upgrades, and the hexes and cities that a company's track reaches."""
