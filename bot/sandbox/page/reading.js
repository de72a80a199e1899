/**
 * What each person has read, kept in this browser: the last message seen in each channel. What is
 * newer is unread, and counts on the badge when it mentions the person.
 */
import { compareIds } from "./world.js";

const KEY = "parlour-sandbox-read";

/** Marks by person and channel. `storage` is the browser's; without one they last for the page. */
export class Reading {
  #storage;
  #marks = {};

  constructor(storage) {
    this.#storage = storage;
    this.refresh();
  }

  /** Takes up what other tabs have marked. */
  refresh() {
    try {
      this.#marks = JSON.parse(this.#storage?.getItem(KEY) ?? null) ?? this.#marks;
    } catch {
      // Unreadable marks are no marks.
    }
  }

  /** This person has seen everything up to `messageId`. */
  see(personId, channelId, messageId) {
    const key = `${personId}/${channelId}`;
    this.refresh();
    if (compareIds(this.#marks[key] ?? "", messageId) >= 0) return;
    this.#marks[key] = messageId;
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#marks));
    } catch {
      // A full or forbidden storage costs the memory of what was read, nothing else.
    }
  }

  /** How much of `messages` is new to this person: `{unread, pings}`. */
  count(person, channelId, messages) {
    const mark = this.#marks[`${person.id}/${channelId}`] ?? "";
    const unread = messages.filter(({ id }) => compareIds(id, mark) > 0);
    return { unread: unread.length, pings: unread.filter(({ pinged }) => pinged).length };
  }
}

