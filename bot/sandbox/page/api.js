/** What the page asks of the sandbox. Every refusal is a sentence for the person at the page. */

/** The sandbox said no, or nothing at all; `message` is the sentence to show. */
export class Refused extends Error {}

const SILENT = "The sandbox does not answer. Is it still running?";

/** The world as this person sees it. */
export async function fetchWorld(as, { signal } = {}) {
  const query = as ? `?as=${encodeURIComponent(as)}` : "";
  return answer(await ask(`/sandbox/world${query}`, { signal }));
}

/** Sends a command, a press, a choice or a modal; returns the interaction's id. */
export async function sendInteraction(body) {
  return (await answer(await post("/sandbox/interactions", body))).id;
}

/** What the bot proposes for an option while it is typed. */
export async function fetchChoices(body, { signal } = {}) {
  return (await answer(await post("/sandbox/interactions", body, signal))).choices ?? [];
}

/** Removes an ephemeral message for its reader. */
export async function dismiss(as, address) {
  await answer(await post("/sandbox/dismiss", { ...address, as }));
}

/** Gives or takes the permission to manage the server. */
export async function manage(as, manages) {
  await answer(await post("/sandbox/manage", { as, manages }));
}

function post(path, body, signal) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

async function ask(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(SILENT, { cause: error });
  }
}

async function answer(response) {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok) return body ?? {};
  throw new Refused(body?.error ?? `The sandbox refused this (HTTP ${response.status}).`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
