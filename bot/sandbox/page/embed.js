/** Embeds, and the accent colour that marks them. */
import { cssColor, h, outLink } from "./dom.js";
import { imageElement } from "./media.js";
import { formatMoment } from "./moment.js";
import { lineNodes, textElement } from "./text.js";

/** One embed of a message. */
export function embedElement(embed, world) {
  const style = embed.color ? { "--accent": cssColor(embed.color) } : {};
  return h(
    "article",
    { class: "embed", style },
    h(
      "div",
      { class: "embed-text" },
      small("embed-author", embed.author?.name, embed.author?.url),
      title(embed, world),
      embed.description ? textElement(embed.description, world) : null,
      fields(embed.fields ?? [], world),
    ),
    picture(embed.thumbnail, "thumbnail"),
    picture(embed.image, "embed-image"),
    footer(embed, world),
  );
}

function title(embed, world) {
  if (!embed.title) return null;
  return h("h3", { dir: "auto" }, outLink(embed.url, {}, lineNodes(embed.title, world)));
}

function picture(media, className) {
  return media ? imageElement(media, { name: "picture", className }) : null;
}

function fields(list, world) {
  if (!list.length) return null;
  const entries = list.map(({ name, value, inline }) =>
    h(
      "div",
      { class: inline ? "field inline" : "field" },
      h("dt", { dir: "auto" }, lineNodes(name, world)),
      h("dd", {}, textElement(value, world)),
    ),
  );
  return h("dl", { class: "fields" }, entries);
}

function footer(embed, world) {
  const at = embed.timestamp
    ? formatMoment(Date.parse(embed.timestamp) / 1000, "f", world.me.locale, 0)
    : null;
  const words = [embed.footer?.text, at].filter(Boolean).join(" · ");
  return words ? h("footer", { dir: "auto" }, words) : null;
}

function small(className, text, url) {
  if (!text) return null;
  return h("p", { class: className, dir: "auto" }, outLink(url, {}, text));
}
