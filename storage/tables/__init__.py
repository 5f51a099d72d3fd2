"""Who plays a game and what its table decided: seats, proposals, standing orders, clocks, pauses."""
