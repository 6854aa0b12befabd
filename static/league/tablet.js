// The league of the games on this tablet: chosen, ranked by the rules of the club's league, and drawn, all on the tablet.
import { readStored, writeStored } from "../web/browser.js";
import { byId, readJson } from "../web/dom.js";
import { html, nothing, quietButton, render } from "../web/html.js";
import { ask, canRun } from "../table/engine/engine.js";
import { keepPages } from "../table/outbox/kept_pages.js";
import { tables } from "../table/outbox/store.js";
import { save, share } from "../web/give.js";
import { csvOf, pictureOf } from "./tablet_files.js";
import { isChosen, join, joinedNames, namesOf, part, questionOf, readGames } from "./tablet_games.js";

const CHOICE = "league-choice";
const PLAYER = "player-";
const WORKS_NOT = "This browser is too old to work out the league table. The games are all here.";
const LATER = "The league table could not be worked out. Open this page again in a moment.";

const { files, rules, headings, games: gamesPage } = readJson("league-data");
const form = /** @type {HTMLFormElement} */ (byId("league-form"));
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
const signed = (points) =>
  points > 0 ? `+${points.toLocaleString("en-GB")}` : points.toLocaleString("en-GB").replace("-", "−");
const minus = (shown) => shown.replace("-", "−");
const playersIn = ({ state }) => Object.values(state.names).join(", ");

let games = [];
let names = {};
// What was said about a joining, until the next press.
let said = "";

/** What was chosen in the form. */
const chosen = () => ({
  method: field("method").value,
  rules: field("rules").value,
  from: field("first_day").value,
  to: field("last_day").value,
  minimum: Math.max(1, Number.parseInt(field("minimum").value, 10) || 1),
});

/** The rules that the games were played by, to choose from; all those in which players pay each other together. */
function offerRules() {
  const played = games.filter(({ reason }) => !reason).map(({ body, recording }) => `${body.rules} ${recording}`);
  const kinds = [...new Set(played)].sort();
  const isMixed = kinds.filter((kind) => kind.endsWith(" settle")).length > 1;
  const nameOf = (kind) => {
    const [key, recording] = kind.split(" ");
    const [name, usual] = rules[key] || [key, recording];
    if (recording === usual) return name;
    return `${name}, ${recording === "settle" ? "players pay each other" : "each adds up their own score"}`;
  };
  const select = field("rules");
  const before = select.value;
  const options = kinds.map((kind) => html`<option value=${kind}>${nameOf(kind)}</option>`);
  render(isMixed ? [html`<option value="">All rules</option>`, ...options] : options, select);
  select.value = kinds.includes(before) ? before : isMixed ? "" : (kinds[0] ?? "");
}

const row = (standing) => html`<tr><td class="num place">${standing.position_shown}</td>
  <th scope="row"><a href=${`#${PLAYER}${encodeURIComponent(standing.player)}`}>${standing.name}</a>${
    standing.reason ? html` <span class="remark">${standing.reason}</span>` : nothing
  }</th><td class="num value">${standing.position ? html`<b>${minus(standing.shown)}</b>` : minus(standing.shown)}</td>
  <td class="num" data-label="Games">${standing.sessions}</td><td class="num" data-label="Hands">${standing.hands}</td>
  <td class="num" data-label="Won">${standing.won}</td><td class="num" data-label="Total">${signed(standing.net)}</td>
  <td class="num" data-label="Best game">${signed(standing.best_session)}</td></tr>`;

function tableOf({ title, rows }) {
  const [ranked, below] = [rows.filter(({ position }) => position), rows.filter(({ position }) => !position)];
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="The league table">
    <table class="table-scores standings league rows of-games">
    <thead><tr><th scope="col" class="num">Position</th><th scope="col">Player</th><th scope="col" class="num">${title}</th>
      <th scope="col" class="num">Games</th><th scope="col" class="num">Hands</th><th scope="col" class="num">Won</th>
      <th scope="col" class="num">Total</th><th scope="col" class="num">Best game</th></tr></thead>
    <tbody>${ranked.map(row)}</tbody>
    ${
      below.length
        ? html`<tbody><tr class="below-line"><th scope="rowgroup" colspan="8">Not ranked yet</th></tr>${below.map(row)}</tbody>`
        : nothing
    }</table></div>`;
}

/** Which games are in the table. */
function whatCounts(counted) {
  const days = [...new Set([counted[0], counted.at(-1)].map(({ state }) => state.date))].join(" to ");
  const kind = /** @type {any} */ (field("rules")).selectedOptions[0]?.textContent;
  return html`<p class="hint">${counted.length === 1 ? "1 game" : `${counted.length} games`}, ${days}. ${kind}.</p>`;
}

/** The games that are not in the table, each with the reason. */
function leftOut(counted) {
  const reason = (game) => game.reason || "it is not among those chosen above";
  const others = games.filter((game) => !counted.includes(game)).reverse();
  if (!others.length) return nothing;
  return html`<details class="screen-only"><summary>${others.length === 1 ? "1 game does" : `${others.length} games do`} not count</summary>
    <ul>${others.map(
      (game) =>
        html`<li><a href=${game.state.urls.table}>${game.state.date}, ${playersIn(game)}</a>: ${reason(game)}.</li>`,
    )}</ul></details>`;
}

/** Joins two spellings of one player, and separates them again. */
function spellings() {
  const options = Object.entries(names).sort((one, other) => one[1].localeCompare(other[1]));
  const choice = (id, words) => html`<div class="field"><label for=${id}>${words}</label><select id=${id}>
    <option value="">— choose —</option>${options.map(([key, name]) => html`<option value=${key}>${name}</option>`)}</select></div>`;
  const press = () => {
    const [spelling, player] = ["join-one", "join-other"].map(
      (id) => /** @type {HTMLSelectElement} */ (byId(id)).value,
    );
    const isChosen = spelling && player && spelling !== player;
    return change(isChosen ? join(games, spelling, player) || "They are one player now." : "Choose two names.");
  };
  return html`<details class="screen-only" id="spellings"><summary>One player under two names?</summary>
    <p>Choose both names. All games then count for the second one.</p>
    <p id="spellings-said" role="status">${said}</p>
    <div class="tablet-league">${choice("join-one", "This name")}${choice("join-other", "is the same player as")}</div>
    <div class="actions">${quietButton("Join the two names", press)}</div>
    <ul>${joinedNames(names).map(
      ([key, name]) =>
        html`<li>“${key}” counts for ${name}. ${quietButton("Separate them", () => {
          part(key);
          return change("They are two players again.");
        })}</li>`,
    )}</ul></details>`;
}

function change(words) {
  said = words;
  return read();
}

/** A player's own page: how they stand, the last games, the best hands. */
function personOf(key, counted, answer) {
  const own = counted
    .flatMap((game) => game.players.filter((player) => player.key === key).map((player) => ({ ...player, game })))
    .reverse();
  const standing = answer.rows.find(({ player }) => player === key);
  const best = own.filter((one) => one.best > 0).sort((one, other) => other.best - one.best);
  const withWhom = ({ game }) =>
    game.players
      .filter((other) => other.key !== key)
      .map((other) => names[other.key])
      .join(", ");
  const day = ({ game }) => html`<a href=${game.state.urls.table}>${game.state.date}</a>`;
  if (!standing) return html`<p>${names[key] ?? key} has no games in this table.</p>`;
  return html`<h2>${names[key]}</h2>
    <p>${standing.position ? `Position ${standing.position_shown}` : `Not ranked yet (${standing.reason})`}, ${answer.title.toLowerCase()} <b>${minus(standing.shown)}</b>.
      Won ${standing.won} of ${standing.hands} hands.</p>
    <p>Last games, newest first: ${own.slice(0, 5).map(({ net }, at) => html`${at ? ", " : ""}<b>${signed(net)}</b>`)}.</p>
    ${best.length ? html`<h3>Best hands</h3><ol>${best.slice(0, 3).map((one) => html`<li>${one.best.toLocaleString("en-GB")} on ${day(one)}</li>`)}</ol>` : nothing}
    <h3>Games</h3>
    <ul class="rows">${own.map(
      (one) => html`<li><p>${day(one)}: <b>${signed(one.net)}</b>
        <span class="hint">won ${one.won} of ${one.hands} hands, with ${withWhom(one)}</span></p></li>`,
    )}</ul>`;
}

const printButton = () => quietButton("Print", () => window.print());

/** The key of the player whose own page is asked for, else nothing. */
function personInAddress() {
  const [, key] = location.hash.split(`#${PLAYER}`);
  try {
    return decodeURIComponent(key ?? "");
  } catch {
    return "";
  }
}

async function draw() {
  const choice = chosen();
  const here = games.filter((game) => !game.reason);
  const counted = here.filter((game) => isChosen(game, choice));
  const person = personInAddress();
  form.hidden = !here.length || Boolean(person);
  const place = byId("league");
  if (!here.length) {
    render(
      html`<p class="empty">There is no finished game on this tablet yet. The league table begins with the first one.</p>
        <div class="actions"><a class="button-main" href=${gamesPage}>Score a game</a></div>${leftOut([])}`,
      place,
    );
    return;
  }
  const answer = canRun ? await ask(files, questionOf(counted, names, choice)) : null;
  // Another was chosen meanwhile.
  if (JSON.stringify(choice) !== JSON.stringify(chosen())) return;
  if (!answer) {
    render(html`<p class="message warning">${canRun ? LATER : WORKS_NOT}</p>`, place);
    return;
  }
  const toShare = async () => {
    const about = `${counted.length === 1 ? "1 game" : `${counted.length} games`} until ${counted.at(-1).state.date}`;
    share(new File([await pictureOf(answer, about)], `league table ${games.at(-1).date}.png`, { type: "image/png" }));
  };
  const toSave = () =>
    save(new File([csvOf(answer.rows, headings)], `league table ${games.at(-1).date}.csv`, { type: "text/csv" }));
  render(
    person
      ? html`<div class="actions"><a class="button-quiet" href="#">Back to the league table</a></div>${personOf(person, counted, answer)}`
      : html`${counted.length ? [whatCounts(counted), tableOf(answer)] : html`<p class="empty">No finished game is among those chosen above.</p>`}
        <div class="actions screen-only">${answer.rows.some(({ position }) => position) ? quietButton("Share a picture", toShare) : nothing} ${quietButton("Save as a spreadsheet", toSave)} ${printButton()}</div>
        ${leftOut(counted)} ${spellings()}
        <section class="small-print" aria-labelledby="how"><h2 id="how">How this table is made</h2>
        ${answer.words.map((sentence) => html`<p>${sentence}</p>`)}</section>`,
    place,
  );
}

async function read() {
  games = readGames(await tables(), rules);
  names = namesOf(games);
  offerRules();
  await draw();
}

const before = readStored(CHOICE) || {};
for (const name of ["method", "minimum"]) if (before[name]) field(name).value = before[name];
form.addEventListener("change", () => {
  const { method, minimum } = chosen();
  writeStored(CHOICE, { method, minimum });
  said = "";
  draw();
});
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", () => {
  scrollTo(0, 0);
  draw();
});
read();

// For a day without a network: this page, and what it loads.
if (navigator.serviceWorker?.controller)
  keepPages({ keep: [location.pathname], refetch: [location.pathname], files: Object.values(files) }).catch(() => null);
