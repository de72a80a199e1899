"""The engine in a terminal: one module for each word that follows `python -m engine`.

`add` describes a command, `run` carries it out. A command that cannot be carried out, for its words
or its files, raises one of `engine.__main__.REFUSALS`, whose message says why.
"""
