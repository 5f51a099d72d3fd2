"""From typed or chosen values to an action: menus, autocomplete, quick buttons, previews."""
