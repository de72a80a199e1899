/** What can be pressed: buttons in five styles, and select menus. */
import { h, outLink } from "./dom.js";
import { emojiFace, isBlank, withEmoji } from "./emoji.js";
import { readPlace } from "./text.js";
import { say } from "./words.js";

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
export function buttonElement(button, { waiting, world }) {
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
export function selectElement(select, context) {
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
