"""Migrations: from each version of the tables to the next, for every database."""
