"""The computer player (caretaker): plays a seat that no human holds, with sensible legal moves."""

from engine.caretaker.choosing import DEFAULT_STRENGTH, STRENGTHS, choose_move
