"""Records of finished games: results, ratings, standings."""
