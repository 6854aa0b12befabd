// Sends one command and says what its answer means. A page in the way (a sign-in, a café's network) is no answer.
import { Outcome } from "./outcomes.js";

const LIMIT = 8000;
// Answered with this status, a command of a key replaced since is kept for the secretary.
const KEPT = 409;

export const RECORDED = "recorded";
export const ATTENTION = "attention";
export const SIGN_IN = "sign-in";
export const LOST = "lost";

export const token = () => decodeURIComponent(document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] || "");

// A page's own token may be of an earlier sign-in; the cookie's is the one that counts now.
export function renewToken(form) {
  const field = form.elements.csrfmiddlewaretoken;
  if (field && token()) field.value = token();
}

async function ask(address, options = {}) {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), LIMIT);
  try {
    const answer = await fetch(address, { credentials: "same-origin", redirect: "manual", cache: "no-store", signal: stop.signal, ...options });
    const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
    const reply = isJson ? await answer.json() : null;
    return { status: answer.type === "opaqueredirect" ? 302 : answer.status, reply };
  } catch {
    return { status: 0, reply: null };
  } finally {
    clearTimeout(limit);
  }
}

function post(command) {
  const { key, kind, body, device, after, seats, why, made_at } = command;
  return ask(command.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token() },
    body: JSON.stringify({ key, kind, body, device, after, seats, why, made_at }),
  });
}

function verdict({ status, reply }) {
  if ([200, 201].includes(status) && [Outcome.RECORDED, Outcome.AGAIN].includes(reply?.outcome)) return RECORDED;
  if ([400, 403, 409, 413, 422].includes(status) && reply?.outcome) return ATTENTION;
  if ([302, 401, 403].includes(status) || (status === 404 && reply?.outcome)) return SIGN_IN;
  return LOST;
}

// `renew` keeps the lock, which lives longer than one asking may take.
export async function send(command, renew) {
  let answer = await post(command);
  if (answer.status === 403 && !answer.reply) {
    // The token against forgery was of an earlier sign-in: asking for the state brings a new one.
    await renew();
    await askState(command.state_url);
    await renew();
    answer = await post(command);
  }
  const { reply } = answer;
  return { verdict: verdict(answer), status: answer.status, reply, isKept: reply?.status === KEPT && reply.outcome !== Outcome.REFUSED };
}

export async function askState(address) {
  const { status, reply } = await ask(address, { headers: { Accept: "application/json" } });
  return status === 200 && reply?.chairs ? reply : null;
}

// Whether the server is heard at all, within a short time.
export async function isHeard(patience) {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), patience);
  try {
    return (await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: stop.signal })).status === 200;
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}
