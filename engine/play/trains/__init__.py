"""Trains: phases, purchases, and forced purchases with the president's money."""
