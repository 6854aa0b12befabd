// Who sits where in the next hand, while hands wait to be sent: the server's rows tell the seats after each passing of
// the deal, and all that is decided here is whether it stays or passes.

import { kindOf } from "./kinds.js";

const WINDS = ["E", "S", "W", "N"];

// How the table stood when the server was last heard, or before the last changes that it knew.
function begun(state, back = 0) {
  const then = back ? state.back?.[back - 1] : state;
  if (!then) return null;
  const ahead = rowsBack(state, back);
  return {
    number: then.number,
    isOpen: then.open,
    back,
    undoes: state.undo?.[back],
    ahead,
    passes: 0,
    played: [],
    kept: then.kept,
    isBegun: !ahead[0].new_round,
    isGoulash: then.goulash,
    names: { ...state.names },
    players: { ...state.players },
    others: {},
    isSure: true,
  };
}

function rowsBack(state, at) {
  const step = state.back?.[at - 1];
  return step ? [...step.rows, ...rowsBack(state, at - 1).slice(step.then)] : state.ahead;
}

// The place of the next hand: `waiting` are the commands of this table, in order.
export function nextPlace(state, waiting) {
  let place = begun(state);
  const done = [];
  const undone = [];
  for (const command of waiting) {
    const kind = kindOf(command);
    if (kind.is_undo) {
      undone.push(place);
      const back = place.back + 1;
      place = done.pop() || begun(state, back) || { ...place, back, undoes: state.undo?.[back], isSure: false, isOpen: true };
    } else if (kind.is_redo) {
      done.push(place);
      place = undone.pop() || { ...place, undoes: undefined, isSure: false };
    } else {
      done.push(place);
      undone.length = 0;
      place = { ...(STEPS[command.kind] || (kind.seats_stay ? seatsStay : unsure))(place, command, state), undoes: command.key };
    }
  }
  return seated(place, state, waiting);
}

function seated(place, state, waiting) {
  const row = rowOf(place);
  const lines = waiting.filter((one) => kindOf(one).adds_entry);
  const now = standing(place);
  return {
    ...place,
    ...now,
    seatings: [rowsBack(state, place.back)[0].seats, ...place.played, now.seats],
    wind: row.wind_of_round,
    windName: state.winds[row.wind_of_round] || "",
    isNewGame: row.new_game && (place.passes > 0 || place.back > 0),
    isSure: place.isSure && place.passes < place.ahead.length,
    after: lines.length ? lines[lines.length - 1].key : state.last,
    count: waiting.length,
  };
}

function hand(place, { body }, state) {
  const { deal } = state;
  const winners = [body.mahjong || []].flat().map((one) => one.by);
  const isVoid = !winners.length && deal.false_mahjong_voids && (body.penalties || []).some((one) => one.kind === "false mahjong");
  const next = { ...place, number: place.number + 1, played: [...place.played, standing(place).seats], keptMost: null };
  if (isVoid) return next;
  next.isGoulash = !winners.length && deal.goulash;
  next.isBegun = true;
  if (!winners.length) return deal.stays_on_draw ? next : passed(next);
  const isEast = winners.includes(east(place));
  const isOver = deal.east_max !== null && place.kept >= deal.east_max;
  if (!isEast || !deal.stays_on_win) return passed(next);
  if (isOver) return passed({ ...next, keptMost: { name: place.names[east(place)], times: place.kept } });
  return { ...next, kept: place.kept + 1 };
}

// Where the seats were told, and not only by the deal, nobody here knows who follows.
function passed(place) {
  const passes = place.passes + 1;
  return { ...place, passes, kept: 0, isBegun: !place.ahead[passes]?.new_round, isSure: place.isSure && !place.told };
}

// Who sits on which side of the table after some seatings, hand by hand: people stay in their chairs, so each seating is
// turned until most of them sit where they sat. As places_of() of the server; `sides` begin with East's to be.
export function placesOf(sides, seatings) {
  const turned = (seats, turn) => WINDS.map((_, side) => seats[WINDS[(side - turn + 4) % 4]] || "");
  const staying = (placed, before) => placed.filter((seat, side) => seat && seat === before[side]).length;
  return seatings.reduce((before, seats) => [0, 1, 2, 3].map((turn) => turned(seats, turn)).reduce((best, placed) => (staying(placed, before) > staying(best, before) ? placed : best)), sides);
}

const rowOf = ({ ahead, passes }) => ahead[Math.min(passes, ahead.length - 1)];

const east = (place) => standing(place).seats.E;

// Two who change places: each stands from now on wherever the other would have stood.
function exchange(place, { body }) {
  if (body.entry) return unsure(place);
  const swap = { [body.a]: body.b, [body.b]: body.a };
  const kept = swap[east(place)] ? 0 : place.kept;
  if (place.told) return { ...place, told: exchanged(place.told, swap), kept };
  const all = [...Object.values(place.ahead[0].seats), ...place.ahead[0].out];
  const now = (seat) => place.others[seat] || seat;
  return { ...place, others: Object.fromEntries(all.map((seat) => [seat, swap[now(seat)] || now(seat)])), kept };
}

function exchanged({ seats, out }, swap) {
  const other = (seat) => swap[seat] || seat;
  return { seats: Object.fromEntries(Object.entries(seats).map(([wind, seat]) => [wind, other(seat)])), out: out.map(other) };
}

// As they really sit: the seats of a coming deal, the same people in other chairs, or what nobody could foresee.
function seating(place, { body }) {
  if (body.exchange) return exchange(place, { body: { a: body.exchange[0], b: body.exchange[1] } });
  const told = { seats: body.winds, out: body.out || [] };
  const same = (row) => WINDS.every((wind) => (row.seats[wind] || "") === (told.seats[wind] || ""));
  const further = place.told || Object.keys(place.others).length ? -1 : place.ahead.findIndex((row, at) => at >= place.passes && at <= place.passes + 1 && same(row));
  if (further === place.passes) return place;
  if (told.seats.E === east(place)) return { ...place, told };
  const { seats } = standing(place);
  const isNextEast = told.seats.E === (seats.S || seats.W);
  if (further > place.passes && place.isBegun && isNextEast) return passed(place);
  // Before the first hand of a later round these may be the seats of the round before; and where the rows do not tell the
  // seats any more, the next in turn as East may be the deal's passing, into another round perhaps.
  const row = rowOf(place);
  const mayTurnRound = place.isBegun ? isNextEast : row.wind_of_round !== "E" || row.new_game;
  return { ...place, told, kept: 0, isSure: place.isSure && !mayTurnRound };
}

const standing = (place) => place.told || exchanged(rowOf(place), place.others);

// Who comes takes the empty chair, or sits out and comes in next. The seat's number is the server's to give: till then
// it is the one the server will give where nobody else comes meanwhile.
function arrive(place, { named, body }) {
  const { seats, out } = standing(place);
  const [seat, name] = comer(place, body.player, named);
  const empty = WINDS.find((wind) => !seats[wind]);
  const told = empty ? { seats: { ...seats, [empty]: seat }, out } : { seats, out: [...out, seat] };
  return { ...place, names: { ...place.names, [seat]: name }, players: { ...place.players, [seat]: body.player }, told };
}

// Who comes back has the seat and the name of before.
function comer(place, player, named) {
  const [back] = Object.entries(place.players).find(([, one]) => one === player) || [];
  return back ? [back, place.names[back]] : [String(Math.max(...Object.keys(place.names).map(Number)) + 1), named || "Someone"];
}

function leave(place, { body }) {
  const { seats, out } = standing(place);
  if (out.includes(body.seat)) return { ...place, told: { seats, out: out.filter((seat) => seat !== body.seat) } };
  const wind = WINDS.find((one) => seats[one] === body.seat);
  const left = { ...seats };
  if (out.length) left[wind] = out[0];
  else delete left[wind];
  return { ...place, told: { seats: left, out: out.slice(1) }, isSure: place.isSure && Boolean(left.E), kept: wind === "E" ? 0 : place.kept };
}

const unsure = (place) => ({ ...place, isSure: false });

function seatsStay(place, command) {
  const { finishes, reopens } = kindOf(command);
  return { ...place, isOpen: Boolean(reopens || (place.isOpen && !finishes)) };
}

// A change of a hand that leaves it with whoever won it moves nobody.
const correct = (place, { keepsDeal }) => (keepsDeal ? place : unsure(place));

// How each kind that moves someone is carried out here.
const STEPS = { hand, exchange, seating, arrive, leave, correct };
