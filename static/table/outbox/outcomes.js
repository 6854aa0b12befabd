// What becomes of a command that was sent: the codes stand in clubscore/table/outcomes.py.
export const Outcome = Object.freeze({
  RECORDED: "recorded",
  AGAIN: "again",
  CONTESTED: "contested",
  INVALID: "invalid",
  REFUSED: "refused",
});

// What only the tablet knows: an undo may mean something else by now, or the server has failed at a command too often.
export const OwnOutcome = Object.freeze({ DOUBTFUL: "doubtful", FAILED: "failed" });
