/** Components of a message by their type, version 2's layout and the rows of controls alike. */
import { buttonElement, selectElement } from "./controls.js";
import { cssColor, h } from "./dom.js";
import { imageElement } from "./media.js";
import { spoilerAttributes, textElement } from "./text.js";
import { say } from "./words.js";

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
