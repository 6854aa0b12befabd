// A file for spreadsheets, as sessions_app/exchange/exports/csv_files.py writes it.

const NUMBER = /^[-+]?[0-9]+(\.[0-9]+)?$/;
// What a spreadsheet may take for a formula where a cell begins, or where it splits one.
const FORMULA = /^'*(?:(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠]|[\t\r\n])/;

function guarded(text) {
  if (NUMBER.test(text)) return text;
  let shown = "";
  for (let at = 0; at < text.length; at += 1) {
    const begins = at === 0 || /[;\t\r\n]/.test(text[at - 1]);
    shown += begins && FORMULA.test(text.slice(at)) ? `'${text[at]}` : text[at];
  }
  return shown;
}

function cell(value) {
  const text = guarded(value === null ? "" : String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of cells as a file. */
export const csvText = (lines) => `\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
