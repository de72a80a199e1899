/** Channels with what is unread in them, and the switch between the four people. */
import { h, part } from "./dom.js";
import { avatarElement } from "./message.js";
import { morphChildren } from "./morph.js";

const MANAGE_GUILD = 1n << 5n;
const MARKS = { text: "#", thread: "⤷", dm: "@" };

/**
 * Draws the sidebar.
 *
 * `unread` gives `{unread, pings}` of a channel for the viewer.
 */
export function renderSidebar(world, channelId, unread) {
  part("guild").textContent = world.guild.name;
  const inGuild = world.channels.filter(({ kind }) => kind !== "dm").sort(besideParent(world));
  const direct = world.channels.filter(({ kind }) => kind === "dm");
  const item = (channel) =>
    channelItem(channel, world, channel.id === channelId, unread(channel.id));
  morphChildren(part("channels"), [
    ...inGuild.map(item),
    h("li", { class: "divider" }, "Direct messages"),
    ...direct.map(item),
  ]);
  const people = world.people.map((person) => personItem(person, world));
  const legend = h("legend", {}, "You are");
  morphChildren(part("people"), [legend, ...people, managingSwitch(world.me)]);
}

/** Whether the viewer may manage the server; its owner always may. */
function managingSwitch({ permissions, owner }) {
  const manages = Boolean(BigInt(permissions) & MANAGE_GUILD);
  return h(
    "button",
    {
      type: "button",
      role: "switch",
      class: "switch",
      "aria-checked": String(manages),
      "aria-disabled": owner ? "true" : null,
      title: owner ? "Whoever owns the server may do everything" : null,
      dataset: { manages: String(!manages) },
    },
    "May manage the server",
  );
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
      title: `Act as ${person.name} (${person.locale})`,
      dataset: { person: person.name, personId: person.id },
    },
    avatarElement(person.name, person.color),
    h("bdi", { class: "name" }, person.name),
  );
}

/** What a channel is called; the direct-message channel bears the bot's name. */
export function channelTitle(channel, world) {
  return channel.kind === "dm" ? world.bot.name : channel.name;
}

/** The mark before a channel's name. */
export function channelMark({ kind }) {
  return MARKS[kind];
}
