"""Migrations of the tables from each schema version to the next, for SQLite and PostgreSQL."""
