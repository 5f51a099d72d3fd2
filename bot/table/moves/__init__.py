"""Moves from typed or chosen values: menus, autocomplete, quick buttons, previews."""
