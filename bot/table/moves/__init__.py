"""Moves from typed or picked values: menus, autocomplete, one-click buttons, previews."""
