"""What Discord's clients do not let a person do."""


class Impossible(ValueError):
    """A person cannot do that; the sentence says why not."""
