"""Ludo in a channel: how its board, its turns and its choices look."""
