"""Made-up clubs: the demonstration club, a season for trying the draw, and whole installations for measuring."""
