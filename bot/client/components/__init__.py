"""Buttons, select menus and modals as they are built. Imports no other room."""
