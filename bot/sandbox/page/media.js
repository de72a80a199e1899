/** Pictures and files. A picture is shown with its description, anything else is a link. */
import { h, outLink, safeUrl } from "./dom.js";
import { spoilerAttributes } from "./text.js";

/** Of an attachment's flags: hidden until somebody wants to see it. */
const SPOILER = 1 << 3;

/** The attachments of a message in the first version, or null. */
export function attachmentsElement(attachments) {
  if (!attachments.length) return null;
  return h("div", { class: "attachments" }, attachments.map(attachmentElement));
}

function attachmentElement(attachment) {
  const { url, filename, description, size, content_type: type = "", flags = 0 } = attachment;
  const spoiler = Boolean(flags & SPOILER);
  if (!type.startsWith("image/")) return fileElement(url, filename, size, spoiler);
  return imageElement(attachment, { description, name: filename, className: "picture", spoiler });
}

/** A picture that opens in full when pressed, with words for those who do not see it. */
export function imageElement({ url, width, height }, { description, name, className, spoiler }) {
  const target = safeUrl(url);
  if (!target) return null;
  const alt = description || name || "Picture";
  const image = h("img", { src: target, alt, title: description, width, height });
  if (spoiler) return h("div", { ...spoilerAttributes(), class: `${className} spoiler` }, image);
  return outLink(target, { class: className }, image);
}

/** A link that saves a file, with its size. */
export function fileElement(url, name, bytes, spoiler) {
  const target = safeUrl(url);
  const size = Number.isFinite(bytes) ? h("span", { class: "size" }, formatSize(bytes)) : null;
  const link = target ? h("a", { href: target, download: name }, name) : h("span", {}, name);
  const element = h("p", { class: "file" }, link, size);
  return spoiler ? h("div", spoilerAttributes(), element) : element;
}

function formatSize(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
