/** One message as an element: who, when, in answer to what, and everything it carries. */
import { componentElement } from "./components.js";
import { attachmentsElement } from "./media.js";
import { button, cssColor, h } from "./dom.js";
import { embedElement } from "./embed.js";
import { formatMoment } from "./moment.js";
import { contentElement } from "./text.js";
import { pings } from "./reading.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const COMMAND = 2;

/** A pure picture of `message` for the reader; `waiting` is the reader's press on it, if any. */
export function messageElement(message, world, waiting) {
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const classes = ["message"];
  if (ephemeral) classes.push("ephemeral");
  if (pings(message, world.me)) classes.push("ping");
  const busy = waiting && waiting.state !== "failed";
  return h(
    "article",
    {
      class: classes.join(" "),
      tabindex: "-1",
      "aria-busy": busy ? "true" : null,
      dataset: { messageId: message.id },
    },
    occasion(message, world),
    avatar(message.author, world),
    h("div", { class: "body" }, header(message, world), body(message, world, waiting)),
  );
}

function body(message, world, waiting) {
  const loading = message.flags & LOADING;
  const context = { world, waiting, attachments: message.attachments ?? [] };
  const rows = message.components ?? [];
  return [
    loading ? h("p", { class: "thinking" }, `${authorName(message, world)} is thinking…`) : null,
    message.content && !loading ? contentElement(message.content, world) : null,
    message.content && message.edited_timestamp ? h("span", { class: "edited" }, "(edited)") : null,
    attachmentsElement(context.attachments, rows),
    ...(message.embeds ?? []).map((embed) => embedElement(embed, world)),
    ...rows.map((row) => componentElement(row, context)),
    waiting?.state === "failed" ? failure() : null,
    message.flags & EPHEMERAL ? privacy(message) : null,
  ];
}

function header(message, world) {
  const person = world.person(message.author.id);
  const seconds = Date.parse(message.timestamp) / 1000;
  const at = (style) => formatMoment(seconds, style, world.me.locale, 0);
  const style = person?.color ? { color: colorOf(person) } : {};
  return h(
    "div",
    { class: "header" },
    h("strong", { class: "author", style }, h("bdi", {}, authorName(message, world))),
    message.author.bot ? h("span", { class: "badge" }, "APP") : null,
    h("span", { class: "when", title: at("F") }, at("t")),
  );
}

/** What the message answers: a command, or another message. */
function occasion(message, world) {
  const cause = message.interaction_metadata;
  const used = cause?.name ?? message.interaction?.name;
  if (cause?.type === COMMAND && used) {
    const person = h("bdi", { class: "who" }, nameOf(cause.user, world));
    const command = h("span", { class: "command" }, `/${used}`);
    return h("div", { class: "occasion" }, person, " used ", command);
  }
  const origin = message.referenced_message;
  if (!origin) return null;
  const author = h("bdi", { class: "who" }, authorName(origin, world));
  const said = origin.content?.split("\n")[0] || "a message";
  return button("occasion", { showMessage: origin.id }, "In reply to ", author, ": ", said);
}

function avatar(author, world) {
  const name = nameOf(author, world);
  const person = world.person(author.id);
  const style = person ? { "--tint": colorOf(person) } : {};
  return avatarElement(name, style, author.bot);
}

/** A disc with an initial; names are no pictures. */
export function avatarElement(name, style = {}, bot = false) {
  const initial = [...name.trim()][0]?.toUpperCase() ?? "?";
  return h("span", { class: bot ? "avatar app" : "avatar", style, "aria-hidden": "true" }, initial);
}

/** The person's colour, given by the server as a number or in CSS. */
export function colorOf({ color }) {
  return typeof color === "number" ? cssColor(color) : color;
}

function authorName(message, world) {
  return nameOf(message.author, world);
}

function nameOf(user, world) {
  return world.userName(user.id) ?? user.global_name ?? user.username;
}

function failure() {
  return h("p", { class: "failed", role: "alert" }, "This interaction failed");
}

function privacy(message) {
  const dismiss = button("plain", { dismiss: message.id }, "Dismiss message");
  return h("p", { class: "privacy" }, "Only you can see this · ", dismiss);
}

