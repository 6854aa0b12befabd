// The hand-entry page without the server: it goes on with the next hand in place, and says what will appear later.
import { byId } from "../../web/dom.js";
import { fragment, html, message } from "../../web/html.js";
import { filled, isGame } from "../outbox/commands.js";
import { seatsByWind } from "../outbox/state.js";
import { storage } from "../outbox/store.js";
import { keptWords, noWifi, SCORES_LATER, stateWords, withoutRules } from "../outbox/words.js";
import { windName } from "../winds.js";
import { state } from "./state.js";

const HEADINGS = { new: "Hand", insert: "Before hand", change: "Change hand" };
const BALANCES = "The table page shows the balances.";
const CHANGED = "You’ll see what changed once it has been sent.";

// Returns the page's data for a hand that is played with these seats.
function handData(data, { state: stands, place }, number, chairs, names) {
  const slots = { "": number, table: stands.table };
  const player = (seat) => ({ number: String(seat), name: names[seat] });
  return {
    ...data,
    hand_number: number,
    wind_of_round: chairs.wind_of_round,
    goulash: chairs.goulash,
    seats: seatsByWind(chairs).map(([wind, seat]) => ({ ...player(seat), wind, wind_name: windName(wind) })),
    sits_out: chairs.out.map(player),
    chairs,
    tells_next: false,
    score: null,
    recorded: null,
    after: place.after || "",
    save_words: filled(data.sentences.save, slots),
    title: filled(data.sentences.title, slots),
  };
}

// For the hand after those that wait on this tablet.
export function nextHandData(data, table) {
  const { state: stands, place, keys } = table;
  const known_keys = [...data.known_keys, ...keys];
  if (data.mode !== "new") return { ...data, known_keys };
  return {
    ...handData(data, table, place.number, place.chairs, place.names),
    chairs: place.isKnown ? place.chairs : null,
    tells_next: place.isKnown,
    sticks: place.sticks ?? data.sticks,
    bottom: place.bottom ?? data.bottom,
    known_keys,
    storage: `hand-${stands.session}-new-${place.number}`,
  };
}

// For an older hand, as the rules on this tablet know it.
export function olderHandData(data, table, mode, entry, { number, chairs, body, version, recorded }) {
  const { state: stands } = table;
  const isChange = mode === "change";
  return {
    ...handData(data, table, number, chairs, { ...table.place.names, ...stands.names }),
    mode,
    is_made_here: true,
    sticks: null,
    body: isChange ? body : null,
    entry: { entry, version },
    // For a tablet that cannot keep the change after all.
    urls: { ...data.urls, save: `../${entry}/${isChange ? `preview/?version=${version}` : "insert/"}` },
    storage: `hand-${stands.session}-${mode}-${entry}`,
    save_words: data.sentences.save_older[mode],
    title: filled(data.sentences.title_of_older[mode], { "": number, table: stands.table }),
    ...(isChange && { recorded }),
  };
}

export function drawHead(data, { state: stands }) {
  if (data.mode !== "new" && !data.is_made_here) return;
  // The plain page enters only the next hand.
  if (data.is_made_here) document.querySelector(".site-footer [href$='?plain']")?.remove();
  const round = stands.winds[data.wind_of_round];
  document.querySelector(".hand-title > span").textContent = `${HEADINGS[data.mode]} ${data.hand_number}`;
  const where = [
    !isGame(stands.session) && `Table ${stands.table}`,
    round && `${round} round`,
    data.goulash && "goulash",
  ];
  document.querySelector(".hand-round").textContent = where.filter(Boolean).join(", ");
  showTitle(data);
}

export function showTitle(data, isError = false) {
  document.title = `${isError ? "Error: " : ""}${data.title} – Clubscore`;
}

// In place of the score: when it will come, and what to do until then.
export function sayNoScore() {
  // An answer may come after the hand was left.
  if (!byId("score")) return;
  state.score = null;
  const words = withoutRules({ isOpen: true, isKnown: Boolean(state.data.chairs), later: byId("entry").dataset.rules });
  byId("score").dataset.state = "entered";
  byId("score").replaceChildren(
    fragment(html`<h2>The score</h2>${words.map((sentence) => html`<p class="hint">${sentence}</p>`)}`),
  );
}

// Says above the hand, where it cannot be missed, what others do with this hand.
export function showOthers(words) {
  byId("also-entering").replaceChildren(message(words, "warning"));
}

// Says what became of the hand just saved, and what to do now; `isPlayed` if the rules on this tablet have played it.
export function savedWords(item, network, holder, isPlayed) {
  const saved = `${keptWords().heading}: ${item.words}.`;
  const isSignedOut = network.signIn.has(item.session);
  if (item.state === "attention" || holder || (isSignedOut && storage.fault))
    return `${saved} ${stateWords(item, network, holder)}`;
  if (isSignedOut) return `${saved} This tablet is signed out. Go on playing, and press the line “to send” to sign in.`;
  if (storage.fault) return `${saved} ${noWifi()}`;
  return `${saved} There is no Wi-Fi just now. ${state.data.mode === "new" ? `Go on playing. ${isPlayed ? BALANCES : SCORES_LATER}` : isPlayed ? BALANCES : CHANGED}`;
}
