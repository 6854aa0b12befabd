// The winds in the order of play.
const NAMES = { E: "East", S: "South", W: "West", N: "North" };

export const WINDS = Object.keys(NAMES);
export const WIND_NAMES = Object.values(NAMES);
export const windName = (wind) => NAMES[wind] || "";
