/**
 * Elements made from plain data. Text is always a text node and no attribute is ever parsed as
 * HTML, so nothing that a player writes can become markup.
 */

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * An element with attributes and children.
 *
 * `on…` functions listen, `dataset` and `style` take objects, true is a bare attribute, and
 * false, null and undefined leave an attribute or a child out.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, present(value));
    else if (name === "style") setStyle(element, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Through the object model, which the Content-Security-Policy allows; the attribute it refuses. */
function setStyle(element, declarations) {
  for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value);
}

function present(entries) {
  return Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Something that others listen to; `tell` says what each event is about. */
export class Source extends EventTarget {
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** The element of the page's skeleton with this id. */
export function part(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element #${id}`);
  return element;
}

/**
 * `url` if it leads to the web or to this server, else null: no `javascript:` becomes a link. This
 * machine has several names; its files are asked for by the one that the page itself was.
 */
export function safeUrl(url) {
  if (typeof url !== "string" || !URL.canParse(url, location.href)) return null;
  const target = new URL(url, location.href);
  const here = LOOPBACK.includes(target.hostname) && target.port === location.port;
  if (here && LOOPBACK.includes(location.hostname)) target.host = location.host;
  return ["http:", "https:"].includes(target.protocol) ? target.href : null;
}

/** A button; what it does is said by its data, and done by a listener around it. */
export function button(className, dataset, ...children) {
  return h("button", { type: "button", class: className, dataset }, ...children);
}

/** A link that opens beside the page, or only its children when `url` leads nowhere safe. */
export function outLink(url, attributes, ...children) {
  const href = safeUrl(url);
  if (!href) return h("span", attributes, ...children);
  return h("a", { ...attributes, href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

/** A colour of Discord's API (24 bits) as CSS writes it. */
export function cssColor(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}
