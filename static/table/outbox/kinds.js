// What is known of each kind of command, from the page: the rows stand in clubscore/table/command_kinds.py.
const data = document.getElementById("command-kinds");
const KINDS = data ? JSON.parse(data.textContent) : {};

// Of a kind that this page does not know, nothing is so.
export const kindOf = ({ kind }) => KINDS[kind] || {};

// Starts a table of this tablet's own, which is named by words until the club has it; nothing else of it can be sent before.
export const isStart = ({ kind }) => kind === "start";
export const isUnstarted = ({ session, kind }) => typeof session === "string" && !isStart({ kind });

export const isStep = (command) => Boolean(kindOf(command).is_undo || kindOf(command).is_redo);

// Fills the {slots} of a template.
export const filled = (template, slots) => template.replace(/\{(\w*)\}/g, (_, slot) => slots[slot] ?? "");
