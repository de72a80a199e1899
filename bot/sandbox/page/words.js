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
function withDigits(locale) {
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

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** `<t:unix:style>` in words; `now` in seconds, for the relative style R. */
export function formatMoment(unix, style, locale, now) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return say("invalid_date");
  const language = known(locale);
  if (style === "R") return relative(unix - now, language);
  return new Intl.DateTimeFormat(language, STYLES[style] ?? STYLES.f).format(date);
}

function relative(seconds, language) {
  const size = Math.round(Math.abs(seconds));
  const [unit, length] = UNITS.find(([, least]) => size >= least) ?? UNITS.at(-1);
  const count = Math.round(seconds / length);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count, unit);
}

function known(locale) {
  const [supported] = Intl.DateTimeFormat.supportedLocalesOf([locale || "en-US"]);
  return withDigits(supported ?? "en-US");
}

/** Keeps every relative time of `root` true. */
export function keepMomentsFresh(root, world) {
  const refresh = () => {
    for (const element of root.querySelectorAll('time[data-style="R"]')) {
      const unix = Number(element.dataset.unix);
      const text = formatMoment(unix, "R", world.me?.locale, world.now());
      if (element.textContent !== text) element.textContent = text;
    }
  };
  world.addEventListener("clock", refresh);
  setInterval(refresh, 1000);
}
