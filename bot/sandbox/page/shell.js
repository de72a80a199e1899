/** What is around the messages: sidebar (on a narrow screen a menu), heading and banner. */
import { part } from "./dom.js";
import { avatarElement } from "./message.js";
import { formatMoment } from "./moment.js";
import { channelMark, channelTitle, renderSidebar } from "./sidebar.js";
import { say } from "./words.js";

/**
 * Events: `person`, with the name, and `channel`, with the id that was chosen as detail; `act`, with
 * what the viewer wants of the sandbox.
 */
export class Shell extends EventTarget {
  #reachable = true;
  #bot = null;

  constructor() {
    super();
    part("menu").addEventListener("click", () => this.#openMenu(!this.#menuIsOpen));
    part("veil").addEventListener("click", () => this.#openMenu(false));
    part("sidebar").addEventListener("click", ({ target }) => this.#onClick(target));
    part("sidebar").addEventListener("change", ({ target }) => {
      this.#tell("act", { type: "locale", locale: target.value });
    });
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
    document.title = `${pings ? `(${pings}) ` : ""}${place} · ${say("title")}`;
    this.showTime(world);
    const language = part("sidebar").querySelector("#locale");
    if (document.activeElement !== language) language.value = world.me.locale;
    this.#bot = world.bot;
    this.#showBanner();
  }

  /** Shows what the clock of the sandbox says. */
  showTime(world) {
    part("time").textContent = formatMoment(world.now(), "f", world.me?.locale, 0);
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
    if (!this.#reachable) return say("unreachable");
    if (!this.#bot || this.#bot.online) return "";
    const { name } = this.#bot;
    return say("offline", { name });
  }

  #onClick(target) {
    const person = target.closest("[data-person]");
    const channel = target.closest("[data-channel-id]");
    const action = target.closest("[data-act]:not([aria-disabled])");
    if (target.closest("#frame")) this.#framePhone();
    if (action) {
      const { act: type, on, seconds } = action.dataset;
      this.#tell("act", { type, on: on === "true", seconds: Number(seconds) });
    }
    if (person) this.#tell("person", person.dataset.person);
    else if (channel) this.#tell("channel", channel.dataset.channelId);
    else return;
    this.#openMenu(false);
  }

  /** The messages as on a phone, beside the side bar. */
  #framePhone() {
    const framed = document.body.classList.toggle("phone");
    part("frame").setAttribute("aria-checked", String(framed));
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
