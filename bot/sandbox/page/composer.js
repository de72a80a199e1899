/** Where people write: the line, the list of commands, and the fields of the chosen one. */
import {
  commandOf,
  matching,
  readTexts,
  readValue,
  readValues,
  typeableCommands,
  writeLine,
} from "./commands.js";
import { button, h, part } from "./dom.js";
import { Fields } from "./fields.js";
import { act } from "./interactions.js";
import { Listbox } from "./listbox.js";
import { say } from "./words.js";

/** Types commands and messages as `world.me` in the channel that is shown. */
export class Composer {
  #world;
  #send;
  #line = part("line");
  #problem = part("problem");
  #options = part("options");
  #list;
  #channel = null;
  #place = "";
  #command = null;
  #fields = null;
  #texts = new Map();
  #stray = "";
  #last = "";

  /** `send(body)` sends what the viewer does. */
  constructor(world, send) {
    this.#world = world;
    this.#send = send;
    this.#list = new Listbox(this.#line, part("commands"), (command) => this.start(command.path));
    this.#line.addEventListener("input", () => this.#read());
    this.#line.addEventListener("keydown", (event) => this.#onKey(event));
    this.#options.addEventListener("keydown", (event) => this.#onFieldKey(event));
    const form = part("composer");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    for (const news of ["commands", "me"]) {
      world.addEventListener(news, () => this.#channel && this.#read());
    }
  }

  /** The place to type in has changed, or the person who types. */
  enter(channel) {
    const place = `${this.#world.me.id}/${channel.id}`;
    this.#channel = channel;
    if (place !== this.#place) this.#clear();
    else this.#read();
    this.#place = place;
  }

  /** Begins the command of this name, as if it had been taken from the list. */
  start(path) {
    const command = this.#commands().find((each) => each.path === path);
    if (!command) return this.complain(noCommand(`/${path}`));
    this.#line.value = `/${command.title} `;
    this.#read();
    (this.#fields?.firstMissing() ?? this.#line).focus();
    return undefined;
  }

  /** Shows this sentence until something else is typed. */
  complain(sentence) {
    this.#problem.textContent = sentence;
    this.#problem.hidden = !sentence;
  }

  #commands() {
    return typeableCommands(this.#world.commands, this.#world.me, this.#channel);
  }

  /** Takes up what the line says now. */
  #read() {
    const line = this.#line.value;
    const found = commandOf(line, this.#commands());
    this.complain("");
    if (found?.named) {
      const { texts, stray } = readTexts(found.rest, found.command);
      this.#texts = texts;
      this.#stray = stray;
      this.#choose(found.command);
      this.#list.hide();
    } else {
      this.#choose(null);
      this.#suggest(line);
    }
  }

  #suggest(line) {
    const typed = /^\s*\/(.*)$/.exec(line)?.[1];
    const commands = typed === undefined ? [] : matching(this.#commands(), typed);
    this.#list.show(commands, ({ path, title, description }) => [
      h("span", { class: "command", dataset: { command: path } }, `/${title}`),
      h("span", { class: "hint" }, description),
    ]);
  }

  /** Shows the fields of `command`, or none. */
  #choose(command) {
    if (JSON.stringify(command) !== JSON.stringify(this.#command)) {
      this.#fields = command ? this.#makeFields(command) : null;
      const shown = command ? [this.#heading(command), this.#fields.element] : [];
      this.#options.replaceChildren(...shown);
      this.#options.hidden = !command;
    }
    this.#command = command;
    this.#fields?.show(this.#texts);
  }

  #makeFields(command) {
    return new Fields(command, this.#world, {
      onChange: (name, text) => {
        this.#texts.set(name, text);
        this.#line.value = writeLine(command, this.#texts);
        this.complain("");
      },
      propose: (name, signal) => this.#propose(name, signal),
    });
  }

  #heading({ title, description }) {
    const leave = button("plain", {}, say("cancel"));
    leave.addEventListener("click", () => this.#clear());
    const words = [
      h("span", { class: "command" }, `/${title}`),
      h("span", { class: "hint" }, description),
    ];
    return h("p", { class: "options-head" }, words, leave);
  }

  async #propose(focused, signal) {
    const options = {};
    for (const option of this.#command.options) {
      const text = this.#texts.get(option.name) ?? "";
      const chosen = this.#fields.chosen(option.name, text);
      if (option.name === focused) options[option.name] = text;
      else if (text) options[option.name] = chosen ?? readValue(option, text, this.#world);
    }
    const body = {
      as: this.#world.me.id,
      type: "autocomplete",
      channel_id: this.#channel.id,
      command: this.#command.path,
      options,
      focused,
    };
    return (await act(body, { signal })).choices ?? [];
  }

  #onKey(event) {
    // A command that is typed out and asks for nothing is sent by one Enter.
    if (event.key === "Enter" && this.#isComplete(this.#list.active)) return;
    if (this.#list.key(event)) return;
    if (event.key === "Escape") this.#clear();
    else if (event.key === "ArrowUp" && !this.#line.value && this.#last) {
      event.preventDefault();
      this.#line.value = this.#last;
      this.#read();
    }
  }

  #isComplete(command) {
    if (!command || command.options.some(({ required }) => required)) return false;
    return this.#line.value.trim() === `/${command.title}`;
  }

  #onFieldKey(event) {
    if (event.key === "Escape") this.#line.focus();
    else if (event.key === "Enter" && event.target.matches("select")) {
      event.preventDefault();
      this.#submit();
    }
  }

  async #submit() {
    if (!this.#command && commandOf(this.#line.value, this.#commands())) {
      this.#line.value += " ";
      this.#read();
    }
    try {
      const body = this.#body();
      const line = this.#line.value;
      part("send").disabled = true;
      await this.#send(body);
      this.#last = line;
      this.#clear();
      this.#line.focus();
    } catch (error) {
      this.complain(this.#worded(error));
    } finally {
      part("send").disabled = false;
    }
  }

  #body() {
    const line = this.#line.value.trim();
    if (!this.#command) {
      if (line.startsWith("/")) throw new Error(noCommand(line));
      if (!line) throw new Error(say("refused.nothing"));
      return { type: "message", content: line };
    }
    if (this.#stray) {
      const values = { text: this.#stray, command: `/${this.#command.title}` };
      throw new Error(say("refused.leftover", values));
    }
    const chosen = (name, text) => this.#fields.chosen(name, text);
    const options = readValues(this.#command, this.#texts, this.#world, chosen);
    return { type: "command", channel_id: this.#channel.id, command: this.#command.path, options };
  }

  /** What went wrong, with the option as the person knows it. */
  #worded({ message, key, values }) {
    const option = this.#command?.options.find(({ name }) => name === values?.option);
    return option ? say(key, { ...values, option: option.title }) : message;
  }

  #clear() {
    this.#line.value = "";
    this.#texts = new Map();
    this.#read();
  }
}

function noCommand(command) {
  return say("refused.no_command", { command });
}
