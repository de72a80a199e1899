"""What goes wrong for the people of the sandbox: acts their client forbids, and silence."""


class Impossible(ValueError):
    """Discord's client does not let a person do that; the sentence says why not.

    In a sentence that the page has in its person's language, names stand for the `values`.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence.format_map(values) if values else sentence)
        self.sentence = sentence
        self.values = {name: str(value) for name, value in values.items()}


class NotAnswered(AssertionError):
    """The bot did not acknowledge an interaction within three seconds."""
