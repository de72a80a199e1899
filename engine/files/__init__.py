"""Finished games as files: text for people, and JSON for programs; both are read back.

The text begins with a line that names the format and goes on with header lines, an empty line, and
the moves, one turn a line:

    Parlour game 1
    number: 17
    game: ludo
    seats: 2
    options: tokens=2, leave_on=1 or 6
    ending: played
    result: 1 -1

    1. red (4)
    2. green (2)
    3. red (6) 1 (3) 1
    4. green (5)

- `number` is the game's where it was played, and may be missing; so may `options`, which has the
  options that are not the usual ones.
- `ending` is `played` where the moves lead to the game's end; any other word, such as `resigned`,
  `agreed` or `time`, says why they do not.
- `result` has what each seat has won, in the order of the seats, in [-1, 1], summing to 0.
- A turn has its number, its seat, and its moves by the names that the terminal player takes for
  them (see `engine.notation`): in tic-tac-toe a cell, `b2`; in Ludo the number of a token. What
  dice show stands in brackets.

A text that is read may leave out what follows from the rest: a header `game` and the moves are
enough, in as many lines as one likes, with or without numbers and seats. A row of digits is a move
for each.

The JSON is an object with the same under the same keys: `format` ("Parlour game"), `version` (1),
`number` (or null), `game`, `seats`, `options` (all of them), `ending`, `result` (numbers), and
`moves`, a list of the moves as the engine numbers them: in tic-tac-toe the cell, from 0 at the top
left, row by row; in Ludo the pips, or the token from 0. Keys that are not known are passed over.
"""
