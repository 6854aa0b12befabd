// Asks the server for balances while the sheet is typed, and saves it. Nothing typed is forgotten before the server has it.
import { fetchWithin } from "../../web/browser.js";
import { byId } from "../../web/dom.js";
import { errorSummary, html } from "../../web/html.js";
import { renewToken } from "../outbox/send.js";
import { draw, drawFollowed, rowElement } from "./draw.js";
import { forget, isBlank, state, take } from "./state.js";

const SOON = 250;
const LIMIT = 40_000;
const LATER = "No connection. Balances will appear later. What you type is kept here.";
let timer = 0;
let asked = 0;
let isSending = false;

export function askSoon() {
  asked += 1;
  clearTimeout(timer);
  timer = setTimeout(() => check(asked), SOON);
}

async function check(mine) {
  const answer = await send(state.data.urls.check).catch(() => null);
  if (mine !== asked || isSending) return;
  const body = answer?.ok ? await answer.json().catch(() => null) : null;
  if (!body) state.message = LATER;
  else if (state.message === LATER) state.message = "";
  if (body) read(body);
  draw();
}

function read({ rows, difference }, isTold = false) {
  state.answers = new Map(rows.map((row) => [row.key, { ...row, said: row.said.map((one) => ({ ...one, isTold })) }]));
  state.difference = difference;
}

function send(address) {
  const paper = byId("paper");
  renewToken(paper);
  const form = new URLSearchParams({
    csrfmiddlewaretoken: paper.elements.csrfmiddlewaretoken.value,
    after: state.data.after,
    seats: state.data.believed,
  });
  state.rows.forEach((row, place) => {
    if (isBlank(row)) return;
    if (state.isMeant) form.set("meant", "1");
    const at = place + 1;
    form.set(`key_${at}`, row.key);
    form.set(`winner_${at}`, row.winner);
    for (const [seat, text] of Object.entries(row.totals)) form.set(`total_${at}_${seat}`, text);
    for (const [seat, text] of Object.entries(row.sheet)) form.set(`sheet_${at}_${seat}`, text);
  });
  return fetchWithin(LIMIT, address, { method: "POST", body: form, headers: { Accept: "application/json" } });
}

export async function save() {
  if (isSending) return;
  isSending = true;
  asked += 1;
  state.message = "Saving …";
  draw();
  const answer = await send(state.data.urls.save).catch(() => null);
  const body = await answer?.json().catch(() => null);
  isSending = false;
  state.message = "";
  if (answer?.ok && body?.to) {
    forget();
    location.assign(body.to);
  } else if (body?.rows) {
    showRefusal(body);
  } else {
    showNotSent(answer);
  }
}

function showNotSent(answer) {
  const words = !answer
    ? "No connection, so the sheet was not sent. You have not lost anything. Press Save again."
    : answer.type === "opaqueredirect" || answer.status === 403
      ? "You have been signed out. You have not lost anything. Sign in, then come back to this page."
      : "The sheet was not saved. You have not lost anything. Press Save again.";
  draw();
  showProblems([[words, byId("save-paper")]]);
}

function showRefusal(body) {
  if (body.page) take(body.page);
  read(body, true);
  state.message = body.recorded || "";
  draw(Boolean(body.page));
  drawFollowed();
  const found = body.nothing ? [[body.nothing, rowElement(0).querySelector(".total:not([hidden])")]] : [];
  for (const { key, said } of body.rows) {
    const place = state.rows.findIndex((row) => row.key === key);
    for (const { kind, words, name, seat } of said)
      if (kind === "problem" || kind === "asked") found.push([words, field(place, name, seat)]);
  }
  // Whoever presses Save again has looked.
  state.isMeant = body.rows.some(({ said }) => said.some(({ kind }) => kind === "asked"));
  showProblems(
    state.isMeant ? [...found, ["If these scores are right, press Save again.", byId("save-paper")]] : found,
  );
}

function field(place, name, seat) {
  const way =
    name === "winner" &&
    byId("paper").classList.contains("is-touch") &&
    rowElement(place).querySelector(".winner-ways button:not([hidden])");
  const input = way || byId(seat ? `${name}_${place + 1}_${seat}` : `${name}_${place + 1}`);
  return input && !input.hidden ? input : byId("save-paper");
}

function showProblems(found) {
  const goTo = (input) => (event) => {
    event.preventDefault();
    input.focus();
  };
  const box = errorSummary(
    found.map(([words, input]) => html`<a href="#${input.id}" @click=${goTo(input)}>${words}</a>`),
  );
  byId("problems").replaceChildren(box);
  document.title = `Error: ${state.data.title} – Clubscore`;
  box.focus();
}
