// After a correction earlier on, a hand may hold what was entered for someone who does not play in it.

// Takes out of a body, in place, whatever names someone who does not play; returns their hands by number.
export function removeAbsentPlayers(body, seats) {
  const plays = new Set(seats.map((one) => one.number));
  const absent = Object.entries(body.hands).filter(([number]) => !plays.has(number));
  for (const part of [body.hands, body.beside, body.beside.unsure || {}]) {
    for (const number of Object.keys(part)) if (!plays.has(number) && number !== "unsure") delete part[number];
  }
  const winners = [body.mahjong || []].flat().filter((win) => plays.has(win.by));
  for (const win of winners) if (/^\d+$/.test(win.from || "") && !plays.has(win.from)) delete win.from;
  body.mahjong = winners.length > 1 ? winners : winners[0] || null;
  body.penalties = body.penalties.filter(({ by, to }) => plays.has(by) && (!to || plays.has(to)));
  return Object.fromEntries(absent);
}
