"""The SQL tables of the database, the same in every dialect."""

from __future__ import annotations

from bot.storage.schema import choice_tables, game_tables, record_tables, tournament_tables

__all__ = ("choice_tables", "game_tables", "record_tables", "tournament_tables")
