"""What a service refuses, as a sentence for the scorekeeper or the secretary."""


class ServiceError(ValueError):
    """A request that cannot be carried out; `field` names what to mend, where known."""

    def __init__(self, sentence, field=None):
        super().__init__(sentence)
        self.field = field
