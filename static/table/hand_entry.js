// Hand entry, a page or a view of the table's page: wires the taps to the state and draws what has changed.
import { render } from "../web/html.js";
import { keepScreenOn } from "../web/browser.js";
import { byId, readJson } from "../web/dom.js";
import { askAbove, translate, useSprite, useWords } from "./hand_entry/dom.js";
import { drawEverybody, drawTabs, wantedNext } from "./hand_entry/everybody.js";
import { catchUp, itemToCorrect, prepare, tablePlace } from "./hand_entry/offline_save.js";
import {
  drawPayments,
  everyoneElse,
  foreseeSave,
  goOn,
  goOnWords,
  goTo,
  isBeingSaved,
  nothingElse,
  redrawProblems,
  showProblems,
  wireSave,
} from "./hand_entry/save.js";
import { stopWatching, watchOthers } from "./hand_entry/others.js";
import { askForScore, loadRulesLater, useScore } from "./hand_entry/scores.js";
import {
  beginAgain,
  change,
  EVERYBODY,
  hand,
  isRefusal,
  isUnsaved,
  onChange,
  seat,
  show,
  startAgain,
  state,
  undo,
  undoWords,
  wayOf,
  winning,
} from "./hand_entry/state.js";
import { wireTiles } from "./hand_entry/tile_taps.js";
import { drawModes, drawTray, drawWays } from "./hand_entry/tray.js";
import { chooseWay, drawWay } from "./hand_entry/ways.js";
import { drawQuestions, showQuestions, toggleWinner } from "./hand_entry/winner.js";
import { handWords } from "./hand_entry/words.js";
import { showUnsaved } from "./outbox/list.js";
import { register } from "./views.js";
import { windName } from "./winds.js";

// There is none where flowers and seasons do not count.
const bonusRow = () => byId("bonus-row");

let drawnLast = "";
// How many steps were made before the hand was opened here.
let untouched = 0;

// Written only where the words differ: anything written makes the browser lay out the page again.
const say = (id, words) => render(words, byId(id));

function draw(changed) {
  // An answer may come after the hand was left.
  if (!byId("entry")) return;
  if (changed) askForScore();
  const everybody = state.view === EVERYBODY;
  byId("everybody").hidden = !everybody;
  byId("players-hand").hidden = everybody;
  byId("entry").dataset.view = everybody ? EVERYBODY : "hand";
  byId("entry").inert = isBeingSaved();
  drawTabs();
  if (everybody) drawEverybody();
  else drawHand();
  say("entry-status", state.message);
  byId("entry-status").classList.toggle("is-refused", isRefusal());
  say("go-on", goOnWords());
  byId("go-on").classList.toggle("is-later", everybody && Boolean(wantedNext()));
  drawPayments();
  foreseeSave();
  say("undo-words", undoWords());
  byId("undo-last").classList.toggle("is-idle", undoWords() === "Undo");
  byId("goulash").hidden = !state.data.goulash;
  byId("nothing-else").hidden = !everyoneElse().length;
  byId("other-way").hidden = everybody || everyoneElse().length > 0;
  showUnsaved(isUnsaved() ? `Hand ${state.data.hand_number} is not saved yet` : undefined);
  if (!changed) return;
  redrawProblems();
  if (untouched !== state.history.length) byId("start-again")?.remove();
}

function drawHand() {
  const { name, wind, number } = seat(state.view);
  say("whose-hand", `${name}, ${windName(wind)}`);
  say("goes-mahjong", translate`${name} goes Mah-jong`);
  byId("goes-mahjong").setAttribute("aria-pressed", Boolean(winning(number)));
  say("other-way", wayOf(number) === "tiles" ? "Other ways to enter" : "Enter tiles");
  drawModes();
  drawWays();
  const place = wayOf(number) === "special" ? byId("bonus-place") : byId("tile-grid");
  if (bonusRow() && bonusRow().parentElement !== place) place.append(bonusRow());
  drawWay();
  drawTray();
  const asked = byId("questions").childElementCount;
  drawQuestions(pickHand);
  // A question that came with the score must not lie under the bar.
  if (number === drawnLast && byId("questions").childElementCount > asked) showQuestions(number);
  drawnLast = number;
}

// The list is long: its beginning is shown first.
function pickHand(number) {
  chooseWay(number, "special");
  window.scrollTo(0, 0);
}

function wire() {
  wireTiles();
  byId("goes-mahjong").addEventListener("click", () => {
    toggleWinner(state.view);
    showQuestions(state.view);
  });
  byId("undo-last").addEventListener("click", undo);
  byId("other-way").addEventListener("click", () =>
    chooseWay(state.view, wayOf(state.view) === "tiles" ? "choose" : "tiles"),
  );
  byId("go-on").addEventListener("click", goOn);
  byId("nothing-else").addEventListener("click", nothingElse);
  byId("players-hand").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".figures input")) return;
    event.preventDefault();
    byId("go-on").click();
  });
  byId("problems").addEventListener("click", (event) => {
    const link = event.target.closest("[data-seat]");
    if (!link) return;
    event.preventDefault();
    goTo(link.dataset.seat);
  });
  wireSave();
}

function offerStartAgain() {
  untouched = state.history.length;
  askAbove("Your unfinished hand is back as you left it.", [
    [
      "Start again",
      () => {
        startAgain();
        byId("problems").replaceChildren();
      },
    ],
  ]).id = "start-again";
}

// Offers the tiles of players who do not play in this hand to the players who have none.
function askWhoseHands() {
  for (const [number, tiles] of Object.entries(state.absent)) {
    const name = state.data.sits_out.find((one) => one.number === number)?.name || "Someone who has left";
    const give = (to) => {
      delete state.absent[number];
      change(() => {
        state.body.hands[to.number] = tiles;
        return `The hand entered for ${name} is ${to.name}’s.`;
      });
      show(to.number);
    };
    askAbove(
      `${name} is not playing in this hand, but has tiles entered: ${handWords(tiles, state.data)}. Whose was it?`,
      [
        ...state.data.seats.filter((one) => !hand(one.number)).map((to) => [`It was ${to.name}’s`, () => give(to)]),
        [
          "It does not count",
          () => {
            delete state.absent[number];
          },
        ],
      ],
      "warning",
    );
  }
}

// The table's button asks for a penalty, which need not belong to a hand.
function openPenalty() {
  if (location.hash === "#penalty") Object.assign(state, { view: EVERYBODY, penalty: { isFromTable: true } });
}

function open(data) {
  useSprite(byId("entry").dataset.sprite);
  useWords(data.words);
  const restored = beginAgain(data);
  openPenalty();
  useScore(data.score, !restored);
  wire();
  byId("entry").hidden = false;
  for (const one of document.querySelectorAll(".opening")) one.remove();
  catchUp(data);
  draw(restored || Boolean(itemToCorrect()) || !data.score);
  if (itemToCorrect()) showProblems([[itemToCorrect().message, EVERYBODY]]);
  if (restored) offerStartAgain();
  else askWhoseHands();
  byId("error-summary")?.focus();
  keepScreenOn();
  watchOthers(data);
  loadRulesLater();
}

onChange(draw);
register("hand_entry", {
  async prepare({ hash }, content) {
    const data = await prepare(JSON.parse(content.querySelector("#entry-data").textContent), hash, true);
    return data && (data.mode !== "new" || tablePlace()?.isOpen) ? data : null;
  },
  open(data) {
    open(data);
    document.querySelector(".hand-title").focus();
  },
  close() {
    stopWatching();
    showUnsaved(undefined);
  },
});
if (byId("entry")) prepare(readJson("entry-data"), location.hash).then(open);
