"""A template: the smallest title that can be played; copy the folder and change it.

It is not listed, so players cannot choose it. `docs/adding-a-title.md` starts with it.
"""
