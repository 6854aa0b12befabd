// What waits on a tablet is sent from any page, which says so in its bar.
import assert from "node:assert/strict";
import test from "node:test";

import { textOfId } from "./hand_page.mjs";
import { openPage, refusal, Tablet } from "./page.mjs";

// Saves so many hands that nobody won at the first table, while the server is away.
async function awayWith(hands) {
  const tablet = new Tablet();
  const page = await openPage(tablet, "table", "table/outbox/page.js");
  tablet.server.isAway = true;
  for (let number = 1; number <= hands; number += 1) {
    document.getElementById("nobody").click();
    await page.until(() => textOfId("saved-words") === `${number} hand${number === 1 ? "" : "s"} to send`);
    await tablet.clock.pass(2500);
  }
  return tablet;
}

async function leagueTable(tablet) {
  const page = await openPage(tablet, "league table", "table/to_send.js");
  return {
    page,
    says: (words) =>
      page.until(
        () => textOfId("saved-words") === words,
        () => `${textOfId("saved-words")}, not ${words}`,
      ),
  };
}

test("the league table sends what waits, and says so before and after", async () => {
  const tablet = await awayWith(2);
  const { says } = await leagueTable(tablet);
  await says("2 hands to send");
  assert.equal(document.getElementById("saved").hidden, false);
  assert.equal(document.getElementById("saved-words").getAttribute("href"), "/outbox/");
  tablet.server.isAway = false;
  await says("2 hands sent");
  assert.deepEqual(
    tablet.server.recorded.map(({ kind }) => kind),
    ["hand", "hand"],
  );
  // Told once: neither another page nor the table says it again.
  const { page } = await leagueTable(tablet);
  await tablet.clock.pass(6000);
  assert.equal(document.getElementById("saved").hidden, true);
  const store = await page.load("table/outbox/store.js");
  assert.deepEqual(await page.within(store.takeOutcomes(() => true)), []);
});

test("what the server refuses leads to its table", async () => {
  const tablet = await awayWith(1);
  tablet.server.isAway = false;
  tablet.server.answers.push(refusal(422, "invalid", "One chow is allowed."));
  const { says } = await leagueTable(tablet);
  await says("Table 1 waits for an answer from you");
  assert.match(document.getElementById("saved-words").getAttribute("href"), /\/sessions\/\d+\/table\/$/);
  assert.ok(document.getElementById("saved").classList.contains("is-attention"));
});

test("while another page sends, this one does not", async () => {
  const tablet = await awayWith(1);
  let isFree = false;
  tablet.locks = { request: async (_name, _options, take) => take(isFree ? {} : null) };
  tablet.server.isAway = false;
  const { says } = await leagueTable(tablet);
  await tablet.clock.pass(20_000);
  await says("1 hand to send");
  assert.deepEqual(tablet.server.keys, []);
  isFree = true;
  await says("1 hand sent");
});

test("the token of a form is that of the cookie with the prefix of https, where there is one", async () => {
  const { page } = await leagueTable(new Tablet());
  const { token } = await page.load("table/outbox/send.js");
  for (const [cookie, expected] of [
    ["csrftoken=of%20http", "of http"],
    ["csrftoken=earlier; __Host-csrftoken=of-https", "of-https"],
    ["looks=large", ""],
  ]) {
    Object.defineProperty(document, "cookie", { configurable: true, get: () => cookie });
    assert.equal(token(), expected);
  }
});
