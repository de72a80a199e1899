/** The world as one person sees it: people, places, every message, and what of it is read. */
import { Source } from "./dom.js";

/** Discord's ids are numbers too long for JavaScript's; longer is later. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/**
 * Events: `loaded` (all is new), `message` (detail: `{channelId, id}`; written, changed or gone),
 * `commands`, `me` (what the person may do and has chosen), `bot`, `clock` (it was moved on).
 */
export class World extends Source {
  me = null;
  bot = { id: "", name: "The bot", online: false };
  guild = { id: "", name: "Sandbox", locale: "en-US" };
  people = [];
  channels = [];
  commands = [];
  locales = [];
  /** Seconds that the sandbox is ahead of this machine. */
  #ahead = 0;
  #users = new Map();
  #messages = new Map();

  /** Replaces everything by what the server knows. */
  load(snapshot) {
    const { me, bot, guild, people, channels, commands, locales, users, messages } = snapshot;
    Object.assign(this, { me, bot, guild, people, channels, commands, locales });
    this.#setClock(snapshot.now);
    this.#users = new Map(Object.entries(users));
    this.#messages = new Map(
      channels.map(({ id }) => [id, new Map((messages[id] ?? []).map((each) => [each.id, each]))]),
    );
    this.tell("loaded");
  }

  /** One piece of news. The same twice, or one the snapshot already had, changes nothing. */
  apply(name, data) {
    switch (name) {
      case "message":
        this.#shelf(data.channel_id).set(data.message.id, data.message);
        this.tell("message", { channelId: data.channel_id, id: data.message.id });
        break;
      case "message_delete":
        this.#shelf(data.channel_id).delete(data.id);
        this.tell("message", { channelId: data.channel_id, id: data.id });
        break;
      case "channel":
        if (!this.channel(data.id)) this.channels = [...this.channels, data];
        break;
      case "channel_delete":
        this.channels = this.channels.filter(({ id }) => id !== data.id);
        this.#messages.delete(data.id);
        break;
      case "commands":
        this.commands = data.commands;
        this.tell("commands");
        break;
      case "me":
        this.me = { ...this.me, ...data };
        this.tell("me");
        break;
      case "clock":
        this.#setClock(data.now);
        this.tell("clock");
        break;
      case "bot":
        this.bot = { ...this.bot, online: data.online };
        this.tell("bot");
        break;
    }
  }

  /** The sandbox's time, in seconds since 1970 began. */
  now() {
    return Date.now() / 1000 + this.#ahead;
  }

  /** The messages of a channel, oldest first. */
  messages(channelId) {
    return [...this.#shelf(channelId).values()].sort((a, b) => compareIds(a.id, b.id));
  }

  message(channelId, id) {
    return this.#shelf(channelId).get(id);
  }

  channel(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  /** Everybody who can be named: people, the bot, and other bots. */
  get users() {
    return [...this.#users].map(([id, name]) => ({ id, name }));
  }

  userName(id) {
    return this.#users.get(id) ?? null;
  }

  person(id) {
    return this.people.find((person) => person.id === id);
  }

  #setClock(now) {
    this.#ahead = now - Date.now() / 1000;
  }

  #shelf(channelId) {
    if (!this.#messages.has(channelId)) this.#messages.set(channelId, new Map());
    return this.#messages.get(channelId);
  }
}

const KEY = "parlour-sandbox-read";

/** Marks by person and channel. `storage` is the browser's; without one they last for the page. */
export class Reading {
  #storage;
  #marks = {};

  constructor(storage) {
    this.#storage = storage;
    this.refresh();
  }

  /** Takes up what other tabs have marked. */
  refresh() {
    try {
      this.#marks = JSON.parse(this.#storage?.getItem(KEY) ?? null) ?? this.#marks;
    } catch {
      // Unreadable marks are no marks.
    }
  }

  /** This person has seen everything up to `messageId`. */
  see(personId, channelId, messageId) {
    const key = `${personId}/${channelId}`;
    this.refresh();
    if (compareIds(this.#marks[key] ?? "", messageId) >= 0) return;
    this.#marks[key] = messageId;
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#marks));
    } catch {
      // A full or forbidden storage costs the memory of what was read, nothing else.
    }
  }

  /** How much of `messages` is new to this person: `{unread, pings}`. */
  count(person, channelId, messages) {
    const mark = this.#marks[`${person.id}/${channelId}`] ?? "";
    const unread = messages.filter(({ id }) => compareIds(id, mark) > 0);
    return { unread: unread.length, pings: unread.filter(({ pinged }) => pinged).length };
  }
}
