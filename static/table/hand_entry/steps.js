// A step of entering a hand is what it changed, part by part, so that it is undone without what others entered since.

const OF_A_PLAYER = {
  hand: (state) => state.body.hands,
  beside: (state) => state.body.beside,
  unsure: (state) => state.body.beside.unsure || {},
  way: (state) => state.ways,
  mode: (state) => state.modes,
};

// Returns every part of the hand as text, by its name and, for a player's part, the number of the seat.
export function partsOf(state) {
  const parts = {
    mahjong: JSON.stringify(state.body.mahjong),
    penalties: JSON.stringify(state.body.penalties),
    drawn: JSON.stringify(state.drawn),
    replaced: JSON.stringify(state.replaced),
  };
  for (const { number } of state.data.seats) {
    for (const [name, holder] of Object.entries(OF_A_PLAYER))
      parts[`${name} ${number}`] = JSON.stringify(holder(state)[number]) ?? "";
  }
  return parts;
}

const winnersIn = (text) => [JSON.parse(text) || []].flat().map((win) => win.by);

// Returns the numbers of the seats whose parts differ, and "" for a part that is no player's.
function seatsOf(changed, before, after) {
  const seats = changed.flatMap((name) => {
    if (name === "replaced") return [];
    if (name !== "mahjong") return [name.split(" ")[1] || ""];
    const [were, are] = [winnersIn(before.mahjong), winnersIn(after.mahjong)];
    const differ = [...were, ...are].filter((one) => !(were.includes(one) && are.includes(one)));
    return differ.length ? differ : are;
  });
  return [...new Set(seats)];
}

// Returns the step from one set of parts to another; null where they are equal.
export function stepBetween(before, after) {
  const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
  const only = (parts) => Object.fromEntries(changed.map((name) => [name, parts[name]]));
  return changed.length ? { before: only(before), after: only(after), seats: seatsOf(changed, before, after) } : null;
}

// Restores the parts, except those that were changed again since; the last step of all is undone as a whole.
export function putBack(state, { before, after }, isLast) {
  const now = partsOf(state);
  for (const [name, text] of Object.entries(before)) if (isLast || now[name] === after[name]) put(state, name, text);
}

function put(state, name, text) {
  const [part, number] = name.split(" ");
  const value = text ? JSON.parse(text) : undefined;
  if (part === "drawn" || part === "replaced") state[part] = value;
  else if (part in state.body && !number) state.body[part] = value;
  else {
    if (part === "unsure") state.body.beside.unsure ||= {};
    const holder = OF_A_PLAYER[part](state);
    if (value === undefined) delete holder[number];
    else holder[number] = value;
    if (part === "unsure" && !Object.keys(holder).length) delete state.body.beside.unsure;
  }
}
