/** One message as an element: who, when, in answer to what, and everything it carries. */
import { commandsOnMessages, commandTitle } from "./commands.js";
import { attachmentsElement, componentElement } from "./components.js";
import { button, h } from "./dom.js";
import { withNames } from "./emoji.js";
import { contentElement } from "./text.js";
import { formatMoment, say, sayWith } from "./words.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const COMPONENTS_V2 = 1 << 15;
const COMMAND = 2;
const MANAGE_MESSAGES = 1n << 13n;

/** A pure picture of `message` for the reader; `waiting` is the reader's press on it, if any. */
export function messageElement(message, world, waiting) {
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const classes = ["message"];
  if (ephemeral) classes.push("ephemeral");
  if (message.pinged) classes.push("ping");
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
    avatarElement(nameOf(message.author, world), world.person(message.author.id)?.color),
    h("div", { class: "body" }, header(message, world), body(message, world, waiting)),
  );
}

function body(message, world, waiting) {
  const loading = message.flags & LOADING;
  const context = { world, waiting };
  const rows = message.components ?? [];
  // In the second version only pictures of a gallery are shown.
  const files = message.flags & COMPONENTS_V2 ? [] : (message.attachments ?? []);
  return [
    loading ? h("p", { class: "thinking" }, isThinking(message, world)) : null,
    message.content && !loading ? contentElement(message.content, world) : null,
    message.content && message.edited_timestamp ? h("span", { class: "edited" }, say("edited")) : null,
    attachmentsElement(files),
    ...rows.map((row) => componentElement(row, context)),
    waiting?.state === "failed" ? failure() : null,
    message.flags & EPHEMERAL ? privacy(message) : null,
  ];
}

function isThinking(message, world) {
  return say("command.thinking", { name: authorName(message, world) });
}

function header(message, world) {
  const seconds = Date.parse(message.timestamp) / 1000;
  const at = (style) => formatMoment(seconds, style, world.me.locale, 0);
  return h(
    "div",
    { class: "header" },
    button("author", { userId: message.author.id }, h("bdi", {}, authorName(message, world))),
    message.author.bot ? h("span", { class: "badge" }, say("app")) : null,
    message.pinged ? h("span", { class: "badge pinged" }, say("mentioned")) : null,
    h("span", { class: "when", title: at("F") }, at("t")),
    h(
      "span",
      { class: "acts" },
      hasApps(message, world) ? button("apps", { apps: message.id }, say("apps")) : null,
      mayDelete(message, world.me) ? button("delete", { delete: message.id }, say("delete")) : null,
    ),
  );
}

/** Whether the bot has commands for a message that others see too. */
function hasApps({ channel_id: channelId, flags }, world) {
  const channel = world.channel(channelId);
  const hidden = !channel || flags & EPHEMERAL;
  return !hidden && commandsOnMessages(world.commands, world.me, channel).length > 0;
}

/** One's own messages, and all that others can see too for those who manage messages. */
function mayDelete({ author, flags }, { id, permissions }) {
  const manages = BigInt(permissions) & MANAGE_MESSAGES;
  return !(flags & EPHEMERAL) && Boolean(author.id === id || manages);
}

/** What the message answers: a command, or another message. */
function occasion(message, world) {
  const cause = message.interaction_metadata;
  const used = cause?.name ?? message.interaction?.name;
  const origin = originOf(message, world);
  const followsUp = origin && cause?.original_response_message_id;
  if (cause?.type === COMMAND && used && !followsUp) {
    const person = h("bdi", { class: "who" }, nameOf(cause.user, world));
    const command = h("span", { class: "command" }, `/${commandTitle(used, world)}`);
    return h("div", { class: "occasion" }, sayWith("used", { person, command }));
  }
  if (!origin) return null;
  const author = h("bdi", { class: "who" }, authorName(origin, world));
  const said = withNames(origin.content?.split("\n")[0] ?? "") || say("a_message");
  const words = sayWith("in_reply", { author, said });
  return button("occasion", { showMessage: origin.id }, words);
}

/** The first letter on a disc of the person's colour, or on a tile for a bot, which has none. */
export function avatarElement(name, color) {
  const initial = [...name.trim()][0]?.toUpperCase() ?? "?";
  const style = color ? { "--tint": color } : {};
  return h("span", { class: color ? "avatar" : "avatar app", style, "aria-hidden": "true" }, initial);
}

function authorName(message, world) {
  return nameOf(message.author, world);
}

function nameOf(user, world) {
  return world.userName(user.id) ?? user.global_name ?? user.username;
}

/** The message that this one replies to, if it is known. */
function originOf({ referenced_message: origin, message_reference: reference }, world) {
  return origin ?? (reference && world.message(reference.channel_id, reference.message_id));
}

function failure() {
  return h("p", { class: "failed", role: "alert" }, say("failed"));
}

function privacy(message) {
  const dismiss = button("plain", { dismiss: message.id }, say("dismiss.message"));
  return h("p", { class: "privacy" }, say("private"), " · ", dismiss);
}
