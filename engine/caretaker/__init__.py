"""A player for an empty seat: sensible legal moves, found from what is offered and what the routes would earn."""

from engine.caretaker.choosing import STRENGTHS, STRONGEST, choose
