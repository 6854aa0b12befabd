// What leaves this tablet of a game that no club has, and only when it is asked for: a spreadsheet, or a picture to share.
import { isHeard, writeStored } from "../web/browser.js";
import { isSite } from "../web/dom.js";
import { csvText } from "../web/csv.js";
import { save, share } from "../web/give.js";
import { GOLD, IVORY, MARGIN, newPicture, WIDTH } from "../web/picture.js";
import { isCopyDue, isFinished } from "./copy_due.js";
import { meetingOf } from "./game_file.js";
import { isGame } from "./outbox/commands.js";
import { flash } from "./outbox/flash.js";
import { gameOf, sheetOf, tableNow } from "./outbox/state.js";
import { table, tables } from "./outbox/store.js";

const [LINE, CHART, TILE_HEIGHT] = [92, 400, 84];
const INNER = WIDTH - 2 * MARGIN;
// Of the lines, on green: each can be told from the others by how light it is, too.
const COLOURS = [GOLD, IVORY, "#7fd0ff", "#ff9d76", "#9be37f"];
const NO_WIFI = "There is no Wi-Fi just now. Put the game into a club when it is back: it stays on this tablet.";
const NOT_NOW = "The scores are not here yet. Try again in a moment.";

/** The game's figures: { names, rows, standing: [[name, balance, balances by hand]], order: those with who is ahead first, date, number }. */
async function figures() {
  const { state, waiting, place } = await tableNow();
  const sheet = await sheetOf(state, waiting);
  if (!sheet || !place.balances) return null;
  // By seat, as two players may have one name.
  const standing = Object.entries(place.balances).map(([seat, points], at) => [
    place.names[seat],
    points,
    sheet.figures.lines[at]?.[1] ?? [],
  ]);
  const order = [...standing].sort((one, other) => other[1] - one[1]);
  return { ...sheet.figures, standing, order, date: state.date, number: place.number - 1 };
}

const csvOf = ({ names, rows, standing }) =>
  csvText([
    ["Hand", "What happened", ...names],
    ...rows,
    ["", "Final balance", ...standing.map(([, points]) => points)],
  ]);

// Who won in large letters, everyone's line from hand to hand with their balance, and the best hand in its tiles.
/** @returns {Promise<Blob>} */
async function pictureOf({ order, best, tiles: groups, sprite, date, number }) {
  const [[name, total]] = best.length ? best : [[]];
  const tiles = groups.length ? await tilesOf(groups, sprite).catch(() => null) : null;
  const chartAt = MARGIN + 190;
  const rowsAt = chartAt + (number ? CHART : 0);
  const bestAt = rowsAt + order.length * LINE;
  const height = bestAt + (total ? 100 : 0) + (tiles ? TILE_HEIGHT + 30 : 0) + MARGIN;
  const { pen, write, done } = newPicture(height);
  const winners = order.filter(([, points]) => points === order[0][1]).map(([winner]) => winner);
  const won = `${winners.join(" and ")} ${winners.length === 1 ? "wins" : "win"}`;
  write(number ? won : "Mah-jong", MARGIN, MARGIN + 60, 84, { weight: 700 });
  write(`${date}, ${number} hand${number === 1 ? "" : "s"}`, MARGIN, MARGIN + 125, 40, { colour: GOLD });
  const balances = order.flatMap(([, , line]) => line);
  const [lowest, highest] = [Math.min(...balances), Math.max(...balances)];
  for (const [at, [player, points, line]] of order.entries()) {
    const y = rowsAt + at * LINE + 56;
    const weight = points === order[0][1] ? 700 : 400;
    Object.assign(pen, {
      strokeStyle: COLOURS[at % COLOURS.length],
      lineWidth: 8,
      lineJoin: "round",
      lineCap: "round",
    });
    pen.beginPath();
    pen.moveTo(MARGIN, y - 18);
    pen.lineTo(MARGIN + 50, y - 18);
    if (highest > lowest)
      for (const [hand, balance] of line.entries())
        pen[hand ? "lineTo" : "moveTo"](
          MARGIN + (hand * INNER) / (line.length - 1),
          chartAt + ((highest - balance) * (CHART - 80)) / (highest - lowest),
        );
    pen.stroke();
    write(player, MARGIN + 80, y, 56, { weight, room: INNER - 320 });
    write(figure(points), WIDTH - MARGIN, y, 56, { weight, align: "right" });
  }
  if (total) write(`Best hand: ${name}, ${figure(total)}`, MARGIN, bestAt + 60, 44, { colour: GOLD });
  if (tiles) pen.drawImage(tiles, MARGIN, bestAt + 95);
  return done();
}

const figure = (points) => points.toLocaleString("en-GB").replace("-", "\u2212");

/** The tiles of a hand in a row, its groups apart, from the sprite of all tiles. */
async function tilesOf(groups, sprite) {
  const drawn = new DOMParser().parseFromString(await (await fetch(sprite)).text(), "image/svg+xml");
  const width = Math.min(66, (INNER - 16 * groups.length) / groups.flat().length);
  const parts = new Set();
  let x = 0;
  const used = groups.map((codes) => {
    const row = codes.map((code) => {
      parts.add(drawn.getElementById(`t-${code}`)?.outerHTML || "");
      x += width;
      return `<use href="#t-${code}" x="${x - width}" width="${width}" height="${(width * 88) / 72}"/>`;
    });
    x += 16;
    return row.join("");
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${INNER}" height="${TILE_HEIGHT}">${[...parts].join("")}${used.join("")}</svg>`;
  const picture = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
  await picture.decode();
  return picture;
}

async function meetingFile() {
  const { state, waiting } = await tableNow();
  const game = await gameOf(state, waiting);
  const kept = await table(state.session);
  return game && kept ? JSON.stringify(meetingOf(kept, game.table), null, 1) : null;
}

async function intoClub(address) {
  if (!isSite && !(await isHeard())) return flash(NO_WIFI, "error");
  const file = await meetingFile();
  if (!file || !writeStored("game-file", file, "sessionStorage")) return flash(NOT_NOW, "error");
  return location.assign(address);
}

/** At the end of this game a copy may be due: of those that have finished, and this one. */
async function sayCopyIsDue() {
  const here = `game-${new URLSearchParams(location.search).get("new")}`;
  const finished = (await tables()).filter(
    (game) => game.session === here || (isGame(game.session) && isFinished(game)),
  );
  document.documentElement.classList.toggle("copy-is-due", isCopyDue(finished));
}
sayCopyIsDue().catch(() => null);

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
  else if (wanted === "csv") save(new File([csvOf(found)], `mah-jong ${found.date}.csv`, { type: "text/csv" }));
  else share(new File([await pictureOf(found)], `mah-jong ${found.date}.png`, { type: "image/png" }));
});
