/** What is around the messages: sidebar (on a narrow screen a menu), heading and banner. */
import { part } from "./dom.js";
import { avatarElement } from "./message.js";
import { channelMark, channelTitle, renderSidebar } from "./sidebar.js";

const TITLE = "Parlour sandbox";

/**
 * Events: `person` and `channel`, each with the id that was chosen as detail; `manage`, with whether
 * the viewer shall be able to manage the server.
 */
export class Shell extends EventTarget {
  #reachable = true;
  #bot = null;

  constructor() {
    super();
    part("menu").addEventListener("click", () => this.#openMenu(!this.#menuIsOpen));
    part("veil").addEventListener("click", () => this.#openMenu(false));
    part("sidebar").addEventListener("click", ({ target }) => this.#onClick(target));
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#openMenu(false);
    });
  }

  /** Draws the sidebar and the heading; `unread(channelId)` gives `{unread, pings}`. */
  render(world, channelId, unread) {
    const channel = world.channel(channelId);
    renderSidebar(world, channelId, unread);
    const pings = world.channels.reduce((sum, { id }) => sum + unread(id).pings, 0);
    const place = `${channelMark(channel)} ${channelTitle(channel, world)}`;
    part("place").textContent = place;
    part("viewer").replaceChildren(avatarElement(world.me.name, world.me.color), world.me.name);
    part("menu").dataset.pings = pings || "";
    document.title = `${pings ? `(${pings}) ` : ""}${place} · ${TITLE}`;
    this.#bot = world.bot;
    this.#showBanner();
  }

  /** Whether the sandbox can be reached. */
  showLink(reachable) {
    this.#reachable = reachable;
    this.#showBanner();
  }

  #showBanner() {
    const banner = part("banner");
    const sentence = this.#trouble();
    banner.hidden = !sentence;
    if (banner.textContent !== sentence) banner.textContent = sentence;
  }

  #trouble() {
    if (!this.#reachable) return "The sandbox cannot be reached. Trying again…";
    if (!this.#bot || this.#bot.online) return "";
    return `${this.#bot.name} is offline: commands and buttons fail until it is back.`;
  }

  #onClick(target) {
    const person = target.closest("[data-person-id]");
    const channel = target.closest("[data-channel-id]");
    const manages = target.closest("[data-manages]:not([aria-disabled])");
    if (manages) {
      this.#tell("manage", manages.dataset.manages === "true");
      return;
    }
    if (person) this.#tell("person", person.dataset.personId);
    else if (channel) this.#tell("channel", channel.dataset.channelId);
    else return;
    this.#openMenu(false);
  }

  get #menuIsOpen() {
    return part("menu").getAttribute("aria-expanded") === "true";
  }

  #openMenu(open) {
    if (open === this.#menuIsOpen) return;
    part("menu").setAttribute("aria-expanded", String(open));
    part("veil").hidden = !open;
    document.body.dataset.menu = open ? "open" : "";
    if (open) part("sidebar").querySelector("[aria-current]")?.focus();
    else part("menu").focus();
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
