"""Made-up clubs: the demonstration club, a season to try the seating draw, and whole installations to measure."""
