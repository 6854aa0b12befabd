// Sends one command, and says what the answer means. A page in the way (a sign-in, a café's network) is no answer.
import { fetchWithin } from "../../web/browser.js";
import { Outcome } from "./commands.js";

const LIMIT = 8000;
// The status of a command that the server keeps until someone decides.
const KEPT = 409;

export const RECORDED = "recorded";
export const ATTENTION = "attention";
export const SIGN_IN = "sign-in";
export const LOST = "lost";

const cookie = (name) =>
  document.cookie
    .split("; ")
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

// Over https its name has a prefix; one without may be left from an earlier version.
export const token = () => decodeURIComponent(cookie("__Host-csrftoken") || cookie("csrftoken") || "");

// Sends a form as a browser does, without a submit event. Its token may be of an earlier sign-in; the cookie's counts now.
export function submitPlainly(form) {
  renewToken(form);
  HTMLFormElement.prototype.submit.call(form);
}

export function renewToken(form) {
  const field = form.elements.csrfmiddlewaretoken;
  if (field && token()) field.value = token();
}

async function request(address, options = {}) {
  try {
    const answer = await fetchWithin(LIMIT, address, options);
    server.isAway = answer.status >= 500;
    const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
    return {
      status: answer.type === "opaqueredirect" ? 302 : answer.status,
      reply: isJson ? await answer.json() : null,
    };
  } catch {
    server.isAway = true;
    return { status: 0, reply: null };
  }
}

function post({ url, key, kind, body, device, after, seats, why, made_at, shown }) {
  return request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token() },
    body: JSON.stringify({ key, kind, body, device, after, seats, why, made_at, shown }),
  });
}

function verdict({ status, reply }) {
  if ([200, 201].includes(status) && [Outcome.RECORDED, Outcome.AGAIN].includes(reply?.outcome)) return RECORDED;
  if ([400, 403, 409, 413, 422].includes(status) && reply?.outcome) return ATTENTION;
  if ([302, 401, 403].includes(status) || (status === 404 && reply?.outcome)) return SIGN_IN;
  return LOST;
}

// `renewLock` keeps the lock, which lives longer than one request may take.
export async function send(command, renewLock) {
  let answer = await post(command);
  if (answer.status === 403 && !answer.reply) {
    // The CSRF token was of an earlier sign-in: fetching the state brings a new one.
    await renewLock();
    await fetchState(command.state_url);
    await renewLock();
    answer = await post(command);
  }
  const { status, reply } = answer;
  return {
    verdict: verdict(answer),
    status,
    reply,
    isKept: reply?.status === KEPT && reply.outcome !== Outcome.REFUSED,
  };
}

/** Fetches a state: its status, and the state where that is the answer. */
export async function fetchState(address) {
  // Of a game nobody else knows.
  if (!address) return { status: 204, reply: null };
  const { status, reply } = await request(address, { headers: { Accept: "application/json" } });
  return { status, reply: status === 200 && reply?.chairs ? reply : null };
}

// Whether the server was away when it was last asked for anything.
export const server = { isAway: false };
