// What leaves this tablet of a game that no club has, and only when it is asked for: a spreadsheet, or a picture to share.
import { writeStored } from "../web/browser.js";
import { flash } from "./outbox/flash.js";
import { gameOf, sheetOf, tableNow } from "./outbox/state.js";
import { table } from "./outbox/store.js";

const [WIDTH, MARGIN, LINE] = [1080, 72, 92];
// Letters that the name of a meeting may have.
const LONGEST_NAME = 80;
const NOT_NOW = "The scores are not here yet. Try again in a moment.";

/** The game's figures, with who is ahead first: { names, rows, order: [[name, balance]], date, number }. */
async function figures() {
  const { state, waiting, place } = await tableNow();
  const sheet = await sheetOf(state, waiting);
  if (!sheet || !place.balances) return null;
  const order = Object.entries(place.balances)
    .map(([seat, points]) => [place.names[seat], points])
    .sort((one, other) => other[1] - one[1]);
  return { ...sheet.figures, order, date: state.date, number: place.number - 1 };
}

// A spreadsheet would take what begins like this for a formula.
const cell = (value) =>
  typeof value === "number"
    ? String(value)
    : `"${(/^[=+\-@\t]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

function csvOf({ names, rows, order }) {
  const balances = new Map(order);
  const lines = [
    ["Hand", "What happened", ...names],
    ...rows,
    ["", "Final balance", ...names.map((name) => balances.get(name))],
  ];
  return `\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** @returns {Promise<Blob>} */
function pictureOf({ order, date, number }) {
  const height = 2 * MARGIN + 220 + order.length * LINE;
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height });
  const pen = canvas.getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  const write = (words, x, y, size, { colour = "#fffef8", weight = 400, align = "left" } = {}) => {
    Object.assign(pen, { font: `${weight} ${size}px ${family}`, fillStyle: colour, textAlign: align });
    pen.fillText(words, x, y, WIDTH - 2 * MARGIN - (align === "left" ? 220 : 0));
  };
  Object.assign(pen, { fillStyle: "#0b4f43" });
  pen.fillRect(0, 0, WIDTH, height);
  write("Mah-jong", MARGIN, MARGIN + 60, 72, { weight: 700 });
  write(`${date}, ${number} hand${number === 1 ? "" : "s"}`, MARGIN, MARGIN + 120, 40, { colour: "#e8c265" });
  order.forEach(([name, points], at) => {
    const y = MARGIN + 220 + at * LINE;
    write(name, MARGIN, y, 56, { weight: at ? 400 : 700 });
    write(points.toLocaleString("en-GB"), WIDTH - MARGIN, y, 56, { weight: at ? 400 : 700, align: "right" });
  });
  write("Clubscore", WIDTH - MARGIN, height - MARGIN / 2, 32, { align: "right" });
  return new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
}

async function give(content, name, type) {
  const file = new File([content], name, { type });
  if (type === "image/png" && navigator.canShare?.({ files: [file] }))
    return navigator.share({ files: [file] }).catch(() => null);
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
  return null;
}

/** The game as the file of a meeting, which a club imports: once only, by its day and time. */
async function meetingFile() {
  const { state, waiting } = await tableNow();
  const game = await gameOf(state, waiting);
  const { body } = (await table(state.session)) || {};
  const time = new Date(body.began).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  // With the players: two games may have begun in one minute.
  const name = game && `Played elsewhere, ${time}: ${game.table.players.join(", ")}`.slice(0, LONGEST_NAME);
  return (
    game &&
    JSON.stringify(
      {
        club: "A game at home",
        game: state.session,
        date: body.date,
        meeting: { name },
        members: [],
        tables: [game.table],
      },
      null,
      1,
    )
  );
}

async function intoClub(address) {
  const file = await meetingFile();
  if (!file || !writeStored("game-file", file, "sessionStorage")) return flash(NOT_NOW, "error");
  return location.assign(address);
}

document.addEventListener("click", async (event) => {
  const { target } = event;
  const wanted = target.closest?.("[data-game]")?.dataset.game;
  if (!wanted) return;
  if (wanted === "club") {
    event.preventDefault();
    intoClub(target.closest("[data-game]").dataset.address);
    return;
  }
  const found = await figures();
  if (!found) flash(NOT_NOW, "error");
  else if (wanted === "csv") give(csvOf(found), `mah-jong ${found.date}.csv`, "text/csv");
  else give(await pictureOf(found), `mah-jong ${found.date}.png`, "image/png");
});
