"""A whole installation made for trying out and for measuring: clubs with years of play, written in bulk."""
