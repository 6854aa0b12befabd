// What a tablet writes for spreadsheets is made as harmless as what the club's server writes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { csvText } from "../../static/web/csv.js";

test("a cell that a spreadsheet may take for a formula begins with an apostrophe", () => {
  for (const [cell, written] of JSON.parse(readFileSync(process.env.CLUBSCORE_CELLS, "utf8"))) {
    const quoted = /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
    assert.equal(csvText([[cell]]), `\uFEFF${quoted}\r\n`);
  }
});
