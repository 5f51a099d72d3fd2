"""Texts and views: the only place that puts facts into words."""
