/** Puts the page together: who looks at what, what the server tells, and what the person does. */
import { channelWord, named, readAddress, writeAddress } from "./address.js";
import { dismiss, fetchWorld, manage } from "./api.js";
import { Composer } from "./composer.js";
import { History } from "./history.js";
import { Interactions } from "./interactions.js";
import { Live } from "./live.js";
import { openModal } from "./modal.js";
import { keepMomentsFresh } from "./moment.js";
import { listenForPresses } from "./presses.js";
import { Reading } from "./reading.js";
import { Shell } from "./shell.js";
import { World } from "./world.js";

const RETRY_MS = 1000;

class Page {
  #world = new World();
  #live = new Live();
  #interactions = new Interactions();
  #reading = new Reading(browserStorage());
  #history = new History(this.#world, this.#interactions);
  #composer = new Composer(this.#world, (body) => this.#send(body));
  #shell = new Shell();
  /** The person and the channel on the screen; null before the first world. */
  #shown = { personId: null, channelId: null };

  constructor() {
    this.#live.addEventListener("snapshot", ({ detail }) => this.#onSnapshot(detail));
    this.#live.addEventListener("news", ({ detail }) => this.#onNews(detail));
    this.#live.addEventListener("link", ({ detail }) => this.#shell.showLink(detail));
    this.#interactions.addEventListener("modal", ({ detail }) => this.#ask(detail));
    this.#shell.addEventListener("person", ({ detail }) => this.#become(detail));
    this.#shell.addEventListener("channel", ({ detail }) => this.#goTo(detail));
    this.#shell.addEventListener("manage", ({ detail }) => this.#manage(detail));
    listenForPresses({
      world: this.#world,
      interactions: this.#interactions,
      send: (body) => this.#send(body),
      dismiss: (address) => dismiss(this.#world.me.id, address),
      startCommand: (path) => this.#composer.start(path),
      goTo: (channelId) => this.#goTo(channelId),
      complain: (sentence) => this.#composer.complain(sentence),
    });
    addEventListener("hashchange", () => this.#onAddress());
    addEventListener("online", () => this.#live.hurry());
    addEventListener("storage", () => this.#onStorage());
    document.addEventListener("visibilitychange", () => this.#onVisible());
    keepMomentsFresh(document, () => this.#world.me?.locale);
  }

  /** Looks for the person whom the address names, until there is a sandbox to ask. */
  async begin() {
    try {
      const { people } = await fetchWorld();
      this.#become((named(people, readAddress().as) ?? people[0]).id);
    } catch {
      this.#shell.showLink(false);
      setTimeout(() => this.begin(), RETRY_MS);
    }
  }

  #become(personId) {
    if (personId === this.#live.as) return;
    delete document.body.dataset.ready;
    this.#live.follow(personId);
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
    this.#composer.enter(channel);
    this.#look();
  }

  #onSnapshot(snapshot) {
    this.#interactions.forgetAll(snapshot.me.id);
    this.#world.load(snapshot);
    const { channels } = this.#world;
    const channel = named(channels, readAddress().channel, channelWord) ?? channels[0];
    this.#goTo(channel.id);
    document.body.dataset.ready = "true";
  }

  #onNews({ name, data }) {
    if (name === "interaction" || name === "modal") this.#interactions.apply(name, data);
    else {
      if (name === "message") this.#interactions.forgetFailures(data.message.id);
      this.#world.apply(name, data);
      this.#look();
    }
  }

  #onAddress() {
    const { as, channel } = readAddress();
    const { people, channels } = this.#world;
    if (!this.#world.me) return;
    const person = named(people, as);
    if (person && person.id !== this.#live.as) this.#become(person.id);
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

  async #send(body) {
    if (body.type === "command") this.#history.scrollToEnd();
    await this.#interactions.send({ as: this.#world.me.id, ...body });
  }

  async #manage(manages) {
    try {
      await manage(this.#world.me.id, manages);
    } catch (error) {
      this.#composer.complain(error.message);
    }
  }

  #ask({ interaction_id: interactionId, channelId, title, components }) {
    openModal({ title, components }, this.#world, (fields) =>
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

new Page().begin();
