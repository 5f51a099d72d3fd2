"""Seasons and tournaments: commands, posts in the channel, and the panel of the organiser."""
