/** What is around the messages: sidebar (on a narrow screen a menu), heading and banner. */
import { h, part, Source } from "./dom.js";
import { avatarElement } from "./message.js";
import { morphChildren } from "./morph.js";
import { formatMoment, say } from "./words.js";

/**
 * Events: `person`, with the name, and `channel`, with the id that was chosen as detail; `act`, with
 * what the viewer wants of the sandbox.
 */
export class Shell extends Source {
  #reachable = true;
  #bot = null;

  constructor() {
    super();
    part("menu").addEventListener("click", () => this.#openMenu(!this.#menuIsOpen));
    part("veil").addEventListener("click", () => this.#openMenu(false));
    part("sidebar").addEventListener("click", ({ target }) => this.#onClick(target));
    part("sidebar").addEventListener("change", ({ target }) => {
      this.tell("act", { type: "locale", locale: target.value });
    });
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#openMenu(false);
    });
  }

  /** Draws the sidebar and the heading; `unread(channelId)` gives `{unread, pings}`. */
  render(world, channelId, unread) {
    const channel = world.channel(channelId);
    renderSidebar(world, channelId, unread);
    const pings = world.channels.reduce((sum, { id }) => sum + unread(id).pings, 0);
    const place = `${channelMark(channel)} ${channelTitle(channel, world)}`;
    part("place").textContent = place;
    part("viewer").replaceChildren(avatarElement(world.me.name, world.me.color), world.me.name);
    part("menu").dataset.pings = pings || "";
    document.title = `${pings ? `(${pings}) ` : ""}${place} · ${say("title")}`;
    this.showTime(world);
    const language = part("sidebar").querySelector("#locale");
    if (document.activeElement !== language) language.value = world.me.locale;
    this.#bot = world.bot;
    this.#showBanner();
  }

  /** Shows what the clock of the sandbox says. */
  showTime(world) {
    part("time").textContent = formatMoment(world.now(), "f", world.me?.locale, 0);
  }

  /** Whether the sandbox can be reached. */
  showLink(reachable) {
    this.#reachable = reachable;
    this.#showBanner();
  }

  #showBanner() {
    const banner = part("banner");
    const sentence = this.#trouble();
    banner.hidden = !sentence;
    if (banner.textContent !== sentence) banner.textContent = sentence;
  }

  #trouble() {
    if (!this.#reachable) return say("unreachable");
    if (!this.#bot || this.#bot.online) return "";
    const { name } = this.#bot;
    return say("offline", { name });
  }

  #onClick(target) {
    const person = target.closest("[data-person]");
    const channel = target.closest("[data-channel-id]");
    const action = target.closest("[data-act]:not([aria-disabled])");
    if (target.closest("#frame")) this.#framePhone();
    if (action) {
      const { act: type, on, seconds } = action.dataset;
      this.tell("act", { type, on: on === "true", seconds: Number(seconds) });
    }
    if (person) this.tell("person", person.dataset.person);
    else if (channel) this.tell("channel", channel.dataset.channelId);
    else return;
    this.#openMenu(false);
  }

  /** The messages as on a phone, beside the side bar. */
  #framePhone() {
    const framed = document.body.classList.toggle("phone");
    part("frame").setAttribute("aria-checked", String(framed));
  }

  get #menuIsOpen() {
    return part("menu").getAttribute("aria-expanded") === "true";
  }

  #openMenu(open) {
    if (open === this.#menuIsOpen) return;
    part("menu").setAttribute("aria-expanded", String(open));
    part("veil").hidden = !open;
    document.body.dataset.menu = open ? "open" : "";
    if (open) part("sidebar").querySelector("[aria-current]")?.focus();
    else part("menu").focus();
  }
}

const MANAGE_GUILD = 1n << 5n;
const MARKS = { text: "#", thread: "⤷", dm: "@", group: "@" };

/**
 * Draws the sidebar.
 *
 * `unread` gives `{unread, pings}` of a channel for the viewer.
 */
function renderSidebar(world, channelId, unread) {
  part("guild").textContent = world.guild.name;
  const there = world.channels.filter(({ inside }) => inside);
  const inGuild = there.filter(({ kind }) => kind !== "dm").sort(besideParent(world));
  const direct = there.filter(({ kind }) => kind === "dm");
  const elsewhere = world.channels.filter(({ inside }) => !inside);
  const item = (channel) =>
    channelItem(channel, world, channel.id === channelId, unread(channel.id));
  morphChildren(part("channels"), [
    ...inGuild.map(item),
    h("li", { class: "divider" }, say("direct_messages")),
    ...direct.map(item),
    h("li", { class: "divider" }, say("without_bot", world.bot)),
    ...elsewhere.map(item),
  ]);
  const people = world.people.map((person) => personItem(person, world));
  morphChildren(part("people"), [h("legend", {}, say("you_are")), ...people]);
  morphChildren(part("settings"), [
    h("legend", {}, say("settings")),
    languageMenu(world),
    ...switches(world.me, world.bot),
  ]);
}

/** Each thing that can be on or off for the viewer, by the action that switches it. */
function switches({ permissions, owner, takes_direct_messages: takes, has_app: added }, bot) {
  const manages = Boolean(BigInt(permissions) & MANAGE_GUILD);
  const forOwner = owner ? say("setting.owner") : null;
  return [
    switchElement(say("setting.manages"), "manage", manages, forOwner),
    switchElement(say("setting.direct_messages"), "direct-messages", takes, null),
    switchElement(say("setting.has_app", bot), "app", added, null),
  ];
}

function switchElement(label, action, on, forbidden) {
  return h(
    "button",
    {
      type: "button",
      role: "switch",
      class: "switch",
      "aria-checked": String(on),
      "aria-disabled": forbidden ? "true" : null,
      title: forbidden,
      dataset: { act: action, on: String(!on) },
    },
    label,
  );
}

function languageMenu({ me, locales }) {
  const options = locales.map((locale) =>
    h("option", { value: locale, selected: locale === me.locale }, ownName(locale)),
  );
  const select = h("select", { id: "locale", dataset: { locale: me.locale } }, options);
  return h("label", { class: "setting" }, say("language"), select);
}

/** What those who speak a language call it. */
function ownName(locale) {
  const name = new Intl.DisplayNames([locale], { type: "language" }).of(locale);
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** Threads come right after the channel they belong to. */
function besideParent({ channels }) {
  const place = ({ id }) => channels.findIndex((channel) => channel.id === id);
  const root = ({ id, parent_id: parentId }) => place({ id: parentId ?? id });
  return (a, b) => root(a) - root(b) || place(a) - place(b);
}

function channelItem(channel, world, current, { unread, pings }) {
  const classes = ["channel", channel.kind, unread && !current ? "unread" : ""].filter(Boolean);
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: classes.join(" "),
        "aria-current": current ? "page" : null,
        dataset: { channelId: channel.id },
      },
      h("span", { class: "mark", "aria-hidden": "true" }, MARKS[channel.kind]),
      h("bdi", { class: "name" }, channelTitle(channel, world)),
      pings ? h("span", { class: "pings", title: say("mentions") }, String(pings)) : null,
    ),
  );
}

function personItem(person, world) {
  const mine = person.id === world.me.id;
  return h(
    "button",
    {
      type: "button",
      class: "person",
      "aria-pressed": String(mine),
      title: say("act_as", { name: person.name }),
      dataset: { person: person.name },
    },
    avatarElement(person.name, person.color),
    h("bdi", { class: "name" }, person.name),
  );
}

/** What a channel is called; that of direct messages with the bot bears its name. */
export function channelTitle(channel, world) {
  return channel.kind === "dm" && channel.inside ? world.bot.name : channel.name;
}

/** The mark before a channel's name. */
function channelMark({ kind }) {
  return MARKS[kind];
}
