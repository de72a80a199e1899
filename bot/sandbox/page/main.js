/** Puts the page together: who looks at what, what the server tells, and what the person does. */
import { channelWord, named, readAddress, writeAddress } from "./address.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { History } from "./history.js";
import { act, Interactions } from "./interactions.js";
import { Live } from "./live.js";
import { openModal } from "./modal.js";
import { listenForPresses } from "./presses.js";
import { Shell } from "./shell.js";
import { keepMomentsFresh, speak } from "./words.js";
import { Reading, World } from "./world.js";

const CLOCK_MS = 5000;

class Page {
  #world = new World();
  #live = new Live();
  #interactions = new Interactions();
  #reading = new Reading(browserStorage());
  #history = new History(this.#world, this.#interactions);
  #announcer = new Announcer(this.#world);
  #composer = new Composer(this.#world, (body) => this.#send(body));
  #shell = new Shell();
  /** The person and the channel on the screen; null before the first world. */
  #shown = { personId: null, channelId: null };

  constructor() {
    this.#live.addEventListener("world", ({ detail }) => this.#onWorld(detail));
    this.#live.addEventListener("news", ({ detail }) => this.#onNews(detail));
    this.#live.addEventListener("link", ({ detail }) => this.#shell.showLink(detail));
    this.#interactions.addEventListener("modal", ({ detail }) => this.#ask(detail));
    this.#shell.addEventListener("person", ({ detail }) => this.#become(detail));
    this.#shell.addEventListener("channel", ({ detail }) => this.#goTo(detail));
    this.#shell.addEventListener("act", ({ detail }) => this.#try(() => this.#send(detail)));
    listenForPresses({
      world: this.#world,
      interactions: this.#interactions,
      send: (body) => this.#send(body),
      startCommand: (path) => this.#composer.start(path),
      goTo: (channelId) => this.#goTo(channelId),
      complain: (sentence) => this.#composer.complain(sentence),
      channelId: () => this.#shown.channelId,
    });
    addEventListener("hashchange", () => this.#onAddress());
    addEventListener("online", () => this.#live.hurry());
    addEventListener("storage", () => this.#onStorage());
    document.addEventListener("visibilitychange", () => this.#onVisible());
    keepMomentsFresh(document, this.#world);
    setInterval(() => this.#shell.showTime(this.#world), CLOCK_MS);
    this.#live.follow(readAddress().as ?? "");
  }

  #become(name) {
    if (name === this.#live.as) return;
    delete document.body.dataset.ready;
    this.#live.follow(name);
  }

  #goTo(channelId) {
    const channel = this.#world.channel(channelId);
    if (!channel) return;
    const { me } = this.#world;
    const same = this.#shown.personId === me.id && this.#shown.channelId === channelId;
    this.#shown = { personId: me.id, channelId };
    writeAddress({ as: me.name, channel: channelWord(channel) });
    if (same) this.#history.refresh();
    else this.#history.show(channelId);
    this.#announcer.watch(channelId);
    this.#composer.enter(channel);
    this.#look();
  }

  #onWorld(snapshot) {
    this.#interactions.forgetAll(snapshot.me.id);
    speak(snapshot.me.words);
    this.#world.load(snapshot);
    const { channels } = this.#world;
    const channel = named(channels, readAddress().channel, channelWord) ?? channels[0];
    this.#goTo(channel.id);
    document.body.dataset.ready = "true";
  }

  #onNews({ name, data }) {
    if (name === "interaction" || name === "modal") this.#interactions.apply(name, data);
    else {
      if (name === "me") speak(data.words);
      if (name === "message") this.#interactions.forgetFailures(data.message.id);
      this.#world.apply(name, data);
      if (name === "me") this.#goTo(this.#shown.channelId);
      else if (this.#world.channel(this.#shown.channelId)) this.#look();
      else this.#goTo(this.#world.channels[0].id);
    }
  }

  #onAddress() {
    const { as, channel } = readAddress();
    const { me, channels } = this.#world;
    if (!me) return;
    if (as && as.toLowerCase() !== me.name.toLowerCase()) this.#become(as);
    else this.#goTo((named(channels, channel, channelWord) ?? channels[0]).id);
  }

  #onVisible() {
    if (document.hidden) return;
    this.#live.hurry();
    if (this.#world.me) this.#look();
  }

  #onStorage() {
    this.#reading.refresh();
    if (this.#world.me) this.#look();
  }

  /** Marks what is on the screen as read and draws everything around the messages. */
  #look() {
    const { me } = this.#world;
    const { channelId } = this.#shown;
    const last = this.#world.messages(channelId).at(-1);
    if (last && !document.hidden) this.#reading.see(me.id, channelId, last.id);
    this.#shell.render(this.#world, channelId, (id) =>
      this.#reading.count(me, id, this.#world.messages(id)),
    );
  }

  /** Does something as the person at the page; what the bot hears of is followed until settled. */
  async #send(body) {
    const all = { as: this.#world.me.id, channel_id: this.#shown.channelId, ...body };
    if (all.command || all.type === "message") this.#history.scrollToEnd();
    const heard = ["command", "person-command", "message-command", "component", "modal"].includes(all.type);
    await (heard ? this.#interactions.send(all) : act(all));
  }

  async #try(deed) {
    try {
      await deed();
    } catch (error) {
      this.#composer.complain(error.message);
    }
  }

  #ask({ interaction_id: interactionId, channelId, title, components }) {
    openModal({ title, components }, (fields) =>
      this.#send({ type: "modal", channel_id: channelId, interaction_id: interactionId, fields }),
    );
  }
}

/** The browser's memory, unless it is forbidden to this page. */
function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

new Page();
