"""What came of the requests; plain, so that processes can hand it to each other."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Report:
    requests: int = 0
    codes: Counter = field(default_factory=Counter)
    addresses: Counter = field(default_factory=Counter)
    written: int = 0
    slowest: tuple = (0.0, "")
    faults: list = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other):
        """Take in what another process has found."""
        self.requests += other.requests
        self.codes += other.codes
        self.addresses += other.addresses
        self.written += other.written
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults
        self.seconds = max(self.seconds, other.seconds)
