"""A seat may be played by a caretaker, a computer player."""

from storage.migrations.m12_seats_of_groups import BY_GROUP, roles

MIGRATIONS = (roles(21, f"{BY_GROUP}, 'caretaker'"),)
