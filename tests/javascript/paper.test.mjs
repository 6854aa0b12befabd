// Typing in a paper sheet: what a key changes, what is told, what stays and what is back after a reload.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { textOf, textOfId } from "./hand_page.mjs";
import { beginRules, openPage, Tablet } from "./page.mjs";

class Sheet {
  static async open(tablet = new Tablet(), name = "paper") {
    const one = new Sheet();
    one.tablet = tablet;
    one.page = await openPage(tablet, name, "table/paper.js");
    return one;
  }

  // With the rules at work, and the cursor in the first field.
  static async scoring(name) {
    await beginRules();
    const one = await Sheet.open(Object.assign(new Tablet(), { hasRules: true }), name);
    // There is no layout here; the sheet’s totals are hidden by its looks until they are asked for.
    const isSeen = (field) => !field.closest("[hidden]") && !field.id.startsWith("sheet_");
    Object.defineProperty(one.page.dom.window.HTMLElement.prototype, "offsetParent", {
      get() {
        return isSeen(this) ? document.body : null;
      },
    });
    document.getElementById("total_1_1").focus();
    return one;
  }

  // Types a line where the cursor stands: each total with Enter after it, then the winner's letter.
  async line(totals, letter) {
    for (const total of totals) {
      await this.type(document.activeElement.id, String(total));
      this.press(document.activeElement.id, "Enter");
      await this.tablet.clock.pass(20);
    }
    this.press(document.activeElement.id, letter);
    await this.tablet.clock.pass(20);
  }

  winds(row) {
    return this.page
      .until(() => this.windsNow(row).some(Boolean), `row ${row} is drawn`)
      .then(() => this.windsNow(row));
  }

  windsNow(row) {
    return [...document.querySelectorAll(`#row_${row} .cell-wind`)].map(textOf);
  }

  round(row) {
    return textOf(document.querySelector(`#row_${row} .paper-round`));
  }

  winner(row) {
    return textOf(document.querySelector(`#row_${row} .winner-name`));
  }

  // Types into a field as a keyboard does: the key first, then what it leaves in the field.
  type(id, text) {
    const field = document.getElementById(id);
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return this.tablet.clock.pass(20);
  }

  press(id, key) {
    const field = document.getElementById(id);
    field.focus();
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    field.dispatchEvent(event);
    return event.defaultPrevented;
  }

  value(id) {
    return document.getElementById(id).value;
  }

  says() {
    return document.getElementById("paper-status").textContent;
  }
}

test("a letter leaves the figure where it stands", async () => {
  const one = await Sheet.open();
  await one.type("total_1_1", "64");
  assert.ok(one.press("total_1_1", "w"), "the letter is not written over the marked figure");
  assert.equal(one.value("total_1_1"), "64");
  assert.equal(one.value("winner_1"), "W");
  await one.type("total_1_1", "");
  assert.equal(one.value("total_1_1"), "");
  one.press("total_1_1", "z");
  assert.ok(
    one.says().includes("“Z” is not a player in this hand. Enter E, S, W or N for the winner, or D for nobody."),
    one.says(),
  );
  assert.equal(one.value("winner_1"), "W");
});

test("a reload keeps what is typed", async () => {
  const first = await Sheet.open();
  for (const [at, total] of ["64", "0", "8", "2"].entries()) await first.type(`total_1_${at + 1}`, total);
  first.press("total_1_4", "e");
  await first.type("total_2_1", "128");
  const one = await Sheet.open(first.tablet);
  assert.ok(document.getElementById("problems").textContent.includes("Your typed hands are back."));
  assert.deepEqual(
    ["total_1_1", "total_1_4", "winner_1", "total_2_1"].map((id) => one.value(id)),
    ["64", "2", "E", "128"],
  );
});

test("a loss pasted into the sheet’s totals keeps its minus", async () => {
  const one = await Sheet.open();
  const every = document.getElementById("every");
  every.checked = true;
  every.dispatchEvent(new Event("change", { bubbles: true }));
  for (const minus of ["-", "\u2011", "\u2012", "\u2014", "\u2212", "\uff0d"]) {
    await one.type("sheet_1_1", `\u200e${minus}120`);
    assert.equal(one.value("sheet_1_1"), `${minus}120`);
  }
});

test("Enter in an empty line stays there", async () => {
  const one = await Sheet.open();
  for (const [at, total] of ["64", "0", "8", "2"].entries()) await one.type(`total_1_${at + 1}`, total);
  one.press("total_1_4", "e");
  const here = document.activeElement.id;
  one.press(here, "Enter");
  assert.equal(document.activeElement.id, here);
});

test("anything but figures and a minus is left out of a total", async () => {
  const one = await Sheet.open();
  await one.type("total_1_1", "-4");
  assert.equal(one.value("total_1_1"), "-4");
  await one.type("total_1_2", "1.2 8");
  assert.equal(one.value("total_1_2"), "128");
});

test("chairs follow as the lines are typed", async () => {
  const one = await Sheet.scoring();
  const night = JSON.parse(readFileSync(new URL("../data/club-night.json", import.meta.url), "utf-8"));
  const { players, hands } = night.tables.find(({ table }) => table === 2);
  for (const { seats, input, expect } of hands.slice(0, 7)) {
    const windOf = (name) => Object.keys(seats).find((wind) => seats[wind] === name);
    const totals = input.mahjong ? players.map((name) => expect.hands[windOf(name)].total) : [];
    await one.line(totals, input.mahjong?.by ?? "D");
  }
  assert.deepEqual(await one.winds(8), ["E", "S", "W", "N"]);
  assert.equal(one.round(8), "South round");
  assert.equal(one.round(4), "East round, goulash");
  assert.deepEqual(await one.winds(7), ["S", "W", "N", "E"]);
  assert.match(one.says(), /Alice is East next\./);
});

test("whoever sits out is passed over", async () => {
  const one = await Sheet.scoring("paper of five");
  await one.line([0, 8, 0, 0], "S");
  assert.deepEqual(await one.winds(2), ["sits out", "E", "S", "W", "N"]);
  assert.equal(document.activeElement.id, "total_2_2");
  await one.line([0, 0, 8, 0], "W");
  // The first line was wrong: Alice won it and keeps the deal, so Fay sits out in the second, and what stands there for her
  // is shown; the winner of the second stays Dave.
  one.press("total_1_1", "E");
  await one.page.until(() => one.windsNow(2).join() === "E,S,W,N,sits out", "the seats of the second line");
  assert.equal(one.value("winner_2"), "N");
  assert.ok(!document.getElementById("total_2_5").closest("[hidden]"));
  assert.equal(one.winner(2), "Dave");
});

test("chairs follow when the network is lost", async () => {
  const one = await Sheet.scoring();
  await one.line([0, 8, 0, 0], "S");
  assert.deepEqual(await one.winds(2), ["N", "E", "S", "W"]);
  one.tablet.server.isAway = true;
  await one.line([0, 0, 8, 0], "S");
  assert.deepEqual(await one.winds(3), ["W", "N", "E", "S"]);
  assert.equal(one.winner(2), "Carol");
  await one.page.until(
    () => textOfId("paper-status").includes("No connection. Balances will appear later."),
    "no connection",
  );
});
