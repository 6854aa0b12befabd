// The league table on a tablet: the server's own, for the seasons worked out elsewhere and for made-up ones.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { begin } from "./page.mjs";

test("a tablet ranks as the server does", async () => {
  const ask = await begin(process.env.CLUBSCORE_LEAGUE);
  const seasons = JSON.parse(readFileSync(process.env.CLUBSCORE_SEASONS, "utf-8"));
  assert.equal(seasons.length, 79 + 180);
  for (const [question, answer] of seasons) assert.deepEqual(JSON.parse(ask(question)), answer, question);
});
