"""Trains: phases, purchases, and the forced purchase with the president's money."""
