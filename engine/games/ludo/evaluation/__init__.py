"""Evaluations of unfinished Ludo, with the features, weights and tables that they need."""
