/**
 * What a screen reader says of the channel that is shown: the first words of a new message. That a
 * message has changed, as boards do, is not told by Discord's clients either.
 */
import { part } from "./dom.js";
import { readAloud } from "./emoji.js";
import { say } from "./words.js";

const LONGEST = 120;
const PAUSE_MS = 150;

/** Announces in `#announcer`. */
export class Announcer {
  #world;
  #channelId = null;
  /** The messages of the channel that have said something. */
  #told = new Set();
  #timer = null;

  constructor(world) {
    this.#world = world;
    world.addEventListener("message", ({ detail }) => this.#onMessage(detail));
  }

  /** Announces this channel from now on. */
  watch(channelId) {
    this.#channelId = channelId;
    this.#told = new Set(this.#world.messages(channelId).map(({ id }) => id));
  }

  #onMessage({ channelId, id }) {
    const message = this.#world.message(channelId, id);
    if (!message) return;
    const name = this.#world.userName(message.author.id) ?? message.author.username;
    if (channelId !== this.#channelId) {
      const place = this.#world.channel(channelId)?.name;
      if (message.pinged && !message.edited_timestamp) this.#say(say("mentions_you", { name, place }));
      return;
    }
    const words = readAloud([message.content, ...texts(message.components ?? [])].join("\n"), this.#world);
    if (!words || this.#told.has(id)) return;
    this.#told.add(id);
    this.#say(`${name}: ${words}`);
  }

  /** Several changes at once are announced as the last of them. */
  #say(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      part("announcer").textContent = words.slice(0, LONGEST);
    }, PAUSE_MS);
  }
}

function texts(components) {
  return components.flatMap((each) => [each.content ?? "", ...texts(each.components ?? [])]);
}
