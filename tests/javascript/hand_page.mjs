// The page of a hand under Node, as a person uses it: by the names of its buttons, and what it says.
import assert from "node:assert/strict";

import { beginRules, openPage, Tablet } from "./page.mjs";

const WAYS = { total: "Type a total", nothing: "Nothing to score", tiles: "Enter tiles" };
// Longer than two presses of a double press are apart.
const A_MOMENT = 800;

export const isShown = (element) => !element.closest("[hidden], noscript");

export function nameOf(element) {
  const said = element.cloneNode(true);
  for (const one of said.querySelectorAll("[aria-hidden=true]")) one.remove();
  return (element.getAttribute("aria-label") || said.textContent).trim();
}

export const textOf = (element) => element.textContent.replace(/\s+/g, " ").trim();
export const textOfId = (id) => textOf(document.getElementById(id));
export const textsOf = (selector) => [...document.querySelectorAll(selector)].map(textOf);

export class HandPage {
  static async open(tablet = new Tablet(), name = "hand") {
    const made = new HandPage();
    made.tablet = tablet;
    made.page = await openPage(tablet, name, "table/outbox/page.js", "table/hand_entry.js");
    await made.page.until(() => isShown(document.getElementById("entry")), "the page is open");
    return made;
  }

  // With the rules at work, which score every tap.
  static async scoring(name = "hand") {
    await beginRules();
    const tablet = new Tablet();
    tablet.hasRules = true;
    const made = await HandPage.open(tablet, name);
    await made.page.until(() => document.querySelector("[data-rules='on board']"), "the rules are on board");
    return made;
  }

  get server() {
    return this.tablet.server;
  }

  // The hand as the tablet keeps it.
  get body() {
    const [name] = [...this.tablet.localStorage.kept.keys()].filter((one) => one.startsWith("hand-"));
    return name ? JSON.parse(this.tablet.localStorage.getItem(name)).body : null;
  }

  // Lets so much time pass that the next press is not the second of a double press.
  pause() {
    return this.tablet.clock.pass(A_MOMENT);
  }

  press(element) {
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
    Object.defineProperty(event, "timeStamp", { value: this.tablet.clock.now });
    element.dispatchEvent(event);
  }

  async tapOn(element) {
    assert.ok(element && isShown(element), "what is tapped can be seen");
    this.press(element);
    await this.pause();
  }

  buttons(name, within = document) {
    const likely = [...within.querySelectorAll("button, [role=switch]")].filter(
      (one) => one.getAttribute("aria-label") === name || one.textContent.includes(name),
    );
    return likely.filter((one) => isShown(one) && nameOf(one) === name);
  }

  button(name, within = document) {
    const found = this.buttons(name, within);
    assert.equal(found.length, 1, `one button “${name}”, not ${found.length}`);
    return found[0];
  }

  tap(name, within) {
    return this.tapOn(this.button(name, within));
  }

  group(name) {
    const found = [...document.querySelectorAll("fieldset, [role=group]")].find(
      (one) =>
        isShown(one) &&
        (one.getAttribute("aria-label") || one.querySelector("legend")?.textContent || "").trim() === name,
    );
    assert.ok(found, `the group “${name}”`);
    return found;
  }

  lastTileFrom(name) {
    return this.tap(name, this.group("Last tile from"));
  }

  chip(code) {
    return this.tapOn(document.querySelector(`.chip-${code}`));
  }

  has(name) {
    return [...document.querySelectorAll("fieldset, [role=group]")].some(
      (one) => isShown(one) && one.getAttribute("aria-label") === name,
    );
  }

  // Enters a hand of typed totals: the winner's, and nothing for the others.
  async enterWin(winner, total) {
    await this.mark(winner);
    await this.choose(winner, "total");
    await this.figures(String(total));
    await this.everybody();
    for (const name of textsOf(".seat-card .seat-name").filter((one) => one !== winner))
      await this.choose(name, "nothing").then(() => this.everybody());
  }

  // At a table, with the rules on board

  // Waits until a place says just this, or what fits.
  shows(selector, words) {
    const fits = (text) => (words instanceof RegExp ? words.test(text) : text === words);
    return this.page.until(
      () => textsOf(selector).some(fits),
      () => `${selector} says “${words}”, not ${textsOf(selector)}`,
    );
  }

  nextIs(number) {
    return this.shows("#next-hand", `Hand ${number}`);
  }

  balances() {
    return Object.fromEntries(
      [...document.querySelectorAll(".felt [data-seat], .sitter")]
        .filter((seat) => seat.querySelector(".seat-name"))
        .map((seat) => [".seat-name", ".balance"].map((part) => textOf(seat.querySelector(part)))),
    );
  }

  // Looks at what a change does, and agrees to it.
  async lookAnd(press, heading) {
    await this.shows("#preview-heading", heading);
    const shown = document.querySelector("[aria-labelledby=preview-heading]");
    assert.notEqual(textOf(shown.querySelector(".lead")), "");
    await this.tap(press, shown);
  }

  async toEntry(number) {
    await this.tapOn(document.getElementById("mahjong"));
    await this.shows(".hand-title", new RegExp(`Hand ${number}`));
  }

  async win(number, winner, total = 8) {
    await this.toEntry(number);
    await this.enterWin(winner, total);
    await this.tap(`Save hand ${number}`);
    await this.nextIs(number + 1);
    await this.pause();
  }

  async pressOn(id) {
    await this.tapOn(document.getElementById(id));
  }

  link(name, within = document) {
    const found = [...within.querySelectorAll("a")].filter((one) => isShown(one) && nameOf(one) === name);
    assert.ok(found.length, `a link “${name}”`);
    return found[0];
  }

  follow(name, within) {
    return this.tapOn(this.link(name, within));
  }

  // Saves the hand, and returns it as it was sent.
  async saved(number = 1) {
    await this.tap(`Save hand ${number}`);
    await this.page.until(() => this.server.recorded.length, "the hand is recorded");
    return this.server.recorded[0].body;
  }

  everybody() {
    return this.tap("Everyone", document.getElementById("seat-tabs"));
  }

  async choose(name, way) {
    if (!isShown(document.getElementById("everybody"))) await this.everybody();
    await this.others(name, way);
    await this.tap(`${WAYS[way]}, ${name}`);
  }

  async others(name, way) {
    // What was typed before is offered first.
    if (!this.buttons(`${WAYS[way]}, ${name}`).length) await this.tap(`Other ways to enter, ${name}`);
  }

  async mark(name) {
    if (!isShown(document.getElementById("everybody"))) await this.everybody();
    await this.tap(name, document.getElementById("who-won"));
  }

  face(code) {
    return this.tapOn(document.querySelector(`.face[data-tile="${code}"]`));
  }

  async mode(kind, isConcealed) {
    const button = document.querySelector(`#modes [data-kind="${kind}"]`);
    if (button.getAttribute("aria-pressed") !== "true") await this.tapOn(button);
    const concealed = document.getElementById("concealed");
    if (isConcealed !== undefined && concealed.getAttribute("aria-checked") !== String(isConcealed))
      await this.tapOn(concealed);
  }

  async lay(...sets) {
    for (const one of sets) {
      const [tile, kind, how] = one.split(" ").reverse();
      await this.mode(kind, kind === "pair" ? undefined : how === "concealed");
      await this.face(tile);
    }
  }

  async figures(text) {
    for (const figure of text) await this.tap(figure, this.group("Figures"));
  }

  async type(label, text) {
    const field = [...document.querySelectorAll("input")].find(
      (one) => isShown(one) && [...(one.labels || [])].some((other) => other.textContent.trim() === label),
    );
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await this.pause();
    return field;
  }

  says(words) {
    assert.ok(
      document.getElementById("entry-status").textContent.includes(words),
      document.getElementById("entry-status").textContent,
    );
  }

  asks(words) {
    assert.ok(
      (document.getElementById("error-summary")?.textContent || "").includes(words),
      document.getElementById("problems").textContent,
    );
  }

  undoes(words) {
    assert.equal(document.getElementById("undo-last").textContent.trim(), words);
  }

  whose(words) {
    assert.equal(document.getElementById("whose-hand").textContent, words);
  }

  tray() {
    return [...document.querySelectorAll(".tray-set")];
  }

  undo() {
    return this.tapOn(document.getElementById("undo-last"));
  }
}
