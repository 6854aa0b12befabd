// Club admin's Find a page: the words that people use lead to the page that they mean.
import assert from "node:assert/strict";
import test from "node:test";

import { openPage, Tablet } from "./page.mjs";

const WORDS = {
  subscription: "Who owes what",
  "Subscriptions ": "Fees and money",
  subscriptions: "Who owes what",
  AGM: "Paper",
  "email results": "Meetings",
  backup: "Export",
  restore: "Export",
  handicap: "Seasons",
  merge: "Players",
  cup: "Cups",
  GDPR: "What is kept about people",
  undo: "History",
  Excel: "Import",
  "chat message": "Meetings",
  "cancel a meeting": "Meetings",
  "seating plan": "Meetings",
  "who came": "Meetings",
  "two leagues": "Seasons",
  "next season": "Seasons",
  prizes: "Trophies",
  "chairman's cup": "Cups",
  "new member": "Players",
  "phone numbers": "Players",
  "member left": "Players",
  "new secretary": "People and roles",
  "forgotten password": "People and roles",
  cheques: "Who owes what",
  "tea money": "Fees and money",
  newsletter: "Noticeboard",
  statistics: "League table",
  "score sheet": "Paper",
};

test("the words that people use lead to the page that they mean", async () => {
  await openPage(new Tablet(), "admin", "people/find_page.js");
  const field = document.getElementById("find");
  const shown = () =>
    [...document.querySelectorAll(".admin-rows li")]
      .filter((row) => !row.hidden)
      .map((row) => row.querySelector("b").textContent);
  const all = shown().length;
  for (const [words, page] of Object.entries(WORDS)) {
    field.value = words;
    field.dispatchEvent(new window.Event("input"));
    assert.ok(shown().includes(page), `${words}: ${shown()}`);
    assert.ok(shown().length < 5, `${words}: ${shown()}`);
  }
  field.value = "aardvark";
  field.dispatchEvent(new window.Event("input"));
  assert.deepEqual([shown(), document.getElementById("found-nothing").hidden], [[], false]);
  field.value = "";
  field.dispatchEvent(new window.Event("input"));
  assert.equal(shown().length, all);
});
