"""From what a player typed or chose to an action: menus, autocomplete, quick buttons, previews."""
