/** Points in time as Discord writes them, in the reader's language. */
import { say, withDigits } from "./words.js";

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
