/** Channels with what is unread in them, the switch between the four people, their settings. */
import { h, part } from "./dom.js";
import { avatarElement } from "./message.js";
import { morphChildren } from "./morph.js";

const MANAGE_GUILD = 1n << 5n;
const MARKS = { text: "#", thread: "⤷", dm: "@", group: "@" };

/**
 * Draws the sidebar.
 *
 * `unread` gives `{unread, pings}` of a channel for the viewer.
 */
export function renderSidebar(world, channelId, unread) {
  part("guild").textContent = world.guild.name;
  const there = world.channels.filter(({ inside }) => inside);
  const inGuild = there.filter(({ kind }) => kind !== "dm").sort(besideParent(world));
  const direct = there.filter(({ kind }) => kind === "dm");
  const elsewhere = world.channels.filter(({ inside }) => !inside);
  const item = (channel) =>
    channelItem(channel, world, channel.id === channelId, unread(channel.id));
  morphChildren(part("channels"), [
    ...inGuild.map(item),
    h("li", { class: "divider" }, "Direct messages"),
    ...direct.map(item),
    h("li", { class: "divider" }, `Without ${world.bot.name}`),
    ...elsewhere.map(item),
  ]);
  const people = world.people.map((person) => personItem(person, world));
  morphChildren(part("people"), [h("legend", {}, "You are"), ...people]);
  morphChildren(part("settings"), [
    h("legend", {}, "Your settings"),
    languageMenu(world),
    ...switches(world.me, world.bot),
  ]);
}

/** Each thing that can be on or off for the viewer, by the action that switches it. */
function switches({ permissions, owner, takes_direct_messages: takes, has_app: added }, bot) {
  const manages = Boolean(BigInt(permissions) & MANAGE_GUILD);
  const forOwner = owner ? "The owner of the server may do everything" : null;
  return [
    switchElement("May manage the server", "manage", manages, forOwner),
    switchElement("Takes direct messages", "direct-messages", takes, null),
    switchElement(`Has added ${bot.name} to the account`, "app", added, null),
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
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  const options = locales.map((locale) =>
    h("option", { value: locale, selected: locale === me.locale }, names.of(locale)),
  );
  const select = h("select", { id: "locale", dataset: { locale: me.locale } }, options);
  return h("label", { class: "setting" }, "Language", select);
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
      pings ? h("span", { class: "pings", title: "Mentions of you" }, String(pings)) : null,
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
      title: `Act as ${person.name}`,
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
export function channelMark({ kind }) {
  return MARKS[kind];
}
