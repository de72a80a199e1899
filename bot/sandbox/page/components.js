/** Components of a message by their type: layout, buttons and menus, pictures and files. */
import { cssColor, h, outLink, safeUrl } from "./dom.js";
import { emojiFace, isBlank, withEmoji } from "./emoji.js";
import { readPlace, spoilerAttributes, textElement } from "./text.js";
import { measured, say } from "./words.js";

const DRAW = new Map([
  [1, row],
  [2, buttonElement],
  [3, selectElement],
  [5, selectElement],
  [8, selectElement],
  [10, ({ content }, { world }) => textElement(content, world)],
  [12, gallery],
  [17, container],
]);

/**
 * The element of one component.
 *
 * `context` is `{world, waiting}`: names, and the reader's press on this message.
 */
export function componentElement(component, context) {
  const draw = DRAW.get(component.type);
  if (draw) return draw(component, context);
  const { type } = component;
  const sentence = say("unknown_component", { type });
  return h("p", { class: "unknown" }, sentence);
}

function children(component, context) {
  return component.components.map((child) => componentElement(child, context));
}

function row(component, context) {
  return h("div", { class: "row" }, children(component, context));
}

function container(component, context) {
  const accent = component.accent_color;
  const style = accent === null || accent === undefined ? {} : { "--accent": cssColor(accent) };
  const inside = h("div", { class: "container-body" }, children(component, context));
  return h("section", { class: "container", style }, inside);
}

function gallery({ items }) {
  const pictures = items.map(({ media, description, spoiler }) => {
    const image = imageElement(media, description);
    return spoiler ? h("div", spoilerAttributes(), image) : image;
  });
  return h("div", { class: "gallery", dataset: { count: items.length } }, pictures);
}

const STYLES = new Map([
  [1, "primary"],
  [2, "secondary"],
  [3, "success"],
  [4, "danger"],
  [5, "link"],
]);
const LINK = 5;
const USERS = 5;

/**
 * A button, named as with Discord by its label and its emoji alone. What cannot be pressed keeps its place in the order of focus (aria-disabled instead of
 * disabled), so a player on the keyboard is not thrown off the board by the own move.
 */
function buttonElement(button, { waiting, world }) {
  const style = STYLES.get(button.style) ?? "secondary";
  const face = [button.emoji ? emojiFace(button.emoji) : null, labelElement(button.label)];
  if (button.style === LINK) return linkButton(button, face, world);
  return h(
    "button",
    {
      type: "button",
      class: `button ${style}`,
      "aria-disabled": button.disabled ? "true" : null,
      "aria-busy": isBusy(button, waiting) ? "true" : null,
      dataset: { customId: button.custom_id, action: "press" },
    },
    face,
  );
}

function linkButton({ url, disabled }, face, world) {
  const place = readPlace(url, world);
  if (place && !disabled) {
    const dataset = { goTo: place.goTo, showMessage: place.messageId };
    return h("button", { type: "button", class: "button link", dataset }, face);
  }
  const outward = h("span", { "aria-hidden": "true" }, "↗");
  const attributes = disabled ? { role: "link", "aria-disabled": "true" } : {};
  return outLink(disabled ? null : url, { class: "button link", ...attributes }, face, outward);
}

function labelElement(label) {
  return isBlank(label) ? null : h("span", { class: "label", dir: "auto" }, withEmoji(label));
}

/** The lines of a menu: those of the bot, or the people or channels that Discord puts there. */
export function choicesOf(select, world) {
  if (select.options) return select.options;
  const chosen = new Set((select.default_values ?? []).map(({ id }) => id));
  return namedBy(select, world).map(({ id, label }) => ({ value: id, label, default: chosen.has(id) }));
}

function namedBy({ type, channel_types: types = [] }, world) {
  if (type === USERS) return world.users.map(({ id, name }) => ({ id, label: name }));
  return world.channels
    .filter(({ context, type: kind }) => context === 0 && (!types.length || types.includes(kind)))
    .map(({ id, name }) => ({ id, label: `#${name}` }));
}

/** A select menu, closed; `picker.js` opens its choices. */
function selectElement(select, context) {
  const chosen = choicesOf(select, context.world).filter((option) => option.default);
  const placeholder = select.placeholder || say("make_selection");
  const shown = chosen.map(({ label }) => label).join(", ");
  return h(
    "button",
    {
      type: "button",
      class: chosen.length ? "select" : "select empty",
      "aria-haspopup": "listbox",
      "aria-label": chosen.length ? `${placeholder}: ${shown}` : null,
      "aria-disabled": select.disabled ? "true" : null,
      "aria-busy": isBusy(select, context.waiting) ? "true" : null,
      dataset: { customId: select.custom_id, action: "pick" },
    },
    h("span", { class: "label", dir: "auto" }, chosen.length ? faces(chosen) : placeholder),
  );
}

/** What is chosen, as a closed menu shows it. */
function faces(chosen) {
  return chosen.flatMap(({ emoji, label }, index) => [
    index ? ", " : "",
    ...(emoji ? [emojiFace(emoji), " "] : []),
    ...withEmoji(label),
  ]);
}

function isBusy({ custom_id: customId }, waiting) {
  return waiting?.customId === customId && ["sending", "pending"].includes(waiting.state);
}

/** The attachments of a message that no gallery shows, or null. */
export function attachmentsElement(attachments) {
  if (!attachments.length) return null;
  return h("div", { class: "attachments" }, attachments.map(attachmentElement));
}

function attachmentElement(attachment) {
  const { url, filename, description, size, content_type: type = "" } = attachment;
  if (!type.startsWith("image/")) return fileElement(url, filename, size);
  return imageElement(attachment, description);
}

/** A picture that opens in full when pressed, with words for those who do not see it. */
function imageElement({ url, width, height }, description) {
  const target = safeUrl(url);
  if (!target) return null;
  const image = h("img", { src: target, alt: description || say("picture"), width, height });
  return outLink(target, { class: "picture" }, image);
}

/** A link that saves a file, with its size. */
function fileElement(url, name, bytes) {
  const target = safeUrl(url);
  const size = Number.isFinite(bytes) ? h("span", { class: "size" }, formatSize(bytes)) : null;
  const link = target ? h("a", { href: target, download: name }, name) : h("span", {}, name);
  return h("p", { class: "file" }, link, size);
}

function formatSize(bytes) {
  if (bytes < 1024) return measured(bytes, "byte", { unitDisplay: "long" });
  if (bytes < 1024 * 1024) return measured(bytes / 1024, "kilobyte");
  return measured(bytes / 1024 / 1024, "megabyte");
}
