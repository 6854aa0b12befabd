"""Why a file cannot be taken in: sentences, one a fault, with line numbers where the file has lines."""


class ImportRefused(ValueError):
    """Nothing was changed; `sentences` say what to mend."""

    SHOWN = 20

    def __init__(self, *sentences: str):
        self.sentences = list(sentences)
        super().__init__(str(self))

    def __str__(self):
        more = len(self.sentences) - self.SHOWN
        return "\n".join(self.sentences[: self.SHOWN] + ([f"And {more} more."] if more > 0 else []))
