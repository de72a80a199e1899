/**
 * What the person at this page has sent and the bot has not settled yet: which button waits, which
 * command is being thought about, what failed. Other tabs of the same person have their own.
 */
import { Source } from "./dom.js";
import { say } from "./words.js";

/**
 * One of them: `{as, channelId, messageId, customId, command, state}` with the states `sending`,
 * `pending`, `thinking`, `failed`; a settled one is gone.
 *
 * Events: `change` (detail: the entry), `modal` (detail: what to ask, and in which channel).
 */
export class Interactions extends Source {
  #entries = new Set();
  /** The channel of everything this page has sent, by id: a modal may follow what is settled. */
  #channels = new Map();
  /** News about ids that no answered request has claimed yet: they may overtake the answer. */
  #early = [];
  #requests = 0;

  /** Sends `body` and follows what becomes of it. Raises `Refused` when it is not accepted. */
  async send(body) {
    this.forgetFailures(body.message_id);
    const entry = {
      as: body.as,
      channelId: body.channel_id,
      messageId: body.message_id,
      customId: body.custom_id,
      command: body.command,
      state: "sending",
    };
    this.#entries.add(entry);
    this.tell("change", entry);
    this.#requests += 1;
    try {
      entry.id = (await act(body)).id;
      if (!this.#entries.has(entry)) return;
      this.#channels.set(entry.id, entry.channelId);
      this.#move(entry, "pending");
      this.#early.filter(({ id }) => id === entry.id).forEach(({ news }) => this.apply(...news));
    } catch (error) {
      this.#settle(entry);
      throw error;
    } finally {
      this.#requests -= 1;
      if (!this.#requests) this.#early = [];
    }
  }

  /** News named `interaction` or `modal`. */
  apply(name, data) {
    const id = name === "modal" ? data.interaction_id : data.id;
    const channelId = this.#channels.get(id);
    const entry = [...this.#entries].find((each) => each.id === id);
    if (!channelId) {
      if (this.#requests) this.#early.push({ id, news: [name, data] });
    } else if (name === "modal") this.tell("modal", { ...data, channelId });
    else if (entry && data.state === "done") this.#settle(entry);
    else if (entry) this.#move(entry, data.state);
  }

  /** Those of a channel that belong to no message: commands under way or failed. */
  inChannel(channelId) {
    return [...this.#entries].filter((each) => each.channelId === channelId && !each.messageId);
  }

  /** The one on this message, if any. */
  onMessage(messageId) {
    return [...this.#entries].find((each) => each.messageId === messageId);
  }

  /** After a reconnect nobody knows what became of them; only what `as` is just sending stays. */
  forgetAll(as) {
    for (const entry of [...this.#entries]) {
      if (entry.state !== "sending" || entry.as !== as) this.#settle(entry);
    }
  }

  /** Failures on this message, or, without one, those of commands. */
  forgetFailures(messageId) {
    for (const entry of [...this.#entries]) {
      if (entry.state === "failed" && entry.messageId === messageId) this.#settle(entry);
    }
  }

  #move(entry, state) {
    entry.state = state;
    this.tell("change", entry);
  }

  #settle(entry) {
    entry.state = "settled";
    this.#entries.delete(entry);
    this.tell("change", entry);
  }
}

/** The sandbox said no, or nothing at all; `message` is the sentence to show. */
class Refused extends Error {
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
