"""A title to begin with: the smallest one that plays. Copy the folder, and change what your title has otherwise.

It is in no list, so no table is offered it; `docs/adding-a-title.md` begins here.
"""
