/** Pictures and files. A picture is shown with its description, anything else is a link. */
import { h, outLink, safeUrl } from "./dom.js";
import { spoilerAttributes } from "./text.js";

const THUMBNAIL = 11;
const GALLERY = 12;
const FILE = 13;

/** The attachments that no component shows already, or null. */
export function attachmentsElement(attachments, components) {
  const shown = new Set(mediaUrls(components));
  const isShown = ({ url, filename }) => shown.has(url) || shown.has(`attachment://${filename}`);
  const rest = attachments.filter((attachment) => !isShown(attachment));
  if (!rest.length) return null;
  return h("div", { class: "attachments" }, rest.map(attachmentElement));
}

function attachmentElement(attachment) {
  const { filename, description, content_type: type = "" } = attachment;
  if (!type.startsWith("image/")) return fileLink(attachment.url, filename, attachment.size);
  return imageElement(attachment, { description, name: filename, className: "picture" });
}

/** A picture that opens in full when pressed, with words for those who do not see it. */
export function imageElement({ url, width, height }, { description, name, className, spoiler }) {
  const target = safeUrl(url);
  if (!target) return null;
  const alt = description || name || "";
  const image = h("img", { src: target, alt, title: description, width, height });
  if (spoiler) return h("div", { ...spoilerAttributes(), class: `${className} spoiler` }, image);
  return outLink(target, { class: className }, image);
}

/** A link that saves a file, with its size. */
export function fileLink(url, name, bytes) {
  const target = safeUrl(url);
  const size = Number.isFinite(bytes) ? h("span", { class: "size" }, formatSize(bytes)) : null;
  const link = target ? h("a", { href: target, download: name }, name) : h("span", {}, name);
  return h("p", { class: "file" }, link, size);
}

/** The address of an item of a component: `attachment://name` is one of the message's own files. */
export function resolveMedia(media, attachments) {
  const name = /^attachment:\/\/(.*)$/.exec(media.url)?.[1];
  const attachment = name && attachments.find(({ filename }) => filename === name);
  return attachment ? { ...media, url: attachment.url } : media;
}

function* mediaUrls(components) {
  for (const component of components) {
    if (component.type === GALLERY) for (const { media } of component.items) yield media.url;
    if (component.type === FILE) yield component.file.url;
    if (component.type === THUMBNAIL) yield component.media.url;
    yield* mediaUrls(component.components ?? []);
    if (component.accessory) yield* mediaUrls([component.accessory]);
  }
}

function formatSize(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
