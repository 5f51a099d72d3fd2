"""Moves that users type or pick: menus, autocomplete, one-click buttons, and previews."""
