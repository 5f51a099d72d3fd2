"""Seasons and tournaments: commands, posts in the channel, and the organiser's panel."""
