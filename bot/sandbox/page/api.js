/** What the page asks of the sandbox. Every refusal is a sentence for the person at the page. */
import { say } from "./words.js";

/** The sandbox said no, or nothing at all; `message` is the sentence to show. */
export class Refused extends Error {
  constructor(key, values = {}, cause = undefined) {
    super(say(key, values), { cause });
    this.key = key;
    this.values = values;
  }
}

/**
 * Does what `body` says, and returns what the sandbox answers: the id of the interaction that was
 * begun, or the choices of a completion.
 */
export async function act(body, { signal } = {}) {
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  };
  try {
    return await answer(await fetch("/sandbox/act", options));
  } catch (error) {
    if (error.name === "AbortError" || error instanceof Refused) throw error;
    throw new Refused("refused.no_answer", {}, error);
  }
}

async function answer(response) {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok) return body ?? {};
  if (body?.key) throw new Refused(body.key, body.values);
  throw new Refused("refused.status", { status: response.status });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
