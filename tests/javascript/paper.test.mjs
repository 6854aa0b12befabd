// Typing in a paper sheet: what a key changes, what is told, what stays and what is back after a reload.
import assert from "node:assert/strict";
import test from "node:test";

import { openPage, Tablet } from "./page.mjs";

class Sheet {
  static async open(tablet = new Tablet()) {
    const one = new Sheet();
    one.tablet = tablet;
    one.page = await openPage(tablet, "paper", "table/paper.js");
    return one;
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

  value(id) { return document.getElementById(id).value; }

  says() { return document.getElementById("paper-status").textContent; }
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
  assert.ok(one.says().includes("“Z” is not a player in this hand. Enter E, S, W or N for the winner, or D for nobody."), one.says());
  assert.equal(one.value("winner_1"), "W");
});

test("a reload keeps what is typed", async () => {
  const first = await Sheet.open();
  for (const [at, total] of ["64", "0", "8", "2"].entries()) await first.type(`total_1_${at + 1}`, total);
  first.press("total_1_4", "e");
  await first.type("total_2_1", "128");
  const one = await Sheet.open(first.tablet);
  assert.ok(document.getElementById("problems").textContent.includes("Your typed hands are back."));
  assert.deepEqual(["total_1_1", "total_1_4", "winner_1", "total_2_1"].map((id) => one.value(id)), ["64", "2", "E", "128"]);
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
