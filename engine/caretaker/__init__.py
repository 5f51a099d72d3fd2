"""The caretaker: plays a seat that no player holds, with sensible legal moves."""

from engine.caretaker.choosing import STRENGTHS, STRONGEST, choose
