// The messages of the open channel: what is new, where reading stopped, what is pinned.
import { messageItem } from "/messages.js";
import { $, el } from "/text.js";

const AT_ONCE = 100, NEAR = 120, TOGETHER_MS = 7 * 60 * 1000;
const later = (a, b) => BigInt(a) > BigInt(b);

export class Feed {
  constructor(ctx) {
    this.ctx = ctx;
    this.list = $("messages");
    this.atEnd = true;
    this.height = 0;
    this.fresh = 0;
    this.meanwhile = null; // news while messages are on their way
    this.list.addEventListener("scroll", () => this.scrolled());
    // Pictures grow the list after it is drawn; stay at the bottom if one was there.
    this.list.addEventListener("load", () => this.stay(), true);
    new ResizeObserver(() => this.stay()).observe(this.list);
    $("newest").addEventListener("click", () => this.toEnd());
    $("stopped").addEventListener("click", () => this.list.querySelector(".stopped")?.scrollIntoView({ block: "center" }));
    $("pinned").addEventListener("click", () => this.showPins());
    document.addEventListener("visibilitychange", () => this.looked());
  }

  // -- reading marks, for each person and channel --

  key(channel) { return `read:${this.ctx.me}:${channel}`; }
  readUpTo(channel) { return localStorage.getItem(this.key(channel)); }
  unread(place) { return place.last !== "0" && later(place.last, this.readUpTo(place.id) || "0"); }

  looked() {
    if (document.visibilityState !== "visible") return;
    const last = [...this.list.querySelectorAll(".message")].at(-1)?.dataset.id;
    if (this.atEnd && last && later(last, this.readUpTo(this.ctx.channel) || "0")) localStorage.setItem(this.key(this.ctx.channel), last);
    this.ctx.ask("look", {});
  }

  // -- loading --

  async fetch(query) {
    const found = await this.ctx.request(`/sandbox/messages?person=${this.ctx.me}&channel=${this.ctx.channel}${query}`);
    if (found.problem) { this.ctx.notice(found.problem); return null; }
    return found;
  }

  async load(focusOn) {
    const wanted = [this.ctx.channel, this.ctx.me].join();
    const meanwhile = this.meanwhile = [];
    const found = await this.fetch(focusOn ? `&around=${focusOn}` : "");
    if (this.meanwhile === meanwhile) this.meanwhile = null;
    if (!found || wanted !== [this.ctx.channel, this.ctx.me].join()) return;
    const items = found.map((message) => messageItem(message, this.ctx));
    this.list.replaceChildren(...(found.length >= AT_ONCE ? [this.earlier()] : []), ...items);
    this.fresh = 0;
    this.group();
    this.mark(found);
    const target = focusOn && this.item(focusOn);
    if (target) this.show(target); else this.toEnd();
    // What has come since the answer was written is not in it.
    for (const [kind, message] of meanwhile) this.take(kind, message);
  }

  earlier() {
    const button = el("button", { type: "button", class: "mention link" }, "Show earlier messages");
    button.addEventListener("click", () => this.ctx.busy(button, () => this.loadEarlier(button.parentElement)));
    return el("li", { class: "earlier" }, button);
  }

  async loadEarlier(row) {
    const first = this.list.querySelector(".message");
    const found = await this.fetch(`&before=${first.dataset.id}`);
    if (!found) return;
    const below = this.list.scrollHeight - this.list.scrollTop;
    row.replaceWith(...(found.length >= AT_ONCE ? [this.earlier()] : []), ...found.map((message) => messageItem(message, this.ctx)));
    this.group();
    this.list.scrollTop = this.list.scrollHeight - below;
  }

  // The line above the first message that this person has not read; none on the first visit.
  mark(found) {
    const read = this.readUpTo(this.ctx.channel);
    const first = read && found.find((message) => later(message.id, read) && message.author.id !== this.ctx.me);
    if (first) this.draw(this.item(first.id));
  }

  draw(item) {
    const line = el("li", { class: "stopped", role: "separator" }, el("span", {}, "New since you were here"));
    item?.before(line);
    item?.classList.remove("follows");
  }

  // Who acts has read what there is.
  acted() {
    this.list.querySelector(".stopped")?.remove();
    this.group();
    this.signs();
  }

  // -- news --

  item(id) { return this.list.querySelector(`[data-id="${id}"]`); }

  take(kind, message) {
    this.meanwhile?.push([kind, message]);
    const old = this.item(message.id);
    if (message.channel_id !== this.ctx.channel && !old) return;
    if (kind === "message_delete") old?.remove();
    else if (old) old.replaceWith(messageItem(message, this.ctx));
    else if (kind === "message_create" || message.channel_id === this.ctx.channel) this.append(message);
    this.group();
    this.stay();
    if (message.pinged.includes(this.ctx.me) || this.atEnd) this.looked();
  }

  append(message) {
    const item = messageItem(message, this.ctx);
    const after = [...this.list.querySelectorAll(".message")].findLast((other) => !later(other.dataset.id, message.id));
    if (after) after.after(item); else this.list.append(item);
    const own = message.author.id === this.ctx.me;
    const unseen = !own && (!this.atEnd || document.visibilityState !== "visible");
    if (unseen && !this.list.querySelector(".stopped")) this.draw(item);
    if (own || message.ephemeral) { this.atEnd = true; this.fresh = 0; }
    else if (!this.atEnd) this.fresh += 1;
  }

  // Messages of one author that follow each other closely share one header, as on Discord.
  group() {
    let before = null;
    for (const item of this.list.children) {
      const { author, time } = item.dataset;
      const follows = before && author && before.dataset.author === author && !("alone" in item.dataset) && Number(time) - Number(before.dataset.time) < TOGETHER_MS;
      item.classList.toggle("follows", Boolean(follows));
      before = author && !item.classList.contains("ephemeral") ? item : null;
    }
  }

  // -- scrolling --

  scrolled() {
    // Growing content must not change whether one reads the end; only scrolling does.
    if (this.list.scrollHeight === this.height) this.atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR;
    this.height = this.list.scrollHeight;
    if (this.atEnd && this.fresh) { this.fresh = 0; this.looked(); }
    this.signs();
  }

  stay() {
    if (this.atEnd) this.list.scrollTop = this.list.scrollHeight;
    this.height = this.list.scrollHeight;
    this.signs();
  }

  toEnd() {
    this.atEnd = true;
    this.fresh = 0;
    this.stay();
    this.looked();
  }

  show(target) {
    this.atEnd = false;
    target.scrollIntoView({ block: target.offsetHeight > this.list.clientHeight ? "start" : "center" });
    target.focus({ preventScroll: true });
    target.classList.add("shown");
    this.height = this.list.scrollHeight;
    this.signs();
  }

  signs() {
    $("newest").hidden = this.atEnd;
    $("newest").textContent = this.fresh ? `Jump to newest (${this.fresh} new)` : "Jump to newest";
    const line = this.list.querySelector(".stopped");
    const above = line && line.getBoundingClientRect().bottom < this.list.getBoundingClientRect().top;
    $("stopped").hidden = !above;
    if (above) $("stopped").textContent = "↑ To where you stopped reading";
  }

  // -- pins --

  async showPins() {
    const found = await this.ctx.request(`/sandbox/pins?person=${this.ctx.me}&channel=${this.ctx.channel}`);
    if (found.problem) { this.ctx.notice(found.problem); return; }
    const close = () => $("pins").close();
    $("pins").replaceChildren(
      el("h2", { id: "pins-title", tabindex: "-1", autofocus: true }, "Pinned messages"),
      ...found.map((message) => el("section", { class: "pinned-one" },
        el("ol", {}, messageItem({ ...message, components: [], thread: null }, this.ctx)),
        el("button", { type: "button", class: "button secondary", onclick: () => { close(); this.reach(message.id); } }, "Jump"))),
      el("button", { type: "button", class: "button primary", onclick: close }, "Close"));
    $("pins").showModal();
  }

  reach(id) {
    const there = this.item(id);
    if (there) this.show(there); else this.load(id);
  }
}
