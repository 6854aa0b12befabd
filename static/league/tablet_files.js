// What leaves this tablet of its league, and only when it is asked for: a spreadsheet, or a picture to share.
import { csvText } from "../web/csv.js";
import { GOLD, MARGIN, newPicture, WIDTH } from "../web/picture.js";

const LINE = 88;
// More would be too small to read on a telephone.
const MOST = 12;

// The names of a league table's fields that differ from those of its columns.
const FIELDS = { place: "position", player: "name" };

/** The league table as the club's file has it; `headings` are [column, heading]. */
export const csvOf = (rows, headings) =>
  csvText([
    headings.map(([, heading]) => heading),
    ...rows.map((row) => headings.map(([name]) => row[FIELDS[name] ?? name])),
  ]);

/** Who is where, with what; `about` says which games count. */
export function pictureOf({ title, rows }, about) {
  const ranked = rows.filter(({ position }) => position);
  const shown = ranked.slice(0, MOST);
  const left = ranked.length - shown.length;
  const picture = newPicture(MARGIN + 250 + (shown.length + (left ? 1 : 0)) * LINE + MARGIN);
  picture.write("League table", MARGIN, MARGIN + 60, 84, { weight: 700 });
  picture.write(about, MARGIN, MARGIN + 125, 40, { colour: GOLD });
  picture.write(title, WIDTH - MARGIN, MARGIN + 200, 40, { align: "right", colour: GOLD });
  for (const [at, { position_shown: position, name, shown: value }] of shown.entries()) {
    const y = MARGIN + 280 + at * LINE;
    const weight = position === "1" ? 700 : 400;
    picture.write(position, MARGIN, y, 52, { weight, room: 100 });
    picture.write(name, MARGIN + 120, y, 52, { weight, room: WIDTH - 2 * MARGIN - 420 });
    picture.write(value.replace("-", "\u2212"), WIDTH - MARGIN, y, 52, { weight, align: "right" });
  }
  if (left) picture.write(`and ${left} more`, MARGIN + 120, MARGIN + 280 + shown.length * LINE, 44);
  return picture.done();
}
