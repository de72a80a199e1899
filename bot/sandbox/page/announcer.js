/**
 * What a screen reader says of the channel that is shown: of a new message its first words, of a
 * changed board the first line that is new, each once and in one short sentence.
 */
import { part } from "./dom.js";
import { plainLines } from "./emoji.js";
import { say } from "./words.js";

const LONGEST = 120;
const PAUSE_MS = 150;

/** Announces in `#announcer`. */
export class Announcer {
  #world;
  #channelId = null;
  /** The lines that each message of the channel had. */
  #lines = new Map();
  #timer = null;

  constructor(world) {
    this.#world = world;
    world.addEventListener("message", ({ detail }) => this.#onMessage(detail));
  }

  /** Announces this channel from now on. */
  watch(channelId) {
    this.#channelId = channelId;
    const messages = this.#world.messages(channelId);
    this.#lines = new Map(messages.map((message) => [message.id, linesOf(message, this.#world)]));
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
    const before = this.#lines.get(id);
    const lines = linesOf(message, this.#world);
    this.#lines.set(id, lines);
    const news = before ? lines.find((line) => !before.includes(line)) : lines[0];
    if (news) this.#say(before ? news : `${name}: ${news}`);
  }

  /** Several changes at once are announced as the last of them. */
  #say(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      part("announcer").textContent = words.slice(0, LONGEST);
    }, PAUSE_MS);
  }
}

/** The lines of a message that are words, without marks and rows of emoji. */
function linesOf(message, world) {
  return plainLines([message.content, ...texts(message.components ?? [])].join("\n"), world);
}

function texts(components) {
  return components.flatMap((each) => [each.content ?? "", ...texts(each.components ?? [])]);
}
