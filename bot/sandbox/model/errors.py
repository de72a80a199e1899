"""What goes wrong for the people of the sandbox: acts their client forbids, and silence."""


class Impossible(ValueError):
    """Discord's client does not let a person do that; the sentence says why not."""


class NotAnswered(AssertionError):
    """The bot did not acknowledge an interaction within three seconds."""
