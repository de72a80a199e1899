/**
 * The messages of the channel that is shown. A changed message changes in place: the reader's
 * place on the page and on the keyboard stay. New messages scroll into view only for a reader who
 * is at the end.
 */
import { commandTitle, typeableCommands } from "./commands.js";
import { button, h, part } from "./dom.js";
import { messageElement } from "./message.js";
import { keepFocus, morph } from "./morph.js";
import { channelTitle } from "./shell.js";
import { listed, say } from "./words.js";
import { compareIds } from "./world.js";

const NEAR_END_PX = 40;
/** So many messages are shown at first, and so many more at each wish for earlier ones. */
const BATCH = 100;

/** Shows `world`'s messages of one channel, with what `interactions` has under way. */
export class History {
  #world;
  #interactions;
  #list = part("history");
  #scroller = part("scroller");
  #latest = part("latest");
  #earlier = part("earlier");
  #channelId = null;
  #limit = BATCH;
  /** Messages before this one are not shown. */
  #firstId = "";
  #atEnd = true;
  /** Where the end was last seen: only who scrolls up from there has left it. */
  #endTop = 0;

  constructor(world, interactions) {
    this.#world = world;
    this.#interactions = interactions;
    this.#scroller.addEventListener("scroll", () => this.#noticeScroll());
    this.#latest.addEventListener("click", () => this.scrollToEnd());
    this.#earlier.addEventListener("click", () => this.#showEarlier());
    new ResizeObserver(() => this.#stayAtEnd()).observe(this.#list);
    new ResizeObserver(() => this.#stayAtEnd()).observe(this.#scroller);
    world.addEventListener("message", ({ detail }) => this.#onMessage(detail));
    for (const news of ["commands", "me"]) {
      world.addEventListener(news, () => this.#channelId && this.#renderCommands());
    }
    interactions.addEventListener("change", ({ detail }) => this.#onInteraction(detail));
  }

  /** Shows this channel from its end. */
  show(channelId) {
    this.#list.replaceChildren();
    this.#channelId = channelId;
    this.#limit = BATCH;
    this.#renderAll();
    this.scrollToEnd();
  }

  /** Shows the same channel after the world has been loaded anew, without moving the reader. */
  refresh() {
    this.#renderAll();
    this.#stayAtEnd();
  }

  scrollToEnd() {
    this.#atEnd = true;
    this.#stayAtEnd();
  }

  #renderAll() {
    const all = this.#world.messages(this.#channelId);
    const messages = all.slice(-this.#limit);
    this.#firstId = messages[0]?.id ?? "";
    this.#earlier.hidden = all.length <= messages.length;
    const wanted = new Set(messages.map(({ id }) => id));
    for (const element of this.#elements()) {
      if (!wanted.has(element.dataset.messageId)) element.remove();
    }
    for (const message of messages) this.#render(message);
    this.#renderCommands();
  }

  #showEarlier() {
    const below = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    this.#limit += BATCH;
    this.#renderAll();
    this.#scroller.scrollTop = this.#scroller.scrollHeight - below;
  }

  #onMessage({ channelId, id }) {
    if (channelId !== this.#channelId || compareIds(id, this.#firstId) < 0) return;
    const message = this.#world.message(channelId, id);
    if (message) this.#render(message);
    else this.#element(id)?.remove();
    this.#renderCommands();
    this.#stayAtEnd();
  }

  #onInteraction({ channelId, messageId }) {
    if (channelId !== this.#channelId) return;
    const message = messageId && this.#world.message(channelId, messageId);
    if (message) this.#render(message);
    this.#renderCommands();
    this.#stayAtEnd();
  }

  #render(message) {
    const waiting = this.#interactions.onMessage(message.id);
    const wanted = messageElement(message, this.#world, waiting);
    const current = this.#element(message.id);
    if (current) keepFocus(current, () => morph(current, wanted));
    else this.#insert(wanted, message.id);
  }

  /** Behind the last earlier message; nearly always at the end. */
  #insert(element, id) {
    const isEarlier = ({ dataset }) => compareIds(dataset.messageId, id) < 0;
    const before = this.#elements().findLast(isEarlier);
    if (before) before.after(element);
    else this.#list.prepend(element);
  }

  /** The reader's own commands that have no message yet, after the last message. */
  #renderCommands() {
    for (const old of this.#list.querySelectorAll(".command-state")) old.remove();
    this.#renderWelcome();
    const entries = this.#interactions.inChannel(this.#channelId);
    const silent = entries.filter((each) => !this.#hasMessage(each));
    this.#list.append(...silent.map((entry) => this.#commandState(entry)));
  }

  /** Where nothing has been said yet, what one can do. */
  #renderWelcome() {
    this.#list.querySelector(":scope > .welcome")?.remove();
    if (this.#elements().length) return;
    const channel = this.#world.channel(this.#channelId);
    this.#list.prepend(welcomeElement(channel, this.#world));
  }

  /** A deferred answer is a message of its own that says that the bot is thinking. */
  #hasMessage({ id, state }) {
    return (
      state !== "failed" &&
      this.#world.messages(this.#channelId).some((each) => each.interaction_metadata?.id === id)
    );
  }

  #commandState({ command, state }) {
    const { name } = this.#world.bot;
    const title = command && `/${commandTitle(command, this.#world)}`;
    const words = {
      failed: say("command.failed", { name }),
      thinking: say("command.thinking", { name }),
    }[state];
    const sending = command ? say("sending.command", { command: title }) : say("sending");
    const dismiss = button("plain", { action: "forget" }, say("dismiss"));
    const failed = state === "failed";
    return h(
      "p",
      { class: failed ? "command-state failed" : "command-state", role: failed ? "alert" : null },
      command && failed ? h("span", { class: "command" }, title, " ") : null,
      words ?? sending,
      failed ? [" · ", dismiss] : null,
    );
  }

  #elements() {
    return [...this.#list.querySelectorAll(":scope > [data-message-id]")];
  }

  #element(id) {
    return this.#list.querySelector(`:scope > [data-message-id="${CSS.escape(id)}"]`);
  }

  /** What grows at the end leaves the reader behind for a moment, and has not moved them. */
  #noticeScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const near = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    if (near) this.#endTop = scrollTop;
    this.#atEnd = near || (this.#atEnd && scrollTop > this.#endTop - 1);
    this.#latest.hidden = this.#atEnd;
  }

  #stayAtEnd() {
    if (this.#atEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#noticeScroll();
  }
}

/** Why there is no command to press. */
function whyNone({ inside }, { bot, me }) {
  if (inside || me.has_app) return say("welcome.starting");
  return say("welcome.not_here", bot);
}

/** So many commands, the first registered ones, are offered at once: more hide the line to type in. */
const FIRST = 3;

/** What stands in a channel without messages. */
function welcomeElement(channel, world) {
  const commands = typeableCommands(world.commands, world.me, channel);
  const first = new Map();
  for (const each of commands) {
    const name = each.path.split(" ")[0];
    if (!first.has(name)) first.set(name, each);
  }
  const offers = [...first.values()].map(({ path, title, description }) =>
    h(
      "li",
      {},
      button("offer", { command: path }, h("span", { class: "command" }, `/${title}`)),
      h("span", { class: "hint" }, description),
    ),
  );
  const others = world.people.filter(({ id }) => id !== world.me.id).map(({ name }) => name);
  const playing = { me: world.me.name, others: listed(others) };
  return h(
    "section",
    { class: "welcome" },
    h("h3", {}, say("welcome.title", { channel: channelTitle(channel, world) })),
    h("p", {}, say("welcome.about"), " ", h("b", {}, say("welcome.begin"))),
    offers.length ? offered(offers) : h("p", { class: "hint" }, whyNone(channel, world)),
    h(
      "p",
      { class: "hint" },
      say("welcome.people", playing),
    ),
  );
}

/** A list of the first commands, and the others behind a word. */
function offered(offers) {
  const [first, others] = [offers.slice(0, FIRST), offers.slice(FIRST)];
  const more = h("details", {}, h("summary", {}, say("welcome.more")), h("ul", {}, others));
  return h("div", {}, h("ul", {}, first), others.length ? more : "");
}
