"""A template title, the smallest one that plays: copy the folder and change it.

It is in no list, so no table is offered it; `docs/adding-a-title.md` begins here.
"""
