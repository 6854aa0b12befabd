// Which day it is at the club. The server's clock says so where it is heard; without it the tablet's own, put right by how
// far it was out when the server was last heard.
import { readStored } from "../web/browser.js";
import { flash } from "./outbox/flash.js";

// As a date field has it.
const written = (time, timeZone) => new Date(time).toLocaleDateString("sv-SE", { timeZone });

/** A day in words, with its year: 29 November 2026. */
export const dayWords = (day) =>
  new Date(`${day}T12:00`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/**
 * The day in the club’s time zone, and that on the tablet’s clock.
 * @param {string} [zone] without one the tablet’s
 * @param {string} [seen] the day of the page as the server wrote it, before which today cannot be
 */
export function clubDay(zone, seen = "") {
  const now = Date.now();
  const last = readStored("server-clock");
  // A clock that was put back since then shows an earlier time than it did.
  const day = written(last ? last.server + Math.max(0, now - last.tablet) : now, zone);
  return { day: day < seen ? seen : day, tablet: written(now) };
}

/** What a tablet whose clock shows another day is told, or "". */
export function clockWords({ day, tablet }, isHeard) {
  if (day === tablet) return "";
  // The year matters only where it differs.
  const words = (date) => dayWords(date).slice(0, day.slice(0, 4) === tablet.slice(0, 4) ? -" 2026".length : undefined);
  const clock = `This tablet’s clock says ${words(tablet)}.`;
  return isHeard
    ? `${clock} The table starts today, ${words(day)}.`
    : `${clock} The table starts on ${words(day)}. Change the date if that is wrong.`;
}

/** Brings the day into a field that nobody has changed, and tells a tablet whose clock shows another; `seen` as above. */
export function bringDay(field, zone, seen, isHeard) {
  if (field.value !== (field.dataset.proposed ?? seen)) return;
  const found = clubDay(zone, seen);
  field.value = field.dataset.proposed = found.day;
  const words = clockWords(found, isHeard);
  if (words) flash(words, "warning");
}
