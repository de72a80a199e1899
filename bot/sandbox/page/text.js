/** Discord's markdown as elements, with the names that the reader knows for every mention. */
import { button, h, outLink } from "./dom.js";
import { isJumbo, openName, ownEmojiCell, withEmoji } from "./emoji.js";
import { parseBlocks, parseInline } from "./markdown.js";
import { formatMoment, say } from "./words.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s" };

/** A message's own content, where a few emoji alone are drawn large. */
export function contentElement(content, world) {
  const jumbo = isJumbo(content) ? " jumbo" : "";
  return h("div", { class: `text${jumbo}`, dir: "auto" }, blocks(content, world));
}

/** A text display, where emoji keep their size. */
export function textElement(text, world) {
  return h("div", { class: "text", dir: "auto" }, blocks(text, world));
}

function blocks(text, world) {
  return parseBlocks(text).map((block) => blockElement(block, world));
}

function blockElement(block, world) {
  switch (block.type) {
    case "heading":
      // The page's own headings are levels 1 and 2.
      return h(`h${block.level + 2}`, { dir: "auto" }, inline(block.children, world));
    case "small":
      return h("p", { class: "small", dir: "auto" }, inline(block.children, world));
    case "quote":
      return h("blockquote", {}, block.blocks.map((inner) => blockElement(inner, world)));
    case "list":
      return listElement(block, world);
    case "code":
      return h("pre", { tabindex: "0" }, h("code", {}, block.text));
    default:
      return h("p", { dir: "auto" }, inline(block.children, world));
  }
}

function listElement(list, world) {
  const items = list.items.map((item) =>
    h("li", {}, inline(item.children, world), item.lists.map((inner) => listElement(inner, world))),
  );
  return list.ordered ? h("ol", { start: list.start }, items) : h("ul", {}, items);
}

function inline(nodes, world) {
  return nodes.flatMap((node) =>
    typeof node === "string" ? withEmoji(node).map(asButton) : [inlineElement(node, world)],
  );
}

/** An emoji of a text is a button with Discord: it opens its name. */
function asButton(node) {
  if (typeof node !== "string") {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
  }
  return node;
}

/** Opens the name of the emoji that was pressed; whether there was one. */
export function openEmoji(target) {
  const emoji = target.closest(".emoji[role=button]");
  if (!emoji || target.closest("a, button")) return false;
  openName(emoji);
  return true;
}

function inlineElement(node, world) {
  switch (node.type) {
    case "code":
      return h("code", {}, node.text);
    case "link":
      return linkElement(node, world);
    case "spoiler":
      return h("span", spoilerAttributes(), inline(node.children, world));
    case "time":
      return momentElement(node, world);
    case "own-emoji":
      return asButton(ownEmojiCell(node));
    case "user":
    case "role":
    case "channel":
    case "command":
    case "everyone":
      return mentionElement(node, world);
    default:
      return h(TAGS[node.type], {}, inline(node.children, world));
  }
}

/** A link to a message of the sandbox leads there; written out, it is a chip with the place. */
function linkElement({ url, children }, world) {
  const place = readPlace(url, world);
  if (!place) return outLink(url, { title: url }, inline(children, world));
  const bare = children.length === 1 && children[0] === url;
  const chip = [`#${place.name}`, h("span", { class: "arrow" }, " › "), place.messageId ? "💬" : ""];
  const { goTo, messageId: showMessage } = place;
  if (bare) return button("mention chip", { goTo, showMessage }, chip);
  return button("plain", { goTo, showMessage }, inline(children, world));
}

/** The place that a link of Discord's names, `{goTo, messageId, name}`, or null. */
export function readPlace(url, world) {
  const found = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(url);
  const channel = found && world.channel(found[1]);
  return channel && { goTo: channel.id, messageId: found[2], name: channel.name };
}

/** Hidden until the reader opens it, see `revealSpoiler`. */
export function spoilerAttributes() {
  const label = say("spoiler");
  return { class: "spoiler", role: "button", tabindex: "0", "aria-label": label };
}

/** Opens the spoiler around `target`; whether there was a closed one. */
export function revealSpoiler(target) {
  const spoiler = target.closest(".spoiler:not([data-revealed])");
  if (!spoiler) return false;
  spoiler.dataset.revealed = "";
  return true;
}

function momentElement({ unix, style }, world) {
  const locale = world.me?.locale;
  const now = world.now();
  const attributes = { title: formatMoment(unix, "F", locale, now), dataset: { unix, style } };
  return h("time", attributes, formatMoment(unix, style, locale, now));
}

function mentionElement(node, world) {
  switch (node.type) {
    case "user": {
      const mine = node.id === world.me?.id ? " mine" : "";
      const name = h("bdi", {}, world.userName(node.id) ?? say("unknown.user"));
      return button(`mention${mine}`, { userId: node.id }, "@", name);
    }
    case "channel": {
      const channel = world.channel(node.id);
      return button("mention", { goTo: channel && node.id }, `#${channel?.name ?? say("unknown.channel")}`);
    }
    case "command":
      return button("mention", { command: node.name }, `/${node.name}`);
    case "everyone":
      return h("span", { class: "mention mine" }, node.text);
    default:
      return h("span", { class: "mention" }, `@${world.guild?.roles[node.id] ?? say("unknown.role")}`);
  }
}
