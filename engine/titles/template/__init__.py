"""Template for a new title: the smallest title that can be played. To make a new title, copy and change this folder.

Players cannot choose the template, because it is not registered. `docs/adding-a-title.md` explains what to do.
"""
