/** Pictures and files. A picture is shown with its description, anything else is a link. */
import { h, outLink, safeUrl } from "./dom.js";
import { measured, say } from "./words.js";

/** The attachments of a message that no gallery shows, or null. */
export function attachmentsElement(attachments) {
  if (!attachments.length) return null;
  return h("div", { class: "attachments" }, attachments.map(attachmentElement));
}

function attachmentElement(attachment) {
  const { url, filename, description, size, content_type: type = "" } = attachment;
  if (!type.startsWith("image/")) return fileElement(url, filename, size);
  return imageElement(attachment, description);
}

/** A picture that opens in full when pressed, with words for those who do not see it. */
export function imageElement({ url, width, height }, description) {
  const target = safeUrl(url);
  if (!target) return null;
  const image = h("img", { src: target, alt: description || say("picture"), width, height });
  return outLink(target, { class: "picture" }, image);
}

/** A link that saves a file, with its size. */
function fileElement(url, name, bytes) {
  const target = safeUrl(url);
  const size = Number.isFinite(bytes) ? h("span", { class: "size" }, formatSize(bytes)) : null;
  const link = target ? h("a", { href: target, download: name }, name) : h("span", {}, name);
  return h("p", { class: "file" }, link, size);
}

function formatSize(bytes) {
  if (bytes < 1024) return measured(bytes, "byte", { unitDisplay: "long" });
  if (bytes < 1024 * 1024) return measured(bytes / 1024, "kilobyte");
  return measured(bytes / 1024 / 1024, "megabyte");
}
