/**
 * What the person at this page has sent and the bot has not settled yet: which button waits, which
 * command is being thought about, what failed. Other tabs of the same person have their own.
 */
import { act } from "./api.js";

/**
 * One of them: `{as, channelId, messageId, customId, command, state}` with the states `sending`,
 * `pending`, `thinking`, `failed`; a settled one is gone.
 *
 * Event: `change` (detail: the entry).
 */
export class Interactions extends EventTarget {
  #entries = new Set();
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
    this.#tell(entry);
    this.#requests += 1;
    try {
      entry.id = (await act(body)).id;
      if (!this.#entries.has(entry)) return;
      this.#move(entry, "pending");
      this.#early.filter(({ id }) => id === entry.id).forEach((news) => this.apply(news));
    } catch (error) {
      this.#settle(entry);
      throw error;
    } finally {
      this.#requests -= 1;
      if (!this.#requests) this.#early = [];
    }
  }

  /** News of an interaction: how far it has come. */
  apply(news) {
    const entry = [...this.#entries].find((each) => each.id === news.id);
    if (!entry) {
      if (this.#requests) this.#early.push(news);
    } else if (news.state === "done") this.#settle(entry);
    else this.#move(entry, news.state);
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
    this.#tell(entry);
  }

  #settle(entry) {
    entry.state = "settled";
    this.#entries.delete(entry);
    this.#tell(entry);
  }

  #tell(entry) {
    this.dispatchEvent(new CustomEvent("change", { detail: entry }));
  }
}
