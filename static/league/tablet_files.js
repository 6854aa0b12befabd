// The league of this tablet as a spreadsheet.

// A spreadsheet would take what begins like this for a formula.
const cell = (value) => {
  const text = value === null ? "" : String(value);
  const isSafe = /^-?\d+(\.\d+)?$/.test(text) || !/^[=+\-@\t]/.test(text);
  return /[",\r\n]/.test(text) || !isSafe ? `"${(isSafe ? text : `'${text}`).replaceAll('"', '""')}"` : text;
};

// The names of a league table's fields that differ from those of its columns.
const FIELDS = { place: "position", player: "name" };

/** The league table as the club's file has it; `headings` are [column, heading]. */
export function csvOf(rows, headings) {
  const lines = [headings.map(([, heading]) => heading)];
  for (const row of rows) lines.push(headings.map(([name]) => row[FIELDS[name] ?? name]));
  return `\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}
