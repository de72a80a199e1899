/** What can be pressed: buttons in five styles, and select menus. */
import { h, outLink } from "./dom.js";
import { emojiFace, isBlank, withEmoji } from "./emoji.js";

const STYLES = new Map([
  [1, "primary"],
  [2, "secondary"],
  [3, "success"],
  [4, "danger"],
  [5, "link"],
]);
const LINK = 5;

/**
 * A button. What cannot be pressed keeps its place in the order of focus (aria-disabled instead of
 * disabled), so a player on the keyboard is not thrown off the board by the own move.
 */
export function buttonElement(button, { waiting }) {
  const style = STYLES.get(button.style) ?? "secondary";
  const square = isSquare(button) ? " square" : "";
  const face = [button.emoji ? emojiFace(button.emoji) : null, labelElement(button.label)];
  if (button.style === LINK) return linkButton(button, face);
  return h(
    "button",
    {
      type: "button",
      class: `button ${style}${square}`,
      "aria-disabled": button.disabled ? "true" : null,
      "aria-busy": isBusy(button, waiting) ? "true" : null,
      "aria-label": isBlank(button.label) && !button.emoji ? "Empty" : null,
      dataset: { customId: button.custom_id, action: "press" },
    },
    face,
  );
}

function linkButton({ url, disabled }, face) {
  const outward = h("span", { "aria-hidden": "true" }, "↗");
  const attributes = disabled ? { role: "link", "aria-disabled": "true" } : {};
  return outLink(disabled ? null : url, { class: "button link", ...attributes }, face, outward);
}

function labelElement(label) {
  return isBlank(label) ? null : h("span", { class: "label", dir: "auto" }, withEmoji(label));
}

/** Cells of a board are as wide as high, whether they carry a mark, a digit or nothing. */
function isSquare({ label, emoji }) {
  if (isBlank(label)) return true;
  return !emoji && countLetters(label) <= 2;
}

/** How many letters and emoji a reader sees. */
function countLetters(label) {
  const size = (piece) => (typeof piece === "string" ? [...piece].length : 1);
  return withEmoji(label).reduce((sum, piece) => sum + size(piece), 0);
}

/** A select menu, closed; `picker.js` opens its choices. */
export function selectElement(select, context) {
  const chosen = select.options.filter((option) => option.default);
  const placeholder = select.placeholder || "Make a selection";
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
