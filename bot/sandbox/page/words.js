/**
 * The page's own words, in the language of its person: texts by key, in which values stand for
 * `{names}`. They come from the bot's message catalogues (`page.…`) with the snapshot; the page
 * itself brings the English ones. No text counts things, so none has plural forms.
 */

let { locale: language, direction, texts } = JSON.parse(document.getElementById("words").textContent)[0];

/** Words the page in a language from now on. */
export function speak(words) {
  ({ locale: language, direction, texts } = words);
  const root = document.documentElement;
  root.lang = language;
  root.dir = direction;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of document.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
  }
  for (const element of document.querySelectorAll("[data-say-placeholder]")) {
    element.setAttribute("placeholder", say(element.dataset.sayPlaceholder));
  }
  for (const element of document.querySelectorAll("[data-later]")) {
    element.textContent = measured(1, element.dataset.later, { unitDisplay: "narrow", signDisplay: "always" });
  }
}

/** Whether the page is mirrored. */
export function isMirrored() {
  return direction === "rtl";
}

/** The text of a key, with its values. */
export function say(key, values = {}) {
  return sayWith(key, values).join("");
}

/** The text as nodes, for values that may be elements. */
export function sayWith(key, values) {
  const pieces = texts[key].split(/\{(\w+)\}/);
  return pieces.map((piece, index) => (index % 2 ? filled(piece, values) : piece));
}

/** The items with commas, and an "and" before the last. */
export function listed(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items.map(apart));
}

/** So much of a unit, `5 minutes`; `options` are those of numbers. */
export function measured(value, unit, options) {
  const style = { style: "unit", unit, maximumFractionDigits: 1, ...options };
  return new Intl.NumberFormat(withDigits(language), style).format(value);
}

/** A locale for `Intl` whose numbers are written with 0 to 9, as the bot writes them. */
export function withDigits(locale) {
  return `${locale}-u-nu-latn`;
}

function filled(name, values) {
  const value = values[name] ?? `{${name}}`;
  return value instanceof Node ? value : apart(value);
}

/** A value keeps its own direction inside of a sentence from the right. */
function apart(value) {
  return isMirrored() ? `\u2068${value}\u2069` : value;
}
